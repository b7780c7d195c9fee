#include "core/compute/safetensors.h"

#include "core/compute/file_kind.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <string_view>

namespace orrery {
namespace {

constexpr std::uint64_t header_limit = 100'000'000;  // as the reference implementation
constexpr std::size_t dimension_limit = 32;

struct DtypeName {
    std::string_view name;
    torch::ScalarType type;
    std::uint64_t bytes;
};
constexpr std::array dtype_names{
    DtypeName{"F64", torch::kFloat64, 8},   DtypeName{"F32", torch::kFloat32, 4}, DtypeName{"F16", torch::kFloat16, 2},
    DtypeName{"BF16", torch::kBFloat16, 2}, DtypeName{"I64", torch::kInt64, 8},   DtypeName{"I32", torch::kInt32, 4},
    DtypeName{"I16", torch::kInt16, 2},     DtypeName{"I8", torch::kInt8, 1},     DtypeName{"U8", torch::kUInt8, 1},
    DtypeName{"BOOL", torch::kBool, 1},
};

DtypeName const* dtype_named(std::string_view name) {
    auto const* found =
        std::find_if(dtype_names.begin(), dtype_names.end(), [&](auto const& d) { return d.name == name; });
    return found == dtype_names.end() ? nullptr : found;
}

struct Mapping {
    void const* data = nullptr;
    std::size_t size = 0;
    ~Mapping() {
        if (data != nullptr) munmap(const_cast<void*>(data), size);
    }
};

Result<std::shared_ptr<Mapping>> map_file(std::filesystem::path const& path) {
    auto failed = [&] {
        return bad_input(std::string("the file can't be read: ") + std::strerror(errno), path.string());
    };
    int const descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return failed();
    struct stat status {};
    if (fstat(descriptor, &status) != 0) {
        Error error = failed();
        close(descriptor);
        return error;
    }
    auto mapping = std::make_shared<Mapping>();
    mapping->size = static_cast<std::size_t>(status.st_size);
    if (mapping->size > 0) {
        void* data = mmap(nullptr, mapping->size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (data == MAP_FAILED) {
            Error error = failed();
            close(descriptor);
            return error;
        }
        mapping->data = data;
    }
    close(descriptor);
    return mapping;
}

// The header as JSON. nlohmann keeps the last of equal keys silently; a tensor that is there twice is an error.
Result<Json> parse_header(std::string_view text, std::string const& name) {
    std::set<std::string> keys;
    std::string twice;
    bool deep = false;
    auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
        if (depth > 4) deep = true;
        if (event == Json::parse_event_t::key && depth == 1 && !keys.insert(value.get<std::string>()).second)
            twice = value.get<std::string>();
        return !deep;
    };
    Json header = Json::parse(text.begin(), text.end(), watch, false);
    if (deep) return bad_input("the header is nested too deep", name, "Get the file again");
    if (header.is_discarded() || !header.is_object())
        return bad_input("the header is not a JSON object", name,
                         "The file is damaged or no safetensors file; get it again");
    if (!twice.empty())
        return bad_input(fmt::format("the header names tensor \"{}\" twice", twice.substr(0, 200)), name);
    return header;
}

Result<std::vector<std::int64_t>> parse_shape(Json const& value, std::string const& tensor, std::string const& name) {
    Error const wrong = bad_input(fmt::format("tensor \"{}\": shape is not a list of sizes", tensor), name);
    if (!value.is_array()) return wrong;
    if (value.size() > dimension_limit)
        return bad_input(
            fmt::format("tensor \"{}\" has {} dimensions; at most {} are read", tensor, value.size(), dimension_limit),
            name);
    std::vector<std::int64_t> shape;
    for (Json const& size : value) {
        if (!size.is_number_unsigned() || size.get<std::uint64_t>() > std::uint64_t{1} << 50) return wrong;
        shape.push_back(size.get<std::int64_t>());
    }
    return shape;
}

// Bytes of a shape; sizes whose product passes any real file stop at 2^60.
std::uint64_t bytes_of(std::vector<std::int64_t> const& shape, std::uint64_t element) {
    constexpr std::uint64_t bound = std::uint64_t{1} << 60;
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
    std::uint64_t total = element;
    for (std::int64_t size : shape) {
        if (static_cast<std::uint64_t>(size) > bound / total) return bound;
        total *= static_cast<std::uint64_t>(size);
    }
    return total;
}

}  // namespace

Result<SafetensorsFile> SafetensorsFile::open(std::filesystem::path const& path) {
    std::string const name = path.filename().string();
    ORRERY_TRY(WeightFileKind const kind, weight_file_kind(path));
    if (kind == WeightFileKind::zip)
        return bad_input("a zip archive (PyTorch checkpoint?), not a safetensors file", name);
    ORRERY_TRY(auto mapping, map_file(path));
    std::string_view const bytes(static_cast<char const*>(mapping->data), mapping->size);
    std::string const again = "The file is cut off or damaged; get it again";
    if (bytes.size() < 10) return bad_input(fmt::format("the file is too short ({} bytes)", bytes.size()), name, again);
    std::uint64_t header_size = 0;
    for (int i = 7; i >= 0; --i)
        header_size = header_size << 8 | static_cast<std::uint8_t>(bytes[static_cast<std::size_t>(i)]);
    if (header_size > header_limit || header_size > bytes.size() - 8)
        return bad_input(fmt::format("the header says it has {} bytes, but the file has {}", header_size, bytes.size()),
                         name, again);
    ORRERY_TRY(Json const header, parse_header(bytes.substr(8, static_cast<std::size_t>(header_size)), name));

    SafetensorsFile file;
    file.m_path = path;
    file.m_data_offset = 8 + header_size;
    for (auto const& [key, value] : header.items()) {
        if (key == "__metadata__") {
            if (!value.is_object()) return bad_input("__metadata__ is not an object of texts", name);
            for (auto const& [field, text] : value.items()) {
                if (!text.is_string())
                    return bad_input(fmt::format("__metadata__ field \"{}\" is not a text", field), name);
                file.m_metadata[field] = text.get<std::string>();
            }
            continue;
        }
        ORRERY_TRY(Entry entry, parse_entry(key, value, bytes.size() - file.m_data_offset, name));
        file.m_entries.emplace(key, std::move(entry));
    }
    ORRERY_CHECK(file.check_layout(bytes.size() - file.m_data_offset));
    // Shares ownership of the mapping and points at its bytes.
    file.m_mapping = std::shared_ptr<void const>(mapping, mapping->data);
    return file;
}

Result<SafetensorsFile::Entry> SafetensorsFile::parse_entry(std::string const& key, Json const& value,
                                                            std::uint64_t data_size, std::string const& name) {
    std::string const tensor = key.substr(0, 200);
    if (!value.is_object() || !value.contains("dtype") || !value["dtype"].is_string() || !value.contains("shape") ||
        !value.contains("data_offsets"))
        return bad_input(fmt::format("tensor \"{}\" lacks dtype, shape or data_offsets", tensor), name);
    Entry entry;
    entry.dtype = value["dtype"].get<std::string>();
    DtypeName const* dtype = dtype_named(entry.dtype);
    if (dtype == nullptr)
        return bad_input(
            fmt::format("tensor \"{}\" has the dtype \"{}\", which is not read", tensor, entry.dtype.substr(0, 40)),
            name, "F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL are");
    ORRERY_TRY(entry.shape, parse_shape(value["shape"], tensor, name));
    Json const& offsets = value["data_offsets"];
    if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
        !offsets[1].is_number_unsigned())
        return bad_input(fmt::format("tensor \"{}\": data_offsets is not a pair of whole numbers", tensor), name);
    entry.begin = offsets[0].get<std::uint64_t>();
    entry.end = offsets[1].get<std::uint64_t>();
    if (entry.begin > entry.end || entry.end > data_size)
        return bad_input(fmt::format("tensor \"{}\" lies at bytes {} to {}, but the data has {}", tensor, entry.begin,
                                     entry.end, data_size),
                         name, "The file is cut off or damaged; get it again");
    std::uint64_t const wanted = bytes_of(entry.shape, dtype->bytes);
    if (entry.end - entry.begin != wanted)
        return bad_input(fmt::format("tensor \"{}\" of shape [{}] and dtype {} needs {} bytes, but has {}", tensor,
                                     fmt::join(entry.shape, ", "), entry.dtype, wanted, entry.end - entry.begin),
                         name);
    return entry;
}

