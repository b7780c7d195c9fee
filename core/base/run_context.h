// What the command line's context and the worker's have in common: artifacts, inputs, warnings, checkpoint, provenance
// and the rate of progress. A subclass prints or sends what the hooks hand it.
#pragma once

#include "core/base/job.h"
#include "core/base/schema.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery {

// Where artifacts go: under their names in a folder (command line), or by content in a store (worker):
// `<root>/blobs/<first two hex digits>/<sha256>`.
struct OutputPolicy {
    enum class Kind { folder, store };
    Kind kind = Kind::folder;
    std::filesystem::path root;
    [[nodiscard]] static OutputPolicy folder(std::filesystem::path root) { return {Kind::folder, std::move(root)}; }
    [[nodiscard]] static OutputPolicy store(std::filesystem::path root) { return {Kind::store, std::move(root)}; }
};

// The path of a blob in a store, whether it is there or not.
[[nodiscard]] std::filesystem::path blob_path(std::filesystem::path const& root, std::string const& sha256);

struct RunSetup {
    JobSpec spec;
    MethodSchema const* schema = nullptr;  // outlives the context; null: provenance shows parameters as they are
    OutputPolicy output;
    std::filesystem::path checkpoint;              // file; empty: checkpoints are not kept, the run can't be resumed
    std::map<std::string, std::string> libraries;  // "LibTorch" -> "2.11.0"
    std::string device = "cpu";                    // as provenance shows it
};

struct ProgressReport {
    double fraction = 0;  // 0..1
    std::string stage;
    double elapsed_seconds = 0;
    double remaining_seconds = -1;  // estimate from the fraction done since the start (or resume); -1: not known yet
};

// All functions may be called from several threads of the method at once. Hooks are called one at a time, on the thread
// that made the call; a hook must not call the context.
class RunContext : public JobContext {
public:
    explicit RunContext(RunSetup setup);

    // Sets what progress() returns from now on. Safe in a signal handler and from any thread.
    void request(Signal signal) noexcept { m_signal.store(signal, std::memory_order_relaxed); }
    [[nodiscard]] Signal requested() const noexcept { return m_signal.load(std::memory_order_relaxed); }
    // Hands on the last progress the throttle kept back; call once when the method's function has returned.
    void flush_progress();

    Signal progress(double fraction, std::string_view stage) final;
    void series(std::string_view name, double x, double y) final;
    void update(std::string_view name, Json const& value) final;
    void log(LogLevel level, std::string_view text) final;
    void warn(Error warning) final;
    void used_input(InputRecord record) final;
    Result<Artifact> emit(std::string_view name, std::string_view kind, std::string_view media_type,
                          std::string_view bytes, bool partial = false) final;
    Result<void> save_checkpoint(std::string_view bytes) final;
    [[nodiscard]] std::optional<std::string> checkpoint() const final;
    [[nodiscard]] int threads() const final { return m_threads; }
    [[nodiscard]] bool wants_gpu() const final { return m_setup.spec.lane == Lane::gpu; }
    [[nodiscard]] Json provenance() const final;

    [[nodiscard]] JobSpec const& spec() const { return m_setup.spec; }
    // What was emitted, in the order of first emission, the latest of each name: also after a cancel or an error.
    [[nodiscard]] std::vector<Artifact> artifacts() const;
    [[nodiscard]] std::vector<Error> warnings() const;
    [[nodiscard]] std::vector<InputRecord> inputs() const;

protected:
    virtual void on_progress(ProgressReport const& report) = 0;  // at most 30 a second
    virtual void on_series(std::string_view name, double x, double y) = 0;
    virtual void on_update(std::string_view name, Json const& value) = 0;
    virtual void on_log(LogLevel level, std::string_view text) = 0;
    virtual void on_warning(Error const& warning) = 0;
    virtual void on_artifact(Artifact const&) {}
    virtual void on_checkpoint(std::string_view) {}  // its bytes, once they are in the file

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] ProgressReport report(Clock::time_point now) const;
    [[nodiscard]] Json described_parameters() const;
    [[nodiscard]] Json described_path(std::string const& parameter, std::string const& path) const;

    RunSetup m_setup;
    int m_threads = 1;
    std::atomic<Signal> m_signal{Signal::go_on};

    mutable std::mutex m_mutex;  // guards everything below and the hooks
    std::vector<Artifact> m_artifacts;
    std::vector<Error> m_warnings;
    std::vector<InputRecord> m_inputs;
    mutable std::map<std::string, std::string> m_hashes;  // of parameter files no reader recorded, by path
    Clock::time_point m_started;
    Clock::time_point m_last_report;
    bool m_reported = false;  // one progress at least was handed on
    bool m_withheld = false;  // the latest was kept back
    double m_first_fraction = 0;
    double m_fraction = 0;
    std::string m_stage;
};

}  // namespace orrery
