#include "core/compute/pickle.h"

#include "core/compute/pickle_globals.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_map>

namespace orrery::pickle {
namespace {

constexpr std::size_t node_limit = std::size_t{4} << 20;
constexpr std::size_t item_limit = std::size_t{4} << 20;
constexpr std::size_t dimension_limit = 32;

std::string printable(std::string_view text) {
    std::string shown;
    for (char c : text.substr(0, 120)) shown += (c >= ' ' && c < 127) ? c : '?';
    return shown;
}

// The machine. Each step returns false after it has set m_error.
class Machine {
public:
    Machine(std::string_view bytes, std::string const& where, Refusal* refusal)
        : m_bytes(bytes), m_where(where), m_refusal(refusal) {
        m_graph.nodes.push_back({});
        Node no, yes;
        no.kind = yes.kind = Kind::boolean;
        yes.integer = 1;
        m_graph.nodes.push_back(std::move(no));
        m_graph.nodes.push_back(std::move(yes));
    }

    Result<Reading> run() {
        bool stopped = false;
        while (!stopped) {
            m_opcode_at = m_position;
            std::uint8_t opcode = 0;
            if (!byte(opcode) || !step(opcode, stopped)) return std::move(*m_error);
        }
        return Reading{std::move(m_graph), m_position};
    }

private:
    static constexpr NodeId none_id = 0, false_id = 1, true_id = 2;

    bool fail(std::string what, std::string remedy = {}) {
        m_error = bad_input(std::move(what), fmt::format("{}, byte {}", m_where, m_opcode_at), std::move(remedy));
        return false;
    }

    // Reading of the bytes behind an opcode.
    bool take(std::size_t count, std::string_view& out) {
        if (count > m_bytes.size() - m_position) return fail("the pickle is cut off", "Get the file again");
        out = m_bytes.substr(m_position, count);
        m_position += count;
        return true;
    }
    bool byte(std::uint8_t& out) {
        std::string_view one;
        if (!take(1, one)) return false;
        out = static_cast<std::uint8_t>(one[0]);
        return true;
    }
    bool little_endian(std::size_t count, std::uint64_t& out) {
        std::string_view raw;
        if (!take(count, raw)) return false;
        out = 0;
        for (std::size_t i = 0; i < count; ++i) out |= std::uint64_t{static_cast<std::uint8_t>(raw[i])} << (8 * i);
        return true;
    }
    bool line(std::string_view& out) {
        std::size_t const end = m_bytes.substr(m_position, 512).find('\n');
        if (end == std::string_view::npos) return fail("a name in the pickle has no end");
        out = m_bytes.substr(m_position, end);
        m_position += end + 1;
        return true;
    }

    // The stack. Nothing below the last mark can be popped.
    bool push(NodeId id) {
        m_stack.push_back(id);
        return true;
    }
    bool add(Node node) {
        if (m_graph.nodes.size() >= node_limit) return fail("the pickle holds more than 4 million values");
        m_graph.nodes.push_back(std::move(node));
        return push(static_cast<NodeId>(m_graph.nodes.size() - 1));
    }
    bool pop(NodeId& id) {
        if (m_stack.size() <= (m_marks.empty() ? 0 : m_marks.back()))
            return fail("the pickle takes a value that is not there");
        id = m_stack.back();
        m_stack.pop_back();
        return true;
    }
    bool top(NodeId& id) {
        if (!pop(id)) return false;
        return push(id);
    }
    bool pop_to_mark(std::vector<NodeId>& items) {
        if (m_marks.empty()) return fail("the pickle closes a group that it did not open");
        auto const from = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        items.assign(from, m_stack.end());
        m_stack.erase(from, m_stack.end());
        m_marks.pop_back();
        return count_items(items.size());
    }
    bool count_items(std::size_t count) {
        m_items += count;
        return m_items <= item_limit || fail("the pickle's lists hold more than 4 million elements");
    }
    Node& node(NodeId id) { return m_graph.nodes[id]; }

    bool put(std::uint64_t index) {
        NodeId id = 0;
        if (!top(id)) return false;
        m_memo[index] = id;
        return true;
    }
    bool get(std::uint64_t index) {
        auto const found = m_memo.find(index);
        if (found == m_memo.end())
            return fail(fmt::format("the pickle refers to its value {}, which it has not made", index));
        return push(found->second);
    }

