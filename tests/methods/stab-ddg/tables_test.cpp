// Every form of table, their signs and limits, and what is wrong with them.
#include "core/methods/stab-ddg/tables.h"

#include "core/base/files.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace orrery;
using namespace orrery::methods::stab_ddg;

namespace {

MutantTable parse(std::string const& text) {
    auto table = parse_mutant_table(text, "t.csv");
    if (!table.ok()) FAIL(table.error().message());
    return std::move(table).value();
}

std::string failure(std::string const& text) {
    auto const table = parse_mutant_table(text, "t.csv");
    REQUIRE_FALSE(table.ok());
    return table.error().message();
}

}  // namespace

TEST_CASE("The official list, its result, SKEMPI-like tables and SKEMPI v2") {
    ORRERY_NEED_SHARED(data, "data/stab-ddg");
    auto const list = read_mutant_table(data / "mutations_example.csv");
    REQUIRE(list.ok());
    CHECK(list->kind == TableKind::official_list);
    REQUIRE(list->rows.size() == 6);
    CHECK(list->rows[0].complex == "1AO7_ABC_DE");
    CHECK(list->rows[0].mutation == "AE96M,GE97S,GE98A,RE99E");
    CHECK(list->rows[3].mutation == "AA150P");
    CHECK(list->where(list->rows[3]) == "mutations_example.csv line 5");
    CHECK_FALSE(list->has_measurements());
    CHECK(list->numbering == Numbering::automatic);

    auto const result = read_mutant_table(data / "official_output_example.csv");
    REQUIRE(result.ok());
    CHECK(result->kind == TableKind::official_result);
    CHECK(result->rows[1].mutation == "AE96M,GE97S,GE98A");
    CHECK(result->predictors == std::vector<std::string>{"pred_1"});
    CHECK(*result->rows[1].predictions[0] == Approx(-1.1364105));
    CHECK(result->predictions_weaker_positive);  // this mutant binds tighter
    CHECK(result->numbering == Numbering::ordinal);

    auto const spr = read_mutant_table(data / "tcrm_spr.csv");
    REQUIRE(spr.ok());
    CHECK(spr->kind == TableKind::skempi_like);
    CHECK(spr->rows.size() == 30);
    CHECK(*spr->rows[0].ddg == Approx(-0.4283138849));
    CHECK(spr->rows[20].mutation == "VH103R,VC6G");
    CHECK(spr->predictors.empty());

    auto const predictions = read_mutant_table(data / "official_skempi_test_predictions.csv");
    REQUIRE(predictions.ok());
    CHECK(predictions->rows.size() == 1491);
    CHECK_FALSE(predictions->predictions_weaker_positive);
    CHECK(std::count(predictions->predictors.begin(), predictions->predictors.end(), "pred_1") == 1);

    auto const baselines = read_mutant_table(data / "skempi_filtered_with_baselines.csv");
    REQUIRE(baselines.ok());
    CHECK(baselines->rows.size() == 4541);
    CHECK(baselines->predictors == std::vector<std::string>{"stabddg", "foldx", "flexddg"});
    CHECK_FALSE(baselines->rows[0].predictions[0].has_value());
    CHECK(baselines->rows[0].split == "train");
    CHECK(baselines->rows[0].cluster == "0");

    auto const skempi = read_mutant_table(data / "skempi_v2.csv");
    REQUIRE(skempi.ok());
    CHECK(skempi->kind == TableKind::skempi_v2);
    CHECK(skempi->rows.size() == 7085);
    CHECK(skempi->numbering == Numbering::ordinal);
    CHECK(skempi->rows[0].mutation == "LI38G");
    CHECK(skempi->rows[0].mutation_author == "LI45G");
    CHECK(*skempi->rows[0].ddg == Approx(-2.2488334837936126).epsilon(1e-12));
    auto const without = std::count_if(skempi->rows.begin(), skempi->rows.end(), [](auto const& r) { return !r.ddg; });
    CHECK(without == 287);
    auto const limits =
        std::count_if(skempi->rows.begin(), skempi->rows.end(), [](auto const& r) { return r.censored; });
    CHECK(limits > 300);
}

TEST_CASE("SKEMPI's two columns of mutations mean the same where the structure is at hand") {
    ORRERY_NEED_SHARED(data, "data/stab-ddg");
    auto const skempi = read_mutant_table(data / "skempi_v2.csv");
    auto const backbone = read_backbone(data / "1AO7.pdb");
    REQUIRE(skempi.ok());
    REQUIRE(backbone.ok());
    std::vector<std::string> texts, wheres;
    for (MutantRow const& row : skempi->rows)
        if (row.complex == "1AO7_ABC_DE") texts.push_back(row.mutation), wheres.push_back(skempi->where(row));
    CHECK(texts.size() > 100);
    auto const mutants = parse_mutants_at(*backbone, texts, skempi->numbering, wheres);
    if (!mutants.ok()) FAIL(mutants.error().message());
    CHECK(mutants->size() == texts.size());
    // Every row of the table is a mutation by the grammar, in both columns.
    for (MutantRow const& row : skempi->rows)
        for (std::string const* text : {&row.mutation, &row.mutation_author}) {
            auto const parsed = parse_mutants(*backbone, {*text}, Numbering::ordinal);
            if (!parsed.ok()) {
                INFO(parsed.error().message());
                REQUIRE(parsed.error().what.find("is not a mutation") == std::string::npos);
            }
        }
}

