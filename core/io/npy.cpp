#include "core/io/npy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace orrery::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_dimensions = 8;

struct Header {
    char kind = 'f';        // f c i u b U S
    std::size_t width = 8;  // bytes of one value
    bool fortran = false;
    std::vector<std::size_t> shape;
    std::size_t count = 1, data = 0;  // values, and where they start
};

// The text behind "'key':" in the Python literal of the header.
std::string_view value_of(std::string_view header, std::string_view key) {
    std::size_t at = header.find("'" + std::string(key) + "'");
    if (at == std::string_view::npos) return {};
    at = header.find(':', at);
    if (at == std::string_view::npos) return {};
    at = header.find_first_not_of(' ', at + 1);
    return at == std::string_view::npos ? std::string_view{} : header.substr(at);
}

class Parser {
public:
    Parser(std::string_view bytes, std::string const& file) : m_bytes(bytes), m_file(file) {}

    Result<NumpyArray> parse() {
        ORRERY_CHECK(read_header());
        NumpyArray array;
        array.shape = m_header.shape;
        if (m_header.kind == 'U' || m_header.kind == 'S') return read_text(std::move(array));
        array.real.resize(m_header.count);
        if (m_header.kind == 'c') array.imaginary.resize(m_header.count);
        for (std::size_t i = 0; i < m_header.count; ++i) {
            std::size_t const to = m_header.fortran ? c_order(i) : i;
            char const* from = m_bytes.data() + m_header.data + i * m_header.width;
            array.real[to] = number(from);
            if (m_header.kind == 'c') array.imaginary[to] = number(from + m_header.width / 2);
        }
        return array;
    }

private:
    [[nodiscard]] Error wrong(std::string what, std::string remedy = "Write it anew with numpy.save or numpy.savez") {
        return bad_input(std::move(what), m_file, std::move(remedy));
    }
    [[nodiscard]] std::size_t byte(std::size_t i) const { return static_cast<unsigned char>(m_bytes[i]); }

    Result<void> read_header() {
        if (m_bytes.size() < 12 || !m_bytes.starts_with(magic)) return wrong("this is not a .npy file");
        bool const wide = byte(6) >= 2;
        if (byte(6) < 1 || byte(6) > 3) return wrong("version " + std::to_string(byte(6)) + " of .npy is not known");
        std::size_t length = byte(8) + (byte(9) << 8);
        if (wide) length += (byte(10) << 16) + (byte(11) << 24);
        std::size_t const start = wide ? 12 : 10;
        if (length > m_bytes.size() - start) return wrong("the .npy file is cut short in its header");
        m_header.data = start + length;
        std::string_view const header = m_bytes.substr(start, length);
        ORRERY_CHECK(read_type(value_of(header, "descr")));
        std::string_view const order = value_of(header, "fortran_order");
        if (!order.starts_with("True") && !order.starts_with("False")) return wrong("the .npy file tells no order");
        m_header.fortran = order.starts_with("True");
        ORRERY_CHECK(read_shape(value_of(header, "shape")));
        std::size_t const there = m_bytes.size() - m_header.data;
        for (std::size_t n : m_header.shape) {
            // A count that cannot be in the file is refused before it could overflow.
            if (n != 0 && m_header.count > there / n) return wrong("the .npy file is shorter than its shape says");
            m_header.count *= n;
        }
        if (m_header.count > there / m_header.width) return wrong("the .npy file is shorter than its shape says");
        if (m_header.count * m_header.width != there) return wrong("the .npy file is longer than its shape says");
        return {};
    }

    Result<void> read_type(std::string_view text) {
        if (text.starts_with("[")) return wrong("the array has named fields", "Give a plain array of numbers");
        std::size_t const end = text.size() < 4 ? std::string_view::npos : text.find('\'', 1);
        if (end == std::string_view::npos || text[0] != '\'') return wrong("the .npy file tells no type");
        std::string_view const type = text.substr(1, end - 1);
        std::string const shown(type.substr(0, 20));
        if (type.size() < 2) return wrong("the type \"" + shown + "\" of the array is not numbers");
        if (type[1] == 'O') return wrong("the array holds Python objects", "Give numbers; objects are never unpickled");
        if (type[0] == '>') return wrong("the array is big-endian", "Convert it with array.astype('<f8')");
        m_header.kind = type[1];
        auto const [rest, failure] = std::from_chars(type.data() + 2, type.data() + type.size(), m_header.width);
        bool known = failure == std::errc() && rest == type.data() + type.size() && m_header.width < 100000000;
        std::size_t const w = m_header.width;
        switch (m_header.kind) {
            case 'f':
                known = known && (w == 4 || w == 8);
                break;
            case 'c':
                known = known && (w == 8 || w == 16);
                break;
            case 'i':
            case 'u':
                known = known && (w == 1 || w == 2 || w == 4 || w == 8);
                break;
            case 'b':
                known = known && w == 1;
                break;
            case 'U':
                m_header.width *= 4;
                break;
            case 'S':
                break;
            default:
                known = false;
        }
        if (!known || m_header.width == 0) {
            return wrong("the type \"" + shown + "\" of the array is not read here",
                         "Known are floats of 4 and 8 bytes, complex, integers, truth values and text");
        }
        return {};
    }

