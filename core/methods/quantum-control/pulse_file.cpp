#include "core/methods/quantum-control/pulse_file.h"

#include "core/base/files.h"
#include "core/base/nearest.h"
#include "core/base/number.h"
#include "core/base/table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>

namespace orrery::methods::quantum_control {
namespace {

std::string column_name(Control const& control) { return control.name + "_MHz"; }

// Which control each column is: -1 the time. Errors: unknown, twice, missing.
Result<std::vector<int>> columns_of(CsvFile const& file, QuantumSystem const& system, std::string const& name) {
    std::vector<std::string> known = {"t_us"};
    for (Control const& c : system.controls) known.push_back(column_name(c));
    std::vector<int> columns;
    std::vector<bool> seen(known.size(), false);
    for (std::string const& header : file.header) {
        auto found = std::find(known.begin(), known.end(), header);
        if (found == known.end()) {
            return bad_input("the column \"" + header + "\" is no control of " + system.name, name,
                             "Known are " + or_list(known), "pulse");
        }
        auto index = static_cast<std::size_t>(found - known.begin());
        if (seen[index]) return bad_input("the column \"" + header + "\" is there twice", name, {}, "pulse");
        seen[index] = true;
        columns.push_back(static_cast<int>(index) - 1);
    }
    for (std::size_t k = 0; k < known.size(); ++k) {
        bool const needed = k == 0 || system.controls[k - 1].kind == ControlKind::amplitude;
        if (needed && !seen[k]) return bad_input("the column \"" + known[k] + "\" is missing", name, {}, "pulse");
    }
    return columns;
}

Result<void> check_pulse(Pulse const& pulse, std::string const& name) {
    if (pulse.times.size() < 4) {
        return bad_input("the pulse has " + std::to_string(pulse.times.size()) + " knots", name, "Give at least 4",
                         "pulse");
    }
    if (pulse.times.size() > 100000) {
        return bad_input("the pulse has more than 100000 knots", name, "Resample it", "pulse");
    }
    return {};
}

}  // namespace

Result<Pulse> parse_pulse_csv(std::string const& text, QuantumSystem const& system, std::string const& file_name) {
    ORRERY_TRY(CsvFile file, parse_csv(text, file_name));
    ORRERY_TRY(std::vector<int> columns, columns_of(file, system, file_name));
    Pulse pulse;
    pulse.values.assign(system.controls.size(), std::vector<double>(file.rows.size(), 0.0));
    for (std::size_t row = 0; row < file.rows.size(); ++row) {
        std::string const where = file_name + " line " + std::to_string(file.lines[row]);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            std::optional<double> value = parse_real(file.rows[row][k]);
            if (!value || !std::isfinite(*value)) {
                return bad_input(
                    "\"" + file.rows[row][k] + "\" in the column \"" + file.header[k] + "\" is not a number", where, {},
                    "pulse");
            }
            if (columns[k] >= 0) {
                pulse.values[static_cast<std::size_t>(columns[k])][row] = two_pi * *value;
                continue;
            }
            if (!pulse.times.empty() && *value <= pulse.times.back()) {
                return bad_input("the time " + number_text(*value) + " us does not come after " +
                                     number_text(pulse.times.back()) + " us",
                                 where, "Times must rise", "pulse");
            }
            pulse.times.push_back(*value);
        }
    }
    ORRERY_CHECK(check_pulse(pulse, file_name));
    return pulse;
}

