// The method as the window and a person meet it: jobs in processes of their own, and commands with exit codes.
#include "tests/methods/quantum-control/worker.h"
#include "core/base/files.h"
#include "core/methods/quantum-control/schema.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <set>

using namespace orrery;
using namespace orrery::tests;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

fs::path fresh_folder(std::string const& name) {
    fs::path const folder = fs::temp_directory_path() / ("orrery-quantum-" + name);
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder;
}

protocol::Run job(Json const& given, fs::path const& folder, int threads) {
    auto parameters = validate(*methods::quantum_control::schema().verb("optimize"), given);
    if (!parameters.ok()) FAIL(parameters.error().message());
    protocol::Run run;
    run.spec.id = "a";
    run.spec.method = "quantum-control";
    run.spec.verb = "optimize";
    run.spec.parameters = *parameters;
    run.spec.threads = threads;
    run.blobs = folder / "store";
    run.checkpoint = folder / "checkpoint";
    return run;
}

std::map<std::string, std::string> hashes(std::vector<Artifact> const& artifacts) {
    std::map<std::string, std::string> out;
    for (Artifact const& a : artifacts) out[a.name] = a.sha256;
    return out;
}

struct Whole {
    std::map<std::string, std::string> artifacts;
    std::map<std::string, std::size_t> series;  // points by name
    int rounds = 0;                             // messages
    std::set<std::uint64_t> shown;              // seeds whose best was told
    double seconds = 0;                         // from the first round to the last
};

Whole run_whole(Json const& given, fs::path const& folder, int threads) {
    Worker worker;
    worker.send(job(given, folder, threads));
    Whole whole;
    Clock::time_point first{};
    for (;;) {
        protocol::Message const message = worker.next();
        if (auto const* points = std::get_if<protocol::SeriesPoints>(&message))
            whole.series[points->name] += points->x.size();
        if (auto const* update = std::get_if<protocol::Update>(&message)) {
            if (update->name == "best") whole.shown.insert(update->value["seed"].get<std::uint64_t>());
            if (update->name == "round" && whole.rounds++ == 0) first = Clock::now();
            if (update->name == "round") whole.seconds = std::chrono::duration<double>(Clock::now() - first).count();
        }
        if (auto const* failed = std::get_if<protocol::Failed>(&message)) FAIL(failed->error.message());
        if (auto const* done = std::get_if<protocol::Finished>(&message)) {
            whole.artifacts = hashes(done->artifacts);
            return whole;
        }
    }
}

}  // namespace

TEST_CASE("three seeds are told live, each with its rewards, fidelities and penalties") {
    Json const given = {{"method", "ppo"}, {"system", "lambda5"}, {"seeds", 3}, {"updates", 80}};
    Whole const whole = run_whole(given, fresh_folder("live"), 2);
    INFO(whole.rounds << " messages of rounds in " << whole.seconds << " s");
    CHECK(whole.rounds >= 10 * whole.seconds);
    for (int seed : {10, 11, 12}) {
        CHECK(whole.shown.count(static_cast<std::uint64_t>(seed)) == 1);
        for (char const* field :
             {"reward", "reward_best", "fidelity", "fidelity_best", "population", "area", "smoothness", "limit"}) {
            auto const found = whole.series.find(field + (" " + std::to_string(seed)));
            REQUIRE(found != whole.series.end());
            CHECK(found->second == static_cast<std::size_t>(whole.rounds));
        }
    }
}

TEST_CASE("a job paused in one process and gone on with in another gives the same bytes") {
    for (Json const& given :
         {Json{{"method", "ppo"}, {"system", "lambda4"}, {"seeds", 3}, {"updates", 60}, {"hidden", 32}},
          Json{{"method", "grape"},
               {"system", "lambda4"},
               {"seeds", 3},
               {"iterations", 300},
               {"detuning_bound", 20.0}}}) {
        Whole const whole = run_whole(given, fresh_folder("whole"), 1);
        CHECK(whole.artifacts.count("best_pulse.csv") == 1);
        fs::path const folder = fresh_folder("paused");
        bool paused = false;
        {
            Worker worker;
            worker.send(job(given, folder, 1));
            for (bool ended = false; !ended;) {
                protocol::Message const message = worker.next();
                auto const* update = std::get_if<protocol::Update>(&message);
                if (update != nullptr && update->name == "round") worker.send(protocol::Pause{"a"});
                paused = std::holds_alternative<protocol::Paused>(message);
                ended = paused || std::holds_alternative<protocol::Finished>(message);
            }
        }
        CHECK(paused);
        CHECK(fs::exists(folder / "checkpoint"));
        CHECK(run_whole(given, folder, 1).artifacts == whole.artifacts);
    }
}

