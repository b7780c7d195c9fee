// Mutation texts: every form, the numbering, and messages that help.
#include "core/methods/stab-ddg/complex.h"
#include "tests/catch.h"
#include "tests/fixtures.h"
#include "tests/io/pdb_text.h"

#include <random>

using namespace orrery;
using namespace orrery::methods::stab_ddg;
using namespace orrery::tests;

namespace {

struct Made {
    char const* chain;
    int number;
    char insertion;
    char const* residue;
};

Backbone make(std::vector<Made> const& residues) {
    std::string text;
    double x = 0;
    for (Made const& r : residues) {
        text +=
            pdb_residue({.residue = r.residue, .chain = r.chain, .number = r.number, .x = x, .insertion = r.insertion});
        x += 3.3;
    }
    auto backbone = parse_backbone(text, "t.pdb");
    REQUIRE(backbone.ok());
    return std::move(backbone).value();
}

// Heavy chain numbered from 98 with insertions, light chain from 1, chain 1 named by a digit.
Backbone antibody() {
    return make({{"H", 98, ' ', "ALA"},
                 {"H", 99, ' ', "GLU"},
                 {"H", 100, ' ', "ARG"},
                 {"H", 100, 'A', "TYR"},
                 {"H", 100, 'B', "ASP"},
                 {"H", 101, ' ', "GLY"},
                 {"L", 1, ' ', "GLU"},
                 {"L", 2, ' ', "LYS"},
                 {"L", 3, ' ', "GLU"},
                 {"1", 5, ' ', "TRP"}});
}

std::string names(Backbone const& backbone, std::string const& text, Numbering numbering = Numbering::automatic) {
    auto const mutants = parse_mutants(backbone, {text}, numbering);
    return mutants.ok() ? mutants->front().ordinal + " | " + mutants->front().author : mutants.error().message();
}

std::string message(Backbone const& backbone, std::string const& text, Numbering numbering = Numbering::automatic,
                    std::string const& where = {}) {
    auto const mutants = parse_mutants(backbone, {text}, numbering, where);
    REQUIRE_FALSE(mutants.ok());
    CHECK(mutants.error().kind == ErrorKind::bad_input);
    return mutants.error().message();
}

}  // namespace

TEST_CASE("Every written form means the same mutation") {
    Backbone const b = antibody();
    for (char const* text : {"EH99Q", "E:H:99:Q", "H:E99Q", "GluH99Gln", "gluH99gln", "H:Glu99Gln", "Glu:H:99:Gln",
                             " EH99Q ", "'EH99Q'", "EH99Q;"}) {
        INFO(text);
        CHECK(names(b, text) == "EH2Q | EH99Q");
    }
    for (char const* text : {"EH99Q,KL2A", "EH99Q;KL2A", "EH99Q+KL2A", "EH99Q/KL2A", "EH99Q, KL2A", "EH99Q,KL2A;"}) {
        INFO(text);
        CHECK(names(b, text, Numbering::author) == "EH2Q,KL2A | EH99Q,KL2A");
    }
    for (char const* text : {"YH100aA", "YH100AA", "Y:H:100A:A", "Y:H:100a:A", "H:Y100AA", "TyrH100aAla"}) {
        INFO(text);
        CHECK(names(b, text) == "YH4A | YH100aA");
    }
    CHECK(names(b, "W15A") == "W11A | W15A");  // chain 1, position 5
}

TEST_CASE("One chain needs no chain letter") {
    Backbone const b = make({{"A", -1, ' ', "MET"}, {"A", 62, ' ', "LYS"}, {"A", 63, ' ', "GLU"}});
    CHECK(names(b, "E63Q") == "EA3Q | EA63Q");
    CHECK(names(b, "Glu63Gln") == "EA3Q | EA63Q");
    CHECK(names(b, "M-1A") == "MA1A | MA-1A");
    CHECK(names(b, "MA-1A") == "MA1A | MA-1A");
    Backbone const digit = make({{"6", 3, ' ', "GLU"}});
    CHECK(names(digit, "E63Q") == "E61Q | E63Q");  // chain 6, position 3
}

TEST_CASE("A missing chain is said, not guessed") {
    Backbone const b = antibody();
    CHECK(message(b, "E299Q")
              .find("E299Q: there is no chain 2 (t). The chains of t are H, L, 1; the second letter of a mutation is "
                    "the chain, so write EH299Q") == 0);
    CHECK(message(b, "EX99Q").find("EX99Q: there is no chain X (t). The chains of t are H, L, 1") == 0);
    CHECK(message(b, "E3Q").find("E3Q: the chain is missing (t). The second letter is the chain: EH3Q") == 0);
}

