#include "core/compute/checkpoint.h"

#include "core/base/hash.h"
#include "core/compute/file_kind.h"
#include "core/compute/pickle.h"
#include "core/compute/safetensors.h"
#include "core/io/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace orrery {
namespace {

constexpr std::uint64_t pickle_limit = std::uint64_t{64} << 20;
constexpr int depth_limit = 64;

torch::ScalarType scalar_type(pickle::Dtype dtype) {
    switch (dtype) {
        case pickle::Dtype::f64:
            return torch::kFloat64;
        case pickle::Dtype::f32:
            return torch::kFloat32;
        case pickle::Dtype::f16:
            return torch::kFloat16;
        case pickle::Dtype::bf16:
            return torch::kBFloat16;
        case pickle::Dtype::i64:
            return torch::kInt64;
        case pickle::Dtype::i32:
            return torch::kInt32;
        case pickle::Dtype::i16:
            return torch::kInt16;
        case pickle::Dtype::i8:
            return torch::kInt8;
        case pickle::Dtype::u8:
            return torch::kUInt8;
        case pickle::Dtype::boolean:
            break;
    }
    return torch::kBool;
}

// Turns the pickle's graph into values, reading each storage once. A walk of bounded depth that refuses cycles.
class Builder {
public:
    Builder(ZipArchive& zip, pickle::Graph const& graph, std::string prefix, std::string file_name)
        : m_zip(zip), m_graph(graph), m_prefix(std::move(prefix)), m_file_name(std::move(file_name)) {}

    Result<PickleValue> value(pickle::NodeId id, std::string const& path, int depth) {
        pickle::Node const& node = m_graph.nodes[id];
        switch (node.kind) {
            case pickle::Kind::none:
                return PickleValue{};
            case pickle::Kind::boolean:
                return PickleValue{node.integer != 0};
            case pickle::Kind::integer:
                return PickleValue{node.integer};
            case pickle::Kind::real:
                return PickleValue{node.real};
            case pickle::Kind::text:
                return PickleValue{node.text};
            case pickle::Kind::tensor:
                return tensor(static_cast<std::size_t>(node.integer), path);
            case pickle::Kind::storage:
                return error("holds a bare storage, not a tensor", path);
            case pickle::Kind::global:
                return error("holds a Python type, not a value", path);
            case pickle::Kind::list:
            case pickle::Kind::tuple:
            case pickle::Kind::dict:
            case pickle::Kind::ordered_dict:
                break;
        }
        // A container that many others share is made once; without that a few hundred bytes can unfold for ever.
        if (auto const known = m_made.find(id); known != m_made.end()) return known->second;
        if (depth > depth_limit) return error(fmt::format("is nested more than {} deep", depth_limit), path);
        if (!m_open.insert(id).second) return error("contains itself", path);
        bool const sequence = node.kind == pickle::Kind::list || node.kind == pickle::Kind::tuple;
        auto made = sequence ? list(node, path, depth) : dict(node, path, depth);
        m_open.erase(id);
        if (made.ok()) m_made.emplace(id, *made);
        return made;
    }

private:
    Error error(std::string what, std::string const& path) const {
        return bad_input(
            fmt::format("the value {} of the pickle {}", path.empty() ? "at the root" : path.substr(0, 200), what),
            m_file_name);
    }

    Result<PickleValue> list(pickle::Node const& node, std::string const& path, int depth) {
        auto made = std::make_shared<PickleList>();
        made->reserve(node.items.size());
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            ORRERY_TRY(auto item, value(node.items[i], fmt::format("{}[{}]", path, i), depth + 1));
            made->push_back(std::move(item));
        }
        return PickleValue{made};
    }

