#include "core/io/gunzip.h"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace orrery::io {

bool is_gzip(std::string_view bytes) {
    return bytes.size() >= 2 && static_cast<unsigned char>(bytes[0]) == 0x1f &&
           static_cast<unsigned char>(bytes[1]) == 0x8b;
}

Result<std::string> gunzip(std::string_view bytes, std::string const& file_name, std::uint64_t limit) {
    z_stream stream{};
    constexpr int gzip_window = 15 + 16;  // largest window, gzip header expected
    if (inflateInit2(&stream, gzip_window) != Z_OK) return internal_error("zlib can't be started", file_name);
    std::unique_ptr<z_stream, int (*)(z_stream*)> const closer(&stream, inflateEnd);
    auto const damaged = [&](char const* reason) {
        return bad_input("the gzip file is damaged or cut short", file_name,
                         "Take it again from its source, or test it with gzip -t")
            .caused_by(reason != nullptr ? reason : "unexpected end");
    };
    std::string result;
    std::vector<char> buffer(std::size_t{1} << 18);
    std::size_t offset = 0;
    int status = Z_OK;
    while (true) {
        if (stream.avail_in == 0 && offset < bytes.size()) {
            std::size_t const piece = std::min<std::size_t>(bytes.size() - offset, std::size_t{1} << 30);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + offset));
            stream.avail_in = static_cast<uInt>(piece);
            offset += piece;
        }
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        status = inflate(&stream, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END) return damaged(stream.msg);
        result.append(buffer.data(), buffer.size() - stream.avail_out);
        if (result.size() > limit)
            return bad_input("the gzip file holds more than " + std::to_string(limit >> 20) + " MiB", file_name,
                             "This is no structure or table of a usual size");
        if (status == Z_STREAM_END) {
            // A gzip file may be several members, one after the other (bgzip writes such files).
            std::size_t const left = stream.avail_in + (bytes.size() - offset);
            if (left < 2 || !is_gzip(bytes.substr(bytes.size() - left))) return result;
            if (inflateReset(&stream) != Z_OK) return damaged(stream.msg);
        }
    }
}

}  // namespace orrery::io