TEST_CASE("Affinities, temperatures and the sign") {
    // 1AO7 AE96M,GE97S,GE98A: 3e-6 -> 8e-9 M binds tighter, so the table's sign is positive.
    CHECK(ddg_from_affinities(8e-9, 3e-6, 298) > 3);
    CHECK(ddg_from_affinities(1e-6, 1e-9, 298) == Approx(-4.0905).margin(1e-3));
    CHECK(*temperature_of("298(assumed)") == 298);
    CHECK(*temperature_of("") == 298);
    CHECK(*temperature_of(" 310 ") == 310);
    CHECK_FALSE(temperature_of("warm"));
    CHECK_FALSE(temperature_of("-3"));
    MutantTable const table = parse(
        "#Pdb,Mutation(s)_cleaned,Affinity_mut_parsed,Affinity_wt_parsed,Temperature\n"
        "1AO7_ABC_DE,EA63Q,1E-06,1E-09,\n1AO7_ABC_DE,EA63K,,1E-09,298\n"
        "1AO7_ABC_DE,EA63R,>1E-06,1E-09,300\n1AO7_ABC_DE,EA63W,n.b,1E-09,300\n");
    CHECK(*table.rows[0].ddg == Approx(ddg_from_affinities(1e-6, 1e-9, 298)));
    CHECK_FALSE(table.rows[0].censored);
    CHECK_FALSE(table.rows[1].ddg);
    CHECK(table.rows[2].censored);
    CHECK(table.rows[2].censoring == "mutant >1E-06");
    CHECK(*table.rows[2].ddg == Approx(ddg_from_affinities(1e-6, 1e-9, 300)));
    CHECK(table.rows[3].censored);
    CHECK_FALSE(table.rows[3].ddg);
    CHECK(table.notes == std::vector<std::string>{"2 measurements are limits (>, <, no binding)"});
}

TEST_CASE("Limits in a ddG column") {
    MutantTable const table = parse(
        "#Pdb,mutation,ddG\nA_B_C,EB63Q,<-2.5\nA_B_C,EB63K,8\nA_B_C,EB63R,n.b.\nA_B_C,EB63A,nan\nA_B_C,EB63C,-1\n");
    CHECK(*table.rows[0].ddg == -2.5);
    CHECK(table.rows[0].censored);
    CHECK(table.rows[1].censored);
    CHECK(table.rows[2].censored);
    CHECK_FALSE(table.rows[2].ddg);
    CHECK_FALSE(table.rows[3].ddg);
    CHECK_FALSE(table.rows[3].censored);
    CHECK_FALSE(table.rows[4].censored);
}

TEST_CASE("Quotes, byte-order marks, Windows line ends, separators") {
    for (std::string const& text : {std::string("#Pdb,mutation\n1AO7_ABC_DE,\"EA63Q,QD30V\"\n"),
                                    std::string("\xef\xbb\xbf#Pdb,mutation\r\n1AO7_ABC_DE,\"EA63Q,QD30V\"\r\n"),
                                    std::string("#Pdb;mutation\n1AO7_ABC_DE;EA63Q,QD30V\n"),
                                    std::string("#Pdb\tmutation\n1AO7_ABC_DE\tEA63Q,QD30V"),
                                    std::string("\"#Pdb\",\"mutation\"\n\"1AO7_ABC_DE\",\"['EA63Q', 'QD30V']\"\n\n")}) {
        MutantTable const table = parse(text);
        REQUIRE(table.rows.size() == 1);
        CHECK(table.rows[0].complex == "1AO7_ABC_DE");
        CHECK(table.rows[0].mutation == "EA63Q,QD30V");
    }
}

TEST_CASE("FoldX individual lists") {
    MutantTable const table = parse("EA63Q,QD30V;\nKA66A;\r\n\nWA1A\n");
    CHECK(table.kind == TableKind::individual_list);
    REQUIRE(table.rows.size() == 3);
    CHECK(table.rows[0].mutation == "EA63Q,QD30V");
    CHECK(table.rows[1].mutation == "KA66A");
    CHECK(table.rows[1].line == 2);
    CHECK(table.rows[2].line == 4);
    CHECK(table.numbering == Numbering::author);
    CHECK(table.rows[0].complex.empty());
}

