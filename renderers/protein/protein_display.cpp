#include "renderers/protein/protein_display.h"

namespace orrery {

namespace {

struct Switch {
    char const* name;
    bool ProteinDisplay::*member;
};
constexpr std::array<Switch, 12> switches{{{"cartoon", &ProteinDisplay::cartoon},
                                           {"sticks", &ProteinDisplay::sticks},
                                           {"spheres", &ProteinDisplay::spheres},
                                           {"surface", &ProteinDisplay::surface},
                                           {"ligands", &ProteinDisplay::ligands},
                                           {"waters", &ProteinDisplay::waters},
                                           {"element_colors", &ProteinDisplay::element_colors},
                                           {"ambient_occlusion", &ProteinDisplay::ambient_occlusion},
                                           {"depth_cue", &ProteinDisplay::depth_cue},
                                           {"contacts", &ProteinDisplay::contacts},
                                           {"orthographic", &ProteinDisplay::orthographic},
                                           {"legend", &ProteinDisplay::legend}}};

}  // namespace

Json ProteinDisplay::to_json() const {
    Json value{{"color", protein::to_string(color)},
               {"surface_opacity", surface_opacity},
               {"surface_of_side", surface_of_side},
               {"animated", animated}};
    for (Switch const& s : switches) value[s.name] = this->*s.member;
    return value;
}

Result<ProteinDisplay> ProteinDisplay::from_json(Json const& value) {
    if (!value.is_object()) return bad_input("display of the structure: not an object");
    ProteinDisplay display;
    auto const read_switch = [&](char const* name, bool& out) {
        auto const found = value.find(name);
        if (found == value.end()) return true;
        if (found->is_boolean()) out = found->get<bool>();
        return found->is_boolean();
    };
    for (Switch const& s : switches)
        if (!read_switch(s.name, display.*s.member))
            return bad_input(std::string("display of the structure: ") + s.name + " must be true or false");
    if (!read_switch("animated", display.animated))
        return bad_input("display of the structure: animated must be true or false");
    if (auto const found = value.find("color"); found != value.end()) {
        if (!found->is_string()) return bad_input("display of the structure: color must be text");
        ORRERY_TRY(display.color, protein::color_mode_from(found->get<std::string>()));
    }
    if (auto const found = value.find("surface_opacity"); found != value.end()) {
        if (!found->is_number() || found->get<double>() < 0.1 || found->get<double>() > 1)
            return bad_input("display of the structure: surface_opacity must lie between 0.1 and 1");
        display.surface_opacity = found->get<double>();
    }
    if (auto const found = value.find("surface_of_side"); found != value.end()) {
        if (!found->is_array() || found->size() != 3)
            return bad_input("display of the structure: surface_of_side must be three switches");
        for (std::size_t i = 0; i < 3; ++i) {
            if (!(*found)[i].is_boolean())
                return bad_input("display of the structure: surface_of_side must be three switches");
            display.surface_of_side[i] = (*found)[i].get<bool>();
        }
    }
    return display;
}

}  // namespace orrery
