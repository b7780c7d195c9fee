// Room: the shown run, the states, and the room's part of the session.
#include <QApplication>
#include <QClipboard>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>

#include "panels/common/empty_page.h"
#include "panels/common/room.h"
#include "panels/common/run_bar.h"
#include "panels/common/schema_form.h"
#include "panels/common/state_strip.h"
#include "panels/common/text.h"
#include "panels/common/title_line.h"

namespace orrery {

namespace {

QString shown(Json const& value) {
    if (value.is_null()) return QStringLiteral("nothing");
    if (value.is_array()) return QStringLiteral("%1 entries").arg(value.size());
    std::vector<std::string> const words = value_to_arguments(value);
    QString const text = words.empty() ? QString() : qt(words.front());
    // Of a path the name is enough to tell two apart at a glance.
    return text.contains('/') ? text.section('/', -1) : text;
}

QString report_text(Error const& error, JobStatus const* status) {
    QStringList lines{qt(error.message())};
    if (!error.field.empty()) lines << QStringLiteral("field: %1").arg(qt(error.field));
    for (std::string const& cause : error.chain) lines << QStringLiteral("caused by: %1").arg(qt(cause));
    if (status != nullptr) {
        lines << QStringLiteral("run: %1 %2 %3").arg(qt(status->id()), qt(status->spec.method), qt(status->spec.verb));
        lines << QStringLiteral("parameters: %1").arg(qt(status->spec.parameters.dump()));
        for (Error const& warning : status->result.warnings)
            lines << QStringLiteral("warning: %1").arg(qt(warning.message()));
    }
    return lines.join('\n');
}

}  // namespace

void Room::show_run(std::string const& id) {
    auto const status = id.empty() ? std::nullopt : m_services.job(id);
    m_shown_run = status ? id : std::string();
    m_shown_run_ended = false;
    m_error.reset();
    if (status) {
        show_views();
        on_run_started(*status);
        for (Artifact const& artifact : status->result.artifacts) on_run_artifact(*status, artifact);
        job_changed(*status);
    } else {
        derive_state();
    }
    Q_EMIT state_changed();
}

void Room::job_changed(JobStatus const& status) {
    if (status.helper) {
        on_helper_changed(status);
        return;
    }
    if (status.id() != m_shown_run) return;
    on_run_changed(status);
    bool const ended = is_final(status.state);
    bool const ends = ended && !m_shown_run_ended;
    m_shown_run_ended = ended;  // a cancelled run may be resumed
    if (ends) {
        if (status.error && !status.error->field.empty())
            for (auto const& [verb, form] : m_forms) form->show_error(status.error->field, qt(status.error->message()));
        on_run_ended(status);
        Q_EMIT state_changed();
    }
    derive_state();
}

void Room::show_error(Error const& error) {
    m_error = error;
    if (!error.field.empty()) {
        for (auto const& [verb, form] : m_forms) form->show_error(error.field, qt(error.message()));
        for (auto const& [verb, form] : m_forms)
            if (verb == m_verb) form->focus(error.field);
    }
    m_input_loading = false;
    derive_state();
}

// What is different now from the settings that the run had, one line each.
std::vector<QString> Room::changes_since(JobStatus const& status) const {
    std::vector<QString> changes;
    VerbSchema const* schema = m_panel.schema->verb(status.spec.verb);
    if (schema == nullptr) return changes;
    Json now = parameters(status.spec.verb);
    if (auto const validated = validate(*schema, now, false); validated.ok()) now = validated.value();
    for (Parameter const& parameter : schema->parameters) {
        auto const value_in = [&](Json const& values) {
            auto const found = values.find(parameter.name);
            return found != values.end() ? *found : Json();
        };
        Json const before = value_in(status.spec.parameters), after = value_in(now);
        if (before == after) continue;
        bool const lists = before.is_array() || after.is_array();
        changes.push_back(
            lists ? QStringLiteral("%1 changed").arg(qt(parameter.label))
                  : QStringLiteral("%1 was %2, is %3").arg(qt(parameter.label), shown(before), shown(after)));
    }
    for (std::string const& path : status.changed_inputs)
        changes.push_back(QStringLiteral("the file %1 changed").arg(file_name(path)));
    return changes;
}

bool Room::has_input() const { return !m_parts.inputs.empty() && !value(m_parts.inputs.front()).is_null(); }

void Room::derive_state() {
    auto const status = m_shown_run.empty() ? std::nullopt : m_services.job(m_shown_run);
    RoomState state = RoomState::empty;
    if (status && status->busy())
        state = RoomState::running;
    else if (status && status->waits_for_user())
        state = RoomState::paused;
    else if (m_input_loading)
        state = RoomState::loading;
    else if (status && status->state == JobState::failed)
        state = RoomState::failed;
    else if (status && !status->result.artifacts.empty())
        state = changes_since(*status).empty() ? RoomState::done : RoomState::stale;
    else if (status && status->state != JobState::cancelled)
        state = RoomState::done;
    else if (has_input())
        state = RoomState::ready;

    // The first look at an input or a result makes the views; while something is read, what is shown stays.
    if (state == RoomState::empty) {
        m_empty->show_empty();
        m_pages->setCurrentWidget(m_empty);
    } else if (state != RoomState::loading && m_shown_once) {
        show_views();
    }
    show_strip(status ? &*status : nullptr, state);
    update_run_bar();
    set_state(state);
}

void Room::set_state(RoomState state) {
    if (m_state == state) return;
    m_state = state;
    setProperty("state", to_string(state));
    Q_EMIT room_state_changed();
}

void Room::show_strip(JobStatus const* status, RoomState state) {
    using Kind = StateStrip::Kind;
    QString const name = qt(slug());
    auto const copy = [name](Error const& error, JobStatus const* of) {
        return StateStrip::Action{QStringLiteral("Copy report"), name + QStringLiteral(".state.copy"),
                                  [text = report_text(error, of)] { QApplication::clipboard()->setText(text); }};
    };
    if (m_error) {
        m_strip->show_message(
            Kind::error, QStringLiteral("Not done"), qt(m_error->message()),
            {copy(*m_error, nullptr), {QStringLiteral("Dismiss"), name + QStringLiteral(".state.dismiss"), [this] {
                                           m_error.reset();
                                           derive_state();
                                       }}});
        return;
    }
    if (status == nullptr) {
        m_strip->clear();
        return;
    }
    switch (state) {
        case RoomState::failed:
            m_strip->show_message(Kind::error, QStringLiteral("Failed"),
                                  status->error ? qt(status->error->message()) : QStringLiteral("no reason was given"),
                                  {copy(status->error.value_or(Error{}), status)});
            return;
        case RoomState::paused:
            m_strip->show_message(Kind::info, QStringLiteral("Paused"),
                                  QStringLiteral("at %1 %. What is shown are results so far.")
                                      .arg(static_cast<int>(status->fraction * 100)),
                                  {});
            return;
        case RoomState::stale: {
            QStringList lines;
            for (QString const& line : changes_since(*status)) lines << line;
            m_strip->show_message(
                Kind::warning, QStringLiteral("Stale"),
                QStringLiteral("These results are of other settings: %1.").arg(lines.join(QStringLiteral("; "))),
                {{QStringLiteral("Use its settings"), name + QStringLiteral(".state.restore"), [this] {
                      (void)m_services.commands().execute(CommandCall{"use-settings", {m_shown_run}});
                  }}});
            return;
        }
        case RoomState::done:
            show_done_strip(*status);
            return;
        case RoomState::running:
            // Stays while it runs, so that the views below do not jump when it ends.
            m_strip->show_message(
                Kind::info, status->state == JobState::queued ? QStringLiteral("Waiting") : QStringLiteral("Running"),
                QStringLiteral("What is shown are results so far."), {});
            return;
        case RoomState::empty:
        case RoomState::loading:
        case RoomState::ready:
            m_strip->clear();
    }
}

void Room::show_done_strip(JobStatus const& status) {
    using Kind = StateStrip::Kind;
    if (status.state == JobState::cancelled) {
        std::vector<StateStrip::Action> actions;
        if (status.can_resume())
            actions.push_back({QStringLiteral("Resume"), qt(slug()) + QStringLiteral(".state.resume"), [this] {
                                   (void)m_services.commands().execute(CommandCall{"resume", {m_shown_run}});
                               }});
        m_strip->show_message(
            Kind::warning, QStringLiteral("Cancelled"),
            QStringLiteral("at %1 %. Results so far are kept.").arg(static_cast<int>(status.fraction * 100)), actions);
        return;
    }
    QStringList words{QStringLiteral("in %1").arg(duration_text(status.elapsed_seconds))};
    if (status.state == JobState::done_with_warnings) {
        QStringList warnings;
        for (Error const& warning : status.result.warnings) warnings << qt(warning.message());
        m_strip->show_message(Kind::warning,
                              QStringLiteral("Done, with %1").arg(warnings.size() == 1 ? "a warning" : "warnings"),
                              warnings.join('\n'), {});
        return;
    }
    m_strip->show_message(Kind::good, QStringLiteral("Done"), words.join(QStringLiteral(" · ")), {});
}

void Room::update_run_bar() {
    if (m_run_bar == nullptr || !m_shown_once) return;
    auto const status = m_shown_run.empty() ? std::nullopt : m_services.job(m_shown_run);
    if (status && !is_final(status->state)) {
        VerbSchema const* schema = m_panel.schema->verb(status->spec.verb);
        m_run_bar->show_progress(*status, schema != nullptr && schema->resumable);
        return;
    }
    m_run_bar->show_ready(run_text(m_verb), estimated_seconds(m_verb), run_obstacle(m_verb));
}

void Room::set_part_visible(std::string const& part, bool visible) {
    if (part == "form") m_form_visible = visible;
    if (part == "results") m_results_visible = visible;
    apply_layout();
    Q_EMIT state_changed();
}

void Room::apply_layout() {
    m_form_column->setVisible(m_form_visible);
    if (m_results != nullptr) m_results->setVisible(m_results_visible);
    m_title->set_parts(m_form_visible, m_results_visible);
}

Json Room::state() const {
    Json state = Json::object();
    state["version"] = 1;
    state["verb"] = m_verb;
    state["values"] = m_values;
    state["run"] = m_shown_run;
    Json layout = {{"form", m_form_visible}, {"results", m_results_visible}};
    layout["columns"] = m_splitter->saveState().toBase64().toStdString();
    if (m_content != nullptr) layout["rows"] = m_content->saveState().toBase64().toStdString();
    for (auto const& [verb, form] : m_forms) layout["more"][verb] = form->more_open();
    state["layout"] = std::move(layout);
    state["extra"] = extra_state();
    return state;
}

void Room::restore(Json const& state) {
    if (!state.is_object()) return;
    Json const layout = state.value("layout", Json::object());
    m_form_visible = layout.value("form", true);
    m_results_visible = layout.value("results", true);
    set_verb(state.value("verb", m_verb));
    Json const before = m_values;
    m_values = state.value("values", Json::object());
    for (auto const& [verb, form] : m_forms) {
        form->clear_errors();
        form->show_values(m_values);
    }
    Json names = before;
    names.update(m_values);
    for (auto const& [name, value] : names.items()) {
        bool const same = before.contains(name) && m_values.contains(name) && before.at(name) == m_values.at(name);
        if (!same) on_value_changed(name);
    }
    prepare();
    std::string const run = state.value("run", std::string());
    if (run != m_shown_run) show_run(run);
    restore_extra(state.value("extra", Json::object()));
    auto const bytes = [&](char const* key) {
        return QByteArray::fromBase64(QByteArray::fromStdString(layout.value(key, std::string())));
    };
    m_splitter->restoreState(bytes("columns"));
    if (m_content != nullptr) m_content->restoreState(bytes("rows"));
    Json const more = layout.value("more", Json::object());
    for (auto const& [verb, form] : m_forms) form->set_more_open(more.value(verb, false));
    apply_layout();
    derive_state();
    Q_EMIT state_changed();
}

Json Room::inspect(std::string_view) const { return {}; }

std::vector<std::pair<QString, QString>> Room::selection_facts() const {
    std::vector<std::pair<QString, QString>> facts;
    for (QString const& kind : {QStringLiteral("residue"), QStringLiteral("mutant")}) {
        QStringList keys = m_services.selection().selected(kind).values();
        if (keys.isEmpty()) continue;
        keys.sort();
        facts.emplace_back(
            kind, keys.size() > 8 ? QStringLiteral("%1 selected").arg(keys.size()) : keys.join(QStringLiteral(", ")));
    }
    return facts;
}

}  // namespace orrery
