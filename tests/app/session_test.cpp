// Runs through a real worker process, and the session: reopen, save under a name, repeat and compare, stale marks,
// provenance of an exported figure.
#include "tests/app/window_fixture.h"

#include <QDir>
#include <fstream>

#include "app/recovery.h"
#include "core/figure/export.h"

using namespace orrery;
using namespace orrery::tests;

namespace fs = std::filesystem;

TEST_CASE("a run shows progress, live results and its end") {
    ORRERY_NEED_DISPLAY();
    Window window("run");
    REQUIRE(window.run("room counting").ok());
    REQUIRE(window.run("set counting.steps 40").ok());
    REQUIRE(window.run("set counting.step_ms 5").ok());
    REQUIRE(window.run("run").ok());
    REQUIRE(window.wait("room.state", "running"));
    REQUIRE(window.wait("room.state", "done"));
    window.settle();
    CHECK(window.state("jobs.last.state") == "done");
    CHECK(window.state("jobs.last.values.steps") == "40");
    CHECK(window.room().started == 1);
    CHECK(window.room().ended == 1);
    CHECK(window.room().points == 40);
    CHECK(window.room().updates == 40);
    CHECK(window.room().artifact_text.find("39,58.5") != std::string::npos);
    CHECK(window.state("room.note").find("Done") == 0);
    CHECK(window.state("widget.counting.run.text").find("Count steps, ") == 0);  // it knows now how long that takes
}

TEST_CASE("cancel keeps what there is; pause and resume go on to the same end") {
    ORRERY_NEED_DISPLAY();
    Window window("cancel");
    REQUIRE(window.run("room counting").ok());
    REQUIRE(window.run("set counting.steps 4000").ok());
    REQUIRE(window.run("run").ok());
    REQUIRE(window.wait([&] { return window.room().points > 3; }));
    REQUIRE(window.run("cancel").ok());
    REQUIRE(window.wait("jobs.last.state", "cancelled"));
    CHECK(window.state("room.note").find("Cancelled") == 0);
    REQUIRE(window.run("set counting.steps 300").ok());
    REQUIRE(window.run("run").ok());
    REQUIRE(window.wait([&] { return window.room().points > 3; }));
    REQUIRE(window.run("pause").ok());
    REQUIRE(window.wait("room.state", "paused"));
    CHECK(window.state("widget.counting.pause.text") == "Resume");
    REQUIRE(window.run("resume").ok());
    REQUIRE(window.wait("jobs.last.state", "done"));
    window.settle();
    CHECK(window.room().artifact_text.find("299,448.5") != std::string::npos);
    CHECK(window.state("jobs.count") == "2");
}

TEST_CASE("a failed run tells what, where and what to do, at its field too") {
    ORRERY_NEED_DISPLAY();
    Window window("fail");
    auto const good = window.write("good.numbers", "1\n");
    REQUIRE(window.run("open-in counting " + good.string()).ok());
    REQUIRE(window.run("run counting fail").ok());
    REQUIRE(window.wait("room.state", "failed"));
    CHECK(window.state("room.note") == "Failed: chain A position 63 is K, not E (1AO7.numbers). E is at 61 and 65");
    REQUIRE(window.run("run counting warn").ok());
    REQUIRE(window.wait("jobs.last.state", "done_with_warnings"));
    CHECK(window.state("room.note").find("two rows were skipped") != std::string::npos);
    CHECK(window.state("room.values.numbers") == good.string());
}

TEST_CASE("a result of other settings is stale and says what changed; its settings come back") {
    ORRERY_NEED_DISPLAY();
    Window window("stale");
    auto const data = window.write("data.numbers", "1\n2\n");
    REQUIRE(window.run("open-in counting " + data.string()).ok());
    REQUIRE(window.run("run").ok());
    REQUIRE(window.wait("room.state", "done"));
    REQUIRE(window.run("set counting.growth 3").ok());
    CHECK(window.state("room.state") == "stale");
    CHECK(window.state("room.note").find("Growth was 1.5, is 3") != std::string::npos);
    REQUIRE(window.run("use-settings").ok());
    CHECK(window.state("room.state") == "done");
    CHECK(window.room().value("growth") == 1.5);
    // A file that changed on the disk makes its results stale too.
    window.write("data.numbers", "3\n4\n");
    window->session().check_inputs();
    REQUIRE(window.wait("room.state", "stale"));
    CHECK(window.state("room.note").find("the file data.numbers changed") != std::string::npos);
}

