#include "panels/common/room.h"

#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "panels/common/empty_page.h"
#include "panels/common/input_strip.h"
#include "panels/common/labels.h"
#include "panels/common/run_bar.h"
#include "panels/common/schema_form.h"
#include "panels/common/state_strip.h"
#include "panels/common/text.h"
#include "panels/common/title_line.h"

namespace orrery {

namespace {

constexpr int form_width = 280;

bool takes_file(Parameter const& parameter, QString const& name) {
    if (parameter.type != ParameterType::file && parameter.type != ParameterType::file_list) return false;
    return std::any_of(parameter.patterns.begin(), parameter.patterns.end(),
                       [&](std::string const& pattern) { return QDir::match(qt(pattern), name); });
}

}  // namespace

char const* to_string(RoomState state) {
    switch (state) {
        case RoomState::empty:
            return "empty";
        case RoomState::loading:
            return "loading";
        case RoomState::ready:
            return "ready";
        case RoomState::running:
            return "running";
        case RoomState::paused:
            return "paused";
        case RoomState::failed:
            return "failed";
        case RoomState::stale:
            return "stale";
        case RoomState::done:
            return "done";
    }
    return "";
}

Room::Room(PanelDescriptor const& panel, RoomServices& services, Parts parts, QWidget* parent)
    : QWidget(parent), m_panel(panel), m_services(services), m_parts(std::move(parts)) {
    setObjectName(qt("room." + panel.schema->slug));
    setAcceptDrops(true);
    m_verb = m_parts.verbs.empty() ? std::string() : m_parts.verbs.front();
    build();
    connect(&services, &RoomServices::job_changed, this, [this](JobStatus const& status) {
        if (status.spec.method == slug()) job_changed(status);
    });
    connect(&services, &RoomServices::job_update, this,
            [this](QString const& id, QString const& name, Json const& value) {
                if (id.toStdString() != m_shown_run) return;
                if (auto const status = m_services.job(m_shown_run)) on_run_update(*status, name.toStdString(), value);
            });
    connect(&services, &RoomServices::job_series, this,
            [this](QString const& id, QString const& name, double x, double y) {
                if (id.toStdString() != m_shown_run) return;
                if (auto const status = m_services.job(m_shown_run)) on_run_series(*status, name.toStdString(), {x, y});
            });
    connect(&services, &RoomServices::job_artifact, this, [this](QString const& id, Artifact const& artifact) {
        if (id.toStdString() != m_shown_run) return;
        if (auto const status = m_services.job(m_shown_run)) on_run_artifact(*status, artifact);
    });
}

Room::~Room() = default;

std::string const& Room::slug() const { return m_panel.schema->slug; }

void Room::build() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_title = new TitleLine(m_panel, this);
    layout->addWidget(m_title);
    if (!m_parts.inputs.empty()) {
        Parameter const* main_input = parameter(m_parts.inputs.front());
        m_input =
            new InputStrip(qt(slug()), main_input != nullptr ? qt(main_input->label) : QStringLiteral("Input"), this);
        layout->addWidget(m_input);
        connect(m_input, &InputStrip::change_wanted, this, &Room::choose_input);
    }

    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(build_form_column());
    m_splitter->addWidget(build_content());
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({form_width, 800});
    layout->addWidget(m_splitter, 1);

    auto& commands = m_services.commands();
    auto const issue = [&commands](CommandCall const& call) { (void)commands.execute(call); };
    connect(m_title, &TitleLine::cite_wanted, this, [this, issue] { issue({"cite", {slug()}}); });
    connect(m_title, &TitleLine::help_wanted, this, [this, issue] { issue({"help", {slug()}}); });
    connect(m_title, &TitleLine::part_toggled, this, [this, issue](QString const& part, bool visible) {
        issue({"part", {slug() + "." + part.toStdString(), visible ? "show" : "hide"}});
    });
    connect(m_run_bar, &RunBar::run_wanted, this, [this, issue] { issue({"run", {slug(), m_verb}}); });
    connect(m_run_bar, &RunBar::pause_wanted, this, [this, issue] { issue({"pause", {m_shown_run}}); });
    connect(m_run_bar, &RunBar::resume_wanted, this, [this, issue] { issue({"resume", {m_shown_run}}); });
    connect(m_run_bar, &RunBar::cancel_wanted, this, [this, issue] { issue({"cancel", {m_shown_run}}); });
    connect(m_empty, &EmptyPage::choose_wanted, this, &Room::choose_input);
    connect(m_empty, &EmptyPage::sample_wanted, this, [this, issue](QString const& name) {
        issue({"sample", {slug(), name.toStdString()}});
    });
    set_verb(m_verb);
    apply_layout();
    derive_state();
}

