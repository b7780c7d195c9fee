#include "tests/renderers/protein/test_structures.h"

#include "core/io/structure_reader.h"
#include "tests/fixtures.h"

#include <cmath>
#include <cstdio>
#include <numbers>

namespace orrery::tests {

StructureBuilder::StructureBuilder(std::string name) : m_structure(std::make_shared<Structure>()) {
    m_structure->name = std::move(name);
}

StructureBuilder& StructureBuilder::chain(std::string const& name) {
    Chain chain;
    chain.name = name;
    chain.first_residue = std::uint32_t(m_structure->residues.size());
    m_structure->chains.push_back(chain);
    return *this;
}

StructureBuilder& StructureBuilder::residue(std::string const& name, int number, ResidueKind kind,
                                            SecondaryStructure secondary) {
    if (m_structure->chains.empty()) chain("A");
    Residue residue;
    residue.name = name;
    residue.number = number;
    residue.kind = kind;
    residue.secondary = secondary;
    residue.chain = std::uint32_t(m_structure->chains.size() - 1);
    residue.first_atom = std::uint32_t(m_structure->atoms.size());
    m_structure->residues.push_back(residue);
    ++m_structure->chains.back().residue_count;
    return *this;
}

StructureBuilder& StructureBuilder::atom(std::string const& name, std::uint8_t element, std::array<double, 3> position,
                                         float b_factor) {
    Atom atom;
    atom.position = {float(position[0]), float(position[1]), float(position[2])};
    atom.element = element;
    atom.b_factor = b_factor;
    atom.residue = std::uint32_t(m_structure->residues.size() - 1);
    name.copy(atom.name.data(), atom.name.size() - 1);
    m_structure->atoms.push_back(atom);
    ++m_structure->residues.back().atom_count;
    return *this;
}

std::shared_ptr<Structure const> StructureBuilder::build() { return m_structure; }

namespace {
std::array<double, 3> on_helix(double radius, double degrees, double z) {
    double const angle = degrees * std::numbers::pi / 180;
    return {radius * std::cos(angle), radius * std::sin(angle), z};
}
}  // namespace

std::shared_ptr<Structure const> ideal_helix(int residues, bool only_ca) {
    StructureBuilder builder("helix");
    builder.chain("A");
    for (int i = 0; i < residues; ++i) {
        double const turn = 100.0 * i, rise = 1.5 * i;
        builder.residue("ALA", i + 1, ResidueKind::amino_acid, SecondaryStructure::helix);
        if (!only_ca) builder.atom("N", 7, on_helix(1.55, turn - 27.5, rise - 0.87));
        builder.atom("CA", 6, on_helix(2.29, turn, rise));
        if (!only_ca) {
            builder.atom("C", 6, on_helix(1.66, turn + 26.6, rise + 1.08));
            builder.atom("O", 8, on_helix(2.00, turn + 24.5, rise + 2.28));
        }
    }
    return builder.build();
}

std::shared_ptr<Structure const> ideal_strand(int residues) {
    StructureBuilder builder("strand");
    builder.chain("A");
    for (int i = 0; i < residues; ++i) {
        double const x = 3.4 * i, pleat = i % 2 == 0 ? 0.45 : -0.45, side = i % 2 == 0 ? 1 : -1;
        builder.residue("VAL", i + 1, ResidueKind::amino_acid, SecondaryStructure::strand);
        builder.atom("N", 7, {x - 1.2, -0.3 * side, pleat * 0.4});
        builder.atom("CA", 6, {x, 0, pleat});
        builder.atom("C", 6, {x + 1.2, 0.35 * side, pleat * 0.3});
        builder.atom("O", 8, {x + 1.3, 1.55 * side, pleat * 0.3});
    }
    return builder.build();
}

std::shared_ptr<Structure const> shared_structure(std::string const& name) {
    auto const path = shared_file("data/stab-ddg/" + name);
    if (!path) return nullptr;
    auto file = io::read_structure(*path);
    if (!file) {
        std::fprintf(stderr, "%s\n", file.error().message().c_str());
        return nullptr;
    }
    return std::make_shared<Structure const>(std::move(file->structure));
}

}  // namespace orrery::tests