Result<Pulse> parse_pulse_npy(std::string const& bytes, QuantumSystem const& system, std::string const& file_name) {
    auto wrong = [&](std::string what) {
        return bad_input(std::move(what), file_name, "Give a C-ordered float64 or float32 array [controls, knots]",
                         "pulse");
    };
    if (bytes.size() < 12 || bytes.compare(0, 6, "\x93NUMPY") != 0) return wrong("this is not a .npy file");
    auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
    std::size_t const long_header = byte(6) >= 2 ? 1 : 0;
    std::size_t length = byte(8) + (byte(9) << 8);
    if (long_header != 0) length += (byte(10) << 16) + (byte(11) << 24);
    std::size_t const start = 10 + 2 * long_header + length;
    if (start > bytes.size()) return wrong("the file is cut short");
    std::string const header = bytes.substr(10 + 2 * long_header, length);
    bool const wide = header.find("'<f8'") != std::string::npos;
    if (!wide && header.find("'<f4'") == std::string::npos) return wrong("the array is not of floating-point numbers");
    if (header.find("'fortran_order': True") != std::string::npos) return wrong("the array is in Fortran order");
    std::size_t rows = 0, knots = 0;
    std::size_t const shape = header.find("'shape': (");
    if (shape == std::string::npos || std::sscanf(header.c_str() + shape, "'shape': (%zu, %zu", &rows, &knots) != 2) {
        return wrong("the array has not two dimensions");
    }
    if (rows != system.controls.size()) {
        return wrong("the array has " + std::to_string(rows) + " rows, but " + system.name + " has " +
                     std::to_string(system.controls.size()) + " controls");
    }
    std::size_t const width = wide ? 8 : 4;
    if (knots > 100000 || bytes.size() - start != rows * knots * width)
        return wrong("the file has not the size of its array");
    Pulse pulse;
    for (std::size_t k = 0; k < knots; ++k) {
        pulse.times.push_back(system.duration * static_cast<double>(k) /
                              static_cast<double>(std::max<std::size_t>(knots, 2) - 1));
    }
    for (std::size_t r = 0; r < rows; ++r) {
        std::vector<double> values(knots);
        for (std::size_t k = 0; k < knots; ++k) {
            char const* from = bytes.data() + start + (r * knots + k) * width;
            float narrow = 0;
            if (wide) {
                std::memcpy(&values[k], from, 8);
            } else {
                std::memcpy(&narrow, from, 4);
                values[k] = static_cast<double>(narrow);
            }
            if (!std::isfinite(values[k])) return wrong("the array holds a value that is not a number");
            values[k] *= two_pi;
        }
        pulse.values.push_back(std::move(values));
    }
    ORRERY_CHECK(check_pulse(pulse, file_name));
    return pulse;
}

Result<Pulse> read_pulse(std::filesystem::path const& path, QuantumSystem const& system) {
    ORRERY_TRY(std::string bytes, read_file(path, std::uint64_t{64} << 20));
    std::string const name = path.filename().string();
    if (path.extension() == ".npy") return parse_pulse_npy(bytes, system, name);
    return parse_pulse_csv(bytes, system, name);
}

std::string pulse_csv(Pulse const& pulse, QuantumSystem const& system, std::vector<std::string> const& comments) {
    std::string text;
    for (std::string const& comment : comments) text += "# " + comment + "\n";
    text += "t_us";
    for (Control const& c : system.controls) text += "," + column_name(c);
    text += "\n";
    for (std::size_t k = 0; k < pulse.times.size(); ++k) {
        text += number_text(pulse.times[k]);
        for (auto const& values : pulse.values) text += "," + number_text(values[k] / two_pi);
        text += "\n";
    }
    return text;
}

Pulse resampled(Pulse const& pulse, Interpolation interpolation, double rate) {
    Pulse out;
    double const first = pulse.times.front(), whole = pulse.times.back() - first;
    auto const count = static_cast<std::size_t>(whole * rate * (1 + 1e-12)) + 1;
    for (std::size_t k = 0; k < count; ++k) out.times.push_back(first + static_cast<double>(k) / rate);
    for (auto const& values : pulse.values) {
        auto const polynomials = interval_polynomials(pulse.times, values, interpolation);
        std::vector<double> samples;
        std::size_t interval = 0;
        for (double t : out.times) {
            while (interval + 1 < polynomials.size() && t >= pulse.times[interval + 1]) ++interval;
            samples.push_back(evaluate(polynomials[interval], t - pulse.times[interval]));
        }
        out.values.push_back(std::move(samples));
    }
    return out;
}

Json generator_json(Pulse const& samples, QuantumSystem const& system, double rate) {
    Json channels = Json::object();
    for (std::size_t c = 0; c < system.controls.size(); ++c) {
        Json values = Json::array();
        for (double v : samples.values[c]) values.push_back(v / two_pi);
        channels[system.controls[c].name] = std::move(values);
    }
    return {{"sample_rate_MHz", rate}, {"unit", "MHz"}, {"samples", samples.times.size()}, {"channels", channels}};
}

}  // namespace orrery::methods::quantum_control
