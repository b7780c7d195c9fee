// Crafts PyTorch files byte by byte: honest ones as torch.save writes them, and hostile ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::tests {

// Writes pickle instructions. Each call appends one.
class Pickler {
public:
    explicit Pickler(int protocol = 2);
    Pickler& raw(std::string_view bytes);
    Pickler& global(std::string const& module, std::string const& name);
    Pickler& text(std::string const& value);
    Pickler& integer(std::int64_t value);
    Pickler& real(double value);
    Pickler& storage(std::string const& type, std::string const& key, std::int64_t elements);  // BINPERSID and before
    Pickler& tuple(std::vector<std::int64_t> const& values);
    // A whole _rebuild_tensor_v2 call.
    Pickler& tensor(std::string const& type, std::string const& key, std::int64_t elements, std::int64_t offset,
                    std::vector<std::int64_t> const& sizes, std::vector<std::int64_t> const& strides);
    [[nodiscard]] std::string stop() const { return m_bytes + "."; }

private:
    std::string m_bytes;
};

struct ZipPart {
    std::string name;
    std::string bytes;
    bool deflated = false;
};
void write_zip(std::filesystem::path const& path, std::vector<ZipPart> const& parts);
void write_bytes(std::filesystem::path const& path, std::string_view bytes);
std::string read_bytes(std::filesystem::path const& path);

// {"a": float tensor [2, 3] = 0..5, "b": int64 tensor [2] = 7, 8, "step": 3}.
void write_small_checkpoint(std::filesystem::path const& path);
// A checkpoint with the one entry data.pkl and, if not empty, data/0.
void write_checkpoint(std::filesystem::path const& path, std::string const& pickle, std::string const& storage = {});

}  // namespace orrery::tests
