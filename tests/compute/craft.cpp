#include "tests/compute/craft.h"

#include <zip.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace orrery::tests {
namespace {

std::string little_endian(std::uint64_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
    return out;
}

template <class T>
std::string bytes_of(std::vector<T> const& values) {
    std::string out(values.size() * sizeof(T), '\0');
    std::memcpy(out.data(), values.data(), out.size());
    return out;
}

}  // namespace

Pickler::Pickler(int protocol) : m_bytes{'\x80', static_cast<char>(protocol)} {}

Pickler& Pickler::raw(std::string_view bytes) {
    m_bytes += bytes;
    return *this;
}
Pickler& Pickler::global(std::string const& module, std::string const& name) {
    return raw("c" + module + "\n" + name + "\n");
}
Pickler& Pickler::text(std::string const& value) { return raw("X" + little_endian(value.size(), 4) + value); }
Pickler& Pickler::integer(std::int64_t value) {
    if (value >= 0 && value < 256) return raw("K" + little_endian(static_cast<std::uint64_t>(value), 1));
    return raw("\x8a\x08" + little_endian(static_cast<std::uint64_t>(value), 8));
}
Pickler& Pickler::real(double value) {
    std::string bytes = little_endian(std::bit_cast<std::uint64_t>(value), 8);
    return raw("G" + std::string(bytes.rbegin(), bytes.rend()));
}
Pickler& Pickler::storage(std::string const& type, std::string const& key, std::int64_t elements) {
    return raw("(").text("storage").global("torch", type).text(key).text("cpu").integer(elements).raw("tQ");
}
Pickler& Pickler::tuple(std::vector<std::int64_t> const& values) {
    raw("(");
    for (std::int64_t value : values) integer(value);
    return raw("t");
}
Pickler& Pickler::tensor(std::string const& type, std::string const& key, std::int64_t elements, std::int64_t offset,
                         std::vector<std::int64_t> const& sizes, std::vector<std::int64_t> const& strides) {
    global("torch._utils", "_rebuild_tensor_v2")
        .raw("(")
        .storage(type, key, elements)
        .integer(offset)
        .tuple(sizes)
        .tuple(strides);
    return raw("\x89").global("collections", "OrderedDict").raw(")RtR");
}

void write_zip(std::filesystem::path const& path, std::vector<ZipPart> const& parts) {
    int code = 0;
    zip_t* zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (zip == nullptr) throw std::runtime_error("zip_open");
    for (ZipPart const& part : parts) {
        zip_source_t* source = zip_source_buffer(zip, part.bytes.data(), part.bytes.size(), 0);
        zip_int64_t const index = zip_file_add(zip, part.name.c_str(), source, 0);
        if (index < 0) throw std::runtime_error("zip_file_add");
        zip_set_file_compression(zip, static_cast<zip_uint64_t>(index), part.deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                                 0);
        zip_file_set_mtime(zip, static_cast<zip_uint64_t>(index), 500'000'000, 0);
    }
    if (zip_close(zip) != 0) throw std::runtime_error("zip_close");
}

void write_bytes(std::filesystem::path const& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string read_bytes(std::filesystem::path const& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void write_small_checkpoint(std::filesystem::path const& path) {
    Pickler pickle;
    pickle.raw("}(").text("a").tensor("FloatStorage", "0", 6, 0, {2, 3}, {3, 1});
    pickle.text("b").tensor("LongStorage", "1", 2, 0, {2}, {1}).text("step").integer(3).raw("u");
    write_zip(path, {{"small/data.pkl", pickle.stop()},
                     {"small/byteorder", "little"},
                     {"small/data/0", bytes_of<float>({0, 1, 2, 3, 4, 5})},
                     {"small/data/1", bytes_of<std::int64_t>({7, 8})},
                     {"small/version", "3\n"}});
}

void write_checkpoint(std::filesystem::path const& path, std::string const& pickle, std::string const& storage) {
    std::vector<ZipPart> parts{{"archive/data.pkl", pickle}};
    if (!storage.empty()) parts.push_back({"archive/data/0", storage});
    write_zip(path, parts);
}

}  // namespace orrery::tests
