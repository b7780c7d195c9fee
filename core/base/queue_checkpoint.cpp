#include "core/base/queue_checkpoint.h"

#include <system_error>
#include <vector>

namespace orrery {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t hash_digits = 64;

}  // namespace

fs::path kept_checkpoint(fs::path const& checkpoint, std::string const& sha256) {
    return checkpoint.string() + "-" + sha256;
}

Result<void> keep_checkpoint(fs::path const& checkpoint, std::string const& sha256) {
    fs::path const kept = kept_checkpoint(checkpoint, sha256);
    std::error_code failure;
    if (fs::exists(kept, failure)) return {};
    fs::create_hard_link(checkpoint, kept, failure);
    if (failure) {
        failure.clear();
        fs::copy_file(checkpoint, kept, failure);
    }
    if (failure)
        return unavailable("the checkpoint cannot be kept: " + failure.message(), kept.string(),
                           "Free some space on the disk");
    return {};
}

bool restore_checkpoint(fs::path const& checkpoint, std::string const& sha256) {
    fs::path const kept = kept_checkpoint(checkpoint, sha256);
    std::error_code failure;
    if (sha256.empty() || !fs::is_regular_file(kept, failure)) return false;
    if (fs::equivalent(kept, checkpoint, failure)) return true;
    fs::path const beside = checkpoint.string() + ".new";
    fs::remove(beside, failure);
    failure.clear();
    fs::create_hard_link(kept, beside, failure);
    if (failure) {
        failure.clear();
        fs::copy_file(kept, beside, failure);
    }
    if (!failure) fs::rename(beside, checkpoint, failure);
    return !failure;
}

void remove_kept_checkpoint(fs::path const& checkpoint, std::string const& sha256) {
    std::error_code ignored;
    if (!sha256.empty()) fs::remove(kept_checkpoint(checkpoint, sha256), ignored);
}

void remove_checkpoints(fs::path const& checkpoint) {
    std::error_code failure;
    std::vector<fs::path> found;
    for (fs::directory_iterator entry(checkpoint.parent_path(), failure), end; !failure && entry != end;
         entry.increment(failure))
        if (job_of_checkpoint(entry->path().filename().string()) == checkpoint.filename())
            found.push_back(entry->path());
    for (fs::path const& path : found) fs::remove(path, failure);
}

std::string job_of_checkpoint(std::string const& file_name) {
    if (file_name.size() < hash_digits + 2) return file_name;
    std::size_t const dash = file_name.size() - hash_digits - 1;
    bool const hash =
        file_name[dash] == '-' && file_name.find_first_not_of("0123456789abcdef", dash + 1) == std::string::npos;
    return hash ? file_name.substr(0, dash) : file_name;
}

}  // namespace orrery
