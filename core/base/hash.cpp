#include "core/base/hash.h"

#include "core/base/files.h"

#include <openssl/evp.h>
#include <fstream>
#include <stdexcept>

namespace orrery {

struct Sha256::State {
    EVP_MD_CTX* context = nullptr;
    ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : m_state(std::make_unique<State>()) {
    m_state->context = EVP_MD_CTX_new();
    // Fails without memory alone, or where a policy of the machine forbids SHA-256.
    if (m_state->context == nullptr || EVP_DigestInit_ex(m_state->context, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("OpenSSL gives no SHA-256");
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) { EVP_DigestUpdate(m_state->context, bytes.data(), bytes.size()); }

std::string Sha256::hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    EVP_DigestFinal_ex(m_state->context, digest, &length);
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(std::size_t{2} * length);
    for (unsigned int i = 0; i < length; ++i) {
        text += digits[digest[i] >> 4];
        text += digits[digest[i] & 15];
    }
    return text;
}

std::string sha256(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.hex();
}

Result<std::string> sha256_file(std::filesystem::path const& path) {
    ORRERY_CHECK(check_file(path));
    std::ifstream file(path, std::ios::binary);
    Sha256 hash;
    std::string block(std::size_t{1} << 20, '\0');
    while (file) {
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        hash.add(std::string_view(block.data(), static_cast<std::size_t>(file.gcount())));
    }
    if (file.bad() || !file.eof()) return bad_input("file cannot be read to its end", path.string());
    return hash.hex();
}

}  // namespace orrery
