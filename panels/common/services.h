// What the shell gives to rooms. A room asks for work, data and dialogs here and never touches queue, store or threads.
// Everything is called on, and every signal and callback comes on, the window's thread. Nothing here waits.
#pragma once

#include "core/base/command.h"
#include "core/base/figure.h"
#include "core/base/job.h"
#include "core/base/table.h"
#include "renderers/selection.h"

#include <QImage>
#include <QObject>
#include <QSize>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

namespace orrery {

// What is known of a job at this moment: a snapshot, free to keep.
struct JobStatus {
    JobSpec spec;
    JobState state = JobState::queued;
    double fraction = 0;         // 0..1
    std::string stage;           // "draw 3 of 20"
    double elapsed_seconds = 0;  // working time, without pauses
    double eta_seconds = -1;     // -1: not known yet
    JobResult result;            // artifacts so far (partial ones too); values and warnings when it ended
    std::optional<Error> error;  // with state failed
    std::vector<InputRecord> inputs;
    Json provenance = Json::object();
    std::string started;                      // local time, "14:02:11", empty while queued
    bool held = false;                        // queued in an earlier session: waits to be resumed
    bool has_checkpoint = false;              // cancelled, and can be resumed
    bool helper = false;                      // submitted by a room for its own use, not shown in the list of runs
    std::vector<std::string> changed_inputs;  // files whose bytes are no longer those the run read

    [[nodiscard]] std::string const& id() const { return spec.id; }
    [[nodiscard]] bool busy() const { return !is_final(state) && !waits_for_user(); }
    [[nodiscard]] bool waits_for_user() const { return held || state == JobState::paused; }
    [[nodiscard]] bool can_resume() const {
        return waits_for_user() || (state == JobState::cancelled && has_checkpoint);
    }
    [[nodiscard]] Artifact const* artifact(std::string_view name) const;
};

struct SeriesPoint {
    double x = 0, y = 0;
};

// A thing of a room that can be exported: a view drawn from a Figure (PNG, SVG, PDF, CSV), a picture (PNG) or a table
// (CSV). The functions are called when the user exports, on the window's thread.
struct Exportable {
    QString name;   // "map", in the command `export <slug>.map <file>`: no blanks
    QString title;  // "ddG map"
    std::function<Figure()> figure = {};
    std::function<QImage(QSize pixels, bool transparent)> image = {};
    std::function<Table()> table = {};
};

class RoomServices : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // Every user action goes through here as text: services.commands().execute("set stab-ddg.draws 20").
    virtual CommandBus& commands() = 0;
    virtual SelectionModel& selection() = 0;

    // Jobs. The run button and `run <slug> <verb>` submit by themselves; a room submits only helpers (e.g. `read` the
    // structure). Returns the job's id, or an error with `field` set when parameters do not validate.
    virtual Result<std::string> submit(std::string const& method, std::string const& verb, Json const& parameters,
                                       std::string const& title, bool helper) = 0;
    [[nodiscard]] virtual std::optional<JobStatus> job(std::string const& id) const = 0;
    [[nodiscard]] virtual std::vector<JobStatus> jobs(std::string const& method) const = 0;  // oldest first
    // Median working time of finished runs of this verb on this machine, -1 if none.
    [[nodiscard]] virtual double usual_seconds(std::string const& method, std::string const& verb) const = 0;

    // Data, read on another thread; `then` is dropped when `context` is gone by then.
    virtual void read_artifact(Artifact const& artifact, QObject* context,
                               std::function<void(Result<std::string>)> then) = 0;
    virtual void read_series(std::string const& job, std::string const& name, QObject* context,
                             std::function<void(std::vector<SeriesPoint>)> then) = 0;

    // Tells the user: a line in the strip and in the log (never a box). Errors with `field` go to the room's form too.
    virtual void report(Error const& error) = 0;
    virtual void status(QString const& text) = 0;  // passing remark in the status bar
    // Asks for file, format, size, dpi and background, then issues `export <slug>.<name> ...`.
    virtual void export_dialog(std::string const& slug, QString const& exportable) = 0;

signals:
    // Any change of state, progress or result; at most 30 a second for each job.
    void job_changed(orrery::JobStatus const& status);
    void job_update(QString const& id, QString const& name, orrery::Json const& value);
    void job_series(QString const& id, QString const& name, double x, double y);
    void job_artifact(QString const& id, orrery::Artifact const& artifact);
};

}  // namespace orrery
