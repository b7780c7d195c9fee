// Thousands of seeded mutations of small valid files. Each must load or be refused with a message that names the file;
// run it with -DORRERY_SANITIZE="address;undefined" to see reads outside memory too.
#include "core/compute/checkpoint.h"
#include "core/compute/pickle.h"
#include "core/compute/safetensors.h"
#include "tests/catch.h"
#include "tests/compute/craft.h"
#include "tests/fixtures.h"

#include <random>

using namespace orrery;
using namespace orrery::tests;
namespace fs = std::filesystem;

namespace {

// One to four changes: a byte set, a bit turned, a piece cut out, repeated, or overwritten by an extreme number.
std::string mutate(std::string bytes, std::mt19937_64& random) {
    auto below = [&](std::size_t limit) {
        return static_cast<std::size_t>(random() % std::max<std::size_t>(limit, 1));
    };
    std::size_t const changes = 1 + below(4);
    for (std::size_t i = 0; i < changes && !bytes.empty(); ++i) {
        std::size_t const at = below(bytes.size());
        switch (below(6)) {
            case 0:
                bytes[at] = static_cast<char>(random());
                break;
            case 1:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
                break;
            case 2:
                bytes.erase(at, 1 + below(20));
                break;
            case 3:
                bytes.insert(at, bytes.substr(at, 1 + below(20)));
                break;
            case 4:
                bytes.replace(at, std::min<std::size_t>(4, bytes.size() - at), std::string(4, '\xff'));
                break;
            default:
                bytes.resize(at);
                break;
        }
    }
    return bytes;
}

// Reads every element, so that a view outside its memory would be seen.
void touch(std::map<std::string, torch::Tensor> const& tensors) {
    for (auto const& [name, tensor] : tensors) CHECK(tensor.to(torch::kFloat64).sum().numel() == 1);
}

}  // namespace

TEST_CASE("mutated checkpoints never crash") {
    fs::path const folder = scratch_directory("fuzz-checkpoint");
    write_small_checkpoint(folder / "valid.pt");
    std::string const valid = read_bytes(folder / "valid.pt");
    std::mt19937_64 random(20260101);
    int loaded = 0;
    for (int i = 0; i < 4000; ++i) {
        write_bytes(folder / "mutated.pt", mutate(valid, random));
        auto weights = load_weights(folder / "mutated.pt");
        if (weights.ok())
            touch(weights->tensors);
        else
            REQUIRE(weights.error().message().find("mutated.pt") != std::string::npos);
        loaded += weights.ok() ? 1 : 0;
    }
    CHECK(loaded < 4000);
}

TEST_CASE("mutated pickles inside a sound zip never crash") {
    // Without the zip's checksum in the way, most mutations reach the pickle machine.
    fs::path const folder = scratch_directory("fuzz-pickle");
    Pickler pickle(4);
    pickle.raw("}(")
        .text("a")
        .tensor("FloatStorage", "0", 6, 0, {2, 3}, {3, 1})
        .text("l")
        .raw("](")
        .integer(300)
        .real(0.5)
        .raw("\x88Ne\x94");
    pickle.text("t").integer(1).integer(2).integer(3).raw("\x87q\x09").text("w").raw("h\x09\x85").raw("uq\x01");
    std::string const valid = pickle.stop();
    REQUIRE(pickle::read(valid, "valid").ok());
    std::mt19937_64 random(20260102);
    int accepted = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string const mutated = mutate(valid, random);
        auto reading = pickle::read(mutated, "mutated");
        if (!reading.ok()) {
            REQUIRE(reading.error().message().find("mutated") != std::string::npos);
            continue;
        }
        ++accepted;
        write_checkpoint(folder / "mutated.pt", mutated, std::string(24, '\0'));
        auto weights = load_weights(folder / "mutated.pt");
        if (weights.ok()) touch(weights->tensors);
    }
    CHECK(accepted > 100);
}

TEST_CASE("mutated safetensors files never crash") {
    fs::path const folder = scratch_directory("fuzz-safetensors");
    auto valid = write_safetensors(
        {{"a", torch::arange(6, torch::kFloat32).reshape({2, 3})}, {"flag", torch::ones({3}, torch::kBool)}},
        {{"kind", "test"}});
    REQUIRE(valid.ok());
    std::mt19937_64 random(20260103);
    int opened = 0;
    for (int i = 0; i < 8000; ++i) {
        write_bytes(folder / "mutated.safetensors", mutate(*valid, random));
        auto file = SafetensorsFile::open(folder / "mutated.safetensors");
        if (!file.ok()) {
            REQUIRE(file.error().message().find("mutated.safetensors") != std::string::npos);
            continue;
        }
        ++opened;
        for (std::string const& name : file->names()) {
            auto tensor = file->tensor(name);
            if (tensor.ok()) touch({{name, *tensor}});
        }
    }
    CHECK(opened > 100);
}
