// NumPy's array files: one array (.npy), and zip archives of them (.npz). Pickled objects are refused, never run.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::io {

// Numbers of any real or complex type as doubles, in C order whatever the order in the file; or one text.
struct NumpyArray {
    std::vector<std::size_t> shape;  // empty: a single value
    std::vector<double> real;        // product of the shape
    std::vector<double> imaginary;   // the same, or empty where the type is real
    std::string text;                // of a type U or S with a single value, UTF-8; then no numbers
    bool is_text = false;
    [[nodiscard]] std::size_t dimensions() const { return shape.size(); }
};

// Errors: not a .npy file, cut short, another size than its shape says, a type that is not numbers or text, big-endian,
// more than 8 dimensions, a text that is not Unicode.
Result<NumpyArray> parse_npy(std::string_view bytes, std::string const& file_name);
// Little-endian float64, or complex128 where there are imaginary parts, in C order. Same array, same bytes.
[[nodiscard]] std::string npy_bytes(NumpyArray const& array);

// All arrays of an archive, by name without ".npy". Errors: of the archive (core/io/zip_archive.h), of its arrays, an
// entry that is no array, arrays of together more than `limit` bytes.
Result<std::map<std::string, NumpyArray>> read_npz(std::filesystem::path const& path,
                                                   std::size_t limit = std::size_t{256} << 20);
// An archive of them, without compression. Same arrays, same bytes: no time is written.
Result<std::string> npz_bytes(std::map<std::string, NumpyArray> const& arrays);

}  // namespace orrery::io