QWidget* Room::build_form_column() {
    m_form_column = new QWidget(this);
    m_form_column->setMinimumWidth(240);
    m_form_column->setMaximumWidth(440);
    auto* layout = new QVBoxLayout(m_form_column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    if (m_parts.verbs.size() > 1) {
        auto* box = new QWidget(m_form_column);
        auto* box_layout = new QVBoxLayout(box);
        box_layout->setContentsMargins(12, 10, 12, 8);
        box_layout->setSpacing(4);
        m_modes = new QComboBox(box);
        m_modes->setObjectName(qt(slug()) + QStringLiteral(".modes"));
        m_modes->setAccessibleName(QStringLiteral("What to do"));
        for (std::string const& name : m_parts.verbs) {
            VerbSchema const* schema = m_panel.schema->verb(name);
            m_modes->addItem(schema != nullptr ? qt(schema->label) : qt(name), qt(name));
        }
        m_mode_summary = make_label({}, "secondary", box, 11);
        m_mode_summary->setWordWrap(true);
        box_layout->addWidget(m_modes);
        box_layout->addWidget(m_mode_summary);
        layout->addWidget(box);
        layout->addWidget(make_separator(m_form_column));
        connect(m_modes, &QComboBox::activated, this, [this](int index) {
            std::string const name = m_modes->itemData(index).toString().toStdString();
            if (name != m_verb) (void)m_services.commands().execute(CommandCall{"verb", {slug(), name}});
        });
    }
    auto* scroll = new QScrollArea(m_form_column);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_form_stack = new QStackedWidget(scroll);
    scroll->setWidget(m_form_stack);
    layout->addWidget(scroll, 1);
    layout->addWidget(make_separator(m_form_column));
    m_run_bar = new RunBar(qt(slug()), m_form_column);
    layout->addWidget(m_run_bar);
    return m_form_column;
}

QWidget* Room::build_content() {
    auto* column = new QWidget(this);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_strip = new StateStrip(qt(slug()) + QStringLiteral(".state"), column);
    layout->addWidget(m_strip);
    m_pages = new QStackedWidget(column);
    m_empty = new EmptyPage(m_panel, m_pages);
    m_pages->addWidget(m_empty);
    layout->addWidget(m_pages, 1);
    return column;
}

// Forms are made when their verb is first chosen: a room with six verbs opens as quickly as one with one.
SchemaForm* Room::form(std::string const& verb) {
    for (auto const& [name, form] : m_forms)
        if (name == verb) return form;
    VerbSchema const* schema = m_panel.schema->verb(verb);
    if (schema == nullptr) return nullptr;
    SchemaForm::Options options;
    options.hidden = m_parts.inputs;
    options.create_editor = [this](Parameter const& parameter, QWidget* parent) {
        return create_editor(parameter, parent);
    };
    auto* form = new SchemaForm(slug(), *schema, m_services.commands(), std::move(options), m_form_stack);
    form->show_values(m_values);
    m_form_stack->addWidget(form);
    m_forms.emplace_back(verb, form);
    return form;
}

void Room::set_verb(std::string const& verb) {
    if (m_panel.schema->verb(verb) == nullptr) return;
    bool const changed = m_verb != verb;
    m_verb = verb;
    if (m_modes != nullptr) {
        m_modes->setCurrentIndex(m_modes->findData(qt(verb)));
        m_mode_summary->setText(qt(m_panel.schema->verb(verb)->summary));
    }
    // The first form waits until the room is shown: a derived room's create_editor can't be called while its base is
    // made.
    if (m_shown_once) m_form_stack->setCurrentWidget(form(verb));
    if (!changed) return;
    on_verb_changed();
    update_run_bar();
    Q_EMIT state_changed();
}

void Room::showEvent(QShowEvent* event) {
    prepare();
    QWidget::showEvent(event);
}

void Room::prepare() {
    if (m_shown_once) return;
    m_shown_once = true;
    m_form_stack->setCurrentWidget(form(m_verb));
    derive_state();
}

Parameter const* Room::parameter(std::string_view name) const {
    auto const find_in = [&](VerbSchema const& verb) -> Parameter const* {
        for (Parameter const& parameter : verb.parameters)
            if (parameter.name == name) return &parameter;
        return nullptr;
    };
    // The verb in front first: where a name's range differs between verbs, the form that is seen decides.
    if (VerbSchema const* verb = m_panel.schema->verb(m_verb))
        if (Parameter const* found = find_in(*verb)) return found;
    for (VerbSchema const& verb : m_panel.schema->verbs)
        if (Parameter const* found = find_in(verb)) return found;
    return nullptr;
}

Json Room::value(std::string_view name) const {
    if (auto const found = m_values.find(std::string(name)); found != m_values.end()) return *found;
    Parameter const* declared = parameter(name);
    return declared != nullptr ? declared->default_value : Json();
}

Json Room::parameters(std::string const& verb) const {
    Json result = Json::object();
    VerbSchema const* schema = m_panel.schema->verb(verb);
    if (schema == nullptr) return result;
    for (Parameter const& parameter : schema->parameters) {
        auto const found = m_values.find(parameter.name);
        Json const& value = found != m_values.end() ? *found : parameter.default_value;
        if (!value.is_null()) result[parameter.name] = value;
    }
    return result;
}

Result<void> Room::set_value(std::string const& name, std::vector<std::string> const& arguments) {
    Parameter const* declared = parameter(name);
    if (declared == nullptr)
        return bad_input("\"" + m_panel.schema->title + "\" has no setting \"" + name + "\"", {}, "see its help page");
    auto value = value_from_arguments(*declared, arguments);
    if (!value.ok()) {
        value.error().field = name;
        for (auto const& [verb, form] : m_forms) form->show_error(name, qt(value.error().message()));
        return value.error();
    }
    put_value(name, std::move(*value));
    return {};
}

void Room::put_value(std::string const& name, Json value) {
    if (value.is_null())
        m_values.erase(name);
    else
        m_values[name] = std::move(value);
    m_error.reset();
    for (auto const& [verb, form] : m_forms) {
        form->show_values(m_values);
        form->show_error(name, {});
    }
    on_value_changed(name);
    derive_state();
    Q_EMIT state_changed();
}

Result<void> Room::open_files(std::vector<std::string> const& paths) {
    std::vector<std::pair<std::string, Json>> planned;
    auto const candidates = [&] {
        std::vector<Parameter const*> result;
        for (std::string const& name : m_parts.inputs)
            if (Parameter const* input = parameter(name)) result.push_back(input);
        for (VerbSchema const& verb : m_panel.schema->verbs)
            for (Parameter const& input : verb.parameters)
                if (verb.name != "verify") result.push_back(&input);
        return result;
    }();
    for (std::string const& path : paths) {
        auto const fits = std::find_if(candidates.begin(), candidates.end(),
                                       [&](Parameter const* input) { return takes_file(*input, file_name(path)); });
        if (fits == candidates.end()) {
            std::string patterns;
            for (std::string const& pattern : m_panel.schema->file_patterns)
                patterns += (patterns.empty() ? "" : ", ") + pattern;
            return bad_input(m_panel.schema->title + " can't use this file", path,
                             patterns.empty() ? "" : "It takes " + patterns);
        }
        std::string const absolute = QFileInfo(qt(path)).absoluteFilePath().toStdString();
        Parameter const& input = **fits;
        auto const earlier =
            std::find_if(planned.begin(), planned.end(), [&](auto const& p) { return p.first == input.name; });
        if (input.type == ParameterType::file_list) {
            if (earlier != planned.end())
                earlier->second.push_back(absolute);
            else
                planned.emplace_back(input.name, Json::array({absolute}));
        } else if (earlier != planned.end()) {
            return bad_input(m_panel.schema->title + " takes one file for " + input.label, path, "drop one at a time");
        } else {
            planned.emplace_back(input.name, absolute);
        }
    }
    for (auto& [name, value] : planned) put_value(name, std::move(value));
    return {};
}

void Room::choose_input() {
    if (m_parts.inputs.empty()) return;
    Parameter const* input = parameter(m_parts.inputs.front());
    if (input == nullptr) return;
    auto* dialog = new QFileDialog(this, qt(input->label));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(input->type == ParameterType::file_list ? QFileDialog::ExistingFiles
                                                                : QFileDialog::ExistingFile);
    if (!input->patterns.empty()) {
        QStringList patterns;
        for (std::string const& pattern : input->patterns) patterns << qt(pattern);
        dialog->setNameFilters(
            {QStringLiteral("%1 (%2)").arg(qt(input->label), patterns.join(' ')), QStringLiteral("All files (*)")});
    }
    connect(dialog, &QFileDialog::filesSelected, this, [this](QStringList const& paths) {
        CommandCall call{"open-in", {slug()}};
        for (QString const& path : paths) call.arguments.push_back(path.toStdString());
        (void)m_services.commands().execute(call);
    });
    dialog->open();
}

Result<JobSpec> Room::job_spec(std::string const& verb) {
    VerbSchema const* schema = m_panel.schema->verb(verb);
    if (schema == nullptr) return bad_input("\"" + m_panel.schema->title + "\" can't \"" + verb + "\"");
    for (auto const& [name, form] : m_forms) form->clear_errors();
    auto validated = validate(*schema, parameters(verb), false);
    if (!validated.ok()) {
        show_error(validated.error());
        return validated.error();
    }
    JobSpec spec;
    spec.method = slug();
    spec.verb = verb;
    spec.parameters = std::move(*validated);
    spec.title = run_title(verb);
    return spec;
}

QWidget* Room::create_results(QWidget*) { return nullptr; }
ParameterEditor* Room::create_editor(Parameter const&, QWidget*) { return nullptr; }

QString Room::run_text(std::string const& verb) const {
    VerbSchema const* schema = m_panel.schema->verb(verb);
    return schema != nullptr ? qt(schema->label) : qt(verb);
}

double Room::estimated_seconds(std::string const& verb) const { return m_services.usual_seconds(slug(), verb); }

QString Room::run_obstacle(std::string const& verb) const {
    VerbSchema const* schema = m_panel.schema->verb(verb);
    if (schema == nullptr) return QStringLiteral("Nothing to run");
    for (Parameter const& parameter : schema->parameters) {
        if (!parameter.required) continue;
        Json const given = value(parameter.name);
        if (given.is_null() || (given.is_array() && given.empty()))
            return QStringLiteral("%1 first: %2")
                .arg(parameter.type == ParameterType::file ? QStringLiteral("Choose") : QStringLiteral("Give"),
                     qt(parameter.label).toLower());
    }
    return {};
}

std::string Room::run_title(std::string const& verb) const {
    VerbSchema const* schema = m_panel.schema->verb(verb);
    std::string title = schema != nullptr ? schema->label : verb;
    if (m_parts.inputs.empty()) return title;
    Json const input = value(m_parts.inputs.front());
    if (!input.is_string()) return title;
    return title + ": " + QFileInfo(qt(input.get<std::string>())).completeBaseName().toStdString();
}

void Room::on_value_changed(std::string const& name) {
    if (m_parts.inputs.empty() || name != m_parts.inputs.front()) return;
    Json const input = value(name);
    if (input.is_string())
        show_input(file_name(input.get<std::string>()), {});
    else if (input.is_array() && !input.empty())
        show_input(QStringLiteral("%1 files").arg(input.size()), {});
    else
        show_input({}, {});
}

void Room::show_input(QString const& name, QString const& facts, QStringList const& notes) {
    m_input_loading = false;
    if (m_input != nullptr) {
        if (name.isEmpty())
            m_input->show_nothing();
        else
            m_input->show_input(name, facts, notes);
    }
    derive_state();
}

void Room::show_input_loading(QString const& name) {
    m_input_loading = true;
    if (m_input != nullptr) m_input->show_loading(name);
    m_empty->show_loading(name);
    derive_state();
}

void Room::show_views() {
    if (m_views == nullptr) {
        m_content = new QSplitter(Qt::Vertical, m_pages);
        m_content->setHandleWidth(1);
        m_content->setChildrenCollapsible(false);
        m_views = create_views(m_content);
        m_content->addWidget(m_views);
        m_results = create_results(m_content);
        if (m_results != nullptr) {
            m_content->addWidget(m_results);
            m_content->setStretchFactor(0, 3);
            m_content->setStretchFactor(1, 1);
            int const height = std::max(400, m_pages->height());
            m_content->setSizes({height * 7 / 10, height * 3 / 10});
            m_results->setVisible(m_results_visible);
        }
        m_pages->addWidget(m_content);
    }
    m_pages->setCurrentWidget(m_content);
}

void Room::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void Room::dropEvent(QDropEvent* event) {
    CommandCall call{"open-in", {slug()}};
    for (QUrl const& url : event->mimeData()->urls())
        if (url.isLocalFile()) call.arguments.push_back(url.toLocalFile().toStdString());
    if (call.arguments.size() < 2) return;
    event->acceptProposedAction();
    (void)m_services.commands().execute(call);
}

}  // namespace orrery
