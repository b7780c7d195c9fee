#include <QStringList>

#include "app/commands/commands.h"
#include "app/main_window.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

using Arguments = std::vector<std::string>;

QStringList sorted(QSet<QString> const& keys) {
    QStringList list = keys.values();
    list.sort();
    return list;
}

Result<Done> select(MainWindow& window, Arguments const& arguments) {
    if (arguments.empty()) return bad_input("select needs a kind", {}, "for example: select residue A:63");
    QString const kind = qt(arguments[0]);
    QSet<QString> keys;
    for (std::size_t i = 1; i < arguments.size(); ++i) keys.insert(qt(arguments[i]));
    QSet<QString> const before = window.known_selection().value(kind);
    window.known_selection()[kind] = keys;
    window.selection().select(kind, keys);
    if (before == keys) return Done{};
    std::string const text = keys.isEmpty()     ? "Clear selection"
                             : keys.size() == 1 ? "Select " + arguments[1]
                                                : "Select " + std::to_string(keys.size()) + " of " + arguments[0];
    return Done{[&window, kind, before] {
                    window.known_selection()[kind] = before;
                    window.selection().select(kind, before);
                },
                text};
}

}  // namespace

void note_selection(MainWindow& window, QString const& kind) {
    QSet<QString> const now = window.selection().selected(kind);
    if (window.known_selection().value(kind) == now) return;  // a command or an undo did it
    CommandCall call{"select", {kind.toStdString()}};
    for (QString const& key : sorted(now)) call.arguments.push_back(key.toStdString());
    (void)window.commands().execute(call);
}

void save_selection(MainWindow& window) {
    Json kinds = Json::object();
    for (char const* kind : {"residue", "mutant", "run"}) {
        Json keys = Json::array();
        for (QString const& key : sorted(window.selection().selected(QString::fromLatin1(kind))))
            keys.push_back(key.toStdString());
        if (!keys.empty()) kinds[kind] = keys;
    }
    window.session().put_item("window", "selection", kinds);
}

void restore_selection(MainWindow& window) {
    Json const kinds = window.session().item("window", "selection");
    if (!kinds.is_object()) return;
    for (auto const& [kind, keys] : kinds.items()) {
        QSet<QString> selected;
        for (Json const& key : keys)
            if (key.is_string()) selected.insert(qt(key.get<std::string>()));
        window.known_selection()[qt(kind)] = selected;
        window.selection().select(qt(kind), selected);
    }
}

void add_selection_commands(MainWindow& window) {
    CommandBus& bus = window.commands();
    bus.add({"select", "select <kind> <key> ...", "Select residues, mutants or other things by key", ""},
            [&window](Arguments const& arguments) { return select(window, arguments); });
    bus.add({"hover", "hover <kind> <key>", "Point at a residue, mutant or other thing", "", false},
            [&window](Arguments const& arguments) -> Result<Done> {
                if (arguments.empty()) return bad_input("hover needs a kind", {}, "for example: hover residue A:63");
                window.selection().hover(qt(arguments[0]), arguments.size() > 1 ? qt(arguments[1]) : QString());
                return Done{};
            });
}

}  // namespace orrery
