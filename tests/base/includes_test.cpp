// Arrows between the layers go down only. See "One picture" in the README and the folders' CMakeLists.txt.
#include "tests/catch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
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

// What one file includes; none where there is no such file.
std::vector<std::string> targets_in(fs::path const& path) {
    static std::regex const pattern("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]");
    std::vector<std::string> targets;
    std::ifstream file(path);
    std::smatch match;
    for (std::string line; std::getline(file, line);)
        if (std::regex_search(line, match, pattern)) targets.push_back(match[1].str());
    return targets;
}

std::vector<Include> includes_of(std::string const& folder) {
    std::vector<Include> found;
    fs::path const root = source_folder();
    if (!fs::exists(root / folder)) return found;
    for (fs::directory_entry const& entry : fs::recursive_directory_iterator(root / folder)) {
        if (!entry.is_regular_file() || !is_source(entry.path())) continue;
        for (std::string& target : targets_in(entry.path()))
            found.push_back({fs::relative(entry.path(), root).string(), std::move(target)});
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

// How a header of the tree reaches LibTorch or core/compute: " -> core/compute/torch.h", empty if it does not.
std::string way_to_torch(std::string const& target) {
    static std::map<std::string, std::string> known;
    if (is_torch(target) || target.starts_with("core/compute/")) return " -> LibTorch";
    auto const [entry, absent] = known.try_emplace(target, "");
    if (!absent) return entry->second;
    std::string way;
    for (std::string const& next : targets_in(source_folder() / target)) {
        if (std::string const further = way_to_torch(next); !further.empty() && way.empty())
            way = " -> " + next + further;
    }
    return known[target] = way;
}

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
                     any_prefix(include.target,
                                {"core/io/", "core/compute/", "core/methods/", "core/figure/", "core/learning/"});
          }) == "");
}

TEST_CASE("core/io, core/figure and core/learning include base alone; core/compute no method") {
    auto const none_of_torch = [](Include const& include) {
        return is_torch(include.target) || any_prefix(include.target, {"core/compute/", "core/methods/"});
    };
    CHECK(forbidden("core/io", none_of_torch) == "");
    CHECK(forbidden("core/figure", none_of_torch) == "");
    CHECK(forbidden("core/learning", none_of_torch) == "");
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

// panels/<slug>/ may use the headers of core/methods/<slug>/ (its schema, and what reads its input) as long as they
// reach no LibTorch, which the next test case follows through the headers.
TEST_CASE("panels know no method but their own") {
    CHECK(forbidden("panels", [](Include const& include) {
              std::string const slug = fs::path(include.file).parent_path().filename().string();
              bool const own = include.target.starts_with("core/methods/" + slug + "/");
              return is_torch(include.target) || any_prefix(include.target, {"app/", "core/compute/"}) ||
                     (include.target.starts_with("core/methods/") && !own);
          }) == "");
}

TEST_CASE("The window never loads LibTorch") {
    std::string text;
    for (std::string const folder : {"app", "panels", "renderers"})
        for (Include const& include : includes_of(folder)) {
            if (include.file.starts_with("app/cli/")) continue;
            bool const method = folder == "app" && include.target.starts_with("core/methods/");
            std::string const way = way_to_torch(include.target);
            if (method || !way.empty()) text += include.file + " includes " + include.target + way + "\n";
        }
    CHECK(text == "");
    CHECK_FALSE(way_to_torch("core/compute/safetensors.h").empty());  // the search finds what is there
    CHECK(way_to_torch("core/base/method.h").empty());
}

TEST_CASE("The command line needs no window") {
    CHECK(forbidden("app/cli", [](Include const& include) {
              bool const shell = include.target.starts_with("app/") && !include.target.starts_with("app/cli/");
              return is_window(include.target) || shell || any_prefix(include.target, {"renderers/", "panels/"});
          }) == "");
}
