#include "core/base/command.h"

#include "tests/catch.h"

#include <random>
#include <stdexcept>

using namespace orrery;

namespace {

CommandCall parsed(std::string_view text) {
    Result<CommandCall> const call = CommandCall::parse(text);
    REQUIRE(call.ok());
    return *call;
}
std::string refused(std::string_view text) {
    Result<CommandCall> const call = CommandCall::parse(text);
    REQUIRE_FALSE(call.ok());
    return call.error().message();
}

// A bus with a number that "set" changes.
struct Counter {
    CommandBus bus;
    int value = 0;
    int undo_changes = 0;
    std::vector<CommandBus::Entry> seen;

    Counter() {
        bus.add({"set", "set <value>", "Set the number.", "", true},
                [this](std::vector<std::string> const& arguments) -> Result<Done> {
                    if (arguments.size() != 1) return bad_input("set takes one value");
                    int const before = value;
                    value = std::stoi(arguments[0]);  // throws for text
                    return Done{[this, before] { value = before; }, "Set to " + arguments[0]};
                });
        bus.add({"look", "look", "Change nothing.", "", true},
                [](std::vector<std::string> const&) -> Result<Done> { return Done{}; });
        bus.on_executed = [this](CommandBus::Entry const& entry) { seen.push_back(entry); };
        bus.on_undo_changed = [this] { ++undo_changes; };
    }
};

}  // namespace

TEST_CASE("Command texts are words with quotes") {
    CommandCall const call = parsed("  open \"a b.pdb\" plain \"\" \"say \\\"hi\\\" \\\\ \\n\\t\"x ");
    CHECK(call.name == "open");
    CHECK(call.arguments == std::vector<std::string>{"a b.pdb", "plain", "", "say \"hi\" \\ \n\tx"});
    CHECK(CommandCall{"open", {"1AO7.pdb"}}.text() == "open 1AO7.pdb");
    CHECK(CommandCall{"open", {"my file.pdb", ""}}.text() == "open \"my file.pdb\" \"\"");
    CHECK(CommandCall{"select", {"residue", "A:63"}}.text() == "select residue A:63");
    CHECK(parsed("a\\b").name == "a\\b");
}

TEST_CASE("A command's text gives the same command, whatever its words") {
    std::mt19937 random(5);
    std::string const letters = "ab \"\\\n\t'#;$\xC3\xA5";
    for (int round = 0; round < 2000; ++round) {
        CommandCall call{"c" + std::to_string(round), {}};
        for (auto count = random() % 4; count > 0; --count) {
            std::string word;
            for (auto length = random() % 6; length > 0; --length) word += letters[random() % letters.size()];
            call.arguments.push_back(word);
        }
        std::string const text = call.text();
        CHECK(text.find('\n') == std::string::npos);  // a log of commands is a script, one a line
        CommandCall const back = parsed(text);
        CHECK(back.name == call.name);
        CHECK(back.arguments == call.arguments);
    }
}

TEST_CASE("Broken command texts say where") {
    CHECK(refused("") == "no command is given");
    CHECK(refused(" \t\n") == "no command is given");
    CHECK(refused("\"\" a") == "no command is given");
    CHECK(refused("open \"a b") == "a quote is never closed (column 6)");
    CHECK(refused("open \"a\\") == "a quote is never closed (column 6)");
    CHECK(refused("open \"C:\\x\"") ==
          "the escape \\x is unknown (column 9). Write \\\\ for a backslash inside quotes");
}

TEST_CASE("Commands are done, undone and done again") {
    Counter counter;
    CHECK_FALSE(counter.bus.can_undo());
    REQUIRE(counter.bus.execute("set 5").ok());
    REQUIRE(counter.bus.execute("set 7").ok());
    CHECK(counter.bus.undo_text() == "Set to 7");
    REQUIRE(counter.bus.undo().ok());
    CHECK(counter.value == 5);
    CHECK(counter.bus.redo_text() == "Set to 7");
    REQUIRE(counter.bus.execute("redo").ok());  // undo and redo are commands too
    CHECK(counter.value == 7);
    REQUIRE(counter.bus.execute("undo").ok());
    REQUIRE(counter.bus.execute("undo").ok());
    CHECK(counter.value == 0);
    CHECK_FALSE(counter.bus.can_undo());
    REQUIRE(counter.bus.redo().ok());
    REQUIRE(counter.bus.redo().ok());
    CHECK(counter.value == 7);
    CHECK_FALSE(counter.bus.can_redo());
    CHECK(counter.undo_changes >= 8);
}

TEST_CASE("A new change ends what was to be redone; a look does not") {
    Counter counter;
    REQUIRE(counter.bus.execute("set 1").ok());
    REQUIRE(counter.bus.execute("set 2").ok());
    REQUIRE(counter.bus.undo().ok());
    REQUIRE(counter.bus.execute("look").ok());
    CHECK(counter.bus.can_redo());
    REQUIRE(counter.bus.execute("set 9").ok());
    CHECK_FALSE(counter.bus.can_redo());
    REQUIRE(counter.bus.undo().ok());
    CHECK(counter.value == 1);
}

TEST_CASE("What fails is told and changes nothing") {
    Counter counter;
    Result<void> unknown = counter.bus.execute("sett 5");
    REQUIRE_FALSE(unknown.ok());
    CHECK(unknown.error().message() == "there is no command \"sett\". Did you mean \"set\"?");
    CHECK(counter.bus.execute("set").error().what == "set takes one value");
    Result<void> const thrown = counter.bus.execute("set text");
    REQUIRE_FALSE(thrown.ok());
    CHECK(thrown.error().kind == ErrorKind::internal);
    CHECK_FALSE(counter.bus.undo().ok());
    CHECK_FALSE(counter.bus.redo().ok());
    CHECK_FALSE(counter.bus.execute("set \"5").ok());
    CHECK_FALSE(counter.bus.can_undo());
    CHECK(counter.value == 0);
    CHECK(counter.bus.history().size() == 6);
    for (CommandBus::Entry const& entry : counter.bus.history()) {
        CHECK_FALSE(entry.ok);
        CHECK_FALSE(entry.message.empty());
    }
}

TEST_CASE("The history is a script that makes the same state again") {
    Counter first;
    for (char const* text : {"set 3", "set 4", "undo", "set 8", "look", "undo", "redo"})
        REQUIRE(first.bus.execute(text).ok());
    CHECK(first.seen.size() == 7);
    Counter second;
    for (CommandBus::Entry const& entry : first.bus.history()) REQUIRE(second.bus.execute(entry.text).ok());
    CHECK(second.value == first.value);
    CHECK(first.value == 8);
}

TEST_CASE("Handlers may execute commands") {
    Counter counter;
    counter.bus.add({"twice", "twice", "Two changes.", "", true}, [&](std::vector<std::string> const&) -> Result<Done> {
        ORRERY_CHECK(counter.bus.execute("set 1"));
        ORRERY_CHECK(counter.bus.execute("set 2"));
        return Done{};
    });
    REQUIRE(counter.bus.execute("twice").ok());
    REQUIRE(counter.bus.undo().ok());
    CHECK(counter.value == 1);
    bool found = false;
    for (CommandDescription const& description : counter.bus.descriptions())
        found = found || (description.name == "undo" && description.shortcut == "Ctrl+Z");
    CHECK(found);
}
