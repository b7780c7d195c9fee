#include "tests/fixtures.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace orrery::tests {

namespace fs = std::filesystem;

std::optional<fs::path> shared_file(std::string const& relative) {
    fs::path root;
    if (char const* given = std::getenv("ORRERY_SHARED")) root = given;
    else if (char const* source = std::getenv("ORRERY_SOURCE")) root = fs::path(source).parent_path() / "shared";
    else root = fs::path("..") / "shared";
    fs::path path = root / relative;
    if (fs::exists(path)) return path;
    std::printf("skipped: %s is not in %s (set ORRERY_SHARED to the folder with the reference cases)\n", relative.c_str(),
                root.string().c_str());
    return std::nullopt;
}

fs::path scratch_directory(std::string const& name) {
    fs::path path = fs::temp_directory_path() / ("orrery-test-" + name + "-" + std::to_string(static_cast<long>(::getpid())));
    fs::remove_all(path);
    fs::create_directories(path);
    return path;
}

}  // namespace orrery::tests
