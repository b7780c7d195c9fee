// Drives the real orrery-cli, with its real methods.
#include "core/base/version.h"
#include "tests/catch.h"
#include "tests/cli/run_program.h"
#include "tests/fixtures.h"

#include <cstdlib>

using namespace orrery;
using tests::Ran;

namespace {

Ran run(std::vector<std::string> const& arguments) {
    char const* program = std::getenv("ORRERY_CLI");
    REQUIRE(program != nullptr);
    return tests::run_program(program, arguments);
}
bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("orrery-cli lists its methods") {
    Ran const ran = run({"list", "--json"});
    CHECK(ran.code == 0);
    Json const list = ran.json();
    REQUIRE(list.is_object());
    CHECK(list["version"] == version);
    REQUIRE(list["methods"].size() >= 1);
    for (Json const& method : list["methods"]) {
        std::string const slug = method["slug"];
        INFO(slug);
        CHECK_FALSE(method["title"].get<std::string>().empty());
        CHECK_FALSE(method["summary"].get<std::string>().empty());
        CHECK_FALSE(method["version"].get<std::string>().empty());
        CHECK_FALSE(method["paper"]["title"].get<std::string>().empty());
        CHECK_FALSE(method["paper"]["bibtex"].get<std::string>().empty());
        bool verifies = false;
        for (Json const& verb : method["verbs"]) {
            verifies = verifies || verb["name"] == "verify";
            INFO(verb["name"].get<std::string>());
            CHECK_FALSE(verb["label"].get<std::string>().empty());
            CHECK_FALSE(verb["summary"].get<std::string>().empty());
            for (Json const& parameter : verb["parameters"]) {
                INFO(parameter["name"].get<std::string>());
                CHECK_FALSE(parameter["label"].get<std::string>().empty());
                CHECK_FALSE(parameter["help"].get<std::string>().empty());
            }
            Ran const help = run({"help", slug, verb["name"]});
            CHECK(help.code == 0);
            CHECK(contains(help.output, "orrery-cli " + slug));
        }
        CHECK(verifies);
    }
    CHECK(contains(run({"list"}).output, list["methods"][0]["slug"].get<std::string>()));
}

TEST_CASE("orrery-cli answers mistakes with exit code 2") {
    Ran const method = run({"stab-dgd", "scan"});
    CHECK(method.code == 2);
    CHECK(contains(method.errors, "Did you mean \"stab-ddg\"?"));
    CHECK(run({"stab-ddg", "scna"}).code == 2);
    Ran const range = run({"stab-ddg", "scan", "--structure", std::getenv("ORRERY_CLI"), "--draws", "0"});
    CHECK(range.code == 2);
    CHECK(contains(range.errors, "draws is 0, but must be 1 to"));
    Ran const file = run({"stab-ddg", "verify", "no-such-case.safetensors"});
    CHECK(file.code == 2);
    CHECK(contains(file.errors, "file no-such-case.safetensors is not there"));
}

TEST_CASE("orrery-cli verifies a reference case of the official code") {
    ORRERY_NEED_SHARED(reference, "fixtures/stab-ddg/forward_tiny.safetensors");
    Ran const ran = run({"stab-ddg", "verify", reference.string()});
    CHECK(ran.code == 0);
    CHECK(contains(ran.output, "1 passed, 0 failed"));
    Ran const json = run({"stab-ddg", "verify", reference.string(), "--json", "--threads", "1"});
    CHECK(json.code == 0);
    REQUIRE(json.json().is_object());
    CHECK(json.json()["provenance"]["threads"] == 1);
    CHECK(json.json()["provenance"]["libraries"]["LibTorch"].get<std::string>().starts_with("2."));
    CHECK(contains(json.json()["provenance"]["parameters"]["files"][0]["name"], "forward_tiny.safetensors"));
}

TEST_CASE("A worker of orrery-cli ends with its input") {
    Ran const ran = run({"worker"});  // standard input is empty
    CHECK(ran.code == 0);
}
