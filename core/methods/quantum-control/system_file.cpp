#include "core/methods/quantum-control/system_file.h"

#include "core/base/files.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace orrery::methods::quantum_control {
namespace {

class SystemReader {
public:
    SystemReader(Json const& file, std::string name, std::map<std::string, io::NumpyArray> const& arrays)
        : m_file(file), m_where(std::move(name)), m_arrays(arrays) {}

    Result<QuantumSystem> read() {
        m_system.name = m_file.value("name", m_where);
        m_system.title = m_system.name;
        ORRERY_CHECK(read_levels());
        ORRERY_TRY(m_system.duration, number(m_file, "duration_us", 0, "the system"));
        ORRERY_TRY(double knots, number(m_file, "knots", 50, "the system"));
        ORRERY_TRY(double steps, number(m_file, "steps", 40, "the system"));
        if (!(steps >= 1 && steps <= 100000)) return wrong("\"steps\" of the system is not 1 to 100000");
        if (!(knots >= 4 && knots <= 4096)) return wrong("\"knots\" of the system is not 4 to 4096");
        m_system.knots = static_cast<int>(knots);
        m_system.steps = static_cast<int>(steps);
        std::string const interpolation = m_file.value("interpolation", std::string("hermite"));
        if (interpolation != "hermite" && interpolation != "linear") {
            return wrong("the interpolation \"" + interpolation + "\" is not known", "Give hermite or linear");
        }
        m_system.interpolation = interpolation == "linear" ? Interpolation::linear : Interpolation::hermite;
        ORRERY_CHECK(read_controls());
        ORRERY_CHECK(read_terms());
        ORRERY_CHECK(read_jumps());
        ORRERY_TRY(std::vector<Complex> initial, state("initial", "the initial state"));
        m_system.initial = {{1, std::move(initial)}};
        ORRERY_TRY(m_system.target_state, state("target", "the target state"));
        for (int i = 0; i < m_system.levels; ++i)
            for (int j = 0; j < m_system.levels; ++j) {
                Complex v = m_system.target_state[static_cast<std::size_t>(i)] *
                            std::conj(m_system.target_state[static_cast<std::size_t>(j)]);
                if (std::abs(v) > 0) m_system.target.push_back({i, j, v});
            }
        ORRERY_CHECK(read_watched());
        ORRERY_CHECK(check_system(m_system, m_where));
        return m_system;
    }

private:
    [[nodiscard]] Error wrong(std::string what, std::string remedy = {}) const {
        return bad_input(std::move(what), m_where, std::move(remedy), "system_file");
    }

    // `fallback` 0: required.
    Result<double> number(Json const& object, char const* key, double fallback, std::string const& of) const {
        if (!object.contains(key) && fallback != 0) return fallback;
        if (!object.contains(key)) return wrong(of + " has no \"" + std::string(key) + "\"", "Give a number");
        if (!object[key].is_number()) {
            return wrong("\"" + std::string(key) + "\" of " + of + " is not a number", "Give a finite number");
        }
        return object[key].get<double>();
    }

    Result<double> unit_of(Json const& object, std::string const& of, char const* own, bool rate) const {
        std::string const unit = object.value("unit", std::string(own));
        if (unit == "MHz") return two_pi;
        if (unit == "kHz") return two_pi * 1e-3;
        if (unit == "GHz") return two_pi * 1e3;
        if (unit == "Hz") return two_pi * 1e-6;
        if (unit == "rad/us" || (rate && unit == "1/us")) return 1.0;
        return wrong("the unit \"" + unit + "\" of " + of + " is not known",
                     rate ? "Known are Hz, kHz, MHz, GHz (times 2 pi inside), rad/us and 1/us"
                          : "Known are Hz, kHz, MHz, GHz (times 2 pi inside) and rad/us");
    }

