// Gzip files, whole in memory.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::io {

[[nodiscard]] bool is_gzip(std::string_view bytes);
// Errors: damaged or cut short (with the reason of zlib), more than `limit` bytes when uncompressed.
Result<std::string> gunzip(std::string_view bytes, std::string const& file_name, std::uint64_t limit);

}  // namespace orrery::io
