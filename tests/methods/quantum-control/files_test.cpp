// Files of pulses and systems: what is read, and how damaged and hostile ones are refused.
#include "core/base/files.h"
#include "core/io/npy.h"
#include "core/methods/quantum-control/pulse_file.h"
#include "core/methods/quantum-control/system_file.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>

using namespace orrery;
using namespace orrery::methods::quantum_control;
using io::NumpyArray;

namespace {

std::filesystem::path written(std::string const& name, std::string const& bytes) {
    auto const path = std::filesystem::temp_directory_path() / ("orrery-quantum-files-" + name);
    REQUIRE(write_file(path, bytes).ok());
    return path;
}

std::string archive(std::map<std::string, NumpyArray> const& arrays) {
    auto bytes = io::npz_bytes(arrays);
    REQUIRE(bytes.ok());
    return *bytes;
}

NumpyArray row(std::vector<double> values) { return {{values.size()}, values, {}, {}, false}; }

// An archive as numpy.savez(system=text, ...) writes it: npz_bytes writes no text, so its array is put in by hand.
std::map<std::string, NumpyArray> matrices() {
    std::map<std::string, NumpyArray> arrays;
    arrays["drive"] = {{2, 2}, {0, 0.3, 0.3, 0}, {0, -0.4, 0.4, 0}, {}, false};
    arrays["start"] = {{2}, {0.6, 0}, {0, 0.8}, {}, false};
    arrays["lower"] = {{2, 2}, {0, 1, 0, 0}, {}, {}, false};
    return arrays;
}

Json described() {
    return Json::parse(R"({"name": "mine", "levels": 2, "duration_us": 0.2, "controls": [{"name": "omega", "max": 30}],
        "terms": [{"name": "drive", "control": "omega", "array": "drive"}],
        "jumps": [{"name": "decay", "rate": 0.1, "array": "lower"}],
        "initial": {"array": "start"}, "target": {"level": 1}})");
}

std::string message(Json const& file, std::map<std::string, NumpyArray> const& arrays) {
    auto system = parse_system(file.dump(), "mine.npz", arrays);
    REQUIRE_FALSE(system.ok());
    CHECK(system.error().kind == ErrorKind::bad_input);
    CHECK(system.error().where == "mine.npz");
    return system.error().what;
}

std::string refusal(std::filesystem::path const& path) {
    auto pulse = read_pulse(path, *preset("lambda5"));
    REQUIRE_FALSE(pulse.ok());
    CHECK(pulse.error().kind == ErrorKind::bad_input);
    return pulse.error().message();
}

bool has(std::string const& text, std::string const& part) {
    if (text.find(part) != std::string::npos) return true;
    UNSCOPED_INFO("\"" << text << "\" lacks \"" << part << "\"");
    return false;
}

}  // namespace

TEST_CASE("a system's matrices and states may be arrays") {
    auto system = parse_system(described().dump(), "mine.npz", matrices());
    if (!system.ok()) FAIL(system.error().message());
    REQUIRE(system->terms[0].matrix.size() == 2);
    CHECK(system->terms[0].matrix[0].value == Complex(0.3, -0.4));
    CHECK(system->initial[0].state[1] == Complex(0, 0.8));
    CHECK(system->jumps[0].matrix.size() == 1);

    auto arrays = matrices();
    arrays["drive"].imaginary[2] = 0.5;
    CHECK(has(message(described(), arrays), "Hamiltonian term \"drive\" is not Hermitian"));
    arrays = matrices();
    arrays["drive"].shape = {4};
    CHECK(has(message(described(), arrays), "the array \"drive\" of Hamiltonian term \"drive\" is not 2 x 2"));
    arrays = matrices();
    arrays["drive"].real[1] = std::numeric_limits<double>::quiet_NaN();
    CHECK(has(message(described(), arrays), "Hamiltonian term \"drive\""));
    arrays = matrices();
    arrays.erase("lower");
    CHECK(has(message(described(), arrays), "the array \"lower\" of jump operator \"decay\" is not in the file"));
    arrays = matrices();
    arrays["start"].real[0] = 1;
    CHECK(has(message(described(), arrays), "the initial state has norm"));
    arrays = matrices();
    arrays["start"] = row({1, 0, 0});
    CHECK(has(message(described(), arrays), "the array \"start\" of the initial state is not 2 long"));
    Json file = described();
    file["terms"][0]["array"] = 3;
    CHECK(has(message(file, matrices()), "\"array\" of Hamiltonian term \"drive\" is not a name"));
    CHECK(has(message(described(), {}), "is not in the file"));
}

