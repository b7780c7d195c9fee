// The base of every room: title line, input strip, form with the run button, views, results table, and the states a run
// can be in. A room says what is special: its views, its results, what the run button says. See README.md.
#pragma once

#include "core/base/schema.h"
#include "panels/common/panel.h"
#include "panels/common/parameter_editor.h"
#include "panels/common/services.h"

#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;

namespace orrery {

class SchemaForm;
class TitleLine;
class InputStrip;
class StateStrip;
class RunBar;
class EmptyPage;

enum class RoomState { empty, loading, ready, running, paused, failed, stale, done };
[[nodiscard]] char const* to_string(RoomState state);

class Room : public QWidget {
    Q_OBJECT
public:
    // `verbs`: shown as modes above the form, in this order (not `verify` and helpers).
    // `inputs`: parameters shown in the input strip and not in the form, the main one first (a file as a rule).
    struct Parts {
        std::vector<std::string> verbs;
        std::vector<std::string> inputs;
    };
    // Keeps references: descriptor and services outlive the room. Makes form and strips only; create_views() comes with
    // the first input or result.
    Room(PanelDescriptor const& panel, RoomServices& services, Parts parts, QWidget* parent);
    ~Room() override;

    [[nodiscard]] std::string const& slug() const;
    [[nodiscard]] PanelDescriptor const& panel() const { return m_panel; }
    [[nodiscard]] RoomState room_state() const { return m_state; }
    [[nodiscard]] std::string const& verb() const { return m_verb; }
    void set_verb(std::string const& verb);

    // Values of all verbs' parameters by name; parameters of the same name in two verbs are one. Absent: the default.
    [[nodiscard]] Json const& values() const { return m_values; }
    [[nodiscard]] Json value(std::string_view parameter) const;    // the default when not set, null when there is none
    [[nodiscard]] Json parameters(std::string const& verb) const;  // those of the verb only, defaults filled in
    [[nodiscard]] Parameter const* parameter(std::string_view name) const;
    // Called by the command `set`. The error (field set) is also shown at the field; the value stays as it was.
    Result<void> set_value(std::string const& name, std::vector<std::string> const& arguments);
    void put_value(std::string const& name, Json value);  // no validation: undo and restore; null: back to the default

    // Files given to the room (drop, open, command line). Default: each goes to the input whose patterns match, lists
    // take several. Returns an error, and changes nothing, when one fits nowhere.
    virtual Result<void> open_files(std::vector<std::string> const& paths);

    // Called by the command `run`: what to submit. Error (shown at the field) when something required is absent.
    Result<JobSpec> job_spec(std::string const& verb);
    // The run whose results are shown; empty: none. Replays a finished or running job through the on_run_ hooks.
    [[nodiscard]] std::string const& shown_run() const { return m_shown_run; }
    void show_run(std::string const& id);
    void show_error(Error const& error);

    // Makes the form of the verb in front, if it is not there yet (else it is made when the room is first shown).
    void prepare();
    void set_part_visible(std::string const& part, bool visible);  // "form", "results"

    // The room's part of the session: verb, values, shown run, layout, and what extra_state() adds.
    [[nodiscard]] Json state() const;
    void restore(Json const& state);

    // What `export <slug>.<name>` can write. Default: none.
    [[nodiscard]] virtual std::vector<Exportable> exportables() { return {}; }
    // What `expect room.<path>` of a journey reads, beside state, verb, run, values.<name>. Default: null.
    [[nodiscard]] virtual Json inspect(std::string_view path) const;
    // Lines "name: value" for the Inspector about the present selection. Default: the selected keys.
    [[nodiscard]] virtual std::vector<std::pair<QString, QString>> selection_facts() const;

signals:
    void state_changed();  // anything that state() holds, for autosave
    void room_state_changed();

protected:
    // Made once, when there is something to see. Must not be null. VTK and GL may be loaded here, not before.
    virtual QWidget* create_views(QWidget* parent) = 0;
    // The results table below the views; null: none.
    virtual QWidget* create_results(QWidget* parent);
    // A room's own editor for a parameter of the form; null: the standard one.
    virtual ParameterEditor* create_editor(Parameter const& parameter, QWidget* parent);

