#include "core/base/protocol.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>

using namespace orrery;
using namespace orrery::protocol;

namespace {

JobSpec a_spec() {
    JobSpec spec;
    spec.id = "7f";
    spec.method = "test";
    spec.verb = "loop";
    spec.parameters = {{"steps", 3}};
    spec.title = "Å and ü";
    return spec;
}

std::string body(std::string const& line) {
    REQUIRE(!line.empty());
    REQUIRE(line.back() == '\n');
    REQUIRE(line.find('\n') == line.size() - 1);
    return line.substr(0, line.size() - 1);
}

template <class T>
T there_and_back(T const& message) {
    Result<Message> read = parse_message(body(to_line(Message(message))));
    REQUIRE(read.ok());
    REQUIRE(std::holds_alternative<T>(*read));
    return std::get<T>(*read);
}

std::string message_error(std::string const& line) {
    Result<Message> const read = parse_message(line);
    REQUIRE(!read.ok());
    CHECK(read.error().kind == ErrorKind::internal);
    return read.error().message();
}

}  // namespace

TEST_CASE("commands to the worker read back as they were written") {
    Run run{a_spec(), "/blobs", "/blobs/checkpoints/7f"};
    Result<Command> read = parse_command(body(to_line(Command(run))));
    REQUIRE(read.ok());
    REQUIRE(std::holds_alternative<Run>(*read));
    auto const& back = std::get<Run>(*read);
    CHECK(back.spec.to_json() == run.spec.to_json());
    CHECK(back.blobs == run.blobs);
    CHECK(back.checkpoint == run.checkpoint);
    read = parse_command(body(to_line(Command(Cancel{"7f"}))));
    REQUIRE(read.ok());
    CHECK(std::get<Cancel>(*read).job == "7f");
    read = parse_command(body(to_line(Command(Pause{"7f"}))));
    REQUIRE(read.ok());
    CHECK(std::get<Pause>(*read).job == "7f");
    read = parse_command(body(to_line(Command(Quit{}))));
    REQUIRE(read.ok());
    CHECK(std::holds_alternative<Quit>(*read));
}

TEST_CASE("messages of the worker read back as they were written") {
    auto const ready = there_and_back(Ready{42, "0.1.0", {{"LibTorch", "2.11.0"}}, "cuda", 120});
    CHECK(ready.pid == 42);
    CHECK(ready.libraries.at("LibTorch") == "2.11.0");
    CHECK(ready.device == "cuda");
    CHECK(ready.memory == 120);
    CHECK(there_and_back(Started{"7f"}).job == "7f");
    auto const progress = there_and_back(Progress{0.1, "layer 3", 1.5, 13.5});
    CHECK(progress.fraction == 0.1);
    CHECK(progress.stage == "layer 3");
    CHECK(progress.elapsed_seconds == 1.5);
    CHECK(progress.remaining_seconds == 13.5);
    CHECK(there_and_back(Update{"column", {{"a", {1, 2}}}}).value.at("a").at(1) == 2);
    auto const line = there_and_back(LogLine{LogLevel::warning, "two\nlines"});
    CHECK(line.level == LogLevel::warning);
    CHECK(line.text == "two\nlines");
    CHECK(there_and_back(Warning{bad_input("what", "where", "remedy", "field")}).error.message() ==
          "what (where). remedy");
    auto const checkpoint = there_and_back(CheckpointWritten{12, "abc"});
    CHECK(checkpoint.bytes == 12);
    CHECK(checkpoint.sha256 == "abc");

    Artifact artifact{"scan.csv", "table", "text/csv", "aa", 9, "/blobs/aa", true};
    CHECK(there_and_back(ArtifactWritten{artifact}).artifact.to_json() == artifact.to_json());
    Finished finished;
    finished.job = "7f";
    finished.provenance = {{"program", "Orrery"}};
    finished.peak_memory = 1'000'000;
    finished.artifacts = {artifact};
    finished.values = {{"pearson", 0.49}};
    finished.checks_failed = true;
    auto const result = there_and_back(finished);
    CHECK(result.job == "7f");
    CHECK(result.provenance == finished.provenance);
    CHECK(result.peak_memory == 1'000'000);
    CHECK(result.artifacts.size() == 1);
    CHECK(result.values == finished.values);
    CHECK(result.checks_failed);
    Failed failed;
    failed.job = "7f";
    failed.error = unavailable("no weights", {}, "Run packaging/setup.sh");
    CHECK(there_and_back(failed).error.kind == ErrorKind::unavailable);
    CHECK(there_and_back(Cancelled{{"7f", Json::object(), 0, {}}}).job == "7f");
    CHECK(there_and_back(Paused{{"7f", Json::object(), 0, {}}}).job == "7f");
}

TEST_CASE("series keep every number to the bit, also those that JSON lacks") {
    double const infinity = std::numeric_limits<double>::infinity();
    SeriesPoints points{"loss", {0, 1, 2, 3, 4}, {0.1, std::nan(""), infinity, -infinity, 5e-324}};
    auto const back = there_and_back(points);
    CHECK(back.x == points.x);
    REQUIRE(back.y.size() == 5);
    CHECK(back.y[0] == 0.1);
    CHECK(std::isnan(back.y[1]));
    CHECK(back.y[2] == infinity);
    CHECK(back.y[3] == -infinity);
    CHECK(back.y[4] == 5e-324);
}

