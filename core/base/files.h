// Places and whole-file reading and writing. Files are written beside the target and renamed, so that a crash never
// leaves half a file.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace orrery {

// Weights and samples that packaging/setup.sh brought: $ORRERY_CACHE, else $XDG_CACHE_HOME/orrery, else ~/.cache/orrery.
[[nodiscard]] std::filesystem::path cache_directory();
// Session autosaves, queue, settings: $ORRERY_STATE, else $XDG_STATE_HOME/orrery, else ~/.local/state/orrery.
[[nodiscard]] std::filesystem::path state_directory();

// Errors: not there (naming the nearest existing folder), a folder, not readable, larger than `limit`, a Git LFS pointer.
Result<std::string> read_file(std::filesystem::path const& path, std::uint64_t limit = std::uint64_t{4} << 30);
Result<void> write_file(std::filesystem::path const& path, std::string_view bytes);

}  // namespace orrery
