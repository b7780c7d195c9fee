// Reading chains in the default and the official mode.
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/methods/stab-ddg/complex.h"
#include "tests/catch.h"
#include "tests/fixtures.h"
#include "tests/io/pdb_text.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace orrery;
using namespace orrery::methods::stab_ddg;
using namespace orrery::tests;

namespace {

Backbone read(std::string const& text, ReadOptions const& options = {}, std::string const& name = "t.pdb") {
    auto backbone = parse_backbone(text, name, options);
    if (!backbone.ok()) FAIL(backbone.error().message());
    return std::move(backbone).value();
}

std::string failure(std::string const& text, ReadOptions const& options = {}, std::string const& name = "t.pdb") {
    auto const backbone = parse_backbone(text, name, options);
    return backbone.ok() ? "read" : backbone.error().message();
}

bool has_note(Backbone const& backbone, std::string const& part) {
    return std::any_of(backbone.notes.begin(), backbone.notes.end(),
                       [&](std::string const& note) { return note.find(part) != std::string::npos; });
}

bool complete(std::array<float, 12> const& atoms) {
    return std::none_of(atoms.begin(), atoms.end(), [](float x) { return std::isnan(x); });
}

}  // namespace

TEST_CASE("The official mode reads as the official code, for all five files") {
    ORRERY_NEED_SHARED(reference_path, "fixtures/stab-ddg/parser_official.json");
    ORRERY_NEED_SHARED(data, "data/stab-ddg");
    auto const text = read_file(reference_path);
    REQUIRE(text.ok());
    Json const reference = Json::parse(*text);
    REQUIRE(reference.size() == 5);
    for (auto const& [file, want] : reference.items()) {
        INFO(file);
        auto const backbone = read_backbone(data / file, {.mode = ReadingMode::official});
        REQUIRE(backbone.ok());
        std::vector<std::string> names;
        for (BackboneChain const& chain : backbone->chains) names.push_back(chain.name);
        CHECK(names == want["chain_order"].get<std::vector<std::string>>());
        CHECK(backbone->sha256 == *sha256_file(data / file));
        for (BackboneChain const& chain : backbone->chains) {
            Json const& expected = want["chains"][chain.name];
            INFO("chain " << chain.name);
            CHECK(chain.letters == expected["sequence"].get<std::string>());
            CHECK(chain.size() == expected["length"].get<std::size_t>());
            std::vector<int> invalid;
            std::array<double, 3> sum_ca{};
            double sum_n = 0;
            bool first = true;
            for (std::size_t i = 0; i < chain.size(); ++i) {
                if (!complete(chain.backbone[i])) {
                    invalid.push_back(static_cast<int>(i) + 1);
                    continue;
                }
                for (std::size_t k = 0; k < 3; ++k) {
                    sum_ca[k] += static_cast<double>(chain.backbone[i][3 + k]);
                    if (first)
                        CHECK(chain.backbone[i][3 + k] == Approx(expected["first_CA"][k].get<double>()).margin(1e-4));
                }
                sum_n += static_cast<double>(chain.backbone[i][0]);
                first = false;
            }
            CHECK(invalid == expected["invalid_positions_1based"].get<std::vector<int>>());
            CHECK(chain.size() - invalid.size() == expected["valid"].get<std::size_t>());
            for (std::size_t k = 0; k < 3; ++k)
                CHECK(sum_ca[k] == Approx(expected["sum_CA_xyz_valid"][k].get<double>()).margin(2e-3));
            CHECK(sum_n == Approx(expected["sum_N_x_valid"].get<double>()).margin(2e-3));
        }
    }
}

TEST_CASE("The default mode reads the edge cases by its own rules") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/parser_edge_cases.pdb");
    auto const backbone = read_backbone(path);
    REQUIRE(backbone.ok());
    REQUIRE(backbone->chains.size() == 2);
    CHECK(backbone->chains[0].name == "B");  // file order
    CHECK(backbone->chains[1].name == "A");
    CHECK(backbone->chains[0].letters == "GASTM--LVIPSS");
    CHECK(backbone->chains[1].letters == "WYF");  // 10A stands before 10 in the file, and stays there
    CHECK(backbone->chains[0].number[5] == 3);
    CHECK(backbone->chains[0].residue[5] == -1);
    CHECK(std::isnan(backbone->chains[0].backbone[10][9]));  // proline's O
    CHECK(has_note(*backbone, "MSE read as M (B:2)"));
    CHECK(has_note(*backbone, "SEP read as S (B:7, B:8)"));
    CHECK(has_note(*backbone, "1 water ignored"));
    CHECK(has_note(*backbone, "backbone atoms are absent in B:6"));
}