// The tensors must cover the data without overlap and without holes, as the format demands: so no byte can hide.
Result<void> SafetensorsFile::check_layout(std::uint64_t data_size) const {
    std::vector<std::pair<Entry const*, std::string const*>> order;
    for (auto const& [key, entry] : m_entries) order.emplace_back(&entry, &key);
    std::sort(order.begin(), order.end(), [](auto const& a, auto const& b) {
        return std::pair(a.first->begin, a.first->end) < std::pair(b.first->begin, b.first->end);
    });
    std::string const name = m_path.filename().string();
    std::uint64_t position = 0;
    std::string const* before = nullptr;
    for (auto const& [entry, key] : order) {
        if (entry->begin < position)
            return bad_input(
                fmt::format("tensors \"{}\" and \"{}\" overlap", before->substr(0, 200), key->substr(0, 200)), name);
        if (entry->begin > position)
            return bad_input(fmt::format("{} bytes before tensor \"{}\" belong to no tensor", entry->begin - position,
                                         key->substr(0, 200)),
                             name);
        position = entry->end;
        before = key;
    }
    if (position != data_size)
        return bad_input(fmt::format("{} bytes at the end belong to no tensor", data_size - position), name);
    return {};
}

std::vector<std::string> SafetensorsFile::names() const {
    std::vector<std::string> names;
    for (auto const& [name, entry] : m_entries) names.push_back(name);
    return names;
}