    Result<void> read_shape(std::string_view text) {
        if (!text.starts_with("(")) return wrong("the .npy file tells no shape");
        std::size_t const end = text.find(')');
        if (end == std::string_view::npos) return wrong("the .npy file tells no shape");
        std::string_view left = text.substr(1, end - 1);
        while (true) {
            left.remove_prefix(std::min(left.size(), left.find_first_not_of(" ,")));
            if (left.empty()) return {};
            std::size_t n = 0;
            auto const [rest, failure] = std::from_chars(left.data(), left.data() + left.size(), n);
            if (failure != std::errc()) return wrong("the shape of the .npy file is not numbers");
            if (m_header.shape.size() == most_dimensions) return wrong("the array has more than 8 dimensions");
            m_header.shape.push_back(n);
            left.remove_prefix(static_cast<std::size_t>(rest - left.data()));
        }
    }

    // Where the i-th value of a Fortran-ordered file stands in C order.
    [[nodiscard]] std::size_t c_order(std::size_t i) const {
        std::size_t at = 0, stride = m_header.count;
        for (std::size_t n : m_header.shape) {
            stride /= n;
            at += (i % n) * stride;
            i /= n;
        }
        return at;
    }

    template <class T>
    static double as(char const* from) {
        T value;
        std::memcpy(&value, from, sizeof value);
        return static_cast<double>(value);
    }
    [[nodiscard]] double number(char const* from) const {
        std::size_t const w = m_header.kind == 'c' ? m_header.width / 2 : m_header.width;
        switch (m_header.kind) {
            case 'i':
                return w == 1   ? as<std::int8_t>(from)
                       : w == 2 ? as<std::int16_t>(from)
                       : w == 4 ? as<std::int32_t>(from)
                                : as<std::int64_t>(from);
            case 'u':
                return w == 1   ? as<std::uint8_t>(from)
                       : w == 2 ? as<std::uint16_t>(from)
                       : w == 4 ? as<std::uint32_t>(from)
                                : as<std::uint64_t>(from);
            case 'b':
                return *from != 0 ? 1 : 0;
            default:
                return w == 4 ? as<float>(from) : as<double>(from);
        }
    }

    Result<NumpyArray> read_text(NumpyArray array) {
        if (m_header.count != 1) return wrong("the array holds several texts", "Give one text, e.g. json.dumps(...)");
        array.is_text = true;
        std::string_view const data = m_bytes.substr(m_header.data);
        if (m_header.kind == 'S') {
            array.text = data.substr(0, data.find('\0'));
            return array;
        }
        for (std::size_t i = 0; i + 4 <= data.size(); i += 4) {
            std::uint32_t c = 0;
            std::memcpy(&c, data.data() + i, 4);
            if (c == 0) break;
            if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return wrong("the text of the array is not Unicode");
            auto tail = [&](int shift) { array.text += static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
            if (c < 0x80) {
                array.text += static_cast<char>(c);
            } else if (c < 0x800) {
                array.text += static_cast<char>(0xc0 | (c >> 6));
                tail(0);
            } else if (c < 0x10000) {
                array.text += static_cast<char>(0xe0 | (c >> 12));
                tail(6);
                tail(0);
            } else {
                array.text += static_cast<char>(0xf0 | (c >> 18));
                tail(12);
                tail(6);
                tail(0);
            }
        }
        return array;
    }

    std::string_view m_bytes;
    std::string const& m_file;
    Header m_header;
};

}  // namespace

static_assert(std::endian::native == std::endian::little, "arrays are read and written as they lie in memory");

Result<NumpyArray> parse_npy(std::string_view bytes, std::string const& file_name) {
    return Parser(bytes, file_name).parse();
}

std::string npy_bytes(NumpyArray const& array) {
    bool const complex = !array.imaginary.empty();
    std::string shape;
    for (std::size_t n : array.shape) shape += std::to_string(n) + ",";
    if (array.shape.size() > 1) shape.pop_back();  // Python writes (3,) but (3,4)
    std::string header = std::string("{'descr': '") + (complex ? "<c16" : "<f8") +
                         "', 'fortran_order': False, 'shape': (" + shape + "), }";
    constexpr std::size_t before = 10, boundary = 64;  // NumPy starts the data at a multiple of 64
    header.resize((before + header.size() + boundary) / boundary * boundary - before - 1, ' ');
    header += '\n';
    std::string out(magic);
    out += std::string("\x01\x00", 2);
    out += static_cast<char>(header.size() & 0xff);
    out += static_cast<char>(header.size() >> 8);
    out += header;
    auto add = [&](double v) { out.append(reinterpret_cast<char const*>(&v), sizeof v); };
    for (std::size_t i = 0; i < array.real.size(); ++i) {
        add(array.real[i]);
        if (complex) add(array.imaginary[i]);
    }
    return out;
}

}  // namespace orrery::io
