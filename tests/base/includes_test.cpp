// Arrows between the layers go down only. See "One picture" in the README and the folders' CMakeLists.txt.
#include "tests/catch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct Include {
    std::string file;    // relative to the source folder: "core/base/table.cpp"
    std::string target;  // what is included: "core/base/table.h", "QString"
};

fs::path source_folder() {
    char const* source = std::getenv("ORRERY_SOURCE");
    REQUIRE(source != nullptr);
    return source;
}

bool is_source(fs::path const& path) {
    std::string const ending = path.extension().string();
    return ending == ".h" || ending == ".cpp" || ending == ".cu" || ending == ".cuh" || ending == ".in";
}

std::vector<Include> includes_of(std::string const& folder) {
    static std::regex const pattern("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]");
    std::vector<Include> found;
    fs::path const root = source_folder();
    if (!fs::exists(root / folder)) return found;
    for (fs::directory_entry const& entry : fs::recursive_directory_iterator(root / folder)) {
        if (!entry.is_regular_file() || !is_source(entry.path())) continue;
        std::ifstream file(entry.path());
        std::smatch match;
        for (std::string line; std::getline(file, line);)
            if (std::regex_search(line, match, pattern))
                found.push_back({fs::relative(entry.path(), root).string(), match[1].str()});
    }
    return found;
}

bool any_prefix(std::string const& text, std::vector<std::string> const& prefixes) {
    for (std::string const& prefix : prefixes)
        if (text.starts_with(prefix)) return true;
    return false;
}

bool is_qt(std::string const& target) {
    static std::regex const pattern("^(Qt[A-Za-z]*/)?Q[A-Z][A-Za-z0-9]*$|^q[a-z]+\\.h$");
    return std::regex_search(target, pattern);
}
bool is_vtk(std::string const& target) { return target.starts_with("vtk"); }
bool is_imgui(std::string const& target) {
    return any_prefix(target, {"imgui", "implot", "imgui_test_engine", "misc/cpp/imgui"});
}
bool is_torch(std::string const& target) {
    return any_prefix(target, {"torch/", "ATen/", "c10/", "caffe2/", "core/compute/torch.h"});
}
bool is_window(std::string const& target) { return is_qt(target) || is_vtk(target) || is_imgui(target); }

using Rule = std::function<bool(Include const&)>;

// Every forbidden include, one a line, so that a failure names all.
std::string forbidden(std::string const& folder, Rule const& rule) {
    std::string text;
    for (Include const& include : includes_of(folder))
        if (rule(include)) text += include.file + " includes " + include.target + "\n";
    return text;
}

}  // namespace

TEST_CASE("The rules see what they forbid") {
    CHECK(is_qt("QString"));
    CHECK(is_qt("QtWidgets/QApplication"));
    CHECK_FALSE(is_qt("core/base/queue.h"));
    CHECK(is_vtk("vtkActor.h"));
    CHECK(is_imgui("implot3d.h"));
    CHECK(is_torch("torch/torch.h"));
    CHECK(includes_of("core/base").size() > 50);
    CHECK(includes_of("app/cli").size() > 10);
}

TEST_CASE("core includes neither windows nor what lies above it") {
    CHECK(forbidden("core", [](Include const& include) {
              return is_window(include.target) || any_prefix(include.target, {"renderers/", "panels/", "app/"});
          }) == "");
}

TEST_CASE("core/base includes nothing of the other libraries of core") {
    CHECK(forbidden("core/base", [](Include const& include) {
              return is_torch(include.target) ||
                     any_prefix(include.target, {"core/io/", "core/compute/", "core/methods/", "core/figure/"});
          }) == "");
}

TEST_CASE("core/io and core/figure include base alone; core/compute no method") {
    auto const none_of_torch = [](Include const& include) {
        return is_torch(include.target) || any_prefix(include.target, {"core/compute/", "core/methods/"});
    };
    CHECK(forbidden("core/io", none_of_torch) == "");
    CHECK(forbidden("core/figure", none_of_torch) == "");
    CHECK(forbidden("core/compute",
                    [](Include const& include) { return any_prefix(include.target, {"core/methods/"}); }) == "");
}

TEST_CASE("A method includes no other method, and its schema no LibTorch") {
    CHECK(forbidden("core/methods", [](Include const& include) {
              std::string const own =
                  include.file.substr(0, include.file.find('/', std::string("core/methods/").size()));
              bool const other = include.target.starts_with("core/methods/") && !include.target.starts_with(own + "/");
              bool const schema = fs::path(include.file).stem() == "schema";
              return other || (schema && (is_torch(include.target) || include.target.starts_with("core/compute/")));
          }) == "");
}

TEST_CASE("renderers know no room, no shell and no method") {
    CHECK(forbidden("renderers", [](Include const& include) {
              return is_torch(include.target) ||
                     any_prefix(include.target, {"panels/", "app/", "core/compute/", "core/methods/"});
          }) == "");
}

TEST_CASE("panels know their method's schema alone") {
    CHECK(forbidden("panels", [](Include const& include) {
              bool const schema = fs::path(include.target).filename() == "schema.h";
              return is_torch(include.target) || any_prefix(include.target, {"app/", "core/compute/"}) ||
                     (include.target.starts_with("core/methods/") && !schema);
          }) == "");
}

TEST_CASE("The window never loads LibTorch") {
    CHECK(forbidden("app", [](Include const& include) {
              if (include.file.starts_with("app/cli/")) return false;
              return is_torch(include.target) || any_prefix(include.target, {"core/compute/", "core/methods/"});
          }) == "");
}

TEST_CASE("The command line needs no window") {
    CHECK(forbidden("app/cli", [](Include const& include) {
              bool const shell = include.target.starts_with("app/") && !include.target.starts_with("app/cli/");
              return is_window(include.target) || shell || any_prefix(include.target, {"renderers/", "panels/"});
          }) == "");
}
