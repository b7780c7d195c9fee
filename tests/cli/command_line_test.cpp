// Drives orrery-test-cli (test_methods.cpp): everything of the command line but the real methods.
#include "app/cli/help_text.h"
#include "app/cli/terminal.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "tests/catch.h"
#include "tests/cli/run_program.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <csignal>

using namespace orrery;
using tests::Ran;
using tests::RunOptions;
namespace fs = std::filesystem;

namespace {

Ran run(std::vector<std::string> const& arguments, RunOptions const& options = {}) {
    return tests::run_program(ORRERY_TEST_CLI, arguments, options);
}
bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

std::vector<std::string> files_in(fs::path const& folder) {
    std::vector<std::string> names;
    for (fs::directory_entry const& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

TEST_CASE("list names methods and verbs") {
    Ran const text = run({"list"});
    CHECK(text.code == 0);
    CHECK(contains(text.output, "counter             Counter (CountNet, ICML 2025)"));
    CHECK(contains(text.output, "count"));
    CHECK(contains(text.output, "verify"));
    for (std::vector<std::string> const& words : {std::vector<std::string>{"list", "--json"}, {"--json", "list"}}) {
        Ran const ran = run(words);
        CHECK(ran.code == 0);
        Json const list = ran.json();
        REQUIRE(list.is_object());
        REQUIRE(list["methods"].size() == 2);
        Json const verb = list["methods"][0]["verbs"][0];
        CHECK(verb["name"] == "count");
        CHECK(verb["parameters"][0]["flag"] == "--last-step");
        CHECK(verb["parameters"][0]["maximum"] == 100000);
        CHECK(verb["parameters"][2]["choices"][1]["value"] == "warn");
        CHECK(list["methods"][0]["verbs"][1]["name"] == "verify");
        CHECK(list["methods"][0]["paper"]["venue"] == "ICML 2025");
    }
}

TEST_CASE("Help shows what the schema says") {
    Ran const general = run({"help"});
    CHECK(general.code == 0);
    CHECK(contains(general.output, "orrery-cli METHOD VERB [flags] [FILE...]"));
    CHECK(run({"--help"}).output == general.output);
    Ran const method = run({"help", "counter"});
    CHECK(contains(method.output, "Ada: On counting. ICML 2025"));
    CHECK(contains(method.output, "numbers: free"));
    CHECK(run({"counter", "--help"}).output == method.output);
    Ran const verb = run({"help", "counter", "count"});
    CHECK(verb.code == 0);
    CHECK(contains(verb.output, "--last-step N             Count up to here. (section 3.2) [1 to 100000; default 10]"));
    CHECK(contains(verb.output, "--noise X                 Noise of the backbone. [0 to 2 Å; default 0.1]"));
    CHECK(contains(verb.output, "--no-fast"));
    CHECK(contains(verb.output, "fail   with an error"));
    CHECK(contains(verb.output, "\nModel\n"));
    CHECK(contains(verb.output, "\nMore\n  --words TEXT..."));
    CHECK(contains(verb.output, "count.csv"));
    CHECK(contains(verb.output, "orrery-cli counter count [flags] FILE...\n"));
    CHECK(contains(verb.output, "--out DIR"));
    // verify writes nothing and has its own --threads.
    std::string const verify = run({"help", "counter", "verify"}).output;
    CHECK_FALSE(contains(verify, "--out"));
    CHECK(verify.find("--threads") == verify.rfind("--threads"));
    CHECK(run({"counter", "count", "--help"}).output == verb.output);
    CHECK(run({"counter", "count", "-h", "--last-step", "0"}).code == 0);
    for (std::string const& line : {verb.output, general.output, method.output}) {
        std::size_t start = 0;
        for (std::size_t end; (end = line.find('\n', start)) != std::string::npos; start = end + 1)
            CHECK(end - start <= 104);  // 100 columns; Å takes two bytes
    }
}

TEST_CASE("The version is told") {
    Ran const ran = run({"--version"});
    CHECK(ran.code == 0);
    CHECK(ran.output.starts_with("orrery-cli 0."));
}

TEST_CASE("Unknown names are answered with the nearest, exit code 2") {
    Ran const method = run({"conter", "count"});
    CHECK(method.code == 2);
    CHECK(method.errors == "error: there is no method \"conter\". Did you mean \"counter\"?\n");
    CHECK(method.output.empty());
    CHECK(contains(run({"stabddg", "scan"}).errors, "Did you mean \"stab-ddg\"?"));
    CHECK(contains(run({"quantum"}).errors, "orrery-cli list shows the methods"));
    Ran const verb = run({"counter", "cuont"});
    CHECK(verb.code == 2);
    CHECK(verb.errors == "error: counter has no verb \"cuont\". Did you mean \"count\"?\n");
    Ran const none = run({"counter"});
    CHECK(none.code == 2);
    CHECK(contains(none.errors, "no verb is given (counter). Its verbs are count"));
    CHECK(run({}).code == 2);
    Ran const flag = run({"counter", "count", "--last-stop", "3"});
    CHECK(flag.code == 2);
    CHECK(flag.errors == "error: there is no flag --last-stop (counter count). Did you mean \"--last-step\"?\n");
    CHECK(contains(run({"help", "conter"}).errors, "Did you mean \"counter\"?"));
    CHECK(run({"help", "counter", "cuont"}).code == 2);
    CHECK(contains(run({"list", "--jsn"}).errors, "Did you mean \"--json\"?"));
}

TEST_CASE("Bad values name the range and the flag, exit code 2") {
    Ran const range = run({"counter", "count", "--last-step", "0"});
    CHECK(range.code == 2);
    CHECK(range.errors == "error: last_step is 0, but must be 1 to 100000 (--last-step)\n");
    CHECK(contains(run({"counter", "count", "--noise=-1"}).errors, "noise is -1, but must be 0 to 2 Å (--noise)"));
    CHECK(contains(run({"counter", "count", "--noise", "-1"}).errors, "noise is -1, but must be 0 to 2 Å (--noise)"));
    CHECK(contains(run({"counter", "count", "--last-step", "many"}).errors, "must be a whole number (--last-step)"));
    CHECK(contains(run({"counter", "count", "--mode", "plan"}).errors, "Did you mean \"plain\"?"));
    Ran const missing_value = run({"counter", "count", "--noise"});
    CHECK(missing_value.code == 2);
    CHECK(contains(missing_value.errors, "--noise"));
    Ran const threads = run({"counter", "count", "--threads", "-3"});
    CHECK(threads.code == 2);
    CHECK(contains(threads.errors, "--threads"));
    Ran const file = run({"counter", "count", "no-such-table.csv"});
    CHECK(file.code == 2);
    CHECK(contains(file.errors, "file no-such-table.csv is not there"));
    Ran const missing = run({"counter", "verify"});
    CHECK(missing.code == 2);
    CHECK(contains(missing.errors, "files is missing (--files)"));
    Ran const out = run({"counter", "verify", ORRERY_TEST_CLI, "--out", "x"});
    CHECK(out.code == 2);
    CHECK(contains(out.errors, "verify writes no files (--out)"));
    CHECK(contains(run({"counter", "count", "--gpu"}).errors, "there is no GPU. Leave --gpu away"));
}

TEST_CASE("Errors are JSON for machines") {
    Ran const ran = run({"--json", "counter", "count", "--last-step", "0"});
    CHECK(ran.code == 2);
    Json const value = ran.json();
    REQUIRE(value.is_object());
    CHECK(value["status"] == "failed");
    CHECK(value["exit_code"] == 2);
    CHECK(value["error"]["field"] == "last_step");
    CHECK(value["error"]["kind"] == "bad_input");
    CHECK(run({"conter", "--json"}).json()["error"]["what"] == "there is no method \"conter\"");
}

TEST_CASE("A run writes table, figure in all formats and provenance") {
    auto const folder = tests::scratch_directory("cli-run");
    Ran const ran = run({"counter", "count", "--last-step", "4", "--out", (folder / "out").string()});
    CHECK(ran.code == 0);
    CHECK(files_in(folder / "out") == std::vector<std::string>{"count.csv", "count.figure.json", "count.pdf",
                                                               "count.png", "count.svg", "provenance.json"});
    CHECK(*read_file(folder / "out" / "count.csv") == "step\n1\n2\n3\n4\n");
    CHECK(read_file(folder / "out" / "count.png")->starts_with("\x89PNG"));
    CHECK(contains(ran.output, "counting to 4\n"));
    CHECK_FALSE(contains(ran.output, "developers"));
    CHECK(contains(ran.output, "mean_step  2.5\n"));
    CHECK(contains(ran.output, "noise      0.1\n"));
    CHECK(contains(ran.output, "gap        nan\n"));
    CHECK(contains(ran.output, (folder / "out" / "count.csv").string()));
    Json const record = Json::parse(*read_file(folder / "out" / "provenance.json"));
    CHECK(record["method"] == "counter");
    CHECK(record["parameters"]["last_step"] == 4);
    CHECK(record["outputs"][0]["name"] == "count.csv");
    CHECK(record["outputs"][0]["sha256"] == *sha256_file(folder / "out" / "count.csv"));
}

TEST_CASE("The same run twice, elsewhere, gives the same bytes") {
    auto const first = tests::scratch_directory("cli-first"), second = tests::scratch_directory("cli-second") / "deep";
    REQUIRE(write_file(first / "in" / "t.csv", "a\n1\n").ok());
    REQUIRE(write_file(second / "in" / "t.csv", "a\n1\n").ok());
    for (fs::path const& folder : {first, second})
        CHECK(run({"counter", "count", (folder / "in" / "t.csv").string(), "--threads", "2", "-o",
                   (folder / "out").string()})
                  .code == 0);
    for (std::string const& name : files_in(first / "out")) {
        INFO(name);
        CHECK(*read_file(first / "out" / name) == *read_file(second / "out" / name));
    }
    CHECK(files_in(second / "out").size() == 6);
}

TEST_CASE("Without --out results go to this folder") {
    auto const folder = tests::scratch_directory("cli-here");
    RunOptions options;
    options.folder = folder;
    CHECK(run({"counter", "count", "--quiet"}, options).code == 0);
    CHECK(fs::exists(folder / "count.csv"));
}

TEST_CASE("A place that cannot be written to is an error") {
    auto const folder = tests::scratch_directory("cli-unwritable");
    REQUIRE(write_file(folder / "file", "x").ok());
    Ran const ran = run({"counter", "count", "--out", (folder / "file").string()});
    CHECK(ran.code == 2);
    CHECK(contains(ran.errors, "cannot be written"));
}

TEST_CASE("--json gives one object with everything") {
    auto const folder = tests::scratch_directory("cli-json");
    Ran const ran = run({"counter", "count", "--last-step", "3", "--mode", "warn", "--words", "EA63Q,QD30V", "--words",
                         "b", "--no-fast", "--json", "--out", folder.string()});
    CHECK(ran.code == 0);
    Json const value = ran.json();
    REQUIRE(value.is_object());
    CHECK(value["status"] == "done");
    CHECK(value["values"]["steps"] == 3);
    CHECK(value["values"]["mean_step"] == 2.0);
    CHECK(value["values"]["gap"].is_null());
    CHECK(value["values"]["words"] == Json{"EA63Q,QD30V", "b"});
    CHECK(value["values"]["fast"] == false);
    CHECK(value["warnings"][0]["what"] == "3 waters ignored");
    CHECK(value["artifacts"].size() == 6);
    CHECK(value["provenance"]["libraries"].contains("Counting"));
    CHECK(contains(ran.errors, "warning: 3 waters ignored (1AO7.pdb)\n"));
    CHECK(contains(ran.errors, "counting to 3"));  // log lines leave standard output to the object
}

TEST_CASE("Bare words and lists") {
    auto const folder = tests::scratch_directory("cli-files");
    REQUIRE(write_file(folder / "a.csv", "a\n").ok());
    REQUIRE(write_file(folder / "-b.csv", "b\n").ok());
    RunOptions options;
    options.folder = folder;
    Ran const ran =
        run({"counter", "count", "a.csv", "--tables", "a.csv", "--last-step", "2", "a.csv", "--json", "--", "-b.csv"},
            options);
    CHECK(ran.code == 0);
    CHECK(ran.json()["values"]["tables"] == 4);
    CHECK(run({"list", "extra"}).code == 0);
}

TEST_CASE("--quiet says nothing but warnings and errors") {
    auto const folder = tests::scratch_directory("cli-quiet");
    RunOptions options;
    options.folder = folder;
    Ran const ran = run({"counter", "count", "-q", "--mode", "warn"}, options);
    CHECK(ran.code == 0);
    CHECK(ran.output.empty());
    CHECK(ran.errors == "warning: 3 waters ignored (1AO7.pdb)\n");
}

TEST_CASE("Failures have their exit codes") {
    auto const folder = tests::scratch_directory("cli-fail");
    RunOptions options;
    options.folder = folder;
    Ran const failed = run({"counter", "count", "--mode", "fail"}, options);
    CHECK(failed.code == 2);
    CHECK(contains(failed.errors, "error: the weights are not there (cache). Run packaging/setup.sh\n"));
    Ran const thrown = run({"counter", "count", "--mode", "throw"}, options);
    CHECK(thrown.code == 1);
    CHECK(contains(thrown.errors, "caused by: a shape does not fit"));
    CHECK(files_in(folder).empty());
    CHECK(run({"counter", "count", "--mode", "check"}, options).code == 1);
    Ran const json = run({"counter", "count", "--mode", "fail", "--json"}, options);
    CHECK(json.json()["error"]["remedy"] == "Run packaging/setup.sh");
    CHECK(json.json()["status"] == "failed");
}

TEST_CASE("verify prints its lines and a failed check is exit code 1") {
    Ran const ran = run({"counter", "verify", ORRERY_TEST_CLI});
    CHECK(ran.code == 1);
    CHECK(ran.output == "2 passed, 1 failed\n");
    Ran const json = run({"counter", "verify", ORRERY_TEST_CLI, "--json"});
    CHECK(json.json()["status"] == "check_failed");
    CHECK(json.json()["exit_code"] == 1);
}

TEST_CASE("Progress without a terminal is a line every tenth at most") {
    auto const folder = tests::scratch_directory("cli-progress");
    RunOptions options;
    options.folder = folder;
    Ran const ran = run({"counter", "count", "--last-step", "300", "--no-fast"}, options);
    CHECK(ran.code == 0);
    auto const lines = std::count(ran.errors.begin(), ran.errors.end(), '\n');
    CHECK(lines >= 2);
    CHECK(lines <= 11);
    CHECK(contains(ran.errors, "  0 %  step 0 of 300"));
    CHECK(contains(ran.errors, "100 %  done"));
    CHECK_FALSE(contains(ran.errors, "\r"));
}

TEST_CASE("Progress on a terminal is a bar redrawn in place") {
    auto const folder = tests::scratch_directory("cli-terminal");
    RunOptions options;
    options.folder = folder;
    options.terminal = true;
    Ran const ran = run({"counter", "count", "--last-step", "60", "--no-fast"}, options);
    CHECK(ran.code == 0);
    CHECK(contains(ran.errors, "\r"));
    CHECK(contains(ran.errors, " left"));
    CHECK(contains(ran.errors, " %/s"));
    CHECK(ran.errors.ends_with("\r\x1b[K"));  // the bar is taken away at the end
    CHECK(contains(ran.output, "steps"));
}

TEST_CASE("Ctrl+C keeps what was done and exits with 130") {
    auto const folder = tests::scratch_directory("cli-cancel");
    RunOptions options;
    options.folder = folder;
    options.signal = SIGINT;
    options.signal_when = "step";
    Ran const ran = run({"counter", "count", "--mode", "wait"}, options);
    CHECK(ran.code == 130);
    CHECK(contains(ran.errors, "cancelled; what was done so far is kept"));
    CHECK(contains(ran.output, "partial"));
    CHECK(fs::exists(folder / "count.csv"));
    CHECK(fs::exists(folder / "count.png"));
    Json const record = Json::parse(*read_file(folder / "provenance.json"));
    CHECK(record["outputs"][0]["partial"] == true);
    options.signal = SIGTERM;
    Ran const json = run({"counter", "count", "--mode", "wait", "--json"}, options);
    CHECK(json.code == 143);
    CHECK(json.json()["status"] == "cancelled");
}

TEST_CASE("The worker gets the rest of the words") {
    CHECK(run({"worker"}).code == 41);
    CHECK(run({"worker", "--gpu"}).code == 42);
}

TEST_CASE("A progress line fits its terminal") {
    ProgressReport report;
    report.fraction = 0.31;
    report.stage = "draw 7 of 20, position Å:63 and many more words that do not fit";
    report.elapsed_seconds = 31;
    report.remaining_seconds = 69;
    for (int width = 20; width < 200; ++width) {
        std::string const line = cli::progress_line(report, width, false);
        auto const columns = std::count_if(line.begin(), line.end(),
                                           [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; });
        CHECK(columns < std::max(width, 32));
        CHECK(contains(line, "31 %"));
    }
    CHECK(cli::progress_line(report, 80, false).starts_with("#####-"));
    CHECK(contains(cli::progress_line(report, 80, true), "█"));
    CHECK(contains(cli::progress_line(report, 80, false), "1.0 %/s  1:09 left"));
    CHECK(cli::clock_text(7.4) == "0:07");
    CHECK(cli::clock_text(3599.6) == "1:00:00");
    CHECK(cli::clock_text(-5) == "0:00");
}
