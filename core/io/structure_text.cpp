#include "core/base/files.h"
#include "core/io/gunzip.h"
#include "core/io/raw_structure.h"

namespace orrery::io {
namespace {

constexpr std::uint64_t largest_text = std::uint64_t{2} << 30;

bool starts_with_bytes(std::string_view bytes, std::string_view mark) { return bytes.substr(0, mark.size()) == mark; }

}  // namespace

Result<std::string> structure_text(std::string bytes, std::string const& file_name) {
    if (is_gzip(bytes)) {
        ORRERY_TRY(bytes, gunzip(bytes, file_name, largest_text));
    } else if (file_name.ends_with(".gz") && !bytes.empty()) {
        return bad_input("the name ends in .gz, but this is no gzip file", file_name,
                         "Rename it, or take it again from its source");
    }
    if (bytes.empty()) return bad_input("the file is empty", file_name, "Take it again from its source");
    using namespace std::string_view_literals;
    if (starts_with_bytes(bytes, "\xff\xfe"sv) || starts_with_bytes(bytes, "\xfe\xff"sv))
        return bad_input("the file is UTF-16 text", file_name, "Save it as plain text (ASCII or UTF-8)");
    if (starts_with_bytes(bytes, "\xef\xbb\xbf"sv)) bytes.erase(0, 3);
    if (starts_with_bytes(bytes, "version https://git-lfs"sv))
        return bad_input("this is a Git LFS pointer, not the file itself", file_name,
                         "Fetch the file with: git lfs pull");
    if (bytes.find('\0') != std::string::npos)
        return bad_input("this is a binary file, not PDB or mmCIF text", file_name,
                         "BinaryCIF, MMTF and trajectories are not read: take the structure as mmCIF or PDB");
    return bytes;
}

Result<std::string> read_structure_text(std::filesystem::path const& path) {
    ORRERY_TRY(std::string bytes, read_file(path, largest_text));
    return structure_text(std::move(bytes), path.filename().string());
}

}  // namespace orrery::io