TEST_CASE("Clean files give the same chains in both modes") {
    for (char const* file : {"1AO7", "1C1Y", "8ek5"}) {
        INFO(file);
        ORRERY_NEED_SHARED(path, "data/stab-ddg/" + std::string(file) + ".pdb");
        auto const automatic = read_backbone(path), official = read_backbone(path, {.mode = ReadingMode::official});
        REQUIRE(automatic.ok());
        REQUIRE(official.ok());
        REQUIRE(automatic->chains.size() == official->chains.size());
        for (std::size_t c = 0; c < automatic->chains.size(); ++c) {
            CHECK(automatic->chains[c].letters == official->chains[c].letters);
            CHECK(automatic->chains[c].number == official->chains[c].number);
        }
    }
}

TEST_CASE("Gaps stand where the numbering jumps and the chain is broken, and only there") {
    // 1-2-100: bonded, so no gap; 100-104: 20 Å apart, so three.
    std::string const text = pdb_residue({.number = 1}) + pdb_residue({.number = 2, .x = 3.3}) +
                             pdb_residue({.number = 100, .x = 6.6}) + pdb_residue({.number = 104, .x = 30});
    CHECK(read(text).chains[0].letters == "AAA---A");
    CHECK(read(text).chains[0].number == std::vector<int>{1, 2, 100, 101, 102, 103, 104});
    CHECK(read(text, {.mode = ReadingMode::official}).chains[0].letters.size() == 104);
    // Broken, but no jump: no gap.
    CHECK(read(pdb_residue({.number = 1}) + pdb_residue({.number = 2, .x = 30})).chains[0].letters == "AA");
}

TEST_CASE("Insertion codes keep the file's order by default, and are sorted in the official mode") {
    std::string text;
    int i = 0;
    for (char const code : {'C', 'B', 'A', ' '})
        text += pdb_residue({.residue = std::array{"ALA", "GLY", "SER", "THR"}[static_cast<std::size_t>(i)],
                             .number = 1,
                             .x = 3.3 * i,
                             .insertion = code}),
            ++i;
    CHECK(read(text).chains[0].letters == "AGST");
    CHECK(read(text, {.mode = ReadingMode::official}).chains[0].letters == "TSGA");
}

TEST_CASE("Protonation-state names and modified residues keep their letters, with a note") {
    std::string text;
    int i = 0;
    for (char const* name : {"HID", "CYX", "GLH", "ASH", "LYN", "HSE", "UNK", "DAL"})
        text += pdb_residue({.residue = name, .number = i + 1, .x = 3.3 * i}), ++i;
    Backbone const backbone = read(text);
    CHECK(backbone.chains[0].letters == "HCEDKHXX");
    CHECK(has_note(backbone, "GLH read as E (A:3)"));
    CHECK(read(text, {.mode = ReadingMode::official}).chains[0].letters == "--------");
}

TEST_CASE("mmCIF with two-letter chains and alternatives") {
    std::string text = cif_start();
    int serial = 0;
    for (int i = 0; i < 3; ++i)
        for (char const* name : {"N", "CA", "C", "O"})
            for (char const altloc : {'A', 'B'}) {
                TextAtom atom{
                    .name = name, .residue = "LEU", .chain = "HA", .number = 10 + i, .x = 3.3 * i, .altloc = altloc};
                atom.y = altloc == 'B' ? 0.5 : 0;
                atom.occupancy = altloc == 'B' ? 0.7 : 0.3;
                text += cif_line(atom, "C", i + 1, ++serial);
            }
    Backbone const backbone = read(text, {}, "t.cif");
    REQUIRE(backbone.chains.size() == 1);
    CHECK(backbone.chains[0].name == "HA");
    CHECK(backbone.chains[0].label_name == "C");
    CHECK(backbone.chains[0].letters == "LLL");
    CHECK(backbone.chains[0].backbone[0][1] == 0.5F);
    CHECK(backbone.chain_index("HA") == 0);
    CHECK(backbone.chain_index("C") == -1);
    // The official reader sees no such chain.
    CHECK(failure(text, {.mode = ReadingMode::official}, "t.cif").find("no protein chains in t.cif") == 0);
}