    bool add_integer(std::int64_t value) {
        Node n;
        n.kind = Kind::integer;
        n.integer = value;
        return add(std::move(n));
    }
    bool add_container(Kind kind, std::vector<NodeId> items = {}) {
        Node n;
        n.kind = kind;
        n.items = std::move(items);
        return add(std::move(n));
    }
    bool add_text(std::size_t length_bytes) {
        std::uint64_t length = 0;
        std::string_view raw;
        if (!little_endian(length_bytes, length)) return false;
        if (length > m_bytes.size()) return fail("a text in the pickle is longer than the file", "Get the file again");
        if (!take(static_cast<std::size_t>(length), raw)) return false;
        Node n;
        n.kind = Kind::text;
        n.text = raw;
        return add(std::move(n));
    }
    bool add_tuple(std::size_t count) {
        std::vector<NodeId> items(count);
        for (std::size_t i = count; i-- > 0;)
            if (!pop(items[i])) return false;
        return count_items(count) && add_container(Kind::tuple, std::move(items));
    }

    bool append(std::vector<NodeId> const& items) {
        NodeId id = 0;
        if (!top(id)) return false;
        if (node(id).kind != Kind::list) return fail("the pickle appends to something that is no list");
        node(id).items.insert(node(id).items.end(), items.begin(), items.end());
        return true;
    }
    bool set_items(std::vector<NodeId> const& items) {
        NodeId id = 0;
        if (!top(id)) return false;
        Node& target = node(id);
        if (target.kind != Kind::dict && target.kind != Kind::ordered_dict)
            return fail("the pickle sets a key of something that is no dict");
        if (items.size() % 2 != 0) return fail("the pickle sets a key without a value");
        target.items.insert(target.items.end(), items.begin(), items.end());
        return true;
    }

    bool add_global(std::string_view module, std::string_view name) {
        std::string const full = std::string(module) + "." + std::string(name);
        for (std::size_t i = 0; i < known_globals.size(); ++i) {
            if (known_globals[i].name != full) continue;
            Node n;
            n.kind = Kind::global;
            n.integer = static_cast<std::int64_t>(i);
            return add(std::move(n));
        }
        bool const command = runs_command(module);
        if (m_refusal != nullptr) *m_refusal = {full, command};
        if (command)
            return fail(
                fmt::format("refused: the file would run a command: its pickle calls \"{}\". Nothing was executed",
                            printable(full)),
                "Do not open this file with other programs; get the weights from a source you trust");
        return fail(
            fmt::format("refused: the file's pickle needs the Python object \"{}\", which is not on the list of "
                        "harmless ones and might run a command. Nothing was executed",
                        printable(full)),
            "Save the tensors alone: torch.save(model.state_dict(), ...), or as .safetensors");
    }
    bool add_global_from_stack() {
        NodeId name = 0, module = 0;
        if (!pop(name) || !pop(module)) return false;
        if (node(name).kind != Kind::text || node(module).kind != Kind::text)
            return fail("the pickle names a global by something that is no text");
        std::string const module_text = node(module).text.substr(0, 512), name_text = node(name).text.substr(0, 512);
        return add_global(module_text, name_text);
    }

