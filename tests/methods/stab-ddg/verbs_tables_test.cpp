// The verbs read, interface, eval and skempi-filter, whole.
#include "core/methods/stab-ddg/verbs_tables.h"

#include "core/base/files.h"
#include "tests/catch.h"
#include "tests/fake_context.h"
#include "tests/fixtures.h"

#include <algorithm>

using namespace orrery;
using namespace orrery::methods::stab_ddg;
using namespace orrery::tests;

namespace {

bool logged(FakeContext const& context, std::string const& part) {
    return std::any_of(context.logs.begin(), context.logs.end(),
                       [&](std::string const& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("read --official gives the chains of 1AO7 and of the edge cases") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/1AO7.pdb");
    ORRERY_NEED_SHARED(edges, "data/stab-ddg/parser_edge_cases.pdb");
    FakeContext context;
    auto const result = run_read({{"structure", path.string()}, {"official", true}}, context);
    REQUIRE(result.ok());
    Json const json = Json::parse(context.files["read.json"]);
    std::map<std::string, int> lengths;
    for (Json const& chain : json["chains"]) {
        lengths[chain["name"]] = chain["length"];
        CHECK(chain["gap_positions_1based"].empty());
    }
    CHECK(lengths == std::map<std::string, int>{{"A", 274}, {"B", 100}, {"C", 9}, {"D", 115}, {"E", 209}});
    CHECK(json["positions"] == 707);
    CHECK(json["suggested_sides"] == "ABC_DE");
    CHECK(context.inputs.size() == 1);
    CHECK(result->artifacts.size() == 1);

    FakeContext edge_context;
    REQUIRE(run_read({{"structure", edges.string()}, {"official", true}}, edge_context).ok());
    Json const edge = Json::parse(edge_context.files["read.json"]);
    CHECK(edge["chains"][0]["sequence"] == "YWF");
    CHECK(edge["chains"][1]["sequence"] == "GASTM--LVIP--");
    CHECK(edge["chains"][1]["gap_positions_1based"] == Json({6, 7, 12}));
    CHECK(edge["chains"][1]["author_numbers"][9] == "5B");
}

TEST_CASE("read says which parameter a bad file concerns") {
    FakeContext context;
    auto const missing = run_read({{"structure", "/nowhere/x.pdb"}}, context);
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().field == "structure");
    CHECK(missing.error().kind == ErrorKind::bad_input);
}

TEST_CASE("interface of 1C1Y: 18 + 15 positions within 5 Å") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/1C1Y.pdb");
    FakeContext context;
    auto const result = run_interface(
        {{"structure", path.string()}, {"sides", "A_B"}, {"cutoff", 5.0}, {"reading", "official"}}, context);
    REQUIRE(result.ok());
    Json const json = Json::parse(context.files["interface.json"]);
    CHECK(json["side1"].size() == 18);
    CHECK(json["side2"].size() == 15);
    CHECK(json["side1"][0] == "A:3");
    std::string const& csv = context.files["interface.csv"];
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 34);
    CHECK(logged(context, "33 positions within 5 Å: 18 + 15"));
    FakeContext suggested;
    REQUIRE(run_interface({{"structure", path.string()}}, suggested).ok());
    CHECK(Json::parse(suggested.files["interface.json"])["sides"] == "A_B");
    FakeContext wrong;
    auto const bad = run_interface({{"structure", path.string()}, {"sides", "A_C"}}, wrong);
    REQUIRE_FALSE(bad.ok());
    CHECK(bad.error().field == "sides");
}

