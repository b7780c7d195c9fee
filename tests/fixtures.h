// Where reference cases and real files lie: ../shared beside the checkout, or ORRERY_SHARED. Tests that need them are
// skipped with a printed reason where they are absent.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace orrery::tests {

// The path of `relative` ("fixtures/stab-ddg/forward_tiny.safetensors") if it exists; else prints "skipped: ..." once.
std::optional<std::filesystem::path> shared_file(std::string const& relative);

// A folder of this test's own under the system's temporary folder, emptied first.
std::filesystem::path scratch_directory(std::string const& name);

}  // namespace orrery::tests

// Ends the test case, with the reason printed, when the file is absent.
#define ORRERY_NEED_SHARED(variable, relative)                                   \
    auto const variable##_found = orrery::tests::shared_file(relative);          \
    if (!variable##_found) return;                                               \
    std::filesystem::path const variable = *variable##_found