    bool integer_of(NodeId id, std::int64_t& out) {
        if (node(id).kind != Kind::integer)
            return fail("the pickle describes a tensor by something that is no whole number");
        out = node(id).integer;
        return true;
    }
    bool integers_of(NodeId id, std::vector<std::int64_t>& out) {
        if (node(id).kind != Kind::tuple && node(id).kind != Kind::list)
            return fail("the pickle describes a tensor's shape by something that is no tuple");
        if (node(id).items.size() > dimension_limit)
            return fail(
                fmt::format("a tensor has {} dimensions; at most {} are read", node(id).items.size(), dimension_limit));
        out.resize(node(id).items.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            if (!integer_of(node(id).items[i], out[i])) return false;
        return true;
    }

    bool add_storage() {
        NodeId id = 0;
        if (!pop(id)) return false;
        std::vector<NodeId> const parts(
            node(id).items.begin(), node(id).items.begin() + std::min<std::ptrdiff_t>(std::ssize(node(id).items), 6));
        if (node(id).kind != Kind::tuple || parts.size() != 5 || node(parts[0]).kind != Kind::text ||
            node(parts[0]).text != "storage" || node(parts[1]).kind != Kind::global ||
            known_globals[static_cast<std::size_t>(node(parts[1]).integer)].global != storage_type ||
            node(parts[2]).kind != Kind::text)
            return fail("the pickle refers to outside data that is no torch storage");
        Storage storage;
        storage.key = node(parts[2]).text.substr(0, 65);
        storage.dtype = known_globals[static_cast<std::size_t>(node(parts[1]).integer)].dtype;
        bool const plain =
            !storage.key.empty() && storage.key.size() <= 64 &&
            std::all_of(storage.key.begin(), storage.key.end(), [](char c) {
                return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            });
        if (!plain) return fail(fmt::format("the storage name \"{}\" is not a plain one", printable(storage.key)));
        if (!integer_of(parts[4], storage.elements)) return false;
        if (storage.elements < 0 || storage.elements > (std::int64_t{1} << 50))
            return fail(fmt::format("storage {} says it has {} elements", storage.key, storage.elements));
        Node n;
        n.kind = Kind::storage;
        n.integer = static_cast<std::int64_t>(m_graph.storages.size());
        m_graph.storages.push_back(std::move(storage));
        return add(std::move(n));
    }

    bool add_tensor(std::vector<NodeId> const& arguments) {
        if (arguments.size() < 4 || node(arguments[0]).kind != Kind::storage)
            return fail("the pickle makes a tensor without a storage");
        TensorView view;
        view.storage = static_cast<std::uint32_t>(node(arguments[0]).integer);
        if (!integer_of(arguments[1], view.offset) || !integers_of(arguments[2], view.sizes) ||
            !integers_of(arguments[3], view.strides) || !check(view))
            return false;
        Node n;
        n.kind = Kind::tensor;
        n.integer = static_cast<std::int64_t>(m_graph.tensors.size());
        m_graph.tensors.push_back(std::move(view));
        return add(std::move(n));
    }
    bool check(TensorView const& view) {
        Storage const& storage = m_graph.storages[view.storage];
        std::string const shape = fmt::format("[{}]", fmt::join(view.sizes, ", "));
        if (view.sizes.size() != view.strides.size())
            return fail(fmt::format("a tensor of storage {} has {} sizes but {} strides", storage.key,
                                    view.sizes.size(), view.strides.size()));
        if (view.offset < 0)
            return fail(fmt::format("a tensor of storage {} begins at element {}", storage.key, view.offset));
        // Storages hold fewer than 2^50 elements, so anything that passes this bound is wrong and nothing overflows.
        constexpr std::int64_t bound = std::int64_t{1} << 50;
        std::int64_t elements = 1, last = view.offset;
        bool empty = false;
        for (std::int64_t size : view.sizes) empty = empty || size == 0;
        for (std::size_t i = 0; i < view.sizes.size(); ++i) {
            std::int64_t const size = view.sizes[i], stride = view.strides[i];
            if (size < 0) return fail(fmt::format("a tensor of storage {} has the shape {}", storage.key, shape));
            if (stride < 0)
                return fail(fmt::format("a tensor of storage {} has the negative stride {}", storage.key, stride));
            if (empty) continue;
            if (size > bound / elements || (size > 1 && stride > (bound - std::min(last, bound)) / (size - 1)))
                return fail(outside(storage, shape, view));
            elements *= size;
            last += (size - 1) * stride;
        }
        if (empty ? view.offset > storage.elements : last >= storage.elements)
            return fail(outside(storage, shape, view));
        // A stride of 0 repeats one element: harmless when small, a way to ask for any amount of memory when not.
        if (!empty && elements > storage.elements && elements > (std::int64_t{1} << 20))
            return fail(fmt::format("a tensor of shape {} repeats the {} elements of storage {}", shape,
                                    storage.elements, storage.key));
        return true;
    }
    static std::string outside(Storage const& storage, std::string const& shape, TensorView const& view) {
        return fmt::format(
            "a tensor of shape {}, strides [{}], offset {} reaches outside storage {}, which has {} elements", shape,
            fmt::join(view.strides, ", "), view.offset, storage.key, storage.elements);
    }

    bool reduce() {
        NodeId arguments_id = 0, function = 0;
        if (!pop(arguments_id) || !pop(function)) return false;
        if (node(function).kind != Kind::global || node(arguments_id).kind != Kind::tuple)
            return fail("the pickle calls something that is no known function");
        // No allowed function has more arguments; without this bound a huge shared tuple could be copied at every call.
        if (node(arguments_id).items.size() > 8) return fail("the pickle calls a function with more than 8 arguments");
        auto const& known = known_globals[static_cast<std::size_t>(node(function).integer)];
        std::vector<NodeId> const arguments = node(arguments_id).items;
        switch (known.global) {
            case ordered_dict:
                return add_ordered_dict(arguments);
            case rebuild_tensor:
                return add_tensor(arguments);
            case rebuild_parameter:
                if (arguments.empty() || node(arguments[0]).kind != Kind::tensor)
                    return fail("the pickle makes a parameter without a tensor");
                return push(arguments[0]);
            case torch_size:
                if (arguments.size() != 1 || node(arguments[0]).kind != Kind::tuple)
                    return fail("the pickle makes a size of something that is no tuple");
                return push(arguments[0]);
            case storage_type:
                break;
        }
        return fail(fmt::format("the pickle calls {}, which is a type", known.name));
    }
    bool add_ordered_dict(std::vector<NodeId> const& arguments) {
        std::vector<NodeId> items;
        if (arguments.size() > 1 || (arguments.size() == 1 && node(arguments[0]).kind != Kind::list))
            return fail("the pickle makes an OrderedDict of something that is no list of pairs");
        if (arguments.size() == 1) {
            if (!count_items(2 * node(arguments[0]).items.size())) return false;
            for (NodeId pair : node(arguments[0]).items) {
                Node const& n = node(pair);
                if ((n.kind != Kind::tuple && n.kind != Kind::list) || n.items.size() != 2)
                    return fail("the pickle makes an OrderedDict of something that is no list of pairs");
                items.insert(items.end(), n.items.begin(), n.items.end());
            }
        }
        return add_container(Kind::ordered_dict, std::move(items));
    }
    // torch.save gives a state_dict its _metadata this way: versions of modules, which no reader of tensors needs.
    bool build() {
        NodeId state = 0, target = 0;
        if (!pop(state) || !top(target)) return false;
        if (node(target).kind != Kind::ordered_dict)
            return fail("the pickle gives a state to something that is no OrderedDict");
        return true;
    }

    bool step(std::uint8_t opcode, bool& stopped);
    bool step_number(std::uint8_t opcode);
    bool step_container(std::uint8_t opcode);

    std::string_view m_bytes;
    std::string const& m_where;
    Refusal* m_refusal;
    std::size_t m_position = 0, m_opcode_at = 0, m_items = 0;
    Graph m_graph;
    std::vector<NodeId> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, NodeId> m_memo;
    std::optional<Error> m_error;
};

bool Machine::step(std::uint8_t opcode, bool& stopped) {
    std::uint64_t number = 0;
    std::string_view skipped, module, name;
    NodeId id = 0;
    switch (opcode) {
        case 0x80:  // PROTO
            if (!little_endian(1, number)) return false;
            return (number >= 2 && number <= 5) ||
                   fail(fmt::format("pickle protocol {} is not read; 2 to 5 are", number));
        case 0x95:
            return take(8, skipped);  // FRAME: its length is a hint for readers of streams
        case '.':                     // STOP
            if (!pop(id)) return false;
            if (!m_marks.empty() || !m_stack.empty()) return fail("the pickle ends with values left over");
            m_graph.root = id;
            stopped = true;
            return true;
        case '(':  // MARK
            m_marks.push_back(m_stack.size());
            return m_marks.size() <= item_limit || fail("the pickle opens too many groups");
        case 'q':
            return little_endian(1, number) && put(number);  // BINPUT
        case 'r':
            return little_endian(4, number) && put(number);  // LONG_BINPUT
        case 0x94:
            return put(m_memo.size());  // MEMOIZE
        case 'h':
            return little_endian(1, number) && get(number);  // BINGET
        case 'j':
            return little_endian(4, number) && get(number);  // LONG_BINGET
        case 'X':
            return add_text(4);  // BINUNICODE
        case 0x8c:
            return add_text(1);  // SHORT_BINUNICODE
        case 0x8d:
            return add_text(8);  // BINUNICODE8
        case 'c':
            return line(module) && line(name) && add_global(module, name);  // GLOBAL
        case 0x93:
            return add_global_from_stack();  // STACK_GLOBAL
        case 'i':                            // INST: refused, but by the name it carries
            if (!line(module) || !line(name) || !add_global(module, name)) return false;
            return fail("the pickle makes an object by INST, which torch.save does not write");
        case 'Q':
            return add_storage();  // BINPERSID
        case 'R':
            return reduce();  // REDUCE
        case 'b':
            return build();  // BUILD
        case 'N':
            return push(none_id);  // NONE
        case 0x88:
            return push(true_id);  // NEWTRUE
        case 0x89:
            return push(false_id);  // NEWFALSE
        case 'J':
        case 'K':
        case 'M':
        case 0x8a:
        case 'G':
            return step_number(opcode);
        default:
            return step_container(opcode);
    }
}

bool Machine::step_number(std::uint8_t opcode) {
    std::uint64_t number = 0;
    switch (opcode) {
        case 'J':  // BININT
            return little_endian(4, number) &&
                   add_integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(number)));
        case 'K':
            return little_endian(1, number) && add_integer(static_cast<std::int64_t>(number));  // BININT1
        case 'M':
            return little_endian(2, number) && add_integer(static_cast<std::int64_t>(number));  // BININT2
        case 0x8a: {                                                                            // LONG1
            std::uint64_t length = 0;
            if (!little_endian(1, length)) return false;
            if (length > 8)
                return fail(fmt::format("the pickle holds a whole number of {} bytes; at most 8 are read", length));
            if (!little_endian(static_cast<std::size_t>(length), number)) return false;
            bool const negative = length > 0 && (number >> (8 * length - 1)) != 0;
            if (negative && length < 8) number |= ~std::uint64_t{0} << (8 * length);
            return add_integer(static_cast<std::int64_t>(number));
        }
        default: {  // BINFLOAT, big-endian
            std::string_view raw;
            if (!take(8, raw)) return false;
            std::uint64_t bits = 0;
            for (char c : raw) bits = bits << 8 | static_cast<std::uint8_t>(c);
            Node n;
            n.kind = Kind::real;
            n.real = std::bit_cast<double>(bits);
            return add(std::move(n));
        }
    }
}

bool Machine::step_container(std::uint8_t opcode) {
    std::vector<NodeId> items;
    NodeId key = 0, value = 0;
    switch (opcode) {
        case '}':
            return add_container(Kind::dict);  // EMPTY_DICT
        case ']':
            return add_container(Kind::list);  // EMPTY_LIST
        case ')':
            return add_container(Kind::tuple);  // EMPTY_TUPLE
        case 0x85:
            return add_tuple(1);  // TUPLE1
        case 0x86:
            return add_tuple(2);  // TUPLE2
        case 0x87:
            return add_tuple(3);  // TUPLE3
        case 't':
            return pop_to_mark(items) && add_container(Kind::tuple, std::move(items));  // TUPLE
        case 'a':
            return pop(value) && count_items(1) && append({value});  // APPEND
        case 'e':
            return pop_to_mark(items) && append(items);  // APPENDS
        case 's':
            return pop(value) && pop(key) && count_items(2) && set_items({key, value});  // SETITEM
        case 'u':
            return pop_to_mark(items) && set_items(items);  // SETITEMS
        default:
            return fail(
                fmt::format("refused: the pickle uses the instruction 0x{:02x}, which torch.save does not write. "
                            "Nothing was executed",
                            opcode));
    }
}

}  // namespace

std::size_t bytes_of(Dtype dtype) {
    switch (dtype) {
        case Dtype::f64:
        case Dtype::i64:
            return 8;
        case Dtype::f32:
        case Dtype::i32:
            return 4;
        case Dtype::f16:
        case Dtype::bf16:
        case Dtype::i16:
            return 2;
        case Dtype::i8:
        case Dtype::u8:
        case Dtype::boolean:
            break;
    }
    return 1;
}

Result<Reading> read(std::string_view bytes, std::string const& where, Refusal* refusal) {
    return Machine(bytes, where, refusal).run();
}

}  // namespace orrery::pickle