    Result<void> read_levels() {
        Json const levels = m_file.value("levels", Json());
        if (levels.is_number_integer()) {
            m_system.levels = static_cast<int>(std::clamp<std::int64_t>(levels.get<std::int64_t>(), -1, 1000));
            for (int i = 0; i < m_system.levels; ++i) m_system.level_names.push_back(std::to_string(i));
        } else if (levels.is_array()) {
            for (Json const& name : levels) {
                if (!name.is_string()) return wrong("a name among \"levels\" is not text");
                m_system.level_names.push_back(name.get<std::string>());
            }
            m_system.levels = static_cast<int>(levels.size());
        } else {
            return wrong("the system has no \"levels\"", "Give their number or a list of their names");
        }
        if (m_system.levels < 2 || m_system.levels > most_levels) {
            return wrong("the system has " + std::to_string(m_system.levels) + " levels",
                         "2 to " + std::to_string(most_levels) + " are possible");
        }
        return {};
    }

    Result<Json> objects(char const* key) const {
        Json const list = m_file.value(key, Json::array());
        if (!list.is_array()) return wrong("\"" + std::string(key) + "\" is not a list");
        for (Json const& entry : list) {
            if (!entry.is_object()) return wrong("\"" + std::string(key) + "\" has an entry that is not an object");
            if (!entry.contains("name") || !entry["name"].is_string()) {
                return wrong("\"" + std::string(key) + "\" has an entry without a \"name\"");
            }
            if (entry.contains("unit") && !entry["unit"].is_string()) {
                return wrong("the unit of \"" + entry["name"].get<std::string>() + "\" is not text");
            }
        }
        return list;
    }

    Result<void> read_controls() {
        ORRERY_TRY(Json list, objects("controls"));
        for (Json const& entry : list) {
            Control control;
            control.name = entry["name"].get<std::string>();
            std::string const of = "control \"" + control.name + "\"";
            for (Control const& other : m_system.controls) {
                if (other.name == control.name) return wrong(of + " is there twice");
            }
            Json const kind = entry.value("kind", Json("amplitude"));
            if (kind != "amplitude" && kind != "detuning") {
                return wrong("the kind of " + of + " is not known", "Give amplitude or detuning");
            }
            control.kind = kind == "detuning" ? ControlKind::detuning : ControlKind::amplitude;
            ORRERY_TRY(double unit, unit_of(entry, of, "MHz", false));
            ORRERY_TRY(double most, number(entry, "max", 0, of));
            double least = control.kind == ControlKind::amplitude ? 0 : -most;
            if (entry.contains("min")) {
                ORRERY_TRY(least, number(entry, "min", 0, of));
            }
            if (control.kind == ControlKind::amplitude && least != 0) {
                return wrong("the smallest value of " + of + " is not 0", "Amplitudes run from 0 to their maximum");
            }
            control.lower = unit * least;
            control.upper = control.scale = unit * most;
            if (!(control.upper > control.lower)) return wrong("the limits of " + of + " are not in order");
            m_system.controls.push_back(control);
        }
        return {};
    }

    static std::optional<Complex> complex_of(Json const& value) {
        if (value.is_number()) return Complex(value.get<double>(), 0);
        if (value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number()) {
            return Complex(value[0].get<double>(), value[1].get<double>());
        }
        return std::nullopt;
    }

    // The array that {"array": "name"} stands for, with `dimensions` times as many values as there are levels.
    Result<io::NumpyArray const*> array_of(Json const& entry, std::string const& of, std::size_t dimensions) const {
        Json const& name = entry["array"];
        if (!name.is_string()) return wrong("\"array\" of " + of + " is not a name");
        auto const found = m_arrays.find(name.get<std::string>());
        if (found == m_arrays.end()) {
            return wrong("the array " + name.dump() + " of " + of + " is not in the file",
                         "Arrays come in an .npz archive, beside the text \"system\"");
        }
        std::size_t const n = static_cast<std::size_t>(m_system.levels);
        std::string const wanted =
            dimensions == 2 ? std::to_string(n) + " x " + std::to_string(n) : std::to_string(n) + " long";
        if (found->second.is_text || found->second.shape != std::vector<std::size_t>(dimensions, n)) {
            return wrong("the array " + name.dump() + " of " + of + " is not " + wanted,
                         "It needs a value for each level");
        }
        return &found->second;
    }
    static Complex value_at(io::NumpyArray const& array, std::size_t i) {
        return {array.real[i], array.imaginary.empty() ? 0.0 : array.imaginary[i]};
    }

