// Streams into a session until it is killed, and tells on standard output what it has handed to the store and when:
// lines "<milliseconds of the steady clock> <points> <updates>". The test compares that with what is left in the file.
//   orrery-test-streamer SESSION
#include "core/base/store.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
    using namespace orrery;
    using Clock = std::chrono::steady_clock;
    if (argc != 2) return 2;
    bool const there = std::filesystem::exists(argv[1]);
    auto store = Store::open(argv[1], there ? Store::Mode::open : Store::Mode::create);
    if (!store) {
        std::fprintf(stderr, "%s\n", store.error().message().c_str());
        return 1;
    }
    Store& session = **store;
    StoredRun run;
    run.spec.id = "streamed";
    run.spec.method = "test";
    run.spec.verb = "loop";
    run.spec.parameters = Json::object();
    run.state = JobState::running;
    auto const known = session.run("streamed");
    if (!known) return 1;
    if (!*known) session.put_run(run);
    auto const lengths = session.series_lengths("streamed");
    auto const updates_there = session.updates("streamed");
    if (!lengths || !updates_there || !session.flush()) return 1;
    std::uint64_t points = lengths->contains("loss") ? lengths->at("loss") : 0;
    std::uint64_t updates = updates_there->size();
    while (true) {
        std::vector<double> x, y;
        for (int i = 0; i < 20; ++i, ++points) {
            x.push_back(static_cast<double>(points));
            y.push_back(static_cast<double>(points) * 0.5);
        }
        session.add_series("streamed", "loss", x, y);
        session.add_update("streamed", "column", {{"number", updates++}});
        session.add_log({"streamed", 0, LogLevel::info, "line " + std::to_string(updates)});
        auto const now = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch()).count();
        std::printf("%lld %llu %llu\n", static_cast<long long>(now), static_cast<unsigned long long>(points),
                    static_cast<unsigned long long>(updates));
        std::fflush(stdout);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}
