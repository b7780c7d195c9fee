#include "core/base/figure.h"
#include "core/base/table.h"
#include "tests/catch.h"
#include "tests/methods/stab-ddg/jobs.h"

#include <cmath>

using namespace orrery;
using namespace orrery::tests;

namespace {

Json few_positions(std::string const& structure) {
    return {{"structure", structure}, {"sides", "A_B"}, {"positions", "A:37-38,B:11"}, {"draws", 2}};
}

}  // namespace

TEST_CASE("a scan fills its map column by column and gives equal bytes twice, for any number of threads") {
    ORRERY_NEED_SHARED(structure, "data/stab-ddg/1C1Y.pdb");
    if (!has_weights()) return;
    Json given = few_positions(structure.string());
    FakeContext first(1), second(1), two(2);
    for (FakeContext* context : {&first, &second, &two}) {
        auto result = run_verb("scan", given, *context);
        if (!result.ok()) FAIL(result.error().message());
        CHECK(result->values["positions"] == 3);
        CHECK(result->values["mutants"] == 57);
    }
    for (char const* name :
         {"scan.csv", "scan_matrix.csv", "scan.json", "scan_bfactor.pdb", "scan.figure.json", "scan.pml", "scan.cxc"}) {
        INFO(name);
        CHECK(first.files.count(name) == 1);
        CHECK(first.files[name] == second.files[name]);
        CHECK(first.files[name] == two.files[name]);
        CHECK_FALSE(first.partial[name]);
    }
    CHECK(first.files["scan.csv"].find("positive = weaker binding") != std::string::npos);
    CHECK(first.files["scan.csv"].find("zero-shot, nats") != std::string::npos);
    CHECK(first.files["scan.csv"].find(structure.parent_path().string()) == std::string::npos);

    std::vector<std::pair<int, int>> columns;
    for (auto const& [name, value] : first.updates) {
        if (name != "column") continue;
        columns.emplace_back(value["draw"].get<int>(), value["index"].get<int>());
        CHECK(value["mean"].size() == 20);
        CHECK(value["se"].size() == 20);
    }
    CHECK(columns == std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}});
    CHECK(first.updates.front().first == "layout");
    CHECK(first.inputs.size() == 2);

    auto figure = Figure::from_json(Json::parse(first.files["scan.figure.json"]));
    REQUIRE(figure.ok());
    auto const& map = std::get<HeatMap>(figure->content);
    CHECK(map.column_keys == std::vector<std::string>{"A:37", "A:38", "B:11"});
    CHECK(map.rows.categories.size() == 20);
    CHECK(map.strips.size() == 2);
    int wild_types = 0;
    for (std::size_t i = 0; i < map.values.size(); ++i) {
        CHECK(std::isfinite(map.values[i]));
        if ((map.marks[i] & 1) == 0) continue;
        ++wild_types;
        CHECK(map.values[i] == 0.0);
    }
    CHECK(wild_types == 3);
}

TEST_CASE("a scan paused again and again ends in the bytes of one that was not") {
    ORRERY_NEED_SHARED(structure, "data/stab-ddg/1C1Y.pdb");
    if (!has_weights()) return;
    Json given = few_positions(structure.string());
    FakeContext whole(2);
    REQUIRE(run_verb("scan", given, whole).ok());
    int pauses = 0;
    FakeContext resumed = run_with_pauses("scan", given, 90, 2, &pauses);
    CHECK(pauses >= 2);
    for (auto const& [name, bytes] : whole.files) {
        INFO(name);
        CHECK(resumed.files[name] == bytes);
    }
}

TEST_CASE("a checkpoint of other parameters is left aside with a warning") {
    ORRERY_NEED_SHARED(structure, "data/stab-ddg/1C1Y.pdb");
    if (!has_weights()) return;
    Json given = few_positions(structure.string());
    given["draws"] = 1;
    FakeContext paused(1);
    paused.decide = [](int call) { return call >= 130 ? Signal::pause : Signal::go_on; };
    auto result = run_verb("scan", given, paused);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::paused);
    REQUIRE(paused.kept.has_value());
    given["seed"] = 1;
    FakeContext other(1), fresh(1);
    other.kept = paused.kept;
    REQUIRE(run_verb("scan", given, other).ok());
    REQUIRE(run_verb("scan", given, fresh).ok());
    CHECK(other.files["scan.csv"] == fresh.files["scan.csv"]);
    CHECK(std::any_of(other.warnings.begin(), other.warnings.end(),
                      [](Error const& e) { return e.what.find("belongs to other inputs") != std::string::npos; }));
    other.kept = "not a checkpoint";
    REQUIRE(run_verb("scan", given, other).ok());
}

TEST_CASE("a scan cancelled at any moment stops at once and keeps what it has, marked partial") {
    ORRERY_NEED_SHARED(structure, "data/stab-ddg/1C1Y.pdb");
    if (!has_weights()) return;
    Json given = few_positions(structure.string());
    for (int at : {0, 1, 7, 40, 100, 117, 140, 200}) {
        FakeContext context(2);
        context.decide = [&](int call) { return call >= at ? Signal::cancel : Signal::go_on; };
        auto result = run_verb("scan", given, context);
        INFO("cancelled at call " << at);
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().kind == ErrorKind::cancelled);
        CHECK(context.calls <= at + 2);
        CHECK(context.partial["scan.csv"]);
        CHECK(context.files["scan.csv"].find("EA37") != std::string::npos);
    }
}

TEST_CASE("positions are told by author number, and errors say what is wrong") {
    ORRERY_NEED_SHARED(structure, "data/stab-ddg/1C1Y.pdb");
    auto message = [&](char const* positions, char const* sides = "A_B") {
        FakeContext context;
        auto result =
            run_verb("scan", {{"structure", structure.string()}, {"sides", sides}, {"positions", positions}}, context);
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().kind == ErrorKind::bad_input);
        return result.error().message();
    };
    CHECK(message("C:1-5").find("no chain \"C\"") != std::string::npos);
    CHECK(message("A:9-3").find("is no range") != std::string::npos);
    CHECK(message("A:x").find("is no range") != std::string::npos);
    CHECK(message("A:900-950").find("no known residue") != std::string::npos);
    CHECK(message(",").find("no positions") != std::string::npos);
    CHECK(message("interface", "A_Z").find("Z") != std::string::npos);
}
