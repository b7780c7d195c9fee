// What a room's folder gives the shell: one function `PanelDescriptor descriptor();` in namespace
// orrery::panels::<slug with _>. The shell knows no room by name; CMake collects the folders (panels.cpp.in).
#pragma once

#include "core/base/json.h"
#include "core/base/schema.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

class QWidget;

namespace orrery {

class Room;
class RoomServices;

// Resource path of the help page (Markdown), e.g. ":/panels/stab-ddg/help.md". There is no empty help page and no
// default one: a descriptor without it does not compile.
class HelpPage {
public:
    consteval HelpPage(char const* path) : m_path(path) {
        if (path == nullptr || path[0] != ':') throw "a room needs a help page in its resources";
    }
    [[nodiscard]] constexpr char const* path() const { return m_path; }

private:
    char const* m_path;
};

// The paper's identifier, e.g. "arXiv:2507.05502" or "doi:10.1000/182". Title, authors and BibTeX come from the schema
// (a test checks that they are there); without an identifier a descriptor does not compile.
class Citation {
public:
    consteval Citation(char const* identifier) : m_identifier(identifier) {
        if (identifier == nullptr || identifier[0] == 0) throw "a room needs a citation";
    }
    [[nodiscard]] constexpr char const* identifier() const { return m_identifier; }

private:
    char const* m_identifier;
};

// One click from the empty room to a result. `files` are parameter name -> path; a relative path lies in
// cache_directory() (brought by packaging/setup.sh) and is made absolute by the shell before it is set.
struct Sample {
    std::string name;     // "1ak4", in object names and commands: no blanks
    std::string title;    // "Cyclophilin A with HIV-1 capsid"
    std::string summary;  // one sentence: what one will see
    std::string verb;     // the room's verb it sets up
    std::vector<std::pair<std::string, std::string>> files;
    Json parameters = Json::object();  // by name, on top of the defaults
};

struct PanelDescriptor {
    MethodSchema const* schema = nullptr;
    std::string icon;  // resource path of an SVG drawn in currentColor-like black, tinted by the shell
    HelpPage help;
    Citation citation;
    std::string empty_hint;    // "Drop a PDB or mmCIF file of a complex here"
    std::string picture = {};  // resource path of a picture of a result for the gallery, or empty
    std::vector<Sample> samples = {};
    // Makes the room (called once, when it is first shown, on the window's thread). Must be quick: views are made
    // later.
    std::function<Room*(PanelDescriptor const&, RoomServices&, QWidget* parent)> create = {};
};

// In the order of the folders; the list at the left groups them by schema->group.
std::vector<PanelDescriptor> const& all_panels();
PanelDescriptor const* find_panel(std::string_view slug);
// The same in another list (tests have rooms of their own).
[[nodiscard]] inline PanelDescriptor const* find_panel(std::vector<PanelDescriptor> const& panels,
                                                       std::string_view slug) {
    for (PanelDescriptor const& panel : panels)
        if (panel.schema->slug == slug) return &panel;
    return nullptr;
}

}  // namespace orrery
