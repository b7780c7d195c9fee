#include "app/cli/worker.h"

#include "app/cli/worker_output.h"
#include "app/cli/worker_signals.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/method.h"
#include "core/base/process.h"
#include "core/base/protocol.h"
#include "core/base/queue_checkpoint.h"
#include "core/base/run_context.h"
#include "core/base/version.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

namespace orrery {

namespace {

// Sends what the method reports.
class WorkerContext final : public RunContext {
public:
    WorkerContext(RunSetup setup, WorkerOutput& output, std::filesystem::path checkpoint)
        : RunContext(std::move(setup)), m_output(output), m_checkpoint(std::move(checkpoint)) {}

private:
    void on_progress(ProgressReport const& report) override {
        // The first one at once: it tells that the job works.
        m_output.send(
            protocol::Progress{report.fraction, report.stage, report.elapsed_seconds, report.remaining_seconds},
            std::exchange(m_first, false) ? WorkerOutput::When::at_once : WorkerOutput::When::batched);
    }
    void on_series(std::string_view name, double x, double y) override { m_output.send_point(name, x, y); }
    void on_update(std::string_view name, Json const& value) override {
        m_output.send(protocol::Update{std::string(name), value});
    }
    void on_log(LogLevel level, std::string_view text) override {
        m_output.send(protocol::LogLine{level, std::string(text)});
    }
    void on_warning(Error const& warning) override { m_output.send(protocol::Warning{warning}); }
    void on_artifact(Artifact const& artifact) override { m_output.send(protocol::ArtifactWritten{artifact}); }
    void on_checkpoint(std::string_view bytes) override {
        std::string hash = sha256(bytes);
        if (Result<void> const kept = keep_checkpoint(m_checkpoint, hash); !kept)
            m_output.send(protocol::LogLine{LogLevel::warning, kept.error().message()});
        // At once: the shorter the time until the session knows, the less a killed window has to do again.
        m_output.send(protocol::CheckpointWritten{bytes.size(), std::move(hash)}, WorkerOutput::When::at_once);
    }
    WorkerOutput& m_output;
    std::filesystem::path m_checkpoint;
    bool m_first = true;
};

// The commands that came, in order. The reader thread puts them in and hands cancel and pause to the running job at
// once; the main thread takes the runs.
class Inbox {
public:
    struct Entry {
        protocol::Run run;
        Signal signal = Signal::go_on;
    };

    void add(protocol::Run run) {
        std::lock_guard const lock(m_mutex);
        m_entries.push_back({std::move(run), Signal::go_on});
        m_changed.notify_one();
    }
    // A job that has ended, or never came, is no error: the command and the end crossed on the way.
    void signal(std::string const& job, Signal signal) {
        std::lock_guard const lock(m_mutex);
        if (m_running != nullptr && m_running->spec().id == job) m_running->request(signal);
        for (Entry& entry : m_entries)
            if (entry.run.spec.id == job) entry.signal = signal;
    }
    void quit() {
        std::lock_guard const lock(m_mutex);
        m_quit = true;
        if (m_running != nullptr) m_running->request(Signal::cancel);
        m_changed.notify_one();
    }
    std::optional<Entry> next() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_quit || !m_entries.empty(); });
        if (m_quit) return std::nullopt;
        return m_entries.front();  // stays until begin(), so that a signal in between is kept
    }
    void begin(RunContext& context) {
        std::lock_guard const lock(m_mutex);
        m_running = &context;
        if (m_entries.front().signal != Signal::go_on) context.request(m_entries.front().signal);
        m_entries.pop_front();
    }
    void end() {
        std::lock_guard const lock(m_mutex);
        m_running = nullptr;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Entry> m_entries;
    RunContext* m_running = nullptr;
    bool m_quit = false;
};

void handle_line(protocol::LineReader::Line const& line, Inbox& inbox, WorkerOutput& output) {
    if (line.text.empty()) return;
    Result<protocol::Command> command =
        line.too_long ? internal_error("a line of the job protocol is longer than 64 MB", line.text.substr(0, 80))
                      : protocol::parse_command(line.text);
    if (!command) {
        protocol::Failed failed;
        failed.error = std::move(command).error();
        output.send(std::move(failed), WorkerOutput::When::at_once);
    } else if (auto* run = std::get_if<protocol::Run>(&*command)) {
        inbox.add(std::move(*run));
    } else if (auto* cancel = std::get_if<protocol::Cancel>(&*command)) {
        inbox.signal(cancel->job, Signal::cancel);
    } else if (auto* pause = std::get_if<protocol::Pause>(&*command)) {
        inbox.signal(pause->job, Signal::pause);
    } else {
        inbox.quit();
    }
}

// Ends the process at the end of the input, whatever the main thread does: the window is gone, and a method that does
// not ask for its signal must not go on computing for nobody.
void read_commands(int descriptor, Inbox& inbox, WorkerOutput& output) {
    protocol::LineReader lines;
    std::array<char, 65536> bytes;
    while (true) {
        ssize_t const count = ::read(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) std::_Exit(0);
        lines.feed({bytes.data(), static_cast<std::size_t>(count)});
        for (protocol::LineReader::Line line; lines.next(line);) handle_line(line, inbox, output);
    }
}

