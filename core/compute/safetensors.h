// Reader and writer of safetensors files (8-byte little-endian header length, JSON header, raw little-endian data).
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/compute/torch.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace orrery {

class SafetensorsFile {
public:
    // Maps the file; it must not be shortened by another program while it is read. Errors name the file and field: too short, header length beyond the file, header not JSON, offsets
    // outside the data or overlapping, shape and dtype not matching the byte range, unknown dtype, Git LFS pointer.
    static Result<SafetensorsFile> open(std::filesystem::path const& path);

    [[nodiscard]] std::map<std::string, std::string> const& metadata() const { return m_metadata; }
    [[nodiscard]] std::vector<std::string> names() const;  // sorted
    [[nodiscard]] bool contains(std::string const& name) const;
    // A tensor that owns its memory, CPU, in the file's dtype (F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL).
    [[nodiscard]] Result<torch::Tensor> tensor(std::string const& name) const;
    [[nodiscard]] std::filesystem::path const& path() const { return m_path; }

private:
    struct Entry { std::string dtype; std::vector<std::int64_t> shape; std::uint64_t begin = 0, end = 0; };
    static Result<Entry> parse_entry(std::string const& key, Json const& value, std::uint64_t data_size, std::string const& name);
    [[nodiscard]] Result<void> check_layout(std::uint64_t data_size) const;

    std::filesystem::path m_path;
    std::map<std::string, std::string> m_metadata;
    std::map<std::string, Entry> m_entries;
    std::shared_ptr<void const> m_mapping;  // whole file
    std::uint64_t m_data_offset = 0;
};

// Same tensors and metadata, same bytes: names sorted, header padded to 8 bytes.
Result<std::string> write_safetensors(std::map<std::string, torch::Tensor> const& tensors,
                                      std::map<std::string, std::string> const& metadata = {});

}  // namespace orrery