    Result<PickleValue> dict(pickle::Node const& node, std::string const& path, int depth) {
        auto made = std::make_shared<PickleDict>();
        made->reserve(node.items.size() / 2);
        std::unordered_set<std::string> seen;
        for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
            ORRERY_TRY(auto key, key_text(node.items[i], path));
            if (!seen.insert(key).second) return error(fmt::format("has the key \"{}\" twice", key), path);
            ORRERY_TRY(auto item, value(node.items[i + 1], path.empty() ? key : path + "." + key, depth + 1));
            made->emplace_back(std::move(key), std::move(item));
        }
        return PickleValue{made};
    }

    Result<std::string> key_text(pickle::NodeId id, std::string const& path) const {
        pickle::Node const& node = m_graph.nodes[id];
        switch (node.kind) {
            case pickle::Kind::text:
                return node.text;
            case pickle::Kind::integer:
                return std::to_string(node.integer);
            case pickle::Kind::real:
                return fmt::format("{}", node.real);
            case pickle::Kind::boolean:
                return std::string(node.integer != 0 ? "True" : "False");
            case pickle::Kind::none:
                return std::string("None");
            default:
                return error("has a key that is no text or number", path);
        }
    }

    Result<PickleValue> tensor(std::size_t index, std::string const& path) {
        if (auto const known = m_tensors.find(index); known != m_tensors.end()) return PickleValue{known->second};
        pickle::TensorView const& view = m_graph.tensors[index];
        pickle::Storage const& storage = m_graph.storages[view.storage];
        ORRERY_TRY(auto bytes, storage_bytes(storage, path));
        torch::Tensor made = bytes.view(scalar_type(storage.dtype)).as_strided(view.sizes, view.strides, view.offset);
        m_tensors.emplace(index, made);
        return PickleValue{made};
    }

    // The storage as uint8 [bytes], read at its first use. `path` names the tensor in errors.
    Result<torch::Tensor> storage_bytes(pickle::Storage const& storage, std::string const& path) {
        std::uint64_t const wanted = static_cast<std::uint64_t>(storage.elements) * pickle::bytes_of(storage.dtype);
        std::string const entry_name = m_prefix + "data/" + storage.key;
        ZipArchive::Entry const* entry = m_zip.find(entry_name);
        if (entry == nullptr)
            return bad_input(fmt::format("the data of tensor {} ({}) is not in the file", path, entry_name),
                             m_file_name, "The file is incomplete; get it again");
        if (entry->size != wanted)
            return bad_input(fmt::format("the data of tensor {} ({}) has {} bytes, but its pickle says {}", path,
                                         entry_name, entry->size, wanted),
                             m_file_name, "The file is damaged; get it again");
        if (auto const known = m_storages.find(storage.key); known != m_storages.end()) {
            if (storage.dtype == pickle::Dtype::boolean) ORRERY_CHECK(check_booleans(known->second, path));
            return known->second;
        }
        ORRERY_CHECK(m_zip.check_size(entry_name, *entry));
        torch::Tensor bytes = torch::empty({static_cast<std::int64_t>(wanted)}, torch::kUInt8);
        ORRERY_CHECK(m_zip.read(entry_name, bytes.data_ptr(), wanted));
        if (storage.dtype == pickle::Dtype::boolean) ORRERY_CHECK(check_booleans(bytes, path));
        m_storages.emplace(storage.key, bytes);
        return bytes;
    }
    Result<void> check_booleans(torch::Tensor const& bytes, std::string const& path) const {
        auto const* data = bytes.data_ptr<std::uint8_t>();
        if (std::any_of(data, data + bytes.numel(), [](std::uint8_t byte) { return byte > 1; }))
            return error("is a Bool tensor with values other than 0 and 1", path);
        return {};
    }

    ZipArchive& m_zip;
    pickle::Graph const& m_graph;
    std::string m_prefix, m_file_name;
    std::unordered_map<pickle::NodeId, PickleValue> m_made;
    std::unordered_set<pickle::NodeId> m_open;
    std::unordered_map<std::string, torch::Tensor> m_storages;
    std::unordered_map<std::size_t, torch::Tensor> m_tensors;
};

// The folder of the archive that holds data.pkl, with its slash: "archive/".
Result<std::string> find_prefix(ZipArchive const& zip, std::string const& file_name) {
    std::vector<std::string> found;
    bool script = false;
    for (auto const& [name, entry] : zip.entries()) {
        if (name == "data.pkl" || (name.size() > 9 && name.ends_with("/data.pkl"))) found.push_back(name);
        script = script || name.ends_with("/constants.pkl");
    }
    if (script)
        return bad_input("a TorchScript program, not a file of tensors", file_name,
                         "Save its tensors: torch.save(module.state_dict(), ...)");
    if (found.empty())
        return bad_input(fmt::format("a zip archive of {} entries without a data.pkl: not a PyTorch checkpoint",
                                     zip.entries().size()),
                         file_name);
    if (found.size() > 1)
        return bad_input(fmt::format("the zip archive has {} data.pkl: {} and {}", found.size(), found[0], found[1]),
                         file_name);
    return found.front().substr(0, found.front().size() - 8);
}

PickleDict const* dict_in(PickleValue const& value) {
    auto const* dict = std::get_if<std::shared_ptr<PickleDict>>(&value.value);
    return dict == nullptr ? nullptr : dict->get();
}

PickleDict const* state_dict_of(PickleDict const& root) {
    for (std::string_view name : {"model_state_dict", "state_dict", "model"})
        for (auto const& [key, value] : root)
            if (key == name && dict_in(value) != nullptr) return dict_in(value);
    return &root;
}