    Result<SparseMatrix> matrix(Json const& entry, std::string const& of) const {
        SparseMatrix out;
        if (entry.contains("array")) {
            ORRERY_TRY(io::NumpyArray const* array, array_of(entry, of, 2));
            for (int i = 0; i < m_system.levels; ++i)
                for (int j = 0; j < m_system.levels; ++j) {
                    Complex const v = value_at(*array, static_cast<std::size_t>(i * m_system.levels + j));
                    if (v != 0.0) out.push_back({i, j, v});
                }
            return out;
        }
        if (entry.contains("matrix")) {
            Json const& rows = entry["matrix"];
            std::size_t const n = static_cast<std::size_t>(m_system.levels);
            bool square = rows.is_array() && rows.size() == n;
            for (std::size_t i = 0; square && i < n; ++i) square = rows[i].is_array() && rows[i].size() == n;
            if (!square) {
                return wrong("the matrix of " + of + " is not " + std::to_string(n) + " x " + std::to_string(n),
                             "It needs a row and a column for each level");
            }
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) {
                    auto value = complex_of(rows[i][j]);
                    if (!value) return not_a_number(of, static_cast<int>(i), static_cast<int>(j));
                    if (*value != 0.0) out.push_back({static_cast<int>(i), static_cast<int>(j), *value});
                }
            return out;
        }
        if (!entry.contains("entries") || !entry["entries"].is_array()) {
            return wrong(of + " has neither \"entries\" nor a \"matrix\"", "Give a list of [row, column, re, im]");
        }
        for (Json const& e : entry["entries"]) {
            if (!e.is_array() || e.size() < 3 || e.size() > 4 || !e[0].is_number_integer() ||
                !e[1].is_number_integer()) {
                return wrong("an entry of " + of + " is not [row, column, re, im]");
            }
            auto index = [](Json const& v) {
                return static_cast<int>(std::clamp<std::int64_t>(v.get<std::int64_t>(), -1, 1000000));
            };
            if (!e[2].is_number() || (e.size() == 4 && !e[3].is_number())) {
                return not_a_number(of, index(e[0]), index(e[1]));
            }
            out.push_back({index(e[0]), index(e[1]), {e[2].get<double>(), e.size() == 4 ? e[3].get<double>() : 0.0}});
        }
        return out;
    }

    [[nodiscard]] Error not_a_number(std::string const& of, int i, int j) const {
        return wrong(of + " has an entry [" + std::to_string(i) + "," + std::to_string(j) + "] that is not a number",
                     "Give finite numbers");
    }

    Result<void> read_terms() {
        ORRERY_TRY(Json list, objects("terms"));
        for (Json const& entry : list) {
            Term term;
            term.name = entry["name"].get<std::string>();
            std::string const of = "Hamiltonian term \"" + term.name + "\"";
            Json const control = entry.value("control", Json("static"));
            double unit = 1;
            if (control == "static") {
                ORRERY_TRY(unit, unit_of(entry, of, "MHz", false));
            } else {
                term.control = -2;
                for (std::size_t c = 0; c < m_system.controls.size(); ++c)
                    if (control == m_system.controls[c].name) term.control = static_cast<int>(c);
                if (term.control < 0) {
                    return wrong("the control " + control.dump() + " of " + of + " is not declared",
                                 "Give static or a name from \"controls\"");
                }
                if (entry.contains("unit")) return wrong(of + " has a unit, but its control has one already");
            }
            ORRERY_TRY(term.matrix, matrix(entry, of));
            for (MatrixEntry& e : term.matrix) e.value *= unit;
            m_system.terms.push_back(std::move(term));
        }
        return {};
    }

