// A check of XML's grammar, strict enough for what the SVG writer makes: one root, tags closed in order, quoted and
// unique attributes, known entities, UTF-8 without control characters.
#pragma once

#include <string>
#include <string_view>

namespace orrery::tests {

// Empty when the document is sound, else what is wrong.
std::string xml_fault(std::string_view document);

}  // namespace orrery::tests