void take_scalars(PickleDict const& dict, std::map<std::string, double>& extras) {
    for (auto const& [key, value] : dict) {
        if (auto const* flag = std::get_if<bool>(&value.value)) extras[key] = *flag ? 1 : 0;
        if (auto const* whole = std::get_if<std::int64_t>(&value.value)) extras[key] = static_cast<double>(*whole);
        if (auto const* real = std::get_if<double>(&value.value)) extras[key] = *real;
    }
}

Result<void> take_tensors(PickleDict const& dict, std::uint64_t file_bytes, Weights& weights) {
    // Views may share a storage (tied weights). Together they must stay near the size of the file, or copies of them
    // could fill any memory.
    std::uint64_t const limit = 16 * file_bytes + (std::uint64_t{64} << 20);
    std::uint64_t total = 0;
    for (auto const& [key, value] : dict) {
        auto const* tensor = std::get_if<torch::Tensor>(&value.value);
        if (tensor == nullptr) continue;
        total += static_cast<std::uint64_t>(tensor->numel()) * static_cast<std::uint64_t>(tensor->element_size());
        if (total > limit)
            return bad_input(fmt::format("the tensors repeat the data of the file more than 16 times (at {})", key),
                             weights.file_name);
        weights.tensors.emplace(key, tensor->contiguous());
    }
    return {};
}

std::string some_keys(PickleDict const& dict) {
    std::string text;
    for (std::size_t i = 0; i < dict.size() && i < 5; ++i) text += (i == 0 ? "" : ", ") + dict[i].first.substr(0, 60);
    return dict.size() > 5 ? text + ", ..." : text;
}

Result<void> load_checkpoint(std::filesystem::path const& path, Weights& weights) {
    ORRERY_TRY(auto root, read_checkpoint(path));
    PickleDict const* dict = dict_in(root);
    if (dict == nullptr) return bad_input("the checkpoint holds no dict of named tensors", weights.file_name);
    PickleDict const* state = state_dict_of(*dict);
    take_scalars(*dict, weights.extras);
    ORRERY_CHECK(take_tensors(*state, std::filesystem::file_size(path), weights));
    if (weights.tensors.empty())
        return bad_input(fmt::format("the checkpoint holds no tensors by name; its keys are: {}", some_keys(*state)),
                         weights.file_name,
                         "Expected a state_dict, bare or under model_state_dict, state_dict or model");
    return {};
}

Result<void> load_safetensors(std::filesystem::path const& path, Weights& weights) {
    ORRERY_TRY(auto file, SafetensorsFile::open(path));
    for (std::string const& name : file.names()) {
        ORRERY_TRY(auto tensor, file.tensor(name));
        weights.tensors.emplace(name, std::move(tensor));
    }
    if (weights.tensors.empty()) return bad_input("the file holds no tensors", weights.file_name);
    for (auto const& [key, text] : file.metadata()) {
        Json const number = Json::parse(text, nullptr, false);
        if (number.is_number()) weights.extras[key] = number.get<double>();
        if (number.is_boolean()) weights.extras[key] = number.get<bool>() ? 1 : 0;
    }
    return {};
}

}  // namespace

Result<PickleValue> read_checkpoint(std::filesystem::path const& path) {
    std::string const name = path.filename().string();
    ORRERY_TRY(WeightFileKind const kind, weight_file_kind(path));
    if (kind == WeightFileKind::safetensors) return bad_input("a safetensors file, not a PyTorch checkpoint", name);
    ORRERY_TRY(auto zip, ZipArchive::open(path));
    ORRERY_TRY(std::string const prefix, find_prefix(zip, name));
    if (zip.find(prefix + "byteorder") != nullptr) {
        ORRERY_TRY(std::string const order, zip.read_text(prefix + "byteorder", 16));
        if (order != "little")
            return bad_input(fmt::format("the tensors are stored with byte order \"{}\"; only little is read", order),
                             name);
    }
    ORRERY_TRY(std::string const bytes, zip.read_text(prefix + "data.pkl", pickle_limit));
    ORRERY_TRY(auto reading, pickle::read(bytes, name + ", " + prefix + "data.pkl"));
    return Builder(zip, reading.graph, prefix, name).value(reading.graph.root, "", 0);
}

std::int64_t Weights::parameter_count() const {
    std::int64_t count = 0;
    for (auto const& [name, tensor] : tensors) count += tensor.numel();
    return count;
}

Result<Weights> load_weights(std::filesystem::path const& path) {
    Weights weights;
    weights.file_name = path.filename().string();
    ORRERY_TRY(WeightFileKind const kind, weight_file_kind(path));
    ORRERY_CHECK(kind == WeightFileKind::zip ? load_checkpoint(path, weights) : load_safetensors(path, weights));
    ORRERY_TRY(weights.sha256, sha256_file(path));
    return weights;
}

}  // namespace orrery