Result<JobResult> run_method(JobSpec const& spec, WorkerContext& context, WorkerHooks const& hooks) {
    Method const* const method = find_method(spec.method);
    if (method == nullptr)
        return bad_input("there is no method \"" + spec.method + "\"", {},
                         "The worker may be older than the window: use both of one release");
    VerbSchema const* const verb = method->schema->verb(spec.verb);
    VerbSchema const verify = verify_verb();
    if (verb == nullptr && spec.verb != verify.name)
        return bad_input("the method " + spec.method + " has no verb \"" + spec.verb + "\"");
    ORRERY_TRY(Json const parameters, validate(verb != nullptr ? *verb : verify, spec.parameters));
    try {
        if (hooks.prepare) hooks.prepare(context);
        return method->run(spec.verb, parameters, context);
    } catch (std::bad_alloc const&) {
        return unavailable("the memory did not suffice", byte_text(process_peak_memory()) + " in use",
                           "Close other programs, or choose a smaller input");
    } catch (std::exception const& exception) {
        return internal_error("the method stopped with an exception").caused_by(exception.what());
    } catch (...) {
        return internal_error("the method stopped with an exception of unknown type");
    }
}

void add_missing(std::vector<Artifact>& artifacts, std::vector<Artifact> const& more) {
    for (Artifact const& artifact : more)
        if (std::none_of(artifacts.begin(), artifacts.end(),
                         [&](Artifact const& a) { return a.name == artifact.name; }))
            artifacts.push_back(artifact);
}

void send_missing_warnings(std::vector<Error> const& warnings, WorkerContext& context) {
    std::vector<Error> const sent = context.warnings();
    for (Error const& warning : warnings)
        if (std::none_of(sent.begin(), sent.end(), [&](Error const& e) { return e.message() == warning.message(); }))
            context.warn(warning);
}

protocol::Message ending_message(Result<JobResult>&& result, protocol::Ending ending) {
    if (result.ok()) {
        add_missing(ending.artifacts, result->artifacts);
        return protocol::Finished{std::move(ending), std::move(result->values), result->checks_failed};
    }
    switch (result.error().kind) {
        case ErrorKind::cancelled:
            return protocol::Cancelled{std::move(ending)};
        case ErrorKind::paused:
            return protocol::Paused{std::move(ending)};
        default:
            return protocol::Failed{std::move(ending), std::move(result).error()};
    }
}

void run_job(Inbox& inbox, protocol::Run const& run, WorkerOutput& output, WorkerHooks const& hooks,
             WorkerHooks::Warm const& warm) {
    reset_process_peak_memory();
    MethodSchema const* const schema = find_schema(run.spec.method);
    RunSetup setup;
    setup.spec = run.spec;
    setup.schema = schema;
    setup.output = OutputPolicy::store(run.blobs);
    setup.checkpoint = run.checkpoint;
    setup.libraries = warm.libraries;
    setup.device = warm.device;
    WorkerContext context(std::move(setup), output, run.checkpoint);
    inbox.begin(context);
    output.send(protocol::Started{run.spec.id}, WorkerOutput::When::at_once);

    Result<JobResult> result = run_method(run.spec, context, hooks);

    inbox.end();
    context.flush_progress();
    if (result.ok()) send_missing_warnings(result->warnings, context);
    std::fflush(stdout);  // what libraries printed belongs to this job's log
    std::fflush(stderr);
    protocol::Ending ending;
    ending.job = run.spec.id;
    ending.provenance = context.provenance();
    ending.peak_memory = process_peak_memory();
    ending.artifacts = context.artifacts();
    output.send(ending_message(std::move(result), std::move(ending)), WorkerOutput::When::at_once);
}

struct Streams {
    int input = -1, output = -1;
};

// The protocol gets descriptors of its own; what libraries read and print goes elsewhere.
Streams take_streams() {
    Streams streams;
    streams.input = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    streams.output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int const nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) {
        ::dup2(nothing, STDIN_FILENO);
        ::close(nothing);
    }
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    return streams;
}

// When memory runs out the kernel should take the worker, which can be started anew, not the window.
void offer_to_out_of_memory_killer() {
    int const file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    [[maybe_unused]] ssize_t const written = ::write(file, "500", 3);
    ::close(file);
}

}  // namespace

int run_worker_with(int argc, char** argv, WorkerHooks const& hooks) {
    bool gpu = false;
    for (int index = 1; index < argc; ++index) {
        std::string_view const argument = argv[index];
        if (argument == "--gpu") {
            gpu = true;
        } else if (argument == "--die-with-parent") {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        } else {
            std::fprintf(stderr, "worker: unknown argument %s; it takes --gpu and --die-with-parent\n", argv[index]);
            return 2;
        }
    }
    Streams const streams = take_streams();
    if (streams.input < 0 || streams.output < 0) {
        std::fprintf(stderr, "worker: standard input and output must be open: %s\n", std::strerror(errno));
        return 2;
    }
    std::signal(SIGPIPE, SIG_IGN);
    offer_to_out_of_memory_killer();
    print_stack_on_crash();

    auto output = std::make_unique<WorkerOutput>(streams.output);
    Inbox inbox;
    // Reads from the first moment on, so that a worker whose window dies while it warms up ends too.
    std::thread reader([&] { read_commands(streams.input, inbox, *output); });
    reader.detach();
    WorkerHooks::Warm warm;
    if (hooks.warm_up) warm = hooks.warm_up(gpu);
    protocol::Ready ready;
    ready.pid = ::getpid();
    ready.program_version = version;
    ready.libraries = warm.libraries;
    ready.device = warm.device;
    ready.memory = process_resident_memory();
    output->send(std::move(ready), WorkerOutput::When::at_once);
    while (std::optional<Inbox::Entry> const entry = inbox.next()) run_job(inbox, entry->run, *output, hooks, warm);
    output->flush();
    std::fflush(nullptr);
    std::_Exit(0);  // the reader still waits for input: destructors of statics would run under its feet
}

}  // namespace orrery
