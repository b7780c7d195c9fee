#include "app/palette_entries.h"

#include <QFileInfo>
#include <set>

#include "panels/common/text.h"

namespace orrery {

namespace {

void add_panel(PanelDescriptor const& panel, std::vector<PaletteEntry>& entries) {
    MethodSchema const& schema = *panel.schema;
    QStringList words{qt(schema.paper_title), qt(schema.method_name), qt(schema.authors),
                      qt(schema.group),       qt(schema.slug),        qt(schema.summary)};
    for (std::string const& pattern : schema.file_patterns) words << qt(pattern).remove('*');
    QString const all = words.join(' ');
    entries.push_back({QStringLiteral("Open room: %1").arg(qt(schema.title)), qt(schema.paper_title), all,
                       CommandCall{"room", {schema.slug}}.text(), true});
    for (VerbSchema const& verb : schema.verbs) {
        if (verb.name == "verify") continue;
        entries.push_back({QStringLiteral("Run: %1").arg(qt(verb.label.empty() ? verb.name : verb.label)),
                           qt(schema.title), qt(verb.summary) + ' ' + qt(schema.method_name) + ' ' + qt(schema.slug),
                           CommandCall{"run", {schema.slug, verb.name}}.text(), true});
    }
    for (Sample const& sample : panel.samples)
        entries.push_back({QStringLiteral("Sample: %1").arg(qt(sample.title)), qt(schema.title),
                           qt(sample.summary) + ' ' + qt(sample.name),
                           CommandCall{"sample", {schema.slug, sample.name}}.text(), true});
    entries.push_back({QStringLiteral("Help: %1").arg(qt(schema.title)), qt(schema.method_name), all,
                       CommandCall{"help", {schema.slug}}.text(), true});
    entries.push_back({QStringLiteral("Cite: %1").arg(qt(schema.title)), qt(schema.paper_title), qt(schema.authors),
                       CommandCall{"cite", {schema.slug}}.text(), true});
}

}  // namespace

std::vector<PaletteEntry> palette_entries(std::vector<PanelDescriptor> const& panels, CommandBus const& commands,
                                          std::vector<StandingCommand> const& standing,
                                          QStringList const& recent_files) {
    std::vector<PaletteEntry> entries;
    for (PanelDescriptor const& panel : panels) add_panel(panel, entries);
    std::set<std::string> offered;
    for (StandingCommand const& command : standing) {
        if (!offered.insert(command.text).second) continue;
        entries.push_back({command.title, qt(command.text), {}, command.text, true, command.shortcut});
    }
    for (CommandDescription const& description : commands.descriptions()) {
        if (!description.in_palette || offered.count(description.name) != 0) continue;
        bool const complete = description.usage == description.name || description.usage.empty();
        entries.push_back({qt(description.help), qt(description.usage), qt(description.name), description.name,
                           complete, qt(description.shortcut)});
    }
    for (QString const& file : recent_files)
        entries.push_back({QStringLiteral("Open recent: %1").arg(QFileInfo(file).fileName()),
                           QFileInfo(file).path(),
                           {},
                           CommandCall{"open", {file.toStdString()}}.text(),
                           true});
    return entries;
}

}  // namespace orrery