TEST_CASE("A wrong wild type names what is there and where the letter is") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/1AO7.pdb");
    auto const backbone = read_backbone(path);
    REQUIRE(backbone.ok());
    CHECK(message(*backbone, "EA61Q", Numbering::ordinal)
              .find("EA61Q: chain A position 61 is D (author 61), E found at 55, 58, 63 (1AO7)") == 0);
    CHECK(message(*backbone, "EA61Q", Numbering::author)
              .find("EA61Q: chain A residue 61 is D (position 61), E found at 55, 58, 63 (1AO7)") == 0);
    Backbone const b = antibody();
    CHECK(message(b, "WH99A", Numbering::author)
              .find("WH99A: chain H residue 99 is E (position 2), and the chain has no W") == 0);
    CHECK(message(b, "YH100A", Numbering::author)
              .find("YH100A: chain H residue 100 is R (position 3), Y found at 100A") == 0);
    CHECK(
        message(b, "EH300Q", Numbering::author)
            .find("EH300Q: chain H has no residue 300; its author numbers run from 98 to 101 (t). E is found at 99") ==
        0);
    CHECK(message(b, "EH30Q", Numbering::ordinal)
              .find("EH30Q: chain H has no position 30; it has 6 positions (t). E is found at 2") == 0);
    CHECK(message(b, "YH4aA", Numbering::ordinal).find("YH4aA: an ordinal position has no insertion code") == 0);
    CHECK(message(b, "EH300Q", Numbering::author, "list.csv line 7").find("(list.csv line 7)") != std::string::npos);
}

TEST_CASE("Gap positions and unknown residues can't be mutated") {
    std::string const text = pdb_residue({.number = 1}) + pdb_residue({.number = 4, .x = 40}) +
                             pdb_residue({.residue = "UNK", .number = 5, .x = 43.3});
    auto const backbone = parse_backbone(text, "t.pdb");
    REQUIRE(backbone.ok());
    CHECK(message(*backbone, "GA2A", Numbering::author).find("GA2A: chain A residue 2 is unresolved (position 2)") ==
          0);
    CHECK(message(*backbone, "GA5A", Numbering::author)
              .find("GA5A: chain A residue 5 is an unknown residue (position 5)") == 0);
}

TEST_CASE("What is not supported is said so") {
    Backbone const b = antibody();
    CHECK(message(b, "EH99X").find("EH99X: X (any residue) is not supported") == 0);
    CHECK(message(b, "EH99*").find("EH99*: a stop codon (*) is not supported") == 0);
    CHECK(message(b, "EH99del").find("EH99del: deletions and insertions are not supported") == 0);
    CHECK(message(b, "EH99_YH100insG").find("deletions and insertions are not supported") != std::string::npos);
    CHECK(message(b, "EH99-").find("deletions and insertions are not supported") != std::string::npos);
    CHECK(message(b, "EH99U").find("EH99U: U is not one of the twenty amino acids") == 0);
    CHECK(message(b, "EH99Q,EH99K").find("EH99Q,EH99K: chain H residue 99 is mutated twice") == 0);
    CHECK(message(b, "EH2Q,EH2K", Numbering::ordinal).find("EH2Q,EH2K: chain H position 2 is mutated twice") == 0);
    for (char const* text : {"", " ", ",", "EH99Q,,KL2A", ";EH99Q"}) {
        INFO(text);
        CHECK(message(b, text).find("the mutation is empty") == 0);
    }
    for (char const* text : {"foo", "EH99", "EH99QQQQ", "EHQ", "E:H:99", "E:H:9x9:Q", ":::", "EH99999999999Q", "E H99Q",
                             "eh99q", "\xc3\xa9H99Q"}) {
        INFO(text);
        CHECK(message(b, text).find(std::string("\"") + text + "\" is not a mutation") != std::string::npos);
    }
}

TEST_CASE("Mutant equal to wild type is allowed") { CHECK(names(antibody(), "EH99E") == "EH2E | EH99E"); }

