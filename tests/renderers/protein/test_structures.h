// Structures written by hand for the tests of the protein view.
#pragma once

#include "core/base/structure.h"

#include <memory>
#include <string>

namespace orrery::tests {

// Adds atoms residue by residue.
class StructureBuilder {
public:
    explicit StructureBuilder(std::string name = "made");
    StructureBuilder& chain(std::string const& name);
    StructureBuilder& residue(std::string const& name, int number, ResidueKind kind = ResidueKind::amino_acid,
                              SecondaryStructure secondary = SecondaryStructure::coil);
    StructureBuilder& atom(std::string const& name, std::uint8_t element, std::array<double, 3> position,
                           float b_factor = 20);
    [[nodiscard]] std::shared_ptr<Structure const> build();

private:
    std::shared_ptr<Structure> m_structure;
};

// An ideal alpha helix with N, CA, C and O, axis along z: 100 degrees and 1.5 Å a residue.
[[nodiscard]] std::shared_ptr<Structure const> ideal_helix(int residues, bool only_ca = false);
// An extended strand along x with a pleat of 0.9 Å, carbonyls alternating along y.
[[nodiscard]] std::shared_ptr<Structure const> ideal_strand(int residues);

// A file of ../shared/data/stab-ddg read by core/io; null (reason printed) where it is absent.
[[nodiscard]] std::shared_ptr<Structure const> shared_structure(std::string const& name);

}  // namespace orrery::tests