TEST_CASE("Our own predictions are read back with their sign") {
    std::string const columns =
        "complex,mutation,mutation_author,ddg_mean,ddg_se,n,ddg_complex,ddg_side1,ddg_side2,ddg_measured,measured_"
        "limit\n"
        "1AO7_ABC_DE,EA63Q,EA63Q,0.5,0.1,20,1,2,3,1.25,0\n1AO7_ABC_DE,EA63K,EA63K,0.5,0.1,20,1,2,3,2.5,1\n";
    MutantTable const table =
        parse("# ddG of binding = dG_mutant - dG_wild_type, positive = weaker binding\n" + columns);
    CHECK(table.predictors == std::vector<std::string>{"ddg_mean"});
    CHECK(table.predictions_weaker_positive);
    CHECK(*table.rows[0].predictions[0] == 0.5);
    CHECK(*table.rows[0].ddg == -1.25);  // the tables' sign
    CHECK_FALSE(table.rows[0].censored);
    CHECK(table.rows[1].censored);
    CHECK(table.numbering == Numbering::ordinal);
    MutantTable const turned =
        parse("# ddG of binding = -(dG_mutant - dG_wild_type), positive = tighter binding\n" + columns);
    CHECK_FALSE(turned.predictions_weaker_positive);
    CHECK(*turned.rows[0].ddg == 1.25);
}

TEST_CASE("Tables that can't be read say where and why") {
    CHECK(failure("") == "the table is empty (t.csv)");
    CHECK(
        failure("a,b\n1,2\n") ==
        "the table has no column of mutations (t.csv). Name it mutation or Mutation(s)_cleaned; the columns are a, b");
    CHECK(failure("mutation,x\nEA63Q,1\n").find("the table has no column of complexes (t.csv)") == 0);
    CHECK(failure("#Pdb,mutation\n").find("the table has no rows (t.csv)") == 0);
    CHECK(failure("#Pdb,mutation\n1AO7,EA63Q\n") ==
          "\"1AO7\" does not name a complex (t.csv line 2). Write file name and the two sides: 1AO7_ABC_DE");
    CHECK(failure("#Pdb,mutation\nA_B_C,\n").find("the mutation is empty (t.csv line 2)") == 0);
    CHECK(failure("#Pdb,mutation,ddG\nA_B_C,EB1A,0\nA_B_C,EB2A,much\n")
              .find("the ddG \"much\" is not a number (t.csv line 3)") == 0);
    CHECK(failure("#Pdb,mutation,Affinity_mut_parsed,Affinity_wt_parsed,Temperature\nA_B_C,EB1A,0,1,298\n")
              .find("the affinity \"0\" is not positive (t.csv line 2)") == 0);
    CHECK(failure("#Pdb,mutation,Affinity_mut_parsed,Affinity_wt_parsed,Temperature\nA_B_C,EB1A,x,1,298\n")
              .find("the affinity \"x\" is not a number (t.csv line 2)") == 0);
    CHECK(failure("#Pdb,mutation,Affinity_mut_parsed,Affinity_wt_parsed,Temperature\nA_B_C,EB1A,1,1,hot\n")
              .find("the temperature \"hot\" is not one (t.csv line 2)") == 0);
    CHECK(failure("#Pdb,mutation\nA_B_C,EB1A,3\n").find("(t.csv line 2)") != std::string::npos);
    CHECK(failure("#Pdb,mutation\nA_B_C,\"EB1A\n").find("(t.csv line 2)") != std::string::npos);
    CHECK(failure(std::string("#\0P\0", 4)).find("UTF-16") != std::string::npos);
}

TEST_CASE("Damaged tables never crash the reader") {
    std::mt19937 random(99);
    std::string const table =
        "#Pdb,Mutation(s)_cleaned,ddG,Affinity_mut_parsed,Affinity_wt_parsed,Temperature,pred\n"
        "1AO7_ABC_DE,\"EA63Q,QD30V\",-1.5,1E-06,1E-09,298(assumed),0.4\n1C1Y_A_B,KB11M,0.3,2E-07,1E-09,300,-1\n";
    std::string const list = "EA63Q,QD30V;\nKA66A;\n";
    int read = 0, refused = 0;
    for (int round = 0; round < 6000; ++round) {
        std::string text = round % 5 == 0 ? list : table;
        for (std::size_t edits = 1 + random() % 4; edits > 0 && !text.empty(); --edits) {
            std::size_t const at = random() % text.size();
            switch (random() % 4) {
                case 0:
                    text[at] = static_cast<char>(random() % 256);
                    break;
                case 1:
                    text.erase(at, random() % 12);
                    break;
                case 2:
                    text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), "\",;\n\r\t'[]#"[random() % 10]);
                    break;
                default:
                    text.resize(at);
                    break;
            }
        }
        auto const result = parse_mutant_table(text, "t.csv");
        if (result.ok())
            ++read;
        else {
            ++refused;
            REQUIRE_FALSE(result.error().what.empty());
        }
    }
    CHECK(read > 500);
    CHECK(refused > 500);
}