bool SafetensorsFile::contains(std::string const& name) const { return m_entries.count(name) > 0; }

Result<torch::Tensor> SafetensorsFile::tensor(std::string const& name) const {
    auto const found = m_entries.find(name);
    if (found == m_entries.end())
        return bad_input(fmt::format("there is no tensor \"{}\"", name), m_path.filename().string());
    Entry const& entry = found->second;
    std::size_t const size = static_cast<std::size_t>(entry.end - entry.begin);
    char const* source = static_cast<char const*>(m_mapping.get()) + m_data_offset + entry.begin;
    torch::ScalarType const type = dtype_named(entry.dtype)->type;
    if (type == torch::kBool && std::any_of(source, source + size, [](char byte) { return byte != 0 && byte != 1; }))
        return bad_input(fmt::format("tensor \"{}\" is BOOL with values other than 0 and 1", name),
                         m_path.filename().string());
    torch::Tensor made = torch::empty(entry.shape, type);
    if (size > 0) std::memcpy(made.data_ptr(), source, size);
    return made;
}

Result<std::string> write_safetensors(std::map<std::string, torch::Tensor> const& tensors,
                                      std::map<std::string, std::string> const& metadata) {
    Json header = Json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::uint64_t position = 0;
    std::vector<torch::Tensor> contiguous;
    for (auto const& [name, tensor] : tensors) {
        auto const* dtype = std::find_if(dtype_names.begin(), dtype_names.end(),
                                         [&](auto const& d) { return d.type == tensor.scalar_type(); });
        if (!tensor.defined() || dtype == dtype_names.end() || name == "__metadata__")
            return internal_error(fmt::format("tensor \"{}\" can't be written to a safetensors file", name));
        contiguous.push_back(tensor.detach().cpu().contiguous());
        std::uint64_t const size = contiguous.back().nbytes();
        header[name] = {{"dtype", dtype->name},
                        {"shape", contiguous.back().sizes().vec()},
                        {"data_offsets", {position, position + size}}};
        position += size;
    }
    std::string text;
    try {
        text = header.dump();
    } catch (Json::exception const& fault) {
        return internal_error(std::string("a name or metadata text is not UTF-8: ") + fault.what());
    }
    text.append((8 - text.size() % 8) % 8, ' ');
    std::string bytes;
    bytes.reserve(8 + text.size() + position);
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(static_cast<std::uint64_t>(text.size()) >> (8 * i) & 0xff);
    bytes += text;
    for (torch::Tensor const& tensor : contiguous)
        bytes.append(static_cast<char const*>(tensor.data_ptr()), tensor.nbytes());
    return bytes;
}

}  // namespace orrery
