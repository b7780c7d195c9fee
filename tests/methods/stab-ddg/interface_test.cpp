// Sides, their suggestion, and interface sets.
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/methods/stab-ddg/complex.h"
#include "tests/catch.h"
#include "tests/fixtures.h"
#include "tests/io/pdb_text.h"

#include <cmath>

using namespace orrery;
using namespace orrery::methods::stab_ddg;
using namespace orrery::tests;

namespace {

std::vector<std::string> keys(Backbone const& backbone, std::vector<std::pair<int, int>> const& positions,
                              std::vector<int> const& side) {
    std::vector<std::string> result;
    for (auto const& [chain, position] : positions) {
        if (std::find(side.begin(), side.end(), chain) == side.end()) continue;
        BackboneChain const& c = backbone.chains[static_cast<std::size_t>(chain)];
        auto const at = static_cast<std::size_t>(position);
        Residue const& residue = backbone.structure.residues[static_cast<std::size_t>(c.residue[at])];
        result.push_back(c.name + ":" + residue.name + std::to_string(c.number[at]));
    }
    return result;
}

Backbone two_chains(double apart) {
    auto backbone = parse_backbone(pdb_residue({.chain = "A"}) + pdb_residue({.chain = "B", .y = apart}), "t.pdb");
    REQUIRE(backbone.ok());
    return std::move(backbone).value();
}

}  // namespace

TEST_CASE("Interface sets are exactly the reference's") {
    ORRERY_NEED_SHARED(reference_path, "fixtures/stab-ddg/interface_residues.json");
    ORRERY_NEED_SHARED(data, "data/stab-ddg");
    auto const text = read_file(reference_path);
    REQUIRE(text.ok());
    Json const reference = Json::parse(*text);
    REQUIRE(reference.size() == 3);
    for (auto const& [name, want] : reference.items()) {
        auto const backbone = read_backbone(data / (name + ".pdb"));
        REQUIRE(backbone.ok());
        auto const sides =
            parse_sides(*backbone, want["sides"][0].get<std::string>() + "_" + want["sides"][1].get<std::string>());
        REQUIRE(sides.ok());
        for (auto const& [cutoff, sets] : want["cutoffs"].items()) {
            INFO(name << " at " << cutoff);
            auto const positions = interface_positions(*backbone, *sides, std::stod(cutoff));
            CHECK(keys(*backbone, positions, sides->side1) == sets["side1"].get<std::vector<std::string>>());
            CHECK(keys(*backbone, positions, sides->side2) == sets["side2"].get<std::vector<std::string>>());
        }
    }
}

TEST_CASE("The cut-off is inclusive, and contacts agree with it") {
    Backbone const backbone = two_chains(5.0);
    auto const sides = parse_sides(backbone, "A_B");
    REQUIRE(sides.ok());
    // O of A lies at y 1.6, N, CA, C of B at 5.0, 5.2, 5.4: the nearest pair is C of A (2.0, 0.4) with N of B? No: O
    // with C.
    double nearest = 1e9;
    for (Atom const& a : backbone.structure.atoms)
        for (Atom const& b : backbone.structure.atoms) {
            if (a.residue >= b.residue) continue;
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k)
                sum += std::pow(static_cast<double>(a.position[k]) - static_cast<double>(b.position[k]), 2);
            nearest = std::min(nearest, std::sqrt(sum));
        }
    auto const contacts = side_contacts(backbone, *sides);
    REQUIRE(contacts.size() == 2);
    CHECK(contacts[0].distance == Approx(nearest).margin(1e-4));
    CHECK(contacts[0].contacts == contacts[1].contacts);
    CHECK(interface_positions(backbone, *sides, contacts[0].distance + 1e-4).size() == 2);
    CHECK(interface_positions(backbone, *sides, contacts[0].distance - 1e-3).empty());
    // Exactly 3.4 Å between two atoms at decimal coordinates that floats can't hold.
    auto const exact = parse_backbone(
        pdb_line({.name = "N", .x = 100.1, .element = "N"}) + pdb_line({.name = "CA", .x = 100.1, .y = -1.4}) +
            pdb_line({.name = "C", .x = 100.1, .y = -2.9}) +
            pdb_line({.name = "N", .chain = "B", .x = 103.5, .element = "N"}) +
            pdb_line({.name = "CA", .chain = "B", .x = 104.9}) + pdb_line({.name = "C", .chain = "B", .x = 106.4}),
        "t.pdb");
    REQUIRE(exact.ok());
    auto const pair = parse_sides(*exact, "A_B");
    REQUIRE(pair.ok());
    CHECK(interface_positions(*exact, *pair, 3.4).size() == 2);
    CHECK(interface_positions(*exact, *pair, 3.399).empty());
    CHECK(interface_positions(*exact, *pair, 0).empty());
    CHECK(interface_positions(*exact, *pair, std::nan("")).empty());
}