TEST_CASE("archives without a system, damaged or of another kind are refused") {
    auto refused = [](std::filesystem::path const& path) {
        auto system = read_system(path);
        REQUIRE_FALSE(system.ok());
        CHECK(system.error().kind == ErrorKind::bad_input);
        return system.error().message();
    };
    std::string const bytes = archive(matrices());
    CHECK(has(refused(written("none.npz", bytes)), "no text \"system\""));
    for (std::size_t cut = 0; cut < bytes.size(); cut += 29) refused(written("cut.npz", bytes.substr(0, cut)));
    refused(written("text.npz", "{\"levels\": 2}"));
    refused(written("empty.npz", ""));
    refused(written("utf16.json", std::string("\xff\xfe{\0\"\0", 6)));
    CHECK(has(refused("/nonexistent/mine.json"), "mine.json"));
    CHECK(
        has(refused(written("lfs.json", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n")), "LFS"));
    refused(std::filesystem::temp_directory_path());
}

TEST_CASE("an archive that NumPy wrote is read") {
    // numpy.savez with system=json.dumps(...) stores '<U..' text; the header and UTF-32 are made here by hand.
    std::string const text = described().dump();
    std::string data;
    for (char c : text) data += std::string(1, c) + std::string(3, '\0');
    std::string header = "{'descr': '<U" + std::to_string(text.size()) + "', 'fortran_order': False, 'shape': (), }";
    header.resize(117, ' ');
    header += '\n';
    std::string npy = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + data;
    auto array = io::parse_npy(npy, "system.npy");
    if (!array.ok()) FAIL(array.error().message());
    CHECK(array->text == text);
    CHECK(parse_system(array->text, "mine.npz", matrices()).ok());
}

TEST_CASE("pulses of .npz, and wrong ones with their reasons") {
    std::vector<double> const t = {0, 0.2, 0.5, 1}, p = {0, 10, 20, 0}, s = {0, 5, 6, 0};
    std::map<std::string, NumpyArray> const good = {{"t_us", row(t)}, {"omega_p_MHz", row(p)}, {"omega_s_MHz", row(s)}};
    auto pulse = read_pulse(written("good.npz", archive(good)), *preset("lambda5"));
    if (!pulse.ok()) FAIL(pulse.error().message());
    CHECK(pulse->times == t);
    CHECK(std::abs(pulse->values[0][2] - two_pi * 20) < 1e-12);
    auto with = [&](std::string const& name, NumpyArray array) {
        auto arrays = good;
        arrays[name] = std::move(array);
        return refusal(written("wrong.npz", archive(arrays)));
    };
    CHECK(has(with("phase", row(p)), "\"phase\" is no control of lambda5"));
    CHECK(has(with("omega_p_MHz", row({0, 1, 2})), "omega_p_MHz has not the 4 values of t_us"));
    CHECK(has(with("omega_p_MHz", {{4}, p, p, {}, false}), "complex"));
    CHECK(has(with("omega_p_MHz", row({0, std::numeric_limits<double>::infinity(), 2, 3})), "not a number"));
    CHECK(has(with("t_us", row({0, 0.2, 0.2, 1})), "does not come after"));
    CHECK(has(with("t_us", {{2, 2}, t, {}, {}, false}), "not one row of times"));
    auto arrays = good;
    arrays.erase("omega_s_MHz");
    CHECK(has(refusal(written("wrong.npz", archive(arrays))), "\"omega_s_MHz\" is missing"));
    arrays = good;
    arrays.erase("t_us");
    CHECK(has(refusal(written("wrong.npz", archive(arrays))), "\"t_us\" is missing"));
    std::string const bytes = archive(good);
    for (std::size_t cut = 0; cut < bytes.size(); cut += 17) refusal(written("cut.npz", bytes.substr(0, cut)));
    CHECK(
        has(refusal(written("short.npy", io::npy_bytes({{4, 3}, std::vector<double>(12), {}, {}, false}))), "3 knots"));
    CHECK(has(refusal(written("flat.npy", io::npy_bytes(row(t)))), "[controls, knots]"));
    CHECK(has(refusal(written("rows.npy", io::npy_bytes({{3, 4}, std::vector<double>(12), {}, {}, false}))),
              "3 rows, but lambda5 has 4 controls"));
}

TEST_CASE("pulses of a generator's JSON, and wrong ones with their reasons") {
    Json const good = Json::parse(R"({"sample_rate_MHz": 4, "unit": "MHz",
        "channels": {"omega_p": [0, 1, 2, 3, 0], "omega_s": [0, 1, 2, 3, 0], "delta_p": [1, 1, 1, 1, 1]}})");
    auto pulse = read_pulse(written("good.json", good.dump()), *preset("lambda5"));
    if (!pulse.ok()) FAIL(pulse.error().message());
    CHECK(pulse->times == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
    auto with = [&](char const* pointer, Json const& value) {
        Json file = good;
        file[Json::json_pointer(pointer)] = value;
        return refusal(written("wrong.json", file.dump()));
    };
    CHECK(has(with("/sample_rate_MHz", 0), "sample_rate_MHz"));
    CHECK(has(with("/sample_rate_MHz", "fast"), "sample_rate_MHz"));
    CHECK(has(with("/unit", "V"), "unit"));
    CHECK(has(with("/channels", 3), "no \"channels\""));
    CHECK(has(with("/channels/omega_p", "0,1"), "\"omega_p\" is not a list of numbers"));
    CHECK(has(with("/channels/omega_p/2", nullptr), "\"omega_p\" is not a list of numbers"));
    CHECK(has(with("/channels/omega_p", {0, 1}), "has not the 5 values"));
    CHECK(has(with("/channels/phase", {0, 1, 2, 3, 4}), "phase"));
    CHECK(has(refusal(written("none.json", "")), "not JSON"));
    CHECK(has(refusal(written("deep.json", std::string(100000, '['))), "not JSON"));
    CHECK(has(refusal(written("list.json", "[1, 2]")), "no \"channels\""));
    std::string const text = good.dump();
    for (std::size_t cut = 0; cut < text.size(); cut += 3) refusal(written("cut.json", text.substr(0, cut)));
}

TEST_CASE("damaged tables of pulses never pass or crash") {
    QuantumSystem const system = *preset("lambda5");
    std::string text = "# a pulse\nt_us,omega_p_MHz,omega_s_MHz,delta_p_MHz,delta_s_MHz\n";
    for (int k = 0; k < 6; ++k) text += std::to_string(k) + ",1,2,3,4\n";
    REQUIRE(parse_pulse_csv(text, system, "p.csv").ok());
    CHECK(has(refusal(written("utf16.csv", std::string("\xff\xfet\0_\0u\0s\0", 10))), "UTF-16"));
    CHECK_FALSE(parse_pulse_csv(std::string(1000, '\0'), system, "p.csv").ok());
    CHECK_FALSE(
        parse_pulse_csv("t_us,omega_p_MHz,omega_s_MHz\n0,1,2\n1,1e999,2\n2,1,2\n3,1,2\n", system, "p.csv").ok());
    CHECK_FALSE(parse_pulse_csv("t_us,omega_p_MHz,omega_s_MHz\n0,1,2\n1,1\n2,1,2\n3,1,2\n", system, "p.csv").ok());
    std::mt19937 random(3);
    for (int k = 0; k < 5000; ++k) {  // must end; a pulse that passes is whole and rising
        std::string changed = text;
        for (int n = 0; n < 2; ++n) changed[random() % changed.size()] = static_cast<char>(random());
        auto pulse = parse_pulse_csv(changed, system, "p.csv");
        if (!pulse.ok()) continue;
        CHECK(pulse->times.size() >= 4);
        CHECK(std::is_sorted(pulse->times.begin(), pulse->times.end()));
        for (auto const& values : pulse->values) CHECK(values.size() == pulse->times.size());
    }
}
