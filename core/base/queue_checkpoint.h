// Where checkpoints lie. A worker writes `checkpoints/<job>` and gives each a second name,
// `checkpoints/<job>-<sha256>`, before it tells of it. The session notes, on the disk, which checkpoint its points and
// updates belong to; until then the second name of the one before stays. So a window that is killed between a
// checkpoint and the note of it resumes from the one before, and no point of a live series is missing.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace orrery {

[[nodiscard]] std::filesystem::path kept_checkpoint(std::filesystem::path const& checkpoint, std::string const& sha256);
// Gives the checkpoint its second name (a hard link; a copy where there are none).
Result<void> keep_checkpoint(std::filesystem::path const& checkpoint, std::string const& sha256);
// Makes the kept one the checkpoint again. False: it is not there.
[[nodiscard]] bool restore_checkpoint(std::filesystem::path const& checkpoint, std::string const& sha256);
void remove_kept_checkpoint(std::filesystem::path const& checkpoint, std::string const& sha256);
// The checkpoint under all its names.
void remove_checkpoints(std::filesystem::path const& checkpoint);
// "7f" of both "7f" and "7f-<sha256>".
[[nodiscard]] std::string job_of_checkpoint(std::string const& file_name);

}  // namespace orrery
