#include "core/io/secondary_structure.h"

#include "core/io/structure_reader.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <cmath>
#include <map>

using namespace orrery;

namespace {

constexpr double degree = 3.14159265358979323846 / 180;
using V = std::array<double, 3>;

V operator-(V const& a, V const& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
V cross(V const& a, V const& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
V unit(V const& a) {
    double const n = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    return {a[0] / n, a[1] / n, a[2] / n};
}

// The atom bonded to c at `length`, `angle` at c, torsion about b-c.
V place(V const& a, V const& b, V const& c, double length, double angle, double torsion) {
    V const bc = unit(c - b), n = unit(cross(b - a, bc)), m = cross(n, bc);
    double const x = -length * std::cos(angle), y = length * std::sin(angle) * std::cos(torsion),
                 z = length * std::sin(angle) * std::sin(torsion);
    return {c[0] + x * bc[0] + y * m[0] + z * n[0], c[1] + x * bc[1] + y * m[1] + z * n[1],
            c[2] + x * bc[2] + y * m[2] + z * n[2]};
}

// A chain of alanines with the torsions phi, psi of every residue.
Structure ideal_chain(int count, double phi, double psi) {
    Structure s;
    s.chains.push_back({"A", "", 0, static_cast<std::uint32_t>(count)});
    V n = {0, 0, 0}, ca = {1.458, 0, 0}, c = place({0, 1, 0}, n, ca, 1.525, 111 * degree, phi * degree);
    for (int i = 0; i < count; ++i) {
        V const next_n = place(n, ca, c, 1.329, 117 * degree, psi * degree);
        V const o = place(n, ca, c, 1.231, 120 * degree, (psi + 180) * degree);
        Residue residue;
        residue.name = "ALA";
        residue.letter = 'A';
        residue.number = i + 1;
        residue.first_atom = static_cast<std::uint32_t>(s.atoms.size());
        residue.atom_count = 4;
        struct {
            char const* name;
            V const* at;
            std::uint8_t element;
        } const atoms[] = {{"N", &n, 7}, {"CA", &ca, 6}, {"C", &c, 6}, {"O", &o, 8}};
        for (auto const& [name, at, element] : atoms) {
            Atom atom;
            for (std::size_t k = 0; k < 3; ++k) atom.position[k] = static_cast<float>((*at)[k]);
            atom.element = element;
            atom.residue = static_cast<std::uint32_t>(i);
            std::copy_n(name, std::char_traits<char>::length(name), atom.name.begin());
            s.atoms.push_back(atom);
        }
        s.residues.push_back(residue);
        V const next_ca = place(ca, c, next_n, 1.458, 121 * degree, 180 * degree);
        V const next_c = place(c, next_n, next_ca, 1.525, 111 * degree, phi * degree);
        n = next_n, ca = next_ca, c = next_c;
    }
    return s;
}

std::string text_of(Structure const& s, std::string const& chain) {
    std::string text;
    for (Residue const& r : s.residues)
        if (s.chains[r.chain].name == chain && r.kind == ResidueKind::amino_acid)
            text += "-HE"[static_cast<int>(r.secondary)];
    return text;
}

}  // namespace

TEST_CASE("Ideal helices are helices, an extended chain is coil") {
    Structure alpha = ideal_chain(20, -57, -47);
    io::assign_secondary_structure(alpha);
    CHECK(text_of(alpha, "A") == "-HHHHHHHHHHHHHHHHHH-");
    Structure three_ten = ideal_chain(20, -49, -26);
    io::assign_secondary_structure(three_ten);
    CHECK(text_of(three_ten, "A").substr(2, 16) == "HHHHHHHHHHHHHHHH");
    Structure extended = ideal_chain(20, -139, 135);
    io::assign_secondary_structure(extended);
    CHECK(text_of(extended, "A") == std::string(20, '-'));
}

TEST_CASE("Proline gives no hydrogen, and a broken chain no helix across") {
    Structure alpha = ideal_chain(12, -57, -47);
    for (std::size_t i = 4; i < 12; ++i) alpha.residues[i].letter = 'P';
    io::assign_secondary_structure(alpha);
    CHECK(text_of(alpha, "A") == std::string(12, '-'));
}

TEST_CASE("1C1Y has its helices and strands") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/1C1Y.pdb");
    auto file = io::read_structure(path);
    REQUIRE(file.ok());
    CHECK_FALSE(file->secondary_from_file);
    std::string const a = text_of(file->structure, "A"), b = text_of(file->structure, "B");
    REQUIRE(a.size() == 167);
    REQUIRE(b.size() == 77);
    // Rap1A is a Ras fold: beta1 2-9, alpha1 16-25, beta2 38-46, beta3 49-57, alpha2 65-74, beta4 77-83, alpha3 87-104,
    // beta5 111-116, alpha4 127-137, beta6 141-144, alpha5 152-166.
    auto const majority = [](std::string const& text, int first, int last, char kind) {
        int hits = 0;
        for (int i = first; i <= last; ++i) hits += text[static_cast<std::size_t>(i - 1)] == kind;
        return hits * 10 >= (last - first + 1) * 7;
    };
    for (auto const& [first, last] : std::map<int, int>{{3, 9}, {38, 46}, {49, 57}, {77, 83}, {111, 116}, {141, 144}}) {
        INFO("strand " << first);
        CHECK(majority(a, first, last, 'E'));
    }
    for (auto const& [first, last] : std::map<int, int>{{16, 25}, {65, 73}, {87, 104}, {127, 137}, {152, 165}}) {
        INFO("helix " << first);
        CHECK(majority(a, first, last, 'H'));
    }
    // The Ras-binding domain is a ubiquitin fold: two strands, a helix, three strands.
    for (auto const& [first, last] : std::map<int, int>{{3, 8}, {12, 17}, {43, 49}, {71, 76}}) {
        INFO("strand " << first);
        CHECK(majority(b, first, last, 'E'));
    }
    CHECK(majority(b, 25, 34, 'H'));
}

TEST_CASE("Records of the file come before an assignment") {
    std::string text;
    char line[128];
    std::snprintf(line, sizeof line, "HELIX    1   1 ALA A    2  ALA A    5  1%30s%5d\n", "", 4);
    text += line;
    std::snprintf(line, sizeof line, "SHEET    1   A 1 ALA A   7  ALA A   9  0%39s\n", "");
    text += line;
    Structure const chain = ideal_chain(10, -139, 135);
    for (Atom const& atom : chain.atoms) {
        std::snprintf(line, sizeof line, "ATOM  %5d  %-3s ALA A%4u    %8.3f%8.3f%8.3f  1.00 10.00           %c\n", 1,
                      atom.name.data(), atom.residue + 1, static_cast<double>(atom.position[0]),
                      static_cast<double>(atom.position[1]), static_cast<double>(atom.position[2]), atom.name[0]);
        text += line;
    }
    auto const raw = io::parse_raw_structure(text, "t.pdb");
    REQUIRE(raw.ok());
    auto const file = io::build_structure(*raw, "t", "t.pdb");
    REQUIRE(file.ok());
    CHECK(file->secondary_from_file);
    CHECK(text_of(file->structure, "A") == "-HHHH-EEE-");
}
