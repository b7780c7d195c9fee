#include "app/cli/run_verb.h"

#include "app/cli/outcome.h"
#include "app/cli/terminal.h"
#include "core/base/figure.h"
#include "core/base/files.h"
#include "core/base/make_job.h"
#include "core/figure/export.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <new>
#include <thread>

namespace orrery::cli {

namespace {

constexpr std::string_view figure_ending = ".figure.json";
constexpr std::string_view provenance_name = "provenance.json";

std::atomic<RunContext*> interrupted_context{nullptr};
std::atomic<int> interrupting_signal{0};

extern "C" void ask_to_cancel(int signal) {
    interrupting_signal.store(signal);
    if (RunContext* context = interrupted_context.load()) context->request(Signal::cancel);
    std::signal(signal, SIG_DFL);  // a method that does not listen is ended by the second one
}

// While it lives, SIGINT and SIGTERM cancel the run.
class CancelOnInterrupt {
public:
    explicit CancelOnInterrupt(RunContext& context) {
        interrupting_signal = 0;
        interrupted_context = &context;
        struct sigaction action {};
        action.sa_handler = ask_to_cancel;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGINT, &action, &m_interrupt);
        ::sigaction(SIGTERM, &action, &m_terminate);
    }
    ~CancelOnInterrupt() {
        ::sigaction(SIGINT, &m_interrupt, nullptr);
        ::sigaction(SIGTERM, &m_terminate, nullptr);
        interrupted_context = nullptr;
    }
    CancelOnInterrupt(CancelOnInterrupt const&) = delete;
    CancelOnInterrupt& operator=(CancelOnInterrupt const&) = delete;

private:
    struct sigaction m_interrupt {};
    struct sigaction m_terminate {};
};

Result<JobResult> run_guarded(Method const& method, RunContext& context) {
    try {
        return method.run(context.spec().verb, context.spec().parameters, context);
    } catch (std::bad_alloc const&) {
        return unavailable("the memory did not suffice", {}, "Close other programs, or choose a smaller input");
    } catch (std::exception const& fault) {
        return internal_error("the method stopped with an exception").caused_by(fault.what());
    }
}

// Draws "scan.figure.json" into scan.png, scan.svg and scan.pdf beside it.
Result<void> draw_figure(Artifact const& artifact, RunContext& context) {
    ORRERY_TRY(std::string const bytes, read_file(artifact.path));
    Json const value = Json::parse(bytes, nullptr, false);
    if (value.is_discarded()) return internal_error("the figure is not JSON", artifact.name);
    ORRERY_TRY(Figure figure, Figure::from_json(value));
    if (figure.provenance.empty()) figure.provenance = context.provenance();
    std::string const stem = artifact.name.substr(0, artifact.name.size() - figure_ending.size());
    for (ExportFormat const format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf}) {
        ORRERY_TRY(std::string const drawn, export_figure(figure, format));
        std::string const name = stem + "." + std::string(to_string(format));
        ORRERY_CHECK(context.emit(name, "picture", media_type(format), drawn, artifact.partial));
    }
    return {};
}

Result<void> draw_figures(RunContext& context) {
    for (Artifact const& artifact : context.artifacts())
        if (artifact.kind == "figure" && artifact.name.ends_with(figure_ending))
            ORRERY_CHECK(draw_figure(artifact, context));
    return {};
}

// Provenance with the hashes of what was written: from any of the files back to the run. No time, no place: equal runs
// give equal bytes.
Result<void> write_provenance(RunContext& context) {
    std::vector<Artifact> artifacts = context.artifacts();
    if (artifacts.empty()) return {};
    std::sort(artifacts.begin(), artifacts.end(), [](Artifact const& a, Artifact const& b) { return a.name < b.name; });
    Json record = context.provenance();
    Json outputs = Json::array();
    for (Artifact const& artifact : artifacts)
        outputs.push_back({{"name", artifact.name},
                           {"sha256", artifact.sha256},
                           {"bytes", artifact.bytes},
                           {"partial", artifact.partial}});
    record["outputs"] = std::move(outputs);
    ORRERY_CHECK(context.emit(provenance_name, "json", "application/json",
                              record.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'));
    return {};
}

void add_unsaid(std::vector<Error>& warnings, std::vector<Error> const& more) {
    for (Error const& warning : more)
        if (std::none_of(warnings.begin(), warnings.end(),
                         [&](Error const& said) { return said.message() == warning.message(); }))
            warnings.push_back(warning);
}

// The typed parameters, completed by the global options that the verb declares as parameters of its own.
Result<JobSpec> make_spec(Method const& method, VerbSchema const& verb, VerbArguments const& arguments) {
    Result<JobSpec> spec = make_job(*method.schema, verb.name, arguments.parameters);
    if (!spec) {
        if (!spec.error().field.empty() && spec.error().where.empty()) spec.error().where = flag_of(spec.error().field);
        return spec;
    }
    spec->id = "command-line";
    if (arguments.globals.threads) spec->threads = *arguments.globals.threads;
    bool const asked = spec->parameters.contains("gpu") && spec->parameters["gpu"] == true;
    if (arguments.globals.gpu || asked) spec->lane = Lane::gpu;
    return spec;
}

}  // namespace

Result<int> run_verb(Program const& program, Method const& method, VerbSchema const& verb,
                     VerbArguments const& arguments) {
    GlobalOptions const& globals = arguments.globals;
    if (globals.out && verb.outputs.empty())
        return bad_input(verb.name + " writes no files", "--out", "Leave --out away");
    RunSetup setup;
    ORRERY_TRY(setup.spec, make_spec(method, verb, arguments));
    setup.schema = method.schema;
    setup.output = OutputPolicy::folder(globals.out.value_or("."));
    int const threads = setup.spec.threads > 0 ? setup.spec.threads
                                               : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (program.prepare) {
        ORRERY_TRY(Environment environment, program.prepare(threads, setup.spec.lane));
        setup.libraries = std::move(environment.libraries);
        setup.device = std::move(environment.device);
    }
    TerminalContext context(std::move(setup), {globals.json, globals.quiet});

    Outcome outcome;
    outcome.method = method.schema->slug;
    outcome.verb = verb.name;
    {
        CancelOnInterrupt const cancel_on_interrupt(context);
        Result<JobResult> result = run_guarded(method, context);
        context.flush_progress();
        context.clear_bar();
        if (result) {
            outcome.values = std::move(result->values);
            outcome.checks_failed = result->checks_failed;
            std::vector<Error> const said = context.warnings();
            std::vector<Error> all = said;
            add_unsaid(all, result->warnings);
            for (std::size_t i = said.size(); i < all.size(); ++i) context.warn(all[i]);
        } else {
            outcome.error = std::move(result).error();
        }
        for (auto const& finish : {draw_figures, write_provenance})
            if (Result<void> finished = finish(context); !finished && !outcome.error)
                outcome.error = std::move(finished).error();
    }
    outcome.interrupted_by = interrupting_signal;
    outcome.artifacts = context.artifacts();
    outcome.warnings = context.warnings();
    outcome.provenance = context.provenance();
    return print_outcome(outcome, globals.json, globals.quiet);
}

}  // namespace orrery::cli
