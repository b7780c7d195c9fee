#include "core/base/run_context.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <thread>

using namespace orrery;

namespace {

class Recorder final : public RunContext {
public:
    using RunContext::RunContext;
    std::vector<ProgressReport> reports;
    std::vector<std::string> lines;
    int artifacts_seen = 0, points = 0, updates = 0, warnings_seen = 0;

private:
    void on_progress(ProgressReport const& report) override { reports.push_back(report); }
    void on_series(std::string_view, double, double) override { ++points; }
    void on_update(std::string_view, Json const&) override { ++updates; }
    void on_log(LogLevel, std::string_view text) override { lines.emplace_back(text); }
    void on_warning(Error const&) override { ++warnings_seen; }
    void on_artifact(Artifact const&) override { ++artifacts_seen; }
};

RunSetup setup(OutputPolicy output) {
    RunSetup setup;
    setup.spec.method = "some";
    setup.spec.verb = "scan";
    setup.spec.parameters = Json::object();
    setup.spec.threads = 2;
    setup.output = std::move(output);
    return setup;
}

}  // namespace

TEST_CASE("Progress reaches the hook at most 30 times a second and the last is not lost") {
    Recorder context(setup(OutputPolicy::folder(".")));
    auto const started = std::chrono::steady_clock::now();
    int calls = 0;
    while (std::chrono::steady_clock::now() - started < std::chrono::milliseconds(300)) {
        CHECK(context.progress(calls < 1000 ? calls * 1e-4 : 0.1, "draw") == Signal::go_on);
        ++calls;
    }
    context.progress(0.75, "last");
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    context.flush_progress();
    CHECK(context.reports.front().fraction == 0.0);
    CHECK(context.reports.back().fraction == 0.75);
    CHECK(context.reports.back().stage == "last");
    CHECK(context.reports.back().remaining_seconds > 0);
    CHECK(static_cast<double>(context.reports.size()) <= 30 * seconds + 2);  // the first and the flushed one
    CHECK(calls > 100);
    std::size_t const count = context.reports.size();
    context.flush_progress();
    CHECK(context.reports.size() == count);
}

TEST_CASE("Fractions are kept within 0 and 1, and a resumed run is timed from where it began") {
    Recorder context(setup(OutputPolicy::folder(".")));
    context.progress(0.5, "resumed");
    CHECK(context.reports.back().remaining_seconds < 0);  // nothing done yet since the start
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    context.progress(0.75, "half of the rest");
    REQUIRE(context.reports.size() == 2);
    CHECK(context.reports.back().remaining_seconds == Approx(context.reports.back().elapsed_seconds));
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    context.progress(7, "beyond");
    CHECK(context.reports.back().fraction == 1.0);
    CHECK(context.reports.back().remaining_seconds == 0.0);
}

TEST_CASE("Signals come back from progress") {
    Recorder context(setup(OutputPolicy::folder(".")));
    context.request(Signal::pause);
    CHECK(context.progress(0, "") == Signal::pause);
    context.request(Signal::cancel);
    CHECK(context.progress(0, "") == Signal::cancel);
}

TEST_CASE("Artifacts go to a folder under their names, the latest of each name") {
    auto const folder = tests::scratch_directory("artifacts");
    Recorder context(setup(OutputPolicy::folder(folder / "out")));
    REQUIRE(context.emit("scan.csv", "table", "text/csv", "a\n", true).ok());
    REQUIRE(context.emit("sub/x.json", "json", "application/json", "{}").ok());
    Result<Artifact> const second = context.emit("scan.csv", "table", "text/csv", "a\nb\n");
    REQUIRE(second.ok());
    CHECK(second->path == folder / "out" / "scan.csv");
    CHECK(second->sha256 == sha256("a\nb\n"));
    CHECK(*read_file(second->path) == "a\nb\n");
    REQUIRE(context.artifacts().size() == 2);
    CHECK(context.artifacts()[0].name == "scan.csv");
    CHECK_FALSE(context.artifacts()[0].partial);
    CHECK(context.artifacts_seen == 3);
    for (char const* name : {"", "/etc/x", "../x", "a/../../x", "a/", ".", "a/./b"}) {
        INFO(name);
        CHECK_FALSE(context.emit(name, "text", "text/plain", "x").ok());
    }
}

TEST_CASE("Artifacts go to a store by their content") {
    auto const folder = tests::scratch_directory("store");
    Recorder context(setup(OutputPolicy::store(folder)));
    std::string const hash = sha256("bytes");
    Result<Artifact> const artifact = context.emit("a.txt", "text", "text/plain", "bytes");
    REQUIRE(artifact.ok());
    CHECK(artifact->path == folder / "blobs" / hash.substr(0, 2) / hash);
    CHECK(*read_file(artifact->path) == "bytes");
    auto const written = std::filesystem::last_write_time(artifact->path);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    REQUIRE(context.emit("b.txt", "text", "text/plain", "bytes").ok());  // the same bytes are written once
    CHECK(std::filesystem::last_write_time(artifact->path) == written);
}

TEST_CASE("An artifact that cannot be written is an error") {
    auto const folder = tests::scratch_directory("no-output");
    REQUIRE(write_file(folder / "file", "x").ok());
    Recorder context(setup(OutputPolicy::folder(folder / "file")));
    Result<Artifact> const artifact = context.emit("a.txt", "text", "text/plain", "bytes");
    CHECK_FALSE(artifact.ok());
    CHECK(context.artifacts().empty());
}

