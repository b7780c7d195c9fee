// SHA-256 of bytes and files, in lower-case hexadecimal: the identity of inputs, artifacts and weights.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace orrery {

class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256 const&) = delete;
    Sha256& operator=(Sha256 const&) = delete;
    void add(std::string_view bytes);
    [[nodiscard]] std::string hex();  // ends the hash

private:
    struct State;
    std::unique_ptr<State> m_state;
};

[[nodiscard]] std::string sha256(std::string_view bytes);
Result<std::string> sha256_file(std::filesystem::path const& path);

}  // namespace orrery
