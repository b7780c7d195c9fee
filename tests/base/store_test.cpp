#include "core/base/store.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/run_context.h"
#include "core/base/store_schema.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

using namespace orrery;
using namespace orrery::tests;
namespace fs = std::filesystem;

namespace {

std::unique_ptr<Store> opened(fs::path const& path, Store::Mode mode = Store::Mode::open) {
    Result<std::unique_ptr<Store>> store = Store::open(path, mode);
    if (!store) FAIL(store.error().message());
    return std::move(store).value();
}

std::unique_ptr<Store> created(fs::path const& path) { return opened(path, Store::Mode::create); }

std::string open_error(fs::path const& path, Store::Mode mode = Store::Mode::open) {
    Result<std::unique_ptr<Store>> const store = Store::open(path, mode);
    REQUIRE(!store.ok());
    return store.error().message();
}

StoredRun a_run(std::string const& id, JobState state = JobState::done) {
    StoredRun run;
    run.spec.id = id;
    run.spec.method = "test";
    run.spec.verb = "loop";
    run.spec.title = "Scan interface of 1AO7";
    run.spec.parameters = {{"draws", 20}};
    run.key = run.spec.key();
    run.state = state;
    run.values = {{"pearson", 0.49}};
    run.provenance = {{"program", "Orrery"}};
    run.warnings = {bad_input("a warning", "line 3")};
    run.submitted = 1.5;
    run.started = 2.5;
    run.ended = 3.5;
    run.fraction = 1;
    run.stage = "done";
    run.device = "cpu";
    run.libraries = {{"LibTorch", "2.11.0"}};
    run.peak_memory = 123'456'789;
    return run;
}

Artifact artifact_of(fs::path const& root, std::string const& name, std::string const& bytes) {
    Artifact artifact{name, "table", "text/csv", sha256(bytes), bytes.size(), {}, false};
    artifact.path = blob_path(root, artifact.sha256);
    REQUIRE(write_file(artifact.path, bytes).ok());
    return artifact;
}

std::string text_of(fs::path const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("all that is written is there after reopening") {
    fs::path const path = scratch_directory("store-all") / "a b #1?.orrery";
    std::string const small = "name,value\n", large(150'000, 'x');
    {
        auto store = created(path);
        store->put_run(a_run("one"));
        StoredRun failed = a_run("two", JobState::failed);
        failed.error = unavailable("no weights", "here", "Run packaging/setup.sh", "weights").caused_by("deep");
        store->put_run(failed);
        double const x[] = {0, 1, 2}, y[] = {0.1, std::nan(""), std::numeric_limits<double>::infinity()};
        store->add_series("one", "loss", x, y);
        store->add_series("one", "loss", std::span(x).first(1), std::span(y).first(1));
        store->add_series("one", "accuracy", x, x);
        store->add_update("one", "column", {{"residue", "A:63"}});
        store->add_update("one", "column", {{"residue", "A:64"}});
        store->put_artifact("one", artifact_of(store->blob_root(), "small.csv", small));
        store->put_artifact("one", artifact_of(store->blob_root(), "large.csv", large));
        store->add_log({"one", 5, LogLevel::warning, "first"});
        store->add_log({"one", 6, LogLevel::info, "second"});
        store->add_log({"", 7, LogLevel::info, "the window's"});
        store->add_command({8, "open \"1AO7.pdb\"", true, ""});
        store->add_command({9, "set stab-ddg.draws many", false, "draws must be a whole number"});
        store->put_item({"layout", "main", 3, {{"docks", {1, 2}}}, 0});
        store->put_item({"notes", "session", 1, "remember", 0});
        store->put_item({"kind-of-a-later-release", "thing", 9, {{"kept", true}}, 0});
        store->put_dataset({sha256(small), "small.csv", "/data/small.csv", "table", small.size(), false, 0}, small);
        CHECK(store->flush().ok());
        CHECK(fs::exists(path.string() + "-lock"));
    }
    CHECK(!fs::exists(path.string() + "-wal"));
    CHECK(!fs::exists(path.string() + "-lock"));

    auto const store = opened(path);
    CHECK(store->notices().empty());
    auto const runs = store->runs();
    REQUIRE(runs.ok());
    REQUIRE(runs->size() == 2);
    StoredRun const expected = a_run("one"), &run = runs->front();
    CHECK(run.spec.to_json() == expected.spec.to_json());
    CHECK(run.key == expected.key);
    CHECK(run.state == JobState::done);
    CHECK(run.values == expected.values);
    CHECK(run.provenance == expected.provenance);
    CHECK(!run.error);
    REQUIRE(run.warnings.size() == 1);
    CHECK(run.warnings[0].message() == "a warning (line 3)");
    CHECK(run.submitted == 1.5);
    CHECK(run.started == 2.5);
    CHECK(run.ended == 3.5);
    CHECK(run.stage == "done");
    CHECK(run.device == "cpu");
    CHECK(run.libraries == expected.libraries);
    CHECK(run.peak_memory == 123'456'789);
    auto const two = store->run("two");
    REQUIRE((two.ok() && two->has_value()));
    REQUIRE((*two)->error);
    CHECK((*two)->error->message() == "no weights (here). Run packaging/setup.sh");
    CHECK((*two)->error->field == "weights");
    CHECK((*two)->error->chain == std::vector<std::string>{"deep"});
    CHECK(!store->run("three").value());

    auto const series = store->series("one");
    REQUIRE(series.ok());
    REQUIRE(series->size() == 2);
    CHECK(series->at(0).name == "accuracy");
    CHECK(series->at(1).x == std::vector<double>{0, 1, 2, 0});
    CHECK(series->at(1).y[0] == 0.1);
    CHECK(std::isnan(series->at(1).y[1]));
    CHECK(std::isinf(series->at(1).y[2]));
    CHECK(series->at(1).y[3] == 0.1);
    CHECK(store->series_lengths("one").value().at("loss") == 4);
    auto const updates = store->updates("one");
    REQUIRE(updates->size() == 2);
    CHECK(updates->at(1).value.at("residue") == "A:64");

    auto const artifacts = store->artifacts("one");
    REQUIRE(artifacts->size() == 2);
    CHECK(store->artifact_bytes(artifacts->at(0)).value() == small);
    CHECK(store->artifact_bytes(artifacts->at(1)).value() == large);
    auto const log = store->log("one");
    REQUIRE(log->size() == 2);
    CHECK(log->at(0).text == "first");
    CHECK(log->at(0).level == LogLevel::warning);
    CHECK(store->log("one", 1)->at(0).text == "second");
    CHECK(store->log("")->size() == 1);
    auto const commands = store->commands();
    REQUIRE(commands->size() == 2);
    CHECK(commands->at(1).message == "draws must be a whole number");
    CHECK(!commands->at(1).ok);
    CHECK(store->items()->size() == 3);
    CHECK(store->items("layout")->at(0).version == 3);
    auto const later = store->item("kind-of-a-later-release", "thing");
    REQUIRE(later->has_value());
    CHECK((*later)->value.at("kept") == true);
    CHECK((*later)->version == 9);
    CHECK((*later)->changed > 0);
    CHECK(store->datasets()->at(0).embedded);
    CHECK(store->dataset_bytes(sha256(small)).value() == small);
    CHECK(store->check().value().empty());
}

TEST_CASE("what was written is read at once, and replaced or removed in the order of the calls") {
    auto store = created(scratch_directory("store-order") / "a.orrery");
    StoredRun run = a_run("one", JobState::queued);
    store->put_run(run);
    CHECK(store->runs()->size() == 1);
    run.state = JobState::running;
    store->put_run(run);
    CHECK(store->run("one").value()->state == JobState::running);
    double const x[] = {0}, y[] = {1};
    store->add_series("one", "loss", x, y);
    store->clear_live("one");
    double const again[] = {2};
    store->add_series("one", "loss", x, again);
    REQUIRE(store->series("one")->size() == 1);
    CHECK(store->series("one")->at(0).y == std::vector<double>{2});

    Artifact partial = artifact_of(store->blob_root(), "map", "half");
    partial.partial = true;
    store->put_artifact("one", partial);
    store->put_artifact("one", artifact_of(store->blob_root(), "map", "whole"));
    REQUIRE(store->artifacts("one")->size() == 1);
    CHECK(!store->artifacts("one")->at(0).partial);
    CHECK(store->artifact_bytes(store->artifacts("one")->at(0)).value() == "whole");

    store->put_item({"notes", "a", 1, "old", 0});
    store->put_item({"notes", "a", 2, "new", 0});
    CHECK(store->item("notes", "a").value()->value == "new");
    store->remove_item("notes", "a");
    CHECK(!store->item("notes", "a").value());

    store->add_update("one", "u", 1);
    store->add_log({"one", 0, LogLevel::info, "line"});
    store->remove_run("one");
    CHECK(store->runs()->empty());
    CHECK(store->series("one")->empty());
    CHECK(store->updates("one")->empty());
    CHECK(store->artifacts("one")->empty());
    CHECK(store->log("one")->empty());
}

TEST_CASE("a series that trickles in keeps its order in few rows") {
    fs::path const path = scratch_directory("store-trickle") / "a.orrery";
    auto store = created(path);
    for (int i = 0; i < 700; ++i) {
        double const x = i, y = i * 0.5;
        store->add_series("one", "loss", {&x, 1}, {&y, 1});
        if (i % 7 == 0) REQUIRE(store->series_lengths("one")->at("loss") == static_cast<std::uint64_t>(i + 1));
    }
    std::vector<double> many(200'000);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(700 + i);
    store->add_series("one", "loss", many, many);
    auto const series = store->series("one");
    REQUIRE(series->at(0).x.size() == 200'700);
    for (std::size_t i = 0; i < series->at(0).x.size(); ++i)
        if (series->at(0).x[i] != static_cast<double>(i)) FAIL("point " << i << " is out of order");
    store.reset();
    auto const database = sqlite::Database::open(path, sqlite::Database::Mode::read_only);
    CHECK(database->number("SELECT count(*) FROM series").value() < 10);
}

TEST_CASE("a resume starts from the points and updates that the checkpoint had") {
    auto store = created(scratch_directory("store-rewind") / "a.orrery");
    store->put_run(a_run("one", JobState::running));
    std::vector<double> x(1000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
    store->add_series("one", "loss", std::span(x).first(300), std::span(x).first(300));
    store->add_update("one", "u", 1);
    store->mark_checkpoint("one", "cafe");
    store->add_series("one", "loss", std::span(x).subspan(300), std::span(x).subspan(300));
    store->add_series("one", "late", x, x);
    store->add_update("one", "u", 2);
    store->rewind_to_checkpoint("one", std::string("another checkpoint"));
    CHECK(store->series_lengths("one")->at("loss") == 1000);
    store->rewind_to_checkpoint("one", std::string("cafe"));
    CHECK(store->series_lengths("one").value() == std::map<std::string, std::uint64_t>{{"loss", 300}});
    CHECK(store->updates("one")->size() == 1);
    // And goes on from there.
    store->add_series("one", "loss", std::span(x).subspan(300, 5), std::span(x).subspan(300, 5));
    auto const series = store->series("one");
    REQUIRE(series->at(0).x.size() == 305);
    for (std::size_t i = 0; i < 305; ++i) CHECK(series->at(0).x[i] == static_cast<double>(i));

    REQUIRE(write_file(store->checkpoint_path("one"), "state").ok());
    store->mark_checkpoint("one", sha256("state"));
    store->add_update("one", "u", 3);
    store->rewind_to_checkpoint("one", store->checkpoint_path("one"));
    CHECK(store->updates("one")->size() == 1);
}

TEST_CASE("a file that is no session is refused with what it is") {
    fs::path const folder = scratch_directory("store-other");
    auto const write = [&](char const* name, std::string const& bytes) {
        REQUIRE(write_file(folder / name, bytes).ok());
        return folder / name;
    };
    CHECK(open_error(write("a.orrery", "just some text\n")) ==
          "the file is not an Orrery session (" + (folder / "a.orrery").string() + "). It looks like a text file");
    CHECK(open_error(write("b.orrery", std::string("PK\x03\x04zip"))).find("a zip archive") != std::string::npos);
    CHECK(open_error(write("c.orrery", "\x89PNG\r\n")).find("a PNG picture") != std::string::npos);
    CHECK(open_error(write("d.orrery", "")).find("the file is empty, not an Orrery session") == 0);
    CHECK(open_error(write("e.orrery", std::string("\x00\x01\x02\xff", 4))).find("Orrery sessions end in .orrery") !=
          std::string::npos);
    CHECK(open_error(folder).find(folder.string()) != std::string::npos);
    CHECK(open_error(folder / "absent.orrery").find("absent.orrery") != std::string::npos);
    CHECK(!fs::exists(folder / "absent.orrery"));
    {
        auto const other = sqlite::Database::open(folder / "other.db", sqlite::Database::Mode::create);
        REQUIRE(other->execute("CREATE TABLE bookmarks(url)").ok());
    }
    CHECK(open_error(folder / "other.db").find("a database of another program, not an Orrery session") !=
          std::string::npos);
    CHECK(Store::open(folder / "a.orrery", Store::Mode::create).error().message().find("is there already") !=
          std::string::npos);
    CHECK(text_of(folder / "a.orrery") == "just some text\n");
}

TEST_CASE("a truncated or damaged session is told, and its backup named") {
    fs::path const folder = scratch_directory("store-damaged");
    fs::path const path = folder / "a.orrery";
    {
        auto store = created(path);
        for (int i = 0; i < 200; ++i) store->put_run(a_run("run" + std::to_string(i)));
        REQUIRE(store->save().ok());
    }
    std::string const whole = text_of(path);
    REQUIRE(whole.size() > 40'000);
    for (std::size_t const size :
         {std::size_t{50}, std::size_t{99}, std::size_t{100}, std::size_t{4096}, whole.size() / 2, whole.size() - 1}) {
        REQUIRE(write_file(path, whole.substr(0, size)).ok());
        std::string const message = open_error(path);
        CHECK(message.find("the session is truncated: it has " + std::to_string(size) + " of ") == 0);
        CHECK(message.find("Open its newest backup " + path.string() + ".backup1") != std::string::npos);
    }
    std::string broken = whole;
    for (std::size_t at = 4096 * 3; at < 4096 * 6; ++at) broken[at] = static_cast<char>(at * 7);
    REQUIRE(write_file(path, broken).ok());
    std::string const message = open_error(path);
    CHECK(message.find("the session is damaged (" + path.string() + "). Open its newest backup") == 0);
    // The backup opens as it is, and beside the same blobs.
    auto const backup = opened(path.string() + ".backup1", Store::Mode::read_only);
    CHECK(backup->runs()->size() == 200);
    CHECK(backup->blob_root() == path.string() + "-blobs");
}

TEST_CASE("a session damaged anywhere is opened or refused, never a crash") {
    fs::path const path = scratch_directory("store-fuzz") / "a.orrery";
    {
        auto store = created(path);
        for (int i = 0; i < 20; ++i) store->put_run(a_run("run" + std::to_string(i)));
        store->add_update("run1", "u", {{"a", 1}});
    }
    std::string const whole = text_of(path);
    std::uint32_t random = 12345;
    for (int round = 0; round < 150; ++round) {
        std::string broken = whole;
        for (int i = 0; i < 1 + round % 20; ++i) {
            random = random * 1664525u + 1013904223u;
            broken[random % broken.size()] = static_cast<char>(random >> 24);
        }
        REQUIRE(write_file(path, broken).ok());
        Result<std::unique_ptr<Store>> const store = Store::open(path);
        if (!store) {
            CHECK(!store.error().what.empty());
            continue;
        }
        Result<std::vector<StoredRun>> const runs = (*store)->runs();
        if (!runs) CHECK(!runs.error().what.empty());
        (void)(*store)->updates("run1");
        (*store)->put_run(a_run("new"));
        (void)(*store)->flush();
        (void)(*store)->check();
    }
}

TEST_CASE("one window a session; a second one is told who has it, and may read") {
    fs::path const path = scratch_directory("store-lock") / "a.orrery";
    auto store = created(path);
    store->put_run(a_run("one"));
    REQUIRE(store->flush().ok());
    CHECK(open_error(path) == "the session is open in another window (process " + std::to_string(::getpid()) + ") (" +
                                  path.string() + "). Go on there, or close it first");
    auto const reader = opened(path, Store::Mode::read_only);
    CHECK(reader->read_only());
    CHECK(reader->runs()->size() == 1);
    CHECK(!reader->save().ok());
    CHECK(!Store::remove_session(path).ok());
    store.reset();
    CHECK(opened(path)->runs()->size() == 1);
}

TEST_CASE("a session held by another program is told as that") {
    fs::path const path = scratch_directory("store-busy") / "a.orrery";
    created(path)->put_run(a_run("one"));
    auto const other = sqlite::Database::open(path, sqlite::Database::Mode::read_write);
    REQUIRE(other->execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").ok());
    CHECK(open_error(path).find("another program holds it") != std::string::npos);
}

TEST_CASE("a newer format is read where it says that it can be, and refused where not") {
    fs::path const path = scratch_directory("store-newer") / "a.orrery";
    created(path)->put_run(a_run("one"));
    {
        auto const database = sqlite::Database::open(path, sqlite::Database::Mode::read_write);
        REQUIRE(database
                    ->execute("PRAGMA user_version = 9; ALTER TABLE runs ADD COLUMN mood TEXT;"
                              "INSERT INTO migrations VALUES(9, 'moods', 0, '4.2.0');")
                    .ok());
    }
    {
        auto const store = opened(path);
        CHECK(store->read_only());
        REQUIRE(store->notices().size() == 1);
        CHECK(store->notices()[0] ==
              "The session was made by a newer Orrery (format 9). It is opened for reading only.");
        CHECK(store->runs()->size() == 1);
        store->put_run(a_run("two"));
        CHECK(store->flush().ok());
        CHECK(store->runs()->size() == 1);
    }
    {
        auto const database = sqlite::Database::open(path, sqlite::Database::Mode::read_write);
        REQUIRE(database->execute("UPDATE meta SET value = '9' WHERE name = 'readable_by'").ok());
    }
    std::string const message = open_error(path);
    CHECK(message.find("the session has format 9 of Orrery 4.2.0; this is Orrery ") == 0);
    CHECK(message.find("Open it with Orrery 4.2.0 or newer") != std::string::npos);
}

TEST_CASE("migrations run one after the other, each once, and a failing one changes nothing") {
    fs::path const path = scratch_directory("store-migrate") / "a.orrery";
    created(path)->put_run(a_run("one"));
    auto const database = sqlite::Database::open(path, sqlite::Database::Mode::read_write);
    std::vector<store_schema::Migration> steps(store_schema::migrations().begin(), store_schema::migrations().end());
    steps.push_back({"a mood for each run", "ALTER TABLE runs ADD COLUMN mood TEXT DEFAULT 'calm'", 1});
    steps.push_back({"broken", "CREATE TABLE half(a); ALTER TABLE absent ADD COLUMN x", 3});
    Result<void> const failed = store_schema::migrate(*database, steps);
    REQUIRE(!failed.ok());
    CHECK(failed.error().chain.back() == "while it is brought to format 3 (broken)");
    CHECK(database->number("PRAGMA user_version").value() == 2);
    CHECK(database->text("SELECT mood FROM runs").value() == "calm");
    CHECK(database->number("SELECT count(*) FROM sqlite_master WHERE name = 'half'").value() == 0);
    CHECK(database->text("SELECT value FROM meta WHERE name = 'readable_by'").value() == "1");
    steps.back().sql = "CREATE TABLE half(a)";
    REQUIRE(store_schema::migrate(*database, steps).ok());
    REQUIRE(store_schema::migrate(*database, steps).ok());
    CHECK(database->number("SELECT count(*) FROM migrations").value() == 3);
    CHECK(database->number("PRAGMA user_version").value() == 3);
}

TEST_CASE("each explicit save keeps a backup, three generations") {
    fs::path const path = scratch_directory("store-backups") / "a.orrery";
    auto store = created(path);
    for (int i = 1; i <= 5; ++i) {
        store->put_run(a_run("run" + std::to_string(i)));
        REQUIRE(store->save().ok());
    }
    for (int generation = 1; generation <= 3; ++generation) {
        fs::path const backup = path.string() + ".backup" + std::to_string(generation);
        CHECK(opened(backup, Store::Mode::read_only)->runs()->size() == static_cast<std::size_t>(6 - generation));
    }
    CHECK(!fs::exists(path.string() + ".backup4"));
}

TEST_CASE("save as writes a whole session elsewhere, and keeps what it replaces") {
    fs::path const folder = scratch_directory("store-save-as");
    fs::path const path = folder / "a.orrery", target = folder / "deep" / "b.orrery";
    auto store = created(path);
    std::string const large(200'000, 'y');
    store->put_run(a_run("one"));
    store->put_run(a_run("two", JobState::paused));
    store->put_artifact("one", artifact_of(store->blob_root(), "large", large));
    REQUIRE(write_file(store->checkpoint_path("two"), "state").ok());
    CHECK(store->save_as(target).error().message().find("deep") != std::string::npos);
    fs::create_directories(target.parent_path());
    REQUIRE(store->save_as(target).ok());
    {
        auto const copy = opened(target);
        CHECK(copy->runs()->size() == 2);
        CHECK(copy->artifact_bytes(copy->artifacts("one")->at(0)).value() == large);
        CHECK(text_of(copy->checkpoint_path("two")) == "state");
        CHECK(copy->check()->empty());
        CHECK(!store->save_as(target).ok());  // it is open
    }
    store->put_run(a_run("three"));
    REQUIRE(store->save_as(target).ok());
    CHECK(opened(target, Store::Mode::read_only)->runs()->size() == 3);
    CHECK(opened(target.string() + ".backup1", Store::Mode::read_only)->runs()->size() == 2);
    CHECK(store->save_as(path).error().message().find("Save it instead") != std::string::npos);
    // Only another session is ever replaced.
    REQUIRE(write_file(folder / "thesis.txt", "years of work").ok());
    CHECK(!store->save_as(folder / "thesis.txt").ok());
    CHECK(text_of(folder / "thesis.txt") == "years of work");
}

TEST_CASE("blobs that nothing names go at the next opening, those of backups stay") {
    fs::path const path = scratch_directory("store-garbage") / "a.orrery";
    auto store = created(path);
    fs::path const root = store->blob_root();
    store->put_run(a_run("one"));
    store->put_run(a_run("two"));
    Artifact const kept = artifact_of(root, "kept", std::string(200'000, 'k'));
    Artifact const backed_up = artifact_of(root, "backed up", std::string(200'000, 'b'));
    Artifact const orphan = artifact_of(root, "orphan", std::string(200'000, 'o'));
    store->put_artifact("one", kept);
    store->put_artifact("two", backed_up);
    REQUIRE(store->save().ok());
    store->remove_run("two");
    REQUIRE(write_file(store->checkpoint_path("gone"), "state").ok());
    store.reset();
    store = opened(path);
    CHECK(fs::exists(kept.path));
    CHECK(fs::exists(backed_up.path));
    CHECK(!fs::exists(orphan.path));
    CHECK(!fs::exists(store->checkpoint_path("gone")));
}

TEST_CASE("a result or input that is gone or changed is told with its place") {
    fs::path const folder = scratch_directory("store-gone");
    auto store = created(folder / "a.orrery");
    store->put_run(a_run("one"));
    store->put_artifact("one", artifact_of(store->blob_root(), "large.csv", std::string(200'000, 'z')));
    Artifact const artifact = store->artifacts("one")->at(0);
    REQUIRE(write_file(artifact.path, "changed").ok());
    CHECK(store->artifact_bytes(artifact).error().message().find(
              "the file of large.csv is not there any more, or holds something else (" + artifact.path.string() +
              ")") == 0);
    REQUIRE(store->check()->size() == 1);
    CHECK(store->check()->at(0) == "large.csv of run one: its SHA-256 differs");
    fs::remove(artifact.path);
    CHECK(!store->artifact_bytes(artifact).ok());

    std::string const data(2'000'000, 'd');
    REQUIRE(write_file(folder / "input.bin", data).ok());
    store->put_dataset({sha256(data), "input.bin", (folder / "input.bin").string(), "table", data.size(), false, 0},
                       data);
    CHECK(!store->datasets()->at(0).embedded);
    CHECK(store->dataset_bytes(sha256(data)).value() == data);
    REQUIRE(write_file(folder / "input.bin", "other").ok());
    CHECK(store->dataset_bytes(sha256(data))
              .error()
              .message()
              .find("the file input.bin has changed since the session used it") == 0);
    fs::remove(folder / "input.bin");
    CHECK(store->dataset_bytes(sha256(data)).error().message().find("the data input.bin is not where it was") == 0);
    CHECK(store->dataset_bytes("ff").error().message().find("the session has no data with SHA-256 ff") == 0);
    store->remove_dataset(sha256(data));
    CHECK(store->datasets()->empty());
}

TEST_CASE("a session in a folder that can't be written opens for reading") {
    if (::geteuid() == 0) {
        WARN("skipped: root may write everywhere");
        return;
    }
    fs::path const folder = scratch_directory("store-read-only");
    created(folder / "a.orrery")->put_run(a_run("one"));
    ::chmod(folder.c_str(), 0555);
    CHECK(open_error(folder / "a.orrery").find("open it for reading only") != std::string::npos);
    CHECK(opened(folder / "a.orrery", Store::Mode::read_only)->runs()->size() == 1);
    ::chmod(folder.c_str(), 0755);
}

TEST_CASE("a result whose bytes changed before they were stored is told, and the rest is kept") {
    auto store = created(scratch_directory("store-problem") / "a.orrery");
    std::vector<std::string> problems;
    store->on_problem = [&](Error const& error) { problems.push_back(error.message()); };
    Artifact artifact = artifact_of(store->blob_root(), "a.csv", "right");
    REQUIRE(write_file(artifact.path, "wrong").ok());
    store->put_run(a_run("one"));
    store->put_artifact("one", artifact);
    store->put_run(a_run("two"));
    Result<void> const flushed = store->flush();
    REQUIRE(!flushed.ok());
    CHECK(flushed.error().what == "the result a.csv changed before it was stored");
    CHECK(store->flush().ok());
    CHECK(store->runs()->size() == 2);
    CHECK(store->artifacts("one")->empty());
    store.reset();
    CHECK(problems.size() == 1);
}

TEST_CASE("many threads write and read one session") {
    auto store = created(scratch_directory("store-threads") / "a.orrery");
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            std::string const id = "run" + std::to_string(t);
            store->put_run(a_run(id, JobState::running));
            for (int i = 0; i < 500; ++i) {
                double const x = i, y = t;
                store->add_series(id, "loss", {&x, 1}, {&y, 1});
                if (i % 100 == 0) {
                    store->add_log({id, 0, LogLevel::info, "line"});
                    (void)store->runs();
                }
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (int t = 0; t < 4; ++t) {
        auto const series = store->series("run" + std::to_string(t));
        REQUIRE(series->size() == 1);
        REQUIRE(series->at(0).x.size() == 500);
        for (int i = 0; i < 500; ++i) {
            CHECK(series->at(0).x[static_cast<std::size_t>(i)] == i);
            CHECK(series->at(0).y[static_cast<std::size_t>(i)] == t);
        }
    }
}

TEST_CASE("autosaved sessions are listed for recovery, broken ones too") {
    fs::path const state = scratch_directory("store-autosave");
    ::setenv("ORRERY_STATE", state.c_str(), 1);
    CHECK(Store::autosaves().empty());
    Result<std::unique_ptr<Store>> first = Store::create_autosave();
    Result<std::unique_ptr<Store>> second = Store::create_autosave();
    REQUIRE((first.ok() && second.ok()));
    CHECK((*first)->path() != (*second)->path());
    CHECK((*first)->path().parent_path() == state / "sessions");
    (*first)->put_run(a_run("one", JobState::running));
    (*first)->put_run(a_run("two"));
    (*first)->put_item({"session", "title", 1, "TCR complexes", 0});
    REQUIRE((*first)->flush().ok());
    fs::path const path = (*first)->path();
    second->reset();
    REQUIRE(write_file(state / "sessions" / "broken.orrery", "no session").ok());
    std::vector<SessionFile> const sessions = Store::autosaves();
    REQUIRE(sessions.size() == 3);
    for (SessionFile const& session : sessions) {
        if (session.path == path) {
            CHECK(session.open);
            CHECK(session.runs == 2);
            CHECK(session.unfinished == 1);
            CHECK(session.title == "TCR complexes");
            CHECK(session.problem.empty());
            CHECK(session.bytes > 0);
        } else if (session.path.filename() == "broken.orrery") {
            CHECK(session.problem.find("the file is not an Orrery session") == 0);
        } else {
            CHECK(!session.open);
            CHECK(session.runs == 0);
        }
    }
    first->reset();
    REQUIRE(Store::remove_session(path).ok());
    CHECK(Store::autosaves().size() == 2);
    CHECK(!fs::exists(path));
    ::unsetenv("ORRERY_STATE");
}
