// Places and whole-file reading and writing. Files are written beside the target and renamed, so that a crash never
// leaves half a file.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace orrery {

// Weights and samples that packaging/setup.sh brought: $ORRERY_CACHE, else $XDG_CACHE_HOME/orrery, else
// ~/.cache/orrery.
[[nodiscard]] std::filesystem::path cache_directory();
// Session autosaves, queue, settings: $ORRERY_STATE, else $XDG_STATE_HOME/orrery, else ~/.local/state/orrery.
[[nodiscard]] std::filesystem::path state_directory();

// Errors: not there (naming a file of nearly that name or the nearest existing folder), a folder, not readable, larger
// than `limit` bytes, a Git LFS pointer.
Result<std::string> read_file(std::filesystem::path const& path, std::uint64_t limit = std::uint64_t{4} << 30);
// Makes the folders above where they are absent; a file that is replaced keeps its permissions. Not synced to disk: a
// crash of the program is covered, a power cut is not.
Result<void> write_file(std::filesystem::path const& path, std::string_view bytes);

// The errors of read_file and of a folder, without reading.
Result<void> check_file(std::filesystem::path const& path);
Result<void> check_directory(std::filesystem::path const& path);
// For readers that map or stream a file: an error when its first bytes are those of a Git LFS pointer.
Result<void> refuse_lfs_pointer(std::string_view first_bytes, std::filesystem::path const& path);

[[nodiscard]] std::string byte_text(std::uint64_t bytes);  // "6.7 MB", decimal units

}  // namespace orrery
