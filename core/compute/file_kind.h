// What a file that should hold weights really is, told from its first bytes, in words for the user. No LibTorch here.
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace orrery {

enum class WeightFileKind { zip, safetensors };

// Errors for everything that is neither: not there, a folder, empty, a Git LFS pointer, a web page or other text, HDF5,
// a checkpoint older than PyTorch 1.6, a bare pickle (named as an attack if it would run a command), a tar archive.
Result<WeightFileKind> weight_file_kind(std::filesystem::path const& path);

}  // namespace orrery
