#include "core/compute/file_kind.h"

#include "core/compute/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t head_limit = std::size_t{1} << 20;
// What torch.save wrote first before version 1.6: the number 0x1950a86a20f9469cfc6c as a pickle of its own.
constexpr std::string_view legacy_magic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e"sv;

bool is_text(std::string_view head) {
    return std::all_of(head.begin(), head.begin() + std::min<std::ptrdiff_t>(std::ssize(head), 512), [](char c) {
        auto const byte = static_cast<unsigned char>(c);
        return byte >= 32 || byte == '\n' || byte == '\r' || byte == '\t';
    });
}

bool is_ascii(std::string_view bytes) {
    return std::all_of(bytes.begin(), bytes.end(),
                       [](char c) { return (c >= ' ' && c < 127) || c == '\n' || c == '\r' || c == '\t'; });
}

std::string first_words(std::string_view head) {
    std::string shown;
    for (char c : head.substr(0, 40)) {
        if (c == '\n' || c == '\r') break;
        shown += (c >= ' ' && c < 127) ? c : '?';
    }
    return shown;
}

// A bare pickle is refused in any case; the reason given is the worst that is found in its beginning.
std::optional<Error> command_in_pickles(std::string_view head, std::string const& name) {
    std::size_t position = 0;
    while (position < head.size()) {
        pickle::Refusal refusal;
        auto reading = pickle::read(head.substr(position), name, &refusal);
        if (!reading.ok()) return refusal.runs_command ? std::optional(std::move(reading).error()) : std::nullopt;
        position += reading->consumed;
    }
    return std::nullopt;
}

Error describe(std::string_view head, std::string const& name) {
    std::string const again = "Get the file again";
    std::string const save_again =
        "Load it once in PyTorch 1.6 or newer and save it again with torch.save(model.state_dict(), ...)";
    bool const legacy = head.substr(0, legacy_magic.size()) == legacy_magic;
    bool const bare = head.size() > 1 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
    if (legacy || bare || head[0] == 'c' || head[0] == '(') {
        auto command = command_in_pickles(legacy ? head.substr(legacy_magic.size()) : head, name);
        if (command) return std::move(*command);
    }
    if (legacy)
        return bad_input("a checkpoint in the format of PyTorch before 1.6, which is not read", name, save_again);
    if (bare) return bad_input("a bare Python pickle, not a PyTorch checkpoint (a zip archive)", name, save_again);
    if (head.size() > 262 && head.substr(257, 5) == "ustar")
        return bad_input("a tar archive (PyTorch before 0.4 wrote such checkpoints), which is not read", name,
                         save_again);
    if (head.substr(0, 8) == "\x89HDF\r\n\x1a\n"sv)
        return bad_input("an HDF5 file, not a PyTorch checkpoint or safetensors file", name);
    if (head.substr(0, 4) == "GGUF")
        return bad_input("a GGUF file, not a PyTorch checkpoint or safetensors file", name);
    if (head.substr(0, 2) == "PK")
        return bad_input("a zip archive that is cut off, empty or in several parts", name, again);
    if (is_text(head)) {
        bool const page = head.find("<html") < 1000 || head.find("<!DOCTYPE") < 100 || head.find("<!doctype") < 100;
        return bad_input(fmt::format("{}, not a PyTorch checkpoint or safetensors file: it begins \"{}\"",
                                     page ? "a web page" : "a text file", first_words(head)),
                         name, page ? "The download gave a page instead of the file; get the file again" : "");
    }
    if (head.size() < 10)
        return bad_input(fmt::format("the file is too short to hold weights ({} bytes)", head.size()), name, again);
    std::string bytes;
    for (char c : head.substr(0, 4))
        bytes += fmt::format("{}{:02x}", bytes.empty() ? "" : " ", static_cast<unsigned char>(c));
    return bad_input(
        fmt::format("neither a PyTorch checkpoint (a zip archive) nor a safetensors file: it begins with the bytes {}",
                    bytes),
        name);
}

}  // namespace

Result<WeightFileKind> weight_file_kind(std::filesystem::path const& path) {
    std::string const name = path.filename().string();
    std::error_code failure;
    auto const status = std::filesystem::status(path, failure);
    if (!std::filesystem::exists(status)) return bad_input("there is no such file", path.string());
    if (std::filesystem::is_directory(status)) return bad_input("this is a folder, not a file", path.string());
    if (!std::filesystem::is_regular_file(status)) return bad_input("this is not a regular file", path.string());
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return bad_input("the file can't be read", path.string(), "Check its permissions");
    std::string head(head_limit, '\0');
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(stream.gcount()));

    if (head.empty()) return bad_input("the file is empty (0 bytes)", name, "Get the file again");
    if (head.substr(0, 43) == "version https://git-lfs.github.com/spec/v1\n" ||
        head.substr(0, 24) == "version https://git-lfs.")
        return bad_input("a Git LFS pointer, not the weights themselves", name,
                         "Run \"git lfs pull\" in the repository it came from");
    if (head.substr(0, 4) == "PK\x03\x04") return WeightFileKind::zip;
    if (head.size() > 8 && head[8] == '{' && !is_ascii(head.substr(0, 8))) return WeightFileKind::safetensors;
    return describe(head, name);
}

}  // namespace orrery