TEST_CASE("Models in the official mode: the first occurrence wins; another model can be picked") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/parser_two_models.pdb");
    auto const second = read_backbone(path, {.mode = ReadingMode::official, .model = 2});
    REQUIRE(second.ok());
    CHECK(second->model_count == 2);
    CHECK(second->chains[0].backbone[0][0] == 9.0F);
    auto const none = read_backbone(path, {.model = 9});
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().message() == "there is no model 9 (parser_two_models.pdb). The file has models 1 to 2");
}

TEST_CASE("What is no complex gets a message that says why") {
    std::string const water = pdb_line({.name = "O", .residue = "HOH", .number = 1, .hetero = true, .element = "O"});
    CHECK(failure(water) == "no protein chains in t.pdb. It has 1 water ignored (1 atom)");
    std::string ca;
    for (int i = 1; i < 5; ++i) ca += pdb_line({.name = "CA", .number = i, .x = 3.8 * i});
    CHECK(failure(ca).find("chain A has only CA atoms; this method needs N, CA, C, O (t.pdb)") == 0);
    std::string const mixed = ca + pdb_residue({.chain = "B", .y = 10});
    Backbone const backbone = read(mixed);
    CHECK(has_note(backbone, "warning: chain A has only CA atoms"));
    auto const sides = parse_sides(backbone, "A_B");
    REQUIRE_FALSE(sides.ok());
    CHECK(sides.error().what == "chain A has only CA atoms; this method needs N, CA, C, O");
    CHECK(failure(pdb_residue({}).substr(0, 100)).find("t.pdb line 2") != std::string::npos);
}

TEST_CASE("More than 20,000 positions are refused with an estimate, also as gaps") {
    std::string text = cif_start();
    for (int i = 0; i < 2; ++i)
        for (char const* name : {"N", "CA", "C", "O"})
            text += cif_line({.name = name, .number = i == 0 ? 1 : 2000000000, .x = 100.0 * i}, "A", i + 1);
    for (auto const mode : {ReadingMode::automatic, ReadingMode::official}) {
        std::string const message = failure(text, {.mode = mode}, "t.cif");
        INFO(message);
        CHECK(message.find("2000000000 residues are too many: at most 20000 are read (t.cif)") == 0);
        CHECK(message.find("GB and") != std::string::npos);
    }
    text = cif_start();
    for (int i = 0; i < 20001; ++i)
        text += cif_line({.name = "N", .number = i + 1, .x = 3.8}, "A", i + 1) +
                cif_line({.name = "CA", .number = i + 1, .x = 3.8}, "A", i + 1);
    std::string const message = failure(text, {}, "t.cif");
    CHECK(message.find("20001 residues are too many") == 0);
}

TEST_CASE("A repeated residue is a warning that names it") {
    std::string const text =
        pdb_residue({.number = 1}) + pdb_residue({.number = 2, .x = 3.3}) + pdb_residue({.number = 1, .x = 50});
    Backbone const backbone = read(text);
    CHECK(backbone.chains[0].letters == "AA");
    CHECK(has_note(backbone, "warning: residue A:1 ALA is in the file twice; the first is used"));
}

TEST_CASE("Damaged files never crash the backbone reader, the sides or the interface") {
    std::mt19937 random(17);
    std::string text;
    for (int i = 0; i < 6; ++i) text += pdb_residue({.chain = i < 3 ? "A" : "B", .number = i + 1, .x = 3.3 * i});
    int read_count = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = text;
        for (int edits = 0; edits < 3; ++edits) {
            std::size_t const at = random() % damaged.size();
            if (random() % 3 == 0)
                damaged.erase(at, random() % 80);
            else
                damaged[at] = static_cast<char>("0123456789-. ABCXNZ\n"[random() % 20]);
            if (damaged.empty()) damaged = text;
        }
        for (auto const mode : {ReadingMode::automatic, ReadingMode::official}) {
            auto const backbone = parse_backbone(damaged, "t.pdb", {.mode = mode});
            if (!backbone.ok()) continue;
            ++read_count;
            auto const sides = suggest_sides(*backbone);
            if (!sides.ok()) continue;
            CHECK(interface_positions(*backbone, *sides, 5.0).size() <= backbone->positions());
            (void)touch_warning(*backbone, *sides);
        }
    }
    CHECK(read_count > 500);
}