TEST_CASE("text that is not UTF-8 does not break a line") {
    auto const line = there_and_back(LogLine{LogLevel::info, "caf\xe9 \xff"});
    CHECK(line.text == "caf\xef\xbf\xbd \xef\xbf\xbd");
}

TEST_CASE("a malformed line is an error that names the offending text") {
    CHECK(message_error("this is not JSON") == "a line of the job protocol is not JSON (this is not JSON)");
    CHECK(message_error("[1, 2]") == "a line of the job protocol is not a JSON object ([1, 2])");
    CHECK(message_error("{}") == "a line of the job protocol lacks \"v\" ({})");
    CHECK(message_error(R"({"v":1})") == R"(a line of the job protocol lacks "type" ({"v":1}))");
    CHECK(message_error(R"({"v":1,"type":"dance"})") ==
          R"(a line of the job protocol has the unknown type "dance" ({"v":1,"type":"dance"}))");
    CHECK(
        message_error(R"({"v":2,"type":"ready"})") ==
        "a line of the job protocol has version 2, this program speaks version 1 ({\"v\":2,\"type\":\"ready\"}). Use a "
        "worker and a window of the same release");
    CHECK(message_error(R"({"v":1,"type":"progress","fraction":"half"})")
              .find("has a \"fraction\" that is not a number") != std::string::npos);
    CHECK(message_error(R"({"v":1,"type":"progress"})").find("lacks \"fraction\"") != std::string::npos);
    CHECK(message_error(R"({"v":1,"type":"series","name":"a","x":[1,2],"y":[1]})").find("has 2 x and 1 y") !=
          std::string::npos);
    CHECK(message_error(R"({"v":1,"type":"series","name":"a","x":["one"],"y":[1]})")
              .find("has a \"x\" that is not a list of numbers") != std::string::npos);
    CHECK(message_error(R"({"v":1,"type":"ready","pid":-3})").find("not negative") != std::string::npos);
    CHECK(message_error(R"({"v":1,"type":"artifact","artifact":{"name":5}})")
              .find("has an artifact that cannot be read") != std::string::npos);
    CHECK(message_error("\xff\xfe\x01 caf\xe9").find("is not JSON") != std::string::npos);
    CHECK(message_error(std::string(5000, 'x')).find("... (5000 bytes)") != std::string::npos);
    CHECK(message_error(std::string(5000, 'x')).size() < 300);
    CHECK(message_error(std::string(200'000, '[')).find("is not JSON") != std::string::npos);
    CHECK(message_error("").find("is not JSON") != std::string::npos);

    Result<Command> const run = parse_command(R"({"v":1,"type":"run","blobs":"/b","checkpoint":"","spec":{"id":3}})");
    REQUIRE(!run.ok());
    CHECK(run.error().message().find("has a job that cannot be read") != std::string::npos);
    Result<Command> const cancel = parse_command(R"({"v":1,"type":"cancel"})");
    REQUIRE(!cancel.ok());
    CHECK(cancel.error().message().find("lacks \"job\"") != std::string::npos);
    CHECK(!parse_command(R"({"v":1,"type":"ready"})").ok());
}

TEST_CASE("every beginning of a line, and every line with a byte changed, is read or refused without a crash") {
    Finished finished;
    finished.job = "7f";
    finished.artifacts = {Artifact{"a", "text", "text/plain", "aa", 1, "/a", false}};
    std::string const line = body(to_line(Message(finished)));
    for (std::size_t length = 0; length < line.size(); ++length) CHECK(!parse_message(line.substr(0, length)).ok());
    for (std::size_t at = 0; at < line.size(); ++at) {
        for (char const byte : {'\0', '"', '9', '{', '\xff'}) {
            std::string changed = line;
            changed[at] = byte;
            Result<Message> const read = parse_message(changed);
            if (!read.ok()) CHECK(!read.error().what.empty());
        }
    }
}

TEST_CASE("a byte stream is cut into lines wherever its pieces end") {
    std::string const text = "first\nsecond\n\nlast";
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        LineReader reader;
        std::vector<std::string> lines;
        LineReader::Line line;
        for (std::size_t at = 0; at < text.size(); at += piece) {
            reader.feed(std::string_view(text).substr(at, piece));
            while (reader.next(line)) lines.push_back(line.text);
        }
        CHECK(lines == std::vector<std::string>{"first", "second", ""});
        CHECK(reader.remainder() == "last");
        CHECK(reader.remainder().empty());
    }
}

TEST_CASE("a line above the limit is given up and the next one is read") {
    LineReader reader(10);
    LineReader::Line line;
    reader.feed("0123456789\nabcdefghijkl");
    REQUIRE(reader.next(line));
    CHECK(line.text == "0123456789");
    CHECK(!line.too_long);
    REQUIRE(reader.next(line));
    CHECK(line.too_long);
    CHECK(line.text == "abcdefghijkl");
    CHECK(!reader.next(line));
    reader.feed("mnop");
    CHECK(!reader.next(line));
    reader.feed("\nshort\n");
    REQUIRE(reader.next(line));
    CHECK(line.text == "short");
    CHECK(!line.too_long);
}