TEST_CASE("a session saved under a name opens with the same rooms, values, run, selection and layout of the room") {
    ORRERY_NEED_DISPLAY();
    std::string run, text;
    fs::path file;
    {
        Window window("round-trip");
        file = window.folder() / "work.orrery";
        REQUIRE(window.run("room counting").ok());
        REQUIRE(window.run("set counting.steps 17").ok());
        REQUIRE(window.run("run").ok());
        REQUIRE(window.wait("room.state", "done"));
        window.settle();
        run = window.state("room.run");
        text = window.room().artifact_text;
        REQUIRE(window.run("part counting.form hide").ok());
        REQUIRE(window.run("select residue A:63").ok());
        REQUIRE(window.run("save-as " + file.string()).ok());
        REQUIRE(window.wait("session.name", "work"));
        window.settle();
        CHECK(fs::exists(file));
        // The session goes on in the file: what comes now is in it without another save.
        REQUIRE(window.run("set counting.growth 2").ok());
        CHECK(window.room().artifact_text == text);
    }
    Window again("round-trip", false, file.string());
    REQUIRE(again.wait("room", "counting"));
    again.settle();
    CHECK(again.state("session.name") == "work");
    CHECK(again.state("room.values.steps") == "17");
    CHECK(again.state("room.values.growth") == "2.0");
    CHECK(again.state("room.run") == run);
    CHECK(again.state("room.state") == "stale");
    CHECK(again.state("jobs.count") == "1");
    CHECK(again.state("jobs.last.values.steps") == "17");
    CHECK(again.state("selection.residue") == "A:63");
    CHECK(again.room().artifact_text == text);
    CHECK_FALSE(again.find<QWidget>("counting.form.steps")->isVisible());
    // Nothing of the old session can be undone in this one.
    CHECK(again.state("undo").empty());
}

TEST_CASE("a repeated run is compared with what it gave before") {
    ORRERY_NEED_DISPLAY();
    Window window("repeat");
    auto const data = window.write("data.numbers", "1\n2\n");
    REQUIRE(window.run("open-in counting " + data.string()).ok());
    REQUIRE(window.run("run").ok());
    REQUIRE(window.wait("room.state", "done"));
    REQUIRE(window.run("repeat-run").ok());
    REQUIRE(window.wait("jobs.count", "2"));
    REQUIRE(window.wait([&] { return !window.state("jobs.last.verdict").empty(); }));
    CHECK(window.state("jobs.last.verdict") == "the same bytes as before (1 files)");
    REQUIRE(window.run("remove-run last").ok());
    CHECK(window.state("jobs.count") == "1");
    CHECK_FALSE(window.run("remove-run r0").ok());
}

TEST_CASE("an exported figure leads back to its run, and in another session fills the form") {
    ORRERY_NEED_DISPLAY();
    fs::path png, svg;
    {
        Window window("export");
        png = window.folder() / "counts.png";
        svg = window.folder() / "counts.svg";
        REQUIRE(window.run("room counting").ok());
        CHECK_FALSE(window.run("export counting.plot " + png.string()).ok());  // nothing was run
        REQUIRE(window.run("set counting.steps 13").ok());
        REQUIRE(window.run("run").ok());
        REQUIRE(window.wait("room.state", "done"));
        window.settle();
        REQUIRE(window.run("export counting.plot " + png.string() + " dpi=72").ok());
        REQUIRE(window.run("export counting.plot " + svg.string()).ok());
        REQUIRE(window.wait([&] { return fs::exists(png) && fs::exists(svg); }));
        window.settle();
        CHECK(read_provenance(png).ok());
        std::string const first = window.state("room.run");
        REQUIRE(window.run("set counting.steps 14").ok());
        REQUIRE(window.run("run").ok());
        REQUIRE(window.wait("room.state", "done"));
        CHECK(window.state("room.run") != first);
        REQUIRE(window.run("open " + png.string()).ok());
        REQUIRE(window.wait("room.run", first));
        CHECK_FALSE(window.run("export counting.plot counts.txt").ok());
        CHECK_FALSE(window.run("export counting.nothing a.png").ok());
    }
    Window other("export-other");
    REQUIRE(other.run("open " + svg.string()).ok());
    REQUIRE(other.wait("room", "counting"));
    REQUIRE(other.wait("room.values.steps", "13"));
    CHECK(other.state("message").find("its settings are in the form") != std::string::npos);
}

TEST_CASE("what is no session is refused and the open one stays") {
    ORRERY_NEED_DISPLAY();
    Window window("broken");
    REQUIRE(window.run("room counting").ok());
    REQUIRE(window.run("set counting.steps 9").ok());
    auto const file = window.write("broken.orrery", "this is no database");
    REQUIRE(window.run("open " + file.string()).ok());
    REQUIRE(window.wait([&] { return !window.state("message").empty(); }));
    CHECK(window.state("message").find("broken.orrery") != std::string::npos);
    CHECK(window.state("room.values.steps") == "9");
    CHECK(window.state("session.ready") == "true");
}

TEST_CASE("a session that was not closed is offered, one that was is not") {
    ORRERY_NEED_DISPLAY();
    fs::path left;
    {
        Window window("recovery");
        REQUIRE(window.run("room counting").ok());
        REQUIRE(window.run("run").ok());
        REQUIRE(window.wait("room.state", "done"));
        window.settle();
        left = window->session().path();
    }
    {
        Window window("recovery", false);
        window.settle();
        CHECK(window.state("message").empty());
    }
    {
        // As kill -9 leaves it: the mark of a clean end is not there.
        auto store = Store::open(left);
        REQUIRE(store.ok());
        (*store)->put_item({"session", "clean", 1, false, 0});
    }
    Window window("recovery", false);
    REQUIRE(window.wait([&] { return window.state("message").find("Not closed properly") == 0; }));
    CHECK(window.state("widget.recovery.open.visible") == "true");
    REQUIRE(window.run("open " + left.string()).ok());
    REQUIRE(window.wait("room", "counting"));
    CHECK(window.state("jobs.count") == "1");
}