    Result<void> read_jumps() {
        ORRERY_TRY(Json list, objects("jumps"));
        for (Json const& entry : list) {
            Jump jump;
            jump.name = entry["name"].get<std::string>();
            std::string const of = "jump operator \"" + jump.name + "\"";
            ORRERY_TRY(double unit, unit_of(entry, of, "1/us", true));
            ORRERY_TRY(jump.rate, number(entry, "rate", 0, of));
            jump.rate *= unit;
            ORRERY_TRY(jump.matrix, matrix(entry, of));
            m_system.jumps.push_back(std::move(jump));
        }
        return {};
    }

    Result<std::vector<Complex>> state(char const* key, std::string const& of) const {
        Json const value = m_file.value(key, Json());
        auto const n = static_cast<std::size_t>(m_system.levels);
        if (value.is_object() && value.contains("level") && value["level"].is_number_integer()) {
            auto level = value["level"].get<std::int64_t>();
            if (level < 0 || level >= m_system.levels) {
                return wrong(
                    of + " is level " + std::to_string(level) + ", but there are " + std::to_string(n) + " levels",
                    "Levels count from 0");
            }
            std::vector<Complex> out(n);
            out[static_cast<std::size_t>(level)] = 1;
            return out;
        }
        if (value.is_object() && value.contains("array")) {
            ORRERY_TRY(io::NumpyArray const* array, array_of(value, of, 1));
            std::vector<Complex> amplitudes;
            for (std::size_t i = 0; i < n; ++i) amplitudes.push_back(value_at(*array, i));
            return amplitudes;
        }
        if (!value.is_array()) return wrong(of + " is missing", "Give {\"level\": k} or a list of amplitudes");
        std::vector<Complex> out;
        for (Json const& v : value) {
            auto amplitude = complex_of(v);
            if (!amplitude) return wrong("an amplitude of " + of + " is not a number or [re, im]");
            out.push_back(*amplitude);
        }
        return out;
    }

    Result<void> read_watched() {
        for (Json const& v : m_file.value("watched", Json::array())) {
            if (!v.is_number_integer() || v.get<std::int64_t>() < 0 || v.get<std::int64_t>() >= m_system.levels) {
                return wrong("\"watched\" names the level " + v.dump() + ", which does not exist");
            }
            auto level = v.get<std::size_t>();
            m_system.watched.push_back({m_system.level_names[level], {{static_cast<int>(level), 1.0}}, 1.0});
        }
        return {};
    }

    Json const& m_file;
    std::string m_where;
    std::map<std::string, io::NumpyArray> const& m_arrays;
    QuantumSystem m_system;
};

}  // namespace

Result<QuantumSystem> parse_system(std::string const& text, std::string const& file_name,
                                   std::map<std::string, io::NumpyArray> const& arrays) {
    Json const file = Json::parse(text, nullptr, false);
    if (file.is_discarded() || !file.is_object()) {
        return bad_input("the system file is not JSON", file_name, "It must hold one object, see the help page",
                         "system_file");
    }
    try {
        return SystemReader(file, file_name, arrays).read();
    } catch (Json::exception const& error) {  // a value of another type than its key asks
        return bad_input("the system file has a value of a wrong type", file_name, {}, "system_file")
            .caused_by(error.what());
    }
}

Result<QuantumSystem> read_system(std::filesystem::path const& path) {
    std::string const name = path.filename().string();
    if (path.extension() == ".npz") {
        ORRERY_CHECK(check_file(path));
        ORRERY_TRY(auto arrays, io::read_npz(path));
        auto const found = arrays.find("system");
        if (found == arrays.end() || !found->second.is_text) {
            return bad_input("the archive has no text \"system\"", name,
                             "Save it with numpy.savez(..., system=json.dumps({...}))", "system_file");
        }
        return parse_system(found->second.text, name, arrays);
    }
    ORRERY_TRY(std::string text, read_file(path, std::uint64_t{16} << 20));
    return parse_system(text, name);
}

}  // namespace orrery::methods::quantum_control