TEST_CASE("Checkpoints are kept where there is a place for them") {
    auto const folder = tests::scratch_directory("checkpoint");
    RunSetup with = setup(OutputPolicy::folder(folder));
    with.checkpoint = folder / "c" / "checkpoint";
    Recorder context(with);
    CHECK_FALSE(context.checkpoint());
    REQUIRE(context.save_checkpoint(std::string_view("a\0b", 3)).ok());
    CHECK(context.checkpoint() == std::string("a\0b", 3));
    Recorder resumed(with);
    CHECK(resumed.checkpoint() == std::string("a\0b", 3));
    Recorder without(setup(OutputPolicy::folder(folder)));
    CHECK(without.save_checkpoint("x").ok());
    CHECK_FALSE(without.checkpoint());
}

TEST_CASE("Provenance is of what decides the result: no time, no place") {
    auto const make = [](std::filesystem::path const& folder, bool swapped) {
        REQUIRE(write_file(folder / "1AO7.pdb", "END\n").ok());
        REQUIRE(write_file(folder / "w.pt", "weights").ok());
        static MethodSchema method;
        method.slug = "some";
        method.version = "3";
        VerbSchema verb;
        verb.name = "scan";
        for (auto const& [name, type] : {std::pair{"structure", ParameterType::file},
                                         {"weights", ParameterType::file_list},
                                         {"folder", ParameterType::directory},
                                         {"draws", ParameterType::integer}}) {
            Parameter parameter;
            parameter.name = name;
            parameter.type = type;
            verb.parameters.push_back(parameter);
        }
        method.verbs = {verb};
        RunSetup given = setup(OutputPolicy::folder(folder));
        given.schema = &method;
        given.libraries = {{"LibTorch", "2.11.0"}};
        given.spec.parameters = {{"structure", (folder / "1AO7.pdb").string()},
                                 {"weights", {(folder / "w.pt").string()}},
                                 {"folder", folder.string() + "/"},
                                 {"draws", 20}};
        Recorder context(given);
        InputRecord const structure{"structure", (folder / "1AO7.pdb").string(), sha256("END\n"), 4};
        InputRecord const weights{"weights", (folder / "w.pt").string(), sha256("weights"), 7};
        context.used_input(swapped ? weights : structure);
        context.used_input(swapped ? structure : weights);
        context.used_input(structure);  // read twice, told once
        CHECK(context.inputs().size() == 2);
        return context.provenance();
    };
    auto const first = tests::scratch_directory("provenance"), second = tests::scratch_directory("elsewhere") / "deep";
    Json record = make(first, false);
    CHECK(record["parameters"]["structure"] == Json{{"name", "1AO7.pdb"}, {"sha256", sha256("END\n")}});
    CHECK(record["parameters"]["weights"][0]["sha256"] == sha256("weights"));
    CHECK(record["parameters"]["draws"] == 20);
    CHECK(record["inputs"].size() == 2);
    CHECK(record["inputs"][0]["name"] == "1AO7.pdb");
    CHECK(record["libraries"]["LibTorch"] == "2.11.0");
    CHECK(record["method_version"] == "3");
    CHECK(record["threads"] == 2);
    CHECK(record["device"] == "cpu");
    CHECK(record.contains("program_version"));
    CHECK(record.dump().find(first.parent_path().string() + "/") == std::string::npos);

    Json elsewhere = make(second, true);
    CHECK(elsewhere["parameters"]["folder"]["name"] == "deep");
    record["parameters"].erase("folder");
    elsewhere["parameters"].erase("folder");
    CHECK(elsewhere.dump() == record.dump());
}

TEST_CASE("Files that no reader recorded are hashed for the provenance") {
    auto const folder = tests::scratch_directory("unrecorded");
    REQUIRE(write_file(folder / "case.safetensors", "x").ok());
    static MethodSchema const method = [] {
        MethodSchema schema;
        schema.slug = "some";
        return schema;
    }();
    RunSetup given = setup(OutputPolicy::folder(folder));
    given.schema = &method;
    given.spec.verb = "verify";  // found though the schema does not list it
    given.spec.parameters = {{"files", {(folder / "case.safetensors").string(), "absent"}}};
    Recorder const context(given);
    Json const files = context.provenance()["parameters"]["files"];
    CHECK(files[0] == Json{{"name", "case.safetensors"}, {"sha256", sha256("x")}});
    CHECK(files[1] == Json{{"name", "absent"}});
}

TEST_CASE("Several threads of a method may report at once") {
    Recorder context(setup(OutputPolicy::folder(".")));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 500; ++i) {
                context.progress(i / 500.0, "x");
                context.series("loss", i, i);
                context.update("column", i);
                context.log(LogLevel::info, "line");
                context.warn(bad_input("odd"));
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(context.points == 2000);
    CHECK(context.updates == 2000);
    CHECK(context.lines.size() == 2000);
    CHECK(context.warnings().size() == 2000);
    CHECK(context.warnings_seen == 2000);
}

TEST_CASE("Threads not given are all cores") {
    RunSetup given = setup(OutputPolicy::folder("."));
    given.spec.threads = 0;
    CHECK(Recorder(given).threads() >= 1);
    CHECK_FALSE(Recorder(given).wants_gpu());
    given.spec.lane = Lane::gpu;
    CHECK(Recorder(given).wants_gpu());
}
