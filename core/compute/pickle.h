// A machine for the pickles inside PyTorch files that builds plain values and tensor descriptions and runs nothing.
// Only the opcodes that torch.save writes and a short list of globals are known; everything else is refused by name. No
// LibTorch here.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::pickle {

enum class Dtype : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };
[[nodiscard]] std::size_t bytes_of(Dtype dtype);

// A storage of the zip: `<prefix>/data/<key>`, `elements` of `dtype`.
struct Storage {
    std::string key;
    Dtype dtype = Dtype::f32;
    std::int64_t elements = 0;
};

// A view of a storage, all in elements. Checked: no negative size or stride, and the last element lies in the storage.
struct TensorView {
    std::uint32_t storage = 0;  // index into Graph::storages
    std::int64_t offset = 0;
    std::vector<std::int64_t> sizes, strides;
};

using NodeId = std::uint32_t;
enum class Kind : std::uint8_t {
    none,
    boolean,
    integer,
    real,
    text,
    list,
    tuple,
    dict,
    ordered_dict,
    tensor,
    storage,
    global
};

struct Node {
    Kind kind = Kind::none;
    std::int64_t integer = 0;  // boolean and integer: the value; tensor, storage, global: an index
    double real = 0;
    std::string text;
    std::vector<NodeId> items;  // list and tuple: elements; dict: key, value, key, value ...
};

// All values of a pickle in one flat array: containers refer to their elements by index, so neither deep nesting nor a
// cycle can exhaust the stack while it is built or freed. Whoever walks it must bound the depth itself.
struct Graph {
    std::vector<Node> nodes;
    std::vector<Storage> storages;
    std::vector<TensorView> tensors;
    NodeId root = 0;
};

struct Reading {
    Graph graph;
    std::size_t consumed = 0;  // bytes up to and with STOP
};

// Why a pickle was refused, beside the error: callers that only suspect a pickle show the error for `runs_command`
// alone.
struct Refusal {
    std::string global;         // "posix.system", empty if the fault is another
    bool runs_command = false;  // the global is one that runs commands or code
};

// Reads one pickle (protocol 2 to 5). `where` names the place in errors: "evil.pt, archive/data.pkl".
// Limits: 4 million values, containers of 4 million elements together.
Result<Reading> read(std::string_view bytes, std::string const& where, Refusal* refusal = nullptr);

}  // namespace orrery::pickle
