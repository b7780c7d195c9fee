#include "core/io/pdb_check.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace orrery::io {
namespace {

std::string_view next_line(std::string_view& rest) {
    auto const end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
}

std::string upper(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return result;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

bool usable_coordinate(std::string_view field) {
    field = trimmed(field);
    if (!field.empty() && field.front() == '+') field.remove_prefix(1);
    double value = 0;
    auto const [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    return error == std::errc{} && end == field.data() + field.size() && std::isfinite(value) &&
           std::abs(value) <= largest_coordinate;
}

bool is_atom_line(std::string_view line) {
    if (line.size() < 4) return false;
    std::string const record = upper(line.substr(0, std::min<std::size_t>(6, line.size())));
    return record.starts_with("ATOM") || record == "HETATM";
}

bool is_pdb_record(std::string_view line) {
    static constexpr std::array records = {"HEADER", "ATOM",   "HETATM", "MODEL ", "REMARK", "CRYST1", "TITLE",
                                           "COMPND", "SEQRES", "HELIX",  "SHEET",  "SCALE1", "ORIGX1", "OBSLTE",
                                           "EXPDTA", "NUMMDL", "DBREF",  "AUTHOR", "SOURCE", "KEYWDS", "USER",
                                           "TER",    "END",    "LINK",   "SSBOND", "SPLIT",  "CAVEAT", "PARENT",
                                           "PFRMAT", "TARGET", "SCORE",  "MASTER", "CONECT", "JRNL",   "REVDAT"};
    std::string const start = upper(line.substr(0, std::min<std::size_t>(6, line.size())));
    return std::any_of(records.begin(), records.end(), [&](char const* record) { return start.starts_with(record); });
}

Error line_error(std::string what, std::string const& file_name, std::size_t line, std::string remedy) {
    return bad_input(std::move(what), file_name + " line " + std::to_string(line), std::move(remedy));
}

Result<void> check_atom_line(std::string_view line, std::string const& file_name, std::size_t number) {
    if (line.size() < 54)
        return line_error(
            "the atom record ends in column " + std::to_string(line.size()) + ", before its coordinates do (column 54)",
            file_name, number, "The file is cut short: take it again from its source");
    for (int axis = 0; axis < 3; ++axis) {
        std::size_t const start = 30 + 8 * static_cast<std::size_t>(axis);
        std::string_view const field = line.substr(start, 8);
        if (!usable_coordinate(field))
            return line_error(std::string("the ") + "xyz"[axis] + " coordinate \"" + std::string(trimmed(field)) +
                                  "\" is not a number (columns " + std::to_string(start + 1) + "-" +
                                  std::to_string(start + 8) + ")",
                              file_name, number,
                              "Coordinates have 8 columns each and lie between -100,000 and 100,000 Å; larger "
                              "structures need mmCIF");
    }
    if (trimmed(line.substr(22, 4)).empty())
        return line_error("the atom record has no residue number (columns 23-26)", file_name, number,
                          "Number the residues and read the file again");
    return {};
}

}  // namespace

Result<StructureFormat> structure_format(std::string_view text, std::string const& file_name) {
    std::string_view rest = text;
    for (int seen = 0; !rest.empty() && seen < 2000;) {
        std::string_view line = next_line(rest);
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front()))) line.remove_prefix(1);
        if (line.empty() || line.front() == '#') continue;
        ++seen;
        if (seen == 1 && upper(line.substr(0, 5)) == "DATA_") return StructureFormat::mmcif;
        if (is_pdb_record(line)) return StructureFormat::pdb;
        if (seen == 1 && line.front() == '{')
            return bad_input("this is JSON, not a PDB or mmCIF file", file_name, "Convert it to mmCIF or PDB");
    }
    return bad_input("this is not a PDB or mmCIF file", file_name,
                     "A structure is a text file whose lines start with ATOM, or an mmCIF file that starts with data_");
}

Result<void> check_pdb_lines(std::string_view text, std::string const& file_name) {
    std::string_view rest = text;
    std::size_t number = 0, shortest = std::string_view::npos, atom_lines = 0;
    while (!rest.empty()) {
        bool const last = rest.find('\n') == std::string_view::npos;
        std::string_view const line = next_line(rest);
        ++number;
        if (upper(trimmed(line)) == "END") break;
        if (!is_atom_line(line)) continue;
        ORRERY_CHECK(check_atom_line(line, file_name, number));
        if (last && atom_lines > 0 && line.size() < std::min<std::size_t>(shortest, 66))
            return line_error(
                "the last atom record ends in column " + std::to_string(line.size()) + " while the others are longer",
                file_name, number, "The file is cut short: take it again from its source");
        shortest = std::min(shortest, line.size());
        ++atom_lines;
    }
    return {};
}

}  // namespace orrery::io
