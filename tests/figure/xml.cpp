#include "tests/figure/xml.h"

#include "core/figure/text_metrics.h"

#include <set>
#include <vector>

namespace orrery::tests {
namespace {

std::string text_fault(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '<') return "< in text";
        if (text[i] != '&') continue;
        std::size_t const end = text.find(';', i);
        std::string const name(text.substr(i, end == std::string_view::npos ? 8 : end - i + 1));
        static std::set<std::string> const known{"&amp;", "&lt;", "&gt;", "&quot;"};
        if (known.count(name) == 0) return "entity " + name;
    }
    return "";
}

std::string attributes_fault(std::string_view text) {
    std::set<std::string> names;
    while (true) {
        std::size_t const start = text.find_first_not_of(" \n");
        if (start == std::string_view::npos || text.substr(start) == "/") return "";
        std::size_t const equals = text.find("=\"", start);
        if (equals == std::string_view::npos) return "attribute without value: " + std::string(text);
        if (!names.insert(std::string(text.substr(start, equals - start))).second) return "attribute twice";
        std::size_t const close = text.find('"', equals + 2);
        if (close == std::string_view::npos) return "open quote";
        if (std::string fault = text_fault(text.substr(equals + 2, close - equals - 2)); !fault.empty()) return fault;
        text.remove_prefix(close + 1);
    }
}

}  // namespace

std::string xml_fault(std::string_view document) {
    std::string flat(document);
    for (char& c : flat)
        if (c == '\n') c = ' ';
    if (figure::clean_text(flat) != flat) return "not UTF-8, or control characters";
    std::vector<std::string> open;
    bool root_seen = false;
    std::size_t position = document.find("?>");
    if (document.substr(0, 5) != "<?xml" || position == std::string_view::npos) return "no declaration";
    position += 2;
    while (position < document.size()) {
        std::size_t const begin = document.find('<', position);
        std::string_view const text = document.substr(position, begin - position);
        if (std::string fault = text_fault(text); !fault.empty()) return fault;
        if (begin == std::string_view::npos) break;
        if (open.empty() && root_seen) return "more than one root";
        std::size_t const end = document.find('>', begin);
        if (end == std::string_view::npos) return "open tag";
        std::string_view const tag = document.substr(begin + 1, end - begin - 1);
        if (tag[0] == '/') {
            if (open.empty() || open.back() != tag.substr(1)) return "closes " + std::string(tag);
            open.pop_back();
        } else {
            std::size_t const name_end = tag.find_first_of(" /");
            if (std::string fault = attributes_fault(name_end == std::string_view::npos ? "" : tag.substr(name_end));
                !fault.empty())
                return fault;
            root_seen = true;
            if (tag.back() != '/') open.emplace_back(tag.substr(0, name_end));
        }
        position = end + 1;
    }
    return open.empty() && root_seen ? "" : "not closed";
}

}  // namespace orrery::tests
