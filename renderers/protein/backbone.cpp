// Finds the stretches of backbone and the direction across them.
#include "renderers/protein/cartoon.h"

#include <cmath>
#include <optional>
#include <string_view>

namespace orrery::protein {

using view3d::Vector;

namespace {

struct BackboneAtoms {
    std::optional<Vector> center, n, c, o;  // center: CA or P
};

Vector position_of(Atom const& atom) {
    return {double(atom.position[0]), double(atom.position[1]), double(atom.position[2])};
}

BackboneAtoms atoms_of(Structure const& structure, Residue const& residue) {
    BackboneAtoms found;
    std::optional<Vector> stand_in;  // the 5' end has no phosphate
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
        Atom const& atom = structure.atoms[i];
        std::string_view const name(atom.name.data());
        auto const take = [&](std::optional<Vector>& slot) {
            if (!slot) slot = position_of(atom);  // the first alternative location counts
        };
        if (residue.kind == ResidueKind::nucleic_acid) {
            if (name == "P") take(found.center);
            if (name == "C5'" || name == "C5*" || name == "O5'") take(stand_in);
        } else {
            if (name == "CA") take(found.center);
            if (name == "N") take(found.n);
            if (name == "C") take(found.c);
            if (name == "O" || name == "OT1" || name == "O1") take(found.o);
        }
    }
    if (!found.center) found.center = stand_in;
    return found;
}

bool joined(BackboneAtoms const& before, BackboneAtoms const& after, bool nucleic) {
    double const span = length(*after.center - *before.center);
    if (nucleic) return span < 8.5;
    if (before.c && after.n) return length(*after.n - *before.c) < 2.5;
    return span < 4.6;
}

// Turns each vector so that it lies within 90 degrees of the one before: no half twist between two residues.
void untwist(std::vector<Vector>& sides) {
    for (std::size_t i = 1; i < sides.size(); ++i)
        if (dot(sides[i], sides[i - 1]) < 0) sides[i] = sides[i] * -1;
}

std::vector<Vector> directions_across(Trace const& trace, std::vector<BackboneAtoms> const& atoms) {
    std::size_t const n = trace.points.size();
    std::vector<Vector> planes(n - 1);  // of the peptide between i and i + 1
    for (std::size_t i = 0; i + 1 < n; ++i) {
        Vector const along = normalized(trace.points[i + 1] - trace.points[i]);
        Vector across;
        if (!trace.nucleic && atoms[i].o && atoms[i].c) {
            across = *atoms[i].o - *atoms[i].c;
        } else {
            // The trace bends towards the inside of a helix and to alternating faces of a strand; across both lies in
            // the wanted plane.
            std::size_t const middle = std::min(std::max<std::size_t>(i, 1), n - 2);
            Vector const bend = n > 2 ? trace.points[middle - 1] + trace.points[middle + 1] - trace.points[middle] * 2
                                      : Vector{0, 0, 1};
            across = cross(along, bend);
        }
        across = across - along * dot(across, along);
        if (length(across) < 1e-6) across = cross(along, std::abs(along[0]) < 0.9 ? Vector{1, 0, 0} : Vector{0, 1, 0});
        planes[i] = normalized(across);
    }
    untwist(planes);
    std::vector<Vector> sides(n);
    for (std::size_t i = 0; i < n; ++i) {
        Vector const sum = (i > 0 ? planes[i - 1] : planes[0]) + (i < n - 1 ? planes[i] : planes[n - 2]);
        sides[i] = length(sum) > 0.2 ? normalized(sum) : planes[std::min(i, n - 2)];
    }
    untwist(sides);
    return sides;
}

// Averages inside runs of one kind of secondary structure; the run's neighbours take part.
void smooth(std::vector<Vector>& values, std::vector<SecondaryStructure> const& secondary, SecondaryStructure kind,
            int times) {
    for (int round = 0; round < times; ++round) {
        std::vector<Vector> const old = values;
        for (std::size_t i = 1; i + 1 < values.size(); ++i)
            if (secondary[i] == kind) values[i] = old[i - 1] * 0.25 + old[i] * 0.5 + old[i + 1] * 0.25;
    }
}

void finish(Backbone& backbone, Trace& trace, std::vector<BackboneAtoms>& atoms) {
    if (trace.points.size() == 1) {
        backbone.lone_residues.push_back(trace.residues[0]);
    } else if (trace.points.size() > 1) {
        // A helix of two or a strand of one residue is no shape; it would be drawn as a splinter.
        for (std::size_t i = 0; i < trace.secondary.size();) {
            std::size_t end = i;
            while (end < trace.secondary.size() && trace.secondary[end] == trace.secondary[i]) ++end;
            std::size_t const least = trace.secondary[i] == SecondaryStructure::helix ? 3 : 2;
            if (end - i < least)
                for (std::size_t j = i; j < end; ++j) trace.secondary[j] = SecondaryStructure::coil;
            i = end;
        }
        trace.sides = directions_across(trace, atoms);
        smooth(trace.points, trace.secondary, SecondaryStructure::strand, 2);
        smooth(trace.sides, trace.secondary, SecondaryStructure::strand, 3);
        for (Vector& side : trace.sides) side = normalized(side);
        backbone.traces.push_back(std::move(trace));
    }
    trace = Trace{};
    atoms.clear();
}

}  // namespace

Backbone find_backbone(Structure const& structure) {
    Backbone backbone;
    for (Chain const& chain : structure.chains) {
        Trace trace;
        std::vector<BackboneAtoms> atoms;
        std::optional<std::uint32_t> last;
        BackboneAtoms last_atoms;
        for (std::uint32_t i = chain.first_residue; i < chain.first_residue + chain.residue_count; ++i) {
            Residue const& residue = structure.residues[i];
            bool const nucleic = residue.kind == ResidueKind::nucleic_acid;
            if (residue.kind != ResidueKind::amino_acid && !nucleic) continue;
            BackboneAtoms const here = atoms_of(structure, residue);
            if (!here.center) continue;
            if (!trace.points.empty() && (trace.nucleic != nucleic || !joined(last_atoms, here, nucleic))) {
                if (trace.nucleic == nucleic) backbone.gaps.push_back({*last, i, *last_atoms.center, *here.center});
                finish(backbone, trace, atoms);
            }
            trace.nucleic = nucleic;
            trace.residues.push_back(i);
            trace.points.push_back(*here.center);
            trace.secondary.push_back(nucleic ? SecondaryStructure::coil : residue.secondary);
            atoms.push_back(here);
            last = i;
            last_atoms = here;
        }
        finish(backbone, trace, atoms);
    }
    return backbone;
}

}  // namespace orrery::protein