TEST_CASE("a cancel ends a job of several seeds within 200 ms, and keeps the best pulse") {
    for (Json const& given : {Json{{"method", "ppo"}, {"system", "rydberg2"}, {"seeds", 3}, {"updates", 1000}},
                              Json{{"method", "ppo"}, {"system", "transmon"}, {"seeds", 3}, {"updates", 1000}},
                              Json{{"method", "grape"}, {"system", "rydberg2"}, {"seeds", 8}, {"iterations", 1000}}}) {
        double best = 1e300;  // of three: the machine may be busy
        for (int trial = 0; trial < 3 && best > 0.2; ++trial) {
            Worker worker;
            worker.send(job(given, fresh_folder("cancelled"), 2));
            Clock::time_point sent{};
            for (;;) {
                protocol::Message const message = worker.next();
                auto const* update = std::get_if<protocol::Update>(&message);
                if (update != nullptr && update->name == "best" && sent == Clock::time_point{}) {
                    worker.send(protocol::Cancel{"a"});
                    sent = Clock::now();
                }
                if (auto const* ended = std::get_if<protocol::Cancelled>(&message)) {
                    best = std::min(best, std::chrono::duration<double>(Clock::now() - sent).count());
                    CHECK(hashes(ended->artifacts).count("best_pulse.csv") == 1);
                    break;
                }
                REQUIRE_FALSE(std::holds_alternative<protocol::Finished>(message));
            }
        }
        INFO(given.dump() << ": " << 1e3 * best << " ms");
        UNSCOPED_INFO("cancelled after " << 1e3 * best << " ms");
        CHECK(best <= 0.2);
    }
}

TEST_CASE("a wrong system ends the command with code 2 and the name of the term") {
    fs::path const folder = fresh_folder("systems");
    std::string const good = R"({"levels": 2, "duration_us": 0.2, "controls": [{"name": "omega", "max": 30}],
        "terms": [{"name": "drive", "control": "omega", "entries": [[0, 1, 0.5], [1, 0, 0.5]]},
                  {"name": "shift", "unit": "MHz", "matrix": [[0, 0], [0, 3]]}],
        "initial": {"level": 0}, "target": {"level": 1}})";
    auto answer = [&](std::string const& from, std::string const& to) {
        std::string text = good;
        if (!from.empty()) text.replace(text.find(from), from.size(), to);
        REQUIRE(write_file(folder / "mine.json", text).ok());
        return say({"quantum-control", "optimize", "--method", "grape", "--seeds", "1", "--iterations", "3",
                    "--system-file", (folder / "mine.json").string(), "--out", (folder / "out").string()});
    };
    CHECK(answer("", "").code == 0);
    struct Wrong {
        char const *from, *to, *names, *says;
    };
    for (Wrong const& w : {Wrong{"[1, 0, 0.5]", "[1, 0, 0.4]", "\"drive\"", "not Hermitian"},
                           {"[[0, 0], [0, 3]]", "[[0, 0, 0], [0, 3, 0], [0, 0, 0]]", "\"shift\"", "not 2 x 2"},
                           {"\"unit\": \"MHz\"", "\"unit\": \"Mhz\"", "\"shift\"", "Mhz"}}) {
        Said const said = answer(w.from, w.to);
        INFO(said.text);
        CHECK(said.code == 2);
        CHECK(said.text.find(w.names) != std::string::npos);
        CHECK(said.text.find(w.says) != std::string::npos);
        CHECK(said.text.find("mine.json") != std::string::npos);
    }
}
