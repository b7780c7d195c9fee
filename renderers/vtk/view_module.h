// Loads a 3-D view's shared library the first time it is needed, so that a window without 3-D maps no VTK.
//
// A module is a library `lib<name>.so` beside the program, in ../lib or ../lib/orrery of it, with one C function
// `<name>_factory` that returns a pointer to its factory object (which lives as long as the program). To add one:
//   CMake   orrery_add_view_module(orrery_brain SOURCES brain_module.cpp)            (renderers/vtk/CMakeLists.txt)
//   module  ORRERY_VIEW_MODULE(orrery_brain, orrery::BrainFactory, MyBrainFactory)
//   window  auto factory = load_view_module<orrery::BrainFactory>("orrery_brain");
// The library links Qt and VTK and shares only plain values and abstract classes with the window: no QObject classes
// of the tree and no singletons cross the border (they would exist twice).
#pragma once

#include "core/base/result.h"

#include <string>

namespace orrery {

// Raised whenever an interface that crosses the border changes: a module of another build is refused, not crashed into.
inline constexpr int view_module_version = 1;

struct ViewModuleEntry {
    int version;
    char const* interface_name;  // typeid-free name of the factory's class
    void* factory;
};

namespace detail {
Result<void*> load_view_module(std::string const& name, std::string const& interface_name);
}

// Path of the library. Error: not found (names the folders looked in). Loads nothing.
Result<std::string> find_view_module(std::string const& name);
// Starts loading in the background; a later load_view_module() waits for it. Does nothing the second time.
void preload_view_module(std::string const& name);
[[nodiscard]] bool view_module_loaded(std::string const& name);

// Errors: library not found (names the folders looked in), cannot be loaded (names the missing library), other version.
template <class Factory>
Result<Factory*> load_view_module(std::string const& name, std::string const& interface_name) {
    ORRERY_TRY(void* factory, detail::load_view_module(name, interface_name));
    return static_cast<Factory*>(factory);
}

}  // namespace orrery

#define ORRERY_VIEW_MODULE(name, Interface, Implementation)                                               \
    extern "C" __attribute__((visibility("default"))) ::orrery::ViewModuleEntry const* name##_factory() { \
        static Implementation implementation;                                                             \
        static ::orrery::ViewModuleEntry const entry{::orrery::view_module_version, #Interface,           \
                                                     static_cast<Interface*>(&implementation)};           \
        return &entry;                                                                                    \
    }
