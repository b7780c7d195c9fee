#include "core/methods/quantum-control/pulse_file.h"

#include "core/base/files.h"
#include "core/base/nearest.h"
#include "core/base/number.h"
#include "core/base/table.h"

#include <algorithm>
#include <cmath>
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

namespace {

Error wrong_array(std::string what, std::string const& file_name) {
    return bad_input(std::move(what), file_name, {}, "pulse");
}

// A row of `knots` values in MHz as control values in rad/us. Errors: complex, or not finite.
Result<std::vector<double>> control_values(io::NumpyArray const& array, std::size_t row, std::size_t knots,
                                           std::string const& name, std::string const& file_name) {
    if (!array.imaginary.empty()) return wrong_array("the array of " + name + " is complex", file_name);
    std::vector<double> values(array.real.begin() + static_cast<std::ptrdiff_t>(row * knots),
                               array.real.begin() + static_cast<std::ptrdiff_t>((row + 1) * knots));
    for (double& v : values) {
        if (!std::isfinite(v))
            return wrong_array("the array of " + name + " holds a value that is not a number", file_name);
        v *= two_pi;
    }
    return values;
}

Result<Pulse> checked(Pulse pulse, std::string const& file_name) {
    ORRERY_CHECK(check_pulse(pulse, file_name));
    return pulse;
}

}  // namespace

Result<Pulse> parse_pulse_npy(std::string const& bytes, QuantumSystem const& system, std::string const& file_name) {
    auto array = io::parse_npy(bytes, file_name);
    if (!array.ok()) {
        array.error().field = "pulse";
        return std::move(array).error();
    }
    if (array->is_text || array->dimensions() != 2) {
        return wrong_array("the array has not the two dimensions [controls, knots]", file_name);
    }
    std::size_t const rows = array->shape[0], knots = array->shape[1];
    if (rows != system.controls.size()) {
        return wrong_array("the array has " + std::to_string(rows) + " rows, but " + system.name + " has " +
                               std::to_string(system.controls.size()) + " controls",
                           file_name);
    }
    Pulse pulse;
    for (std::size_t k = 0; k < knots; ++k) {
        pulse.times.push_back(system.duration * static_cast<double>(k) /
                              static_cast<double>(std::max<std::size_t>(knots, 2) - 1));
    }
    for (std::size_t r = 0; r < rows; ++r) {
        ORRERY_TRY(std::vector<double> values, control_values(*array, r, knots, system.controls[r].name, file_name));
        pulse.values.push_back(std::move(values));
    }
    return checked(std::move(pulse), file_name);
}

Result<Pulse> pulse_of_arrays(std::map<std::string, io::NumpyArray> const& arrays, QuantumSystem const& system,
                              std::string const& file_name) {
    CsvFile names;  // the same rules as for the columns of a table
    for (auto const& [name, array] : arrays) names.header.push_back(name);
    ORRERY_TRY(std::vector<int> controls, columns_of(names, system, file_name));
    io::NumpyArray const& times = arrays.at("t_us");
    if (times.is_text || times.dimensions() != 1 || !times.imaginary.empty()) {
        return wrong_array("the array t_us is not one row of times", file_name);
    }
    Pulse pulse;
    pulse.times = times.real;
    for (std::size_t k = 0; k < pulse.times.size(); ++k) {
        if (!std::isfinite(pulse.times[k]) || (k > 0 && pulse.times[k] <= pulse.times[k - 1])) {
            return bad_input("the time " + number_text(pulse.times[k]) + " us at place " + std::to_string(k) +
                                 " does not come after the one before",
                             file_name + ", array t_us", "Times must rise", "pulse");
        }
    }
    std::size_t const knots = pulse.times.size();
    pulse.values.assign(system.controls.size(), std::vector<double>(knots, 0.0));
    std::size_t at = 0;
    for (auto const& [name, array] : arrays) {
        int const control = controls[at++];
        if (control < 0) continue;
        if (array.is_text || array.shape != times.shape) {
            return wrong_array("the array " + name + " has not the " + std::to_string(knots) + " values of t_us",
                               file_name);
        }
        ORRERY_TRY(pulse.values[static_cast<std::size_t>(control)], control_values(array, 0, knots, name, file_name));
    }
    return checked(std::move(pulse), file_name);
}

