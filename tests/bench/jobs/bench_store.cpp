// How fast rows go into a session: bench_store [rows]
// Baseline, in the same run: SQLite as it is used without thought, one row a commit with synchronous FULL.
#include "core/base/run_context.h"
#include "core/base/store.h"
#include "tests/bench/jobs/bench.h"

#include <sqlite3.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

using namespace orrery;
using namespace orrery::bench;
namespace fs = std::filesystem;

namespace {

StoredRun a_run(int number, JobState state) {
    StoredRun run;
    run.spec.id = "run" + std::to_string(number);
    run.spec.method = "test";
    run.spec.verb = "loop";
    run.spec.title = "Run " + std::to_string(number);
    run.spec.parameters = {{"draws", 20}, {"seed", number}, {"structure", "/data/1AO7.pdb"}};
    run.state = state;
    run.values = {{"pearson", 0.49}};
    run.provenance = {{"program", "Orrery"}, {"method", "test"}, {"threads", 2}};
    return run;
}

std::unique_ptr<Store> must(Result<std::unique_ptr<Store>> store) {
    if (store) return std::move(store).value();
    std::fprintf(stderr, "%s\n", store.error().message().c_str());
    std::exit(1);
}

void must(Result<void> const& done) {
    if (done) return;
    std::fprintf(stderr, "%s\n", done.error().message().c_str());
    std::exit(1);
}

// Rows a second of the plain way.
double one_row_a_commit(fs::path const& path) {
    sqlite3* database = nullptr;
    sqlite3_open(path.c_str(), &database);
    sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows(run, name, x, y)",
                 nullptr, nullptr, nullptr);
    sqlite3_stmt* insert = nullptr;
    sqlite3_prepare_v2(database, "INSERT INTO rows VALUES('run0', 'loss', ?, ?)", -1, &insert, nullptr);
    auto const start = Clock::now();
    int rows = 0;
    while (milliseconds_since(start) < 3000) {
        sqlite3_bind_double(insert, 1, rows);
        sqlite3_bind_double(insert, 2, std::sin(rows));
        sqlite3_step(insert);
        sqlite3_reset(insert);
        ++rows;
    }
    double const rate = rows / milliseconds_since(start) * 1000;
    sqlite3_finalize(insert);
    sqlite3_close(database);
    return rate;
}

}  // namespace

int main(int argc, char** argv) {
    auto const rows = static_cast<std::uint64_t>(argc > 1 ? std::atoll(argv[1]) : 10'000'000);
    fs::path const folder = fs::temp_directory_path() / ("orrery-bench-store-" + std::to_string(::rand()));
    fs::remove_all(folder);
    fs::create_directories(folder);
    fs::path const path = folder / "a.orrery";
    constexpr int runs = 1000;
    bool kept = true;

    double const baseline = one_row_a_commit(folder / "baseline.db");
    std::printf("baseline: one row a commit, synchronous FULL: %.0f rows/s\n", baseline);
    {
        auto store = must(Store::open(path, Store::Mode::create));
        for (int run = 0; run < runs; ++run) store->put_run(a_run(run, JobState::done));
        must(store->flush());
        // One call a row, as a job that reports each step would; ten series a hundred rows at a time in turn.
        std::vector<std::string> names;
        for (int run = 0; run < runs; ++run) names.push_back("run" + std::to_string(run));
        auto const start = Clock::now();
        for (std::uint64_t row = 0; row < rows; ++row) {
            double const x = static_cast<double>(row), y = std::sin(x);
            store->add_series(names[row / 100 % runs], "loss", {&x, 1}, {&y, 1});
        }
        double const handed = milliseconds_since(start);
        must(store->flush());
        double const elapsed = milliseconds_since(start);
        double const rate = static_cast<double>(rows) / elapsed * 1000;
        std::printf(
            "batching writer: %.0f rows/s to the disk (%llu rows in %.2f s; %.0f ns a call); %.0f x the baseline; "
            "budget 300000 rows/s: %s\n",
            rate, static_cast<unsigned long long>(rows), elapsed / 1000, handed * 1e6 / static_cast<double>(rows),
            rate / baseline, rate >= 300'000 ? "kept" : "MISSED");
        kept = kept && rate >= 300'000;

        Times durable;
        for (int i = 0; i < 50; ++i) {
            auto const begin = Clock::now();
            store->put_run(a_run(0, i % 2 == 0 ? JobState::running : JobState::done));
            must(store->flush());
            durable.values.push_back(milliseconds_since(begin));
        }
        report("a status change on the disk", durable, 20);
    }
    std::printf("the session has %.0f MB\n", static_cast<double>(fs::file_size(path)) / 1e6);
    Times opening;
    for (int i = 0; i < 5; ++i) {
        auto const begin = Clock::now();
        auto const store = must(Store::open(path));
        auto const list = store->runs();
        opening.values.push_back(milliseconds_since(begin));
        if (!list || list->size() != runs) return 1;
        auto const lengths = store->series_lengths("run7");
        if (!lengths || lengths->at("loss") != rows / runs) return 1;
    }
    report("open it and read the list of 1,000 runs", opening, 500);
    kept = kept && opening.median() <= 500;
    fs::remove_all(folder);
    return kept ? 0 : 1;
}
