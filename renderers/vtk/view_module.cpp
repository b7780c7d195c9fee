#include "renderers/vtk/view_module.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLibrary>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace orrery {

namespace {

struct LoadedModule {
    std::mutex mutex;  // held while the library is being loaded
    bool tried = false;
    bool preloading = false;
    ViewModuleEntry const* entry = nullptr;
    Error error;
    std::thread loader;
};

// Modules are never unloaded: VTK's factories and Qt's plug-ins keep pointers into them until the program ends.
struct Registry {
    std::mutex mutex;
    std::map<std::string, std::unique_ptr<LoadedModule>> modules;
};
Registry& registry() {
    static auto* const registry = new Registry;
    return *registry;
}

// A program that ends while a library is still being loaded would run its destructors beside the constructors.
void wait_for_loaders() {
    std::lock_guard const lock(registry().mutex);
    for (auto& [name, module] : registry().modules)
        if (module->loader.joinable()) module->loader.join();
}

LoadedModule& module_named(std::string const& name) {
    std::lock_guard const lock(registry().mutex);
    auto& slot = registry().modules[name];
    if (!slot) slot = std::make_unique<LoadedModule>();
    return *slot;
}

QStringList folders() {
    QString const here = QCoreApplication::applicationDirPath();
    QStringList list{here, QDir::cleanPath(here + "/../lib"), QDir::cleanPath(here + "/../lib/orrery")};
    if (QString const extra = qEnvironmentVariable("ORRERY_MODULES"); !extra.isEmpty()) list.prepend(extra);
    return list;
}

void load(std::string const& name, LoadedModule& module) {
    std::lock_guard const lock(module.mutex);
    if (module.tried) return;
    module.tried = true;
    Result<std::string> const found = find_view_module(name);
    if (!found) {
        module.error = found.error();
        return;
    }
    QString const path = QString::fromStdString(*found);
    QLibrary library(path);
    library.setLoadHints(QLibrary::PreventUnloadHint);
    if (!library.load()) {
        module.error = unavailable("the 3-D module can't be loaded", path.toStdString(),
                                   "install the VTK 9 libraries (packaging/setup.sh)")
                           .caused_by(library.errorString().toStdString());
        return;
    }
    auto const function = reinterpret_cast<ViewModuleEntry const* (*)()>(library.resolve((name + "_factory").c_str()));
    ViewModuleEntry const* const entry = function ? function() : nullptr;
    if (!entry || entry->version != view_module_version) {
        module.error = unavailable("the 3-D module belongs to another version of Orrery", path.toStdString(),
                                   "build or install Orrery again");
        return;
    }
    module.entry = entry;
}

}  // namespace

Result<std::string> find_view_module(std::string const& name) {
    for (QString const& folder : folders()) {
        QString const candidate = folder + "/lib" + QString::fromStdString(name) + ".so";
        if (QFileInfo::exists(candidate)) return candidate.toStdString();
    }
    return unavailable("the 3-D module lib" + name + ".so is missing", folders().join(", ").toStdString(),
                       "build or install Orrery again");
}

namespace detail {

Result<void*> load_view_module(std::string const& name, std::string const& interface_name) {
    LoadedModule& module = module_named(name);
    load(name, module);
    if (!module.entry) return module.error;
    if (module.entry->interface_name != interface_name)
        return internal_error("module " + name + " offers " + module.entry->interface_name + ", not " + interface_name);
    return module.entry->factory;
}

}  // namespace detail

void preload_view_module(std::string const& name) {
    LoadedModule& module = module_named(name);
    {
        std::unique_lock const lock(module.mutex, std::try_to_lock);
        if (!lock.owns_lock() || module.tried || module.preloading) return;
        module.preloading = true;
    }
    module.loader = std::thread([name, &module] { load(name, module); });
    static bool const registered = (qAddPostRoutine(wait_for_loaders), true);
    (void)registered;
}

bool view_module_loaded(std::string const& name) {
    LoadedModule& module = module_named(name);
    std::unique_lock const lock(module.mutex, std::try_to_lock);
    return lock.owns_lock() && module.entry != nullptr;
}

}  // namespace orrery