namespace {

Result<Pulse> pulse_of_generator(Json const& file, QuantumSystem const& system, std::string const& file_name) {
    if (!file.is_object() || !file.contains("channels") || !file["channels"].is_object()) {
        return wrong_array("the file has no \"channels\"", file_name);
    }
    if (file.value("unit", Json("MHz")) != "MHz") return wrong_array("the unit of the channels is not MHz", file_name);
    Json const rate = file.value("sample_rate_MHz", Json());
    if (!rate.is_number() || !(rate.get<double>() > 0) || !std::isfinite(rate.get<double>())) {
        return wrong_array("\"sample_rate_MHz\" is not a positive number", file_name);
    }
    std::map<std::string, io::NumpyArray> arrays;
    std::size_t samples = 0;
    for (auto const& [name, values] : file["channels"].items()) {
        io::NumpyArray array;
        bool numbers = values.is_array();
        for (std::size_t k = 0; numbers && k < values.size(); ++k) {
            numbers = values[k].is_number();
            if (numbers) array.real.push_back(values[k].get<double>());
        }
        if (!numbers) return wrong_array("the channel \"" + name + "\" is not a list of numbers", file_name);
        array.shape = {array.real.size()};
        samples = std::max(samples, array.real.size());
        arrays.emplace(name + "_MHz", std::move(array));
    }
    io::NumpyArray times;
    times.shape = {samples};
    for (std::size_t k = 0; k < samples; ++k) times.real.push_back(static_cast<double>(k) / rate.get<double>());
    arrays.emplace("t_us", std::move(times));
    return pulse_of_arrays(arrays, system, file_name);
}

}  // namespace

Result<Pulse> parse_pulse_json(std::string const& text, QuantumSystem const& system, std::string const& file_name) {
    Json const file = Json::parse(text, nullptr, false);
    if (file.is_discarded()) return wrong_array("the file is not JSON", file_name);
    return pulse_of_generator(file, system, file_name);
}

Result<Pulse> read_pulse(std::filesystem::path const& path, QuantumSystem const& system) {
    std::string const name = path.filename().string();
    if (path.extension() == ".npz") {
        ORRERY_CHECK(check_file(path));
        auto arrays = io::read_npz(path);
        if (!arrays.ok()) {
            arrays.error().field = "pulse";
            return std::move(arrays).error();
        }
        return pulse_of_arrays(*arrays, system, name);
    }
    ORRERY_TRY(std::string bytes, read_file(path, std::uint64_t{64} << 20));
    if (path.extension() == ".npy") return parse_pulse_npy(bytes, system, name);
    if (path.extension() == ".json") return parse_pulse_json(bytes, system, name);
    return parse_pulse_csv(bytes, system, name);
}

io::NumpyArray pulse_array(Pulse const& pulse) {
    io::NumpyArray array;
    array.shape = {pulse.values.size(), pulse.times.size()};
    for (auto const& values : pulse.values)
        for (double v : values) array.real.push_back(v / two_pi);
    return array;
}

std::map<std::string, io::NumpyArray> pulse_arrays(Pulse const& pulse, QuantumSystem const& system) {
    std::map<std::string, io::NumpyArray> arrays;
    arrays["t_us"] = {{pulse.times.size()}, pulse.times, {}, {}, false};
    for (std::size_t c = 0; c < system.controls.size(); ++c) {
        std::vector<double> values = pulse.values[c];
        for (double& v : values) v /= two_pi;
        arrays[column_name(system.controls[c])] = {{values.size()}, values, {}, {}, false};
    }
    return arrays;
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
