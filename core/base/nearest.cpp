#include "core/base/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace orrery {

namespace {

std::string folded(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

// Optimal string alignment distance (Damerau-Levenshtein without repeated edits of one place).
std::size_t distance(std::string const& a, std::string const& b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view given, std::span<std::string const> names) {
    std::string const wanted = folded(given.substr(0, 256));
    std::size_t const reach = std::max<std::size_t>(1, wanted.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (std::string const& name : names) {
        std::string const candidate = folded(std::string_view(name).substr(0, 256));
        if (wanted.size() >= 2 && candidate.starts_with(wanted)) {
            near.emplace_back(candidate == wanted ? 0 : 1, name);
            continue;
        }
        std::size_t const length_gap =
            wanted.size() > candidate.size() ? wanted.size() - candidate.size() : candidate.size() - wanted.size();
        if (length_gap > reach) continue;
        if (std::size_t const apart = distance(wanted, candidate); apart <= reach) near.emplace_back(apart, name);
    }
    std::stable_sort(near.begin(), near.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    std::vector<std::string> result;
    for (auto& [apart, name] : near)
        if (result.size() < 3) result.push_back(std::move(name));
    return result;
}

std::string or_list(std::span<std::string const> names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
        text += names[i];
    }
    return text;
}

std::string did_you_mean(std::string_view given, std::span<std::string const> names) {
    std::vector<std::string> near = nearest_names(given, names);
    if (near.empty()) return {};
    for (std::string& name : near) name = '"' + name + '"';
    return "Did you mean " + or_list(near) + "?";
}

}  // namespace orrery