TEST_CASE("The numbering is settled over the whole list") {
    Backbone const b = antibody();
    std::vector<std::string> notes;
    // GH6A is ordinal alone; EL3Q fits both at one place; the list is ordinal.
    auto const ordinal = parse_mutants(b, {"GH6A", "EL3Q"}, Numbering::automatic, {}, &notes);
    REQUIRE(ordinal.ok());
    CHECK(ordinal->at(0).author == "GH101A");
    CHECK(notes == std::vector<std::string>{"positions are ordinals in the chain as read"});
    notes.clear();
    auto const author = parse_mutants(b, {"GH101A", "EL3Q"}, Numbering::automatic, {}, &notes);
    REQUIRE(author.ok());
    CHECK(author->at(0).ordinal == "GH6A");
    CHECK(notes == std::vector<std::string>{"positions are author numbers"});

    // Chain A from 2 with E at 2 and 3: EA2Q fits author 2 (position 1) and ordinal 2 (author 3).
    Backbone const both =
        make({{"A", 2, ' ', "GLU"}, {"A", 3, ' ', "GLU"}, {"A", 4, ' ', "LYS"}, {"B", 8, ' ', "TRP"}});
    std::string const ask = message(both, "EA2Q");
    CHECK(ask ==
          "the numbering of chain A can't be told: the mutation fits author numbers and ordinals alike, at different "
          "positions "
          "(t). Say which: author or ordinal numbering");
    CHECK(parse_mutants(both, {"EA2Q"}, Numbering::author)->front().ordinal == "EA1Q");
    CHECK(parse_mutants(both, {"EA2Q"}, Numbering::ordinal)->front().ordinal == "EA2Q");
    // Another mutation of the list decides.
    CHECK(parse_mutants(both, {"EA2Q", "KA4A"}, Numbering::automatic)->front().ordinal == "EA1Q");
    CHECK(parse_mutants(both, {"EA2Q", "KA3A"}, Numbering::automatic)->front().ordinal == "EA2Q");

    // No one numbering fits, but each chain has one: B author, A ordinal.
    notes.clear();
    auto const mixed = parse_mutants(both, {"KA3A", "WB8A"}, Numbering::automatic, {}, &notes);
    REQUIRE(mixed.ok());
    CHECK(mixed->at(0).author == "KA4A");
    CHECK(notes.size() == 2);
}

TEST_CASE("SKEMPI's cleaned and PDB columns give the same mutants on 1C1Y") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/1C1Y.pdb");
    auto const backbone = read_backbone(path);
    REQUIRE(backbone.ok());
    auto const mutants = parse_mutants(*backbone, {"KB11M", "NB10A", "EA3Q,RB5A"}, Numbering::automatic);
    REQUIRE(mutants.ok());
    CHECK(mutants->at(2).mutations.size() == 2);
    CHECK(mutants->at(0).ordinal == "KB11M");
    // Author numbers of the original entry (B = cleaned + 54) are in neither numbering of this file.
    CHECK_FALSE(parse_mutants(*backbone, {"KB65M"}, Numbering::automatic).ok());
}

TEST_CASE("A mutation on neither side is an error that names it") {
    Backbone const b = antibody();
    auto const sides = parse_sides(b, "H_L");
    REQUIRE(sides.ok());
    auto const mutants = parse_mutants(b, {"EH99Q", "EH99Q,W15A"}, Numbering::author);
    REQUIRE(mutants.ok());
    auto const check = check_on_sides(b, *sides, *mutants);
    REQUIRE_FALSE(check.ok());
    CHECK(check.error().message() ==
          "W15A: chain 1 is on neither side (sides H_L). Put chain 1 on a side, or leave the mutation out");
    CHECK(check_on_sides(b, *sides, {mutants->front()}).ok());
}

TEST_CASE("Long chain names are written in the separated form") {
    std::string text = cif_start();
    for (char const* name : {"N", "CA", "C", "O"})
        text += cif_line({.name = name, .residue = "GLU", .chain = "AB", .number = 63}, "C", 1);
    auto const backbone = parse_backbone(text, "t.cif");
    REQUIRE(backbone.ok());
    CHECK(names(*backbone, "E:AB:63:Q") == "E:AB:1:Q | E:AB:63:Q");
    CHECK(names(*backbone, "AB:E63Q") == "E:AB:1:Q | E:AB:63:Q");
    CHECK(message(*backbone, "E:C:63:Q").find("mmCIF label C is chain AB") != std::string::npos);
}

TEST_CASE("Random texts never crash the parser") {
    Backbone const b = antibody();
    std::mt19937 random(5);
    std::string const letters = "EHL1KQAX*-,;:+/ 0159abdelins\xc3\xa9\n\t";
    int good = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (std::size_t n = random() % 14; n > 0; --n) text += letters[random() % letters.size()];
        if (round % 4 == 0) text = "EH99Q";
        for (auto const numbering : {Numbering::automatic, Numbering::author, Numbering::ordinal}) {
            auto const mutants = parse_mutants(b, {text}, numbering);
            if (mutants.ok())
                ++good;
            else
                REQUIRE_FALSE(mutants.error().what.empty());
        }
    }
    CHECK(good > 5000);
}