TEST_CASE("eval prints the benchmark's table, with and without the outlier") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/skempi_filtered_with_baselines.csv");
    FakeContext context;
    Json const parameters = {{"table", path.string()}, {"split", "test"}, {"bootstraps", 30}};
    auto const result = run_eval(parameters, context);
    REQUIRE(result.ok());
    for (char const* line :
         {"stabddg                             1491   0.5320   0.5314   1.7215   0.7337     0.4897     0.4480   1.4124",
          "foldx                               1491   0.5411   0.5610   1.9187   0.7695     0.4949     0.4768   1.6300",
          "flexddg                             1482   0.2216   0.5373   3.9771   0.7365     0.4527     0.4195   1.9325",
          "flexddg without 1OGA_ABC_DE SE95A   1481   0.5571   0.5368   1.6474"}) {
        INFO(line);
        CHECK(logged(context, line));
    }
    Json const json = Json::parse(context.files["metrics.json"]);
    CHECK(json["predictors"].size() == 4);
    CHECK(json["paired_t_tests"].size() == 5);
    CHECK(context.files["metrics.csv"].find("# ddG in kcal/mol, negative = weaker binding\n") == 0);
    Json const figure = Json::parse(context.files["eval.figure.json"]);
    CHECK(figure.dump().find("not drawn: flexddg 1OGA_ABC_DE SE95A, 139") != std::string::npos);
    CHECK(context.warnings.empty());

    FakeContext again;
    REQUIRE(run_eval(parameters, again).ok());
    CHECK(again.files == context.files);

    FakeContext excluded;
    Json with = parameters;
    with["exclude"] = {"1OGA_ABC_DE SE95A"};
    with["outlier"] = 0.0;
    with["predictors"] = {"flexddg"};
    REQUIRE(run_eval(with, excluded).ok());
    CHECK(logged(excluded, "flexddg without 1OGA_ABC_DE SE95A   1481   0.5571"));
}

TEST_CASE("eval says what is wrong with a table, a split, a predictor, a sign") {
    ORRERY_NEED_SHARED(data, "data/stab-ddg");
    std::string const table = (data / "skempi_filtered_with_baselines.csv").string();
    auto const failing = [](Json const& parameters) {
        FakeContext context;
        auto const result = run_eval(parameters, context);
        REQUIRE_FALSE(result.ok());
        return result.error();
    };
    CHECK(failing({{"table", table}, {"split", "validation"}}).message() ==
          "no row is left to evaluate (skempi_filtered_with_baselines.csv). The column split has test or train");
    CHECK(failing({{"table", table}, {"predictors", {"rosetta"}}}).message() ==
          "the table has no column of numbers \"rosetta\" (skempi_filtered_with_baselines.csv). It has stabddg, foldx "
          "or flexddg");
    CHECK(failing({{"table", table}, {"exclude", {"1XXX_A_B EA1Q"}}}).field == "exclude");
    CHECK(failing({{"table", (data / "mutations_example.csv").string()}}).what == "the table has no measured ddG");
    CHECK(failing({{"table", (data / "tcrm_spr.csv").string()}}).what == "the table has no column of predictions");

    FakeContext opposite;
    REQUIRE(run_eval({{"table", table},
                      {"split", "test"},
                      {"bootstraps", 0},
                      {"prediction_sign", "weaker-positive"},
                      {"predictors", {"foldx"}}},
                     opposite)
                .ok());
    REQUIRE(opposite.warnings.size() == 1);
    CHECK(opposite.warnings[0].message().find("foldx falls where the measured ddG rises") == 0);
    FakeContext cancelled;
    cancelled.decide = [](int) { return Signal::cancel; };
    auto const stopped = run_eval({{"table", table}}, cancelled);
    REQUIRE_FALSE(stopped.ok());
    CHECK(stopped.error().kind == ErrorKind::cancelled);
}

TEST_CASE("skempi-filter gives 201 complexes and 4,541 mutants") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/skempi_v2.csv");
    FakeContext context;
    auto const result = run_skempi_filter({{"table", path.string()}}, context);
    REQUIRE(result.ok());
    CHECK(logged(context, "left: 201 complexes, 4541 mutants"));
    CHECK(logged(context, "train: 44 clusters, 120 complexes, 3050 mutants"));
    CHECK(logged(context, "test: 20 clusters, 81 complexes, 1491 mutants"));
    CHECK(Json::parse(context.files["skempi_filter.json"])["small_rows"] == 133);
    // What it writes is a table that eval and finetune read.
    std::string const& csv = context.files["skempi_filtered.csv"];
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 4542);
    FakeContext none;
    REQUIRE(run_skempi_filter({{"table", path.string()}, {"unresolved", Json::array()}}, none).ok());
    CHECK(Json::parse(none.files["skempi_filter.json"])["final_rows"] == 4541 + 162);
}
