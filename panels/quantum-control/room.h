// The room of quantum control: find a pulse and watch it being found, take it in hand and edit it, see the state it makes,
// map what it forgives, compare it with another.
//
// The pulse in hand is the last one found or opened. Every change of it is simulated by a helper job in the warm worker,
// one at a time: while a knot is dragged the newest form waits its turn and older ones are skipped.
#pragma once

#include "core/methods/quantum-control/simulate.h"
#include "panels/common/room.h"
#include "panels/quantum-control/curves.h"
#include "panels/quantum-control/pulse_figures.h"
#include "panels/quantum-control/runs.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QTabWidget;

namespace orrery {
class TableView;
class XyView;
}  // namespace orrery

namespace orrery::panels::quantum_control {

class ComparePage;
class EditorPage;
class OptimizePage;
class RobustPage;
class StatePage;
class SystemEditor;

using SystemPointer = std::shared_ptr<method::QuantumSystem const>;

class ControlRoom : public Room {
    Q_OBJECT
public:
    ControlRoom(PanelDescriptor const& panel, RoomServices& services, QWidget* parent);
    ~ControlRoom() override;

    [[nodiscard]] std::vector<Exportable> exportables() override;
    [[nodiscard]] Json inspect(std::string_view path) const override;
    [[nodiscard]] std::vector<std::pair<QString, QString>> selection_facts() const override;

protected:
    QWidget* create_views(QWidget* parent) override;
    QWidget* create_results(QWidget* parent) override;
    ParameterEditor* create_editor(Parameter const& parameter, QWidget* parent) override;
    [[nodiscard]] bool has_input() const override;
    [[nodiscard]] QString run_text(std::string const& verb) const override;
    [[nodiscard]] double estimated_seconds(std::string const& verb) const override;
    [[nodiscard]] QString run_obstacle(std::string const& verb) const override;
    [[nodiscard]] std::string run_title(std::string const& verb) const override;

    void on_value_changed(std::string const& parameter) override;
    void on_run_started(JobStatus const& status) override;
    void on_run_update(JobStatus const& status, std::string const& name, Json const& value) override;
    void on_run_artifact(JobStatus const& status, Artifact const& artifact) override;
    void on_run_ended(JobStatus const& status) override;
    void on_helper_changed(JobStatus const& status) override;
    [[nodiscard]] Json extra_state() const override;
    void restore_extra(Json const& state) override;

private:
    // The pulse in hand.
    struct Hand {
        SystemPointer system;  // null: nothing in hand
        Json parameters;       // of the system, as the verbs take them
        method::Pulse pulse, original;
        QString source;   // "best of GRAPE, seed 12, F 0.9948583"
        std::string run;  // it came from, or empty
        std::string path;  // the file it came from, or was written to for another verb
        int edits = 0;
        int generation = 0;  // counts pulses taken, so that an answer or an undo of another pulse is known
        double fidelity = std::numeric_limits<double>::quiet_NaN();
        double before = std::numeric_limits<double>::quiet_NaN();  // as it came
        double process = std::numeric_limits<double>::quiet_NaN();
    };
    using WithSystem = std::function<void(Result<SystemPointer>)>;

    // room.cpp: the system, words, views
    void add_commands();
    Result<Done> show_page(std::string const& name);
    void read_system();
    void describe_input();
    void with_system(Json const& parameters, WithSystem then);
    void tell_editors();
    void clear_optimize();

    // hand.cpp: the pulse in hand
    void read_pulse_file();
    void take_pulse(SystemPointer system, Json parameters, method::Pulse pulse, QString source, std::string run,
                    std::string path);
    Result<Done> move_knot(std::vector<std::string> const& arguments);
    Result<Done> revert_pulse();
    [[nodiscard]] method::Pulse moved(std::size_t control, std::size_t knot, double megahertz, int brush) const;
    void put_pulse(int generation, method::Pulse pulse, int edits);
    void knot_dragged(int control, int knot, double megahertz, bool finished);
    void evaluate(method::Pulse pulse);
    void start_evaluation();
    void evaluation_ended(JobStatus const& status);
    void show_hand();
    void show_facts();
    void map_hand();
    [[nodiscard]] Table hand_table() const;
    [[nodiscard]] Json hand_state() const;
    void restore_hand(Json const& state);

    // room_results.cpp: runs
    void refresh_live();
    void read_history(JobStatus const& status);
    void show_read_out(JobStatus const& status);
    void best_found(Json const& value);
    void read_optimize_artifact(JobStatus const& status, Artifact const& artifact);
    void read_robust_artifact(JobStatus const& status, Artifact const& artifact);
    void collect_runs();
    void fill_table();
    Result<Done> compare_runs(std::vector<std::string> const& arguments);
    void selection_changed();
    void compare(std::string const& a, std::string const& b);
    void load_compared(std::string const& run, std::function<void()> then);
    void report(Result<void> const& result);

    SystemPointer m_system;  // what the form says; null while it is read or wrong
    QString m_system_error;
    int m_system_reading = 0;
    std::string m_pulse_reading;

    // The run shown.
    SystemPointer m_run_system;
    Json m_run_layout = Json::object();
    Curves m_curves;
    std::vector<method::Pulse> m_past;
    std::optional<method::Pulse> m_best;
    double m_best_fidelity = std::numeric_limits<double>::quiet_NaN(), m_kept_infidelity = 1;
    std::int64_t m_best_seed = -1, m_round = 0;
    bool m_live_dirty = false;
    QTimer m_live_timer;

    Hand m_hand;
    std::optional<method::Pulse> m_to_evaluate;  // newest form that waits
    std::string m_hand_stays_for;                // run that is replayed without taking its pulse in hand
    std::string m_evaluation;                    // helper job under way
    int m_evaluated_generation = 0;
    bool m_writing = false, m_evaluation_is_hand = false;
    QElapsedTimer m_change_clock;
    double m_latency = std::numeric_limits<double>::quiet_NaN();

    std::map<std::string, std::vector<RunRow>> m_rows;  // by run
    std::set<std::string> m_rows_read;
    std::map<std::string, ComparedRun> m_compared;
    std::string m_compared_a, m_compared_b;
    bool m_restoring = false;

    std::vector<SystemEditor*> m_system_editors;
    QTabWidget* m_tabs = nullptr;
    OptimizePage* m_optimize = nullptr;
    EditorPage* m_editor = nullptr;
    StatePage* m_state_page = nullptr;
    RobustPage* m_robust = nullptr;
    ComparePage* m_compare = nullptr;
    TableView* m_table = nullptr;
};

}  // namespace orrery::panels::quantum_control
