// A zip archive read with bounds: no entry makes us allocate more than the archive can honestly hold.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace orrery {

class ZipArchive {
public:
    struct Entry {
        std::uint64_t index = 0, size = 0, packed_size = 0;  // bytes
    };

    // Errors: a truncated or damaged directory, two entries of one name, more than a million entries.
    static Result<ZipArchive> open(std::filesystem::path const& path);

    [[nodiscard]] std::map<std::string, Entry> const& entries() const { return m_entries; }
    [[nodiscard]] Entry const* find(std::string const& name) const;
    // Unpacks `name` into `target`, which has exactly the entry's size. Checks the entry's CRC-32. Errors: not there,
    // damaged, packed more than 200-fold above 64 MiB (a zip bomb), entries that overlap in the file.
    Result<void> read(std::string const& name, void* target, std::uint64_t size);
    // The same as text, refused above `limit` bytes.
    Result<std::string> read_text(std::string const& name, std::uint64_t limit);
    // Refuses an entry whose size is not believable, before anything is allocated for it.
    Result<void> check_size(std::string const& name, Entry const& entry) const;

private:
    std::string m_file_name;
    std::uint64_t m_file_size = 0, m_packed_read = 0;
    std::map<std::string, Entry> m_entries;
    std::shared_ptr<void> m_zip;
};

}  // namespace orrery
