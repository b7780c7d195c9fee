// The filter of SKEMPI v2: every count, every value, the clusters and the split.
#include "core/methods/stab-ddg/skempi_filter.h"

#include "core/base/files.h"
#include "core/methods/stab-ddg/tables.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <cmath>
#include <map>

using namespace orrery;
using namespace orrery::methods::stab_ddg;

TEST_CASE("Every count of the filter and the split is the reference's") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/skempi_v2.csv");
    ORRERY_NEED_SHARED(reference_path, "fixtures/stab-ddg/skempi_filter.json");
    Json const reference = Json::parse(*read_file(reference_path));
    SkempiOptions options;
    options.unresolved = reference["unresolved_complexes"].get<std::vector<std::string>>();
    auto const result = filter_skempi(*read_file(path), "skempi_v2.csv", options);
    REQUIRE(result.ok());
    Json got = to_json(*result);
    for (char const* name : {"rows", "complexes", "pdb_ids", "dropped_no_affinity", "dropped_duplicates",
                             "dropped_no_interface", "small_complexes", "small_rows", "repetitive_complexes",
                             "repetitive_rows", "unresolved_rows", "final_rows", "final_complexes", "train", "test"}) {
        INFO(name);
        CHECK(got[name] == reference[name]);
    }
    CHECK(result->unresolved.size() == 8);
    CHECK(result->single_mutants == 3040);
    CHECK(options.unresolved == published_unresolved());
    for (Json const& example : reference["examples"]) {
        bool found = false;
        for (SkempiRow const& row : result->rows)
            if (row.complex == example["complex"] && row.mutation == example["mutation"]) {
                CHECK(row.ddg == Approx(example["ddG"].get<double>()).margin(1e-13).epsilon(0));
                found = true;
            }
        CHECK(found);
    }
}

TEST_CASE("Rows, values, clusters and split are those of the filtered table") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/skempi_v2.csv");
    ORRERY_NEED_SHARED(filtered_path, "data/stab-ddg/skempi_filtered_with_baselines.csv");
    auto const result = filter_skempi(*read_file(path), "skempi_v2.csv");
    auto const table = read_mutant_table(filtered_path);
    REQUIRE(result.ok());
    REQUIRE(table.ok());
    REQUIRE(result->rows.size() == table->rows.size());
    std::map<std::pair<std::string, std::string>, MutantRow const*> known;
    for (MutantRow const& row : table->rows) known[{row.complex, row.mutation}] = &row;
    CHECK(known.size() == table->rows.size());
    int differing = 0;
    for (SkempiRow const& row : result->rows) {
        auto const at = known.find({row.complex, row.mutation});
        REQUIRE(at != known.end());
        MutantRow const& want = *at->second;
        differing += std::abs(row.ddg - *want.ddg) > 5.1e-7 || std::to_string(row.cluster) != want.cluster ||
                     (row.train ? "train" : "test") != want.split;
    }
    CHECK(differing == 0);
}

TEST_CASE("numpy's legacy shuffle") {
    // numpy.random.seed(17); numpy.random.shuffle(arange(10))
    CHECK(numpy_shuffled(10, 17) == std::vector<int>{7, 2, 5, 3, 4, 0, 9, 8, 6, 1});
    CHECK(numpy_shuffled(0, 1).empty());
    CHECK(numpy_shuffled(1, 1) == std::vector<int>{0});
}

TEST_CASE("A table that is not SKEMPI v2 is refused by the missing column or the line") {
    auto const other = filter_skempi("#Pdb;mutation\nA_B_C;EB1A\n", "x.csv");
    REQUIRE_FALSE(other.ok());
    CHECK(other.error().message() ==
          "the column Mutation(s)_cleaned is missing (x.csv). This verb reads skempi_v2.csv as it is "
          "distributed (29 columns, separated by ;)");
    std::string const header =
        "#Pdb;Mutation(s)_PDB;Mutation(s)_cleaned;iMutation_Location(s);Hold_out_proteins;Affinity_mut (M);"
        "Affinity_mut_parsed;Affinity_wt (M);Affinity_wt_parsed;Temperature\n";
    auto const number =
        filter_skempi(header + "A_B_C;EB1A;EB1A;COR;x;1;1;1;1;298\nA_B_C;EB2A;EB2A;COR;x;1;zero;1;1;298\n", "x.csv");
    REQUIRE_FALSE(number.ok());
    CHECK(number.error().message() == "an affinity is not a positive number (x.csv line 3). Affinities are K_D in M");
    auto const temperature = filter_skempi(header + "A_B_C;EB1A;EB1A;COR;x;1;1;1;1;cold\n", "x.csv");
    REQUIRE_FALSE(temperature.ok());
    CHECK(temperature.error().message().find("the temperature \"cold\" is not one (x.csv line 2)") == 0);
    auto const empty = filter_skempi(header, "x.csv");
    REQUIRE(empty.ok());
    CHECK(empty->rows.empty());
}