TEST_CASE("Sides: letters, longer names, and what is wrong with them") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/1AO7.pdb");
    auto const backbone = read_backbone(path);
    REQUIRE(backbone.ok());
    auto const sides = parse_sides(*backbone, " ABC_DE ");
    REQUIRE(sides.ok());
    CHECK(sides->side1 == std::vector<int>{0, 1, 2});
    CHECK(sides->side2 == std::vector<int>{3, 4});
    CHECK(sides->text == "ABC_DE");
    CHECK(parse_sides(*backbone, "A,B,C_D,E")->text == "ABC_DE");
    struct {
        char const* text;
        char const* message;
    } const bad[] = {{"",
                      "the two sides are not given. Write the chains of side 1, an underscore, the chains of side 2: "
                      "ABC_DE, or A1,A2_B1"},
                     {"ABC", "\"ABC\" does not name two sides. Write the chains of side 1"},
                     {"A_B_C", "\"A_B_C\" does not name two sides"},
                     {"_DE", "\"_DE\" has an empty side"},
                     {"ABC_", "\"ABC_\" has an empty side"},
                     {"ABX_DE", "there is no protein chain \"X\" in 1AO7 (sides ABX_DE). It has chains A, B, C, D, E"},
                     {"ABC_CD", "chain C is named twice (sides ABC_CD)"},
                     {"A,,B_C", "there is no protein chain \"\" in 1AO7"}};
    for (auto const& [text, message] : bad) {
        auto const result = parse_sides(*backbone, text);
        REQUIRE_FALSE(result.ok());
        INFO(result.error().message());
        CHECK(result.error().message().find(message) == 0);
        CHECK(result.error().field == "sides");
    }
}

TEST_CASE("Sides with long chain names") {
    std::string text = cif_start();
    int serial = 0;
    for (char const* chain : {"A1", "A2", "B1"})
        for (char const* name : {"N", "CA", "C", "O"})
            text += cif_line({.name = name, .chain = chain, .y = 4.0 * serial++}, chain, 1, serial);
    auto const backbone = parse_backbone(text, "t.cif");
    REQUIRE(backbone.ok());
    auto const sides = parse_sides(*backbone, "A1,A2_B1");
    REQUIRE(sides.ok());
    CHECK(sides->text == "A1,A2_B1");
    CHECK(parse_sides(*backbone, "A1_B1")->text == "A1_B1");
}

TEST_CASE("Suggested sides: receptor and peptide-MHC, binder and peptide-MHC, two chains") {
    struct {
        char const* file;
        char const* sides;
    } const cases[] = {{"1AO7", "ABC_DE"}, {"1C1Y", "A_B"}, {"8ek5", "ABC_E"}};
    for (auto const& [file, want] : cases) {
        ORRERY_NEED_SHARED(path, "data/stab-ddg/" + std::string(file) + ".pdb");
        auto const backbone = read_backbone(path);
        REQUIRE(backbone.ok());
        auto const sides = suggest_sides(*backbone);
        REQUIRE(sides.ok());
        CHECK(sides->text == want);
    }
    auto const one = parse_backbone(pdb_residue({}), "t.pdb");
    REQUIRE(one.ok());
    auto const none = suggest_sides(*one);
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().what == "a complex has at least two protein chains; t has 1");
}

TEST_CASE("A second copy in the crystal is on neither side") {
    // A touches B, C touches D, far away.
    std::string const text = pdb_residue({.chain = "A"}) + pdb_residue({.chain = "B", .y = 4}) +
                             pdb_residue({.chain = "C", .y = 80}) + pdb_residue({.chain = "D", .y = 84});
    auto const backbone = parse_backbone(text, "t.pdb");
    REQUIRE(backbone.ok());
    CHECK(suggest_sides(*backbone)->text == "A_B");
}

TEST_CASE("Sides that do not touch get a warning with the distance") {
    Backbone const near = two_chains(5.0), far = two_chains(14.2);
    CHECK(touch_warning(near, *parse_sides(near, "A_B")).empty());
    CHECK(touch_warning(far, *parse_sides(far, "A_B")) == "sides A and B do not touch (closest 14.2 Å)");
    CHECK(side_distance(far, *parse_sides(far, "A_B")) == Approx(14.2).margin(1e-3));
}

TEST_CASE("Names of complexes are split at the last two underscores") {
    auto const name = split_complex_name("1AO7_ABC_DE");
    REQUIRE(name);
    CHECK(name->structure == "1AO7");
    CHECK(name->sides == "ABC_DE");
    CHECK(split_complex_name("my_model_2_HL_A")->structure == "my_model_2");
    CHECK_FALSE(split_complex_name("1AO7"));
    CHECK_FALSE(split_complex_name("1AO7_A"));
    CHECK_FALSE(split_complex_name("_A_B"));
    CHECK_FALSE(split_complex_name("1AO7__B"));
    CHECK_FALSE(split_complex_name("1AO7_A_"));
    CHECK_FALSE(split_complex_name(""));
}