    // Something to work on, so that the empty page has done its part. Default: the main input is set. A room that can
    // start from presets says more.
    [[nodiscard]] virtual bool has_input() const;

    // "Scan 33 positions": what pressing the button will do. Default: the verb's label.
    [[nodiscard]] virtual QString run_text(std::string const& verb) const;
    // Seconds it will take, -1 unknown. Default: the usual time of earlier runs.
    [[nodiscard]] virtual double estimated_seconds(std::string const& verb) const;
    // Why it can't run now, in words, or empty: "Choose the two sides first". Default: a missing required parameter.
    [[nodiscard]] virtual QString run_obstacle(std::string const& verb) const;
    // "Scan interface of 1AO7". Default: the verb's label and the file name of the main input.
    [[nodiscard]] virtual std::string run_title(std::string const& verb) const;

    // A value changed by any way (form, command, undo, restore). Called after the form shows it.
    virtual void on_value_changed(std::string const& parameter);
    virtual void on_verb_changed() {}
    // The run shown: start (clear what is shown of an older one), live results, files, end. The same calls replay a run
    // from the session. `on_run_changed` comes with progress too.
    virtual void on_run_started(JobStatus const&) {}
    virtual void on_run_update(JobStatus const&, std::string const& /*name*/, Json const& /*value*/) {}
    virtual void on_run_series(JobStatus const&, std::string const& /*name*/, SeriesPoint) {}
    virtual void on_run_artifact(JobStatus const&, Artifact const&) {}
    virtual void on_run_changed(JobStatus const&) {}
    virtual void on_run_ended(JobStatus const&) {}
    // Jobs that the room submitted as helpers.
    virtual void on_helper_changed(JobStatus const&) {}
    // Extra session state: cameras, table order, pins. Default: none.
    [[nodiscard]] virtual Json extra_state() const { return Json::object(); }
    virtual void restore_extra(Json const&) {}

    [[nodiscard]] RoomServices& services() const { return m_services; }
    // What the input strip says: name, facts, notes ("2 waters ignored"). Empty name: nothing loaded.
    void show_input(QString const& name, QString const& facts, QStringList const& notes = {});
    void show_input_loading(QString const& name);
    // Something to see: makes the views if they are not there and leaves the empty page.
    void show_views();
    void update_run_bar();  // after something that run_text, estimated_seconds or run_obstacle depend on changed
    [[nodiscard]] QWidget* views() const { return m_views; }
    [[nodiscard]] QWidget* results() const { return m_results; }

    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* build_form_column();
    QWidget* build_content();
    void choose_input();
    SchemaForm* form(std::string const& verb);
    void set_state(RoomState state);
    void derive_state();
    void show_strip(JobStatus const* status, RoomState state);
    void show_done_strip(JobStatus const& status);
    [[nodiscard]] std::vector<QString> changes_since(JobStatus const& status) const;
    void job_changed(JobStatus const& status);
    void apply_layout();

    PanelDescriptor const& m_panel;
    RoomServices& m_services;
    Parts m_parts;
    RoomState m_state = RoomState::empty;
    std::string m_verb;
    Json m_values = Json::object();
    std::string m_shown_run;
    bool m_shown_run_ended = false;
    bool m_input_loading = false;
    bool m_shown_once = false;
    bool m_form_visible = true, m_results_visible = true;
    std::optional<Error> m_error;  // of the last attempt, until something changes
    std::vector<std::pair<std::string, SchemaForm*>> m_forms;

    TitleLine* m_title = nullptr;
    InputStrip* m_input = nullptr;
    StateStrip* m_strip = nullptr;
    RunBar* m_run_bar = nullptr;
    EmptyPage* m_empty = nullptr;
    QWidget* m_form_column = nullptr;
    QComboBox* m_modes = nullptr;
    QLabel* m_mode_summary = nullptr;
    QStackedWidget* m_form_stack = nullptr;
    QStackedWidget* m_pages = nullptr;
    QSplitter* m_splitter = nullptr;  // form | (views / results)
    QSplitter* m_content = nullptr;   // views / results
    QWidget* m_views = nullptr;
    QWidget* m_results = nullptr;
};

}  // namespace orrery
