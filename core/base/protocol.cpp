#include "core/base/protocol.h"

#include "core/base/error_json.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace orrery::protocol {

namespace {

constexpr std::size_t shown_text = 120;  // bytes of an offending line in an error

std::string excerpt(std::string_view line) {
    std::string shown;
    for (char const c : line.substr(0, shown_text))
        shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    // There and back, so that bytes that are not UTF-8 come out as replacement characters.
    std::string text = Json::parse(Json(shown).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
    if (line.size() > shown_text) text += " ... (" + std::to_string(line.size()) + " bytes)";
    return text;
}

Error malformed(std::string const& problem, std::string_view line) {
    return internal_error("a line of the job protocol " + problem, excerpt(line));
}

constexpr std::array<std::pair<LogLevel, std::string_view>, 4> level_names{{
    {LogLevel::debug, "debug"},
    {LogLevel::info, "info"},
    {LogLevel::warning, "warning"},
    {LogLevel::error, "error"},
}};

std::string_view name_of(LogLevel level) {
    for (auto const& [known, name] : level_names)
        if (known == level) return name;
    return "info";
}

Json number_to_json(double value) {
    if (std::isfinite(value)) return value;
    if (std::isnan(value)) return nullptr;
    return value > 0 ? "inf" : "-inf";
}

Json numbers_to_json(std::vector<double> const& values) {
    Json list = Json::array();
    list.get_ref<Json::array_t&>().reserve(values.size());
    for (double const value : values) list.push_back(number_to_json(value));
    return list;
}

// Reads typed fields of one message and remembers the first that is absent or of another type.
class Fields {
public:
    explicit Fields(Json const& object) : m_object(object) {}

    std::string text(char const* key) {
        Json const* found = find(key);
        if (found == nullptr) return {};
        if (found->is_string()) return found->get<std::string>();
        wrong(key, "a string");
        return {};
    }
    double number(char const* key) {
        Json const* found = find(key);
        if (found == nullptr) return 0;
        if (found->is_number()) return found->get<double>();
        wrong(key, "a number");
        return 0;
    }
    std::uint64_t size(char const* key) {
        Json const* found = find(key);
        if (found == nullptr) return 0;
        if (found->is_number_unsigned()) return found->get<std::uint64_t>();
        wrong(key, "a whole number that is not negative");
        return 0;
    }
    bool boolean(char const* key) {
        Json const* found = find(key);
        if (found == nullptr) return false;
        if (found->is_boolean()) return found->get<bool>();
        wrong(key, "true or false");
        return false;
    }
    Json value(char const* key) {
        Json const* found = find(key);
        return found == nullptr ? Json() : *found;
    }
    Json object(char const* key) {
        Json const* found = find(key);
        if (found == nullptr) return Json::object();
        if (found->is_object()) return *found;
        wrong(key, "an object");
        return Json::object();
    }
    std::vector<double> numbers(char const* key) {
        std::vector<double> list;
        Json const* found = find(key);
        if (found == nullptr) return list;
        if (!found->is_array()) {
            wrong(key, "a list of numbers");
            return list;
        }
        list.reserve(found->size());
        for (Json const& item : *found) {
            if (item.is_number())
                list.push_back(item.get<double>());
            else if (item.is_null())
                list.push_back(std::numeric_limits<double>::quiet_NaN());
            else if (item == "inf" || item == "-inf")
                list.push_back(item == "inf" ? std::numeric_limits<double>::infinity()
                                             : -std::numeric_limits<double>::infinity());
            else
                wrong(key, "a list of numbers");
        }
        return list;
    }
    LogLevel level(char const* key) {
        std::string const name = text(key);
        for (auto const& [known, known_name] : level_names)
            if (known_name == name) return known;
        wrong(key, "debug, info, warning or error");
        return LogLevel::info;
    }
    void fail(std::string problem) {
        if (m_problem.empty()) m_problem = std::move(problem);
    }
    [[nodiscard]] std::string const& problem() const { return m_problem; }

private:
    Json const* find(char const* key) {
        auto const found = m_object.find(key);
        if (found != m_object.end()) return &*found;
        fail("lacks \"" + std::string(key) + "\"");
        return nullptr;
    }
    void wrong(char const* key, char const* wanted) {
        fail("has a \"" + std::string(key) + "\" that is not " + std::string(wanted));
    }
    Json const& m_object;
    std::string m_problem;
};

// ---- commands

Json to_json(Run const& run) {
    return {{"type", "run"},
            {"spec", run.spec.to_json()},
            {"blobs", run.blobs.string()},
            {"checkpoint", run.checkpoint.string()}};
}
Json to_json(Cancel const& cancel) { return {{"type", "cancel"}, {"job", cancel.job}}; }
Json to_json(Pause const& pause) { return {{"type", "pause"}, {"job", pause.job}}; }
Json to_json(Quit const&) { return {{"type", "quit"}}; }

// ---- messages

Json to_json(Ready const& ready) {
    return {{"type", "ready"},
            {"pid", ready.pid},
            {"program_version", ready.program_version},
            {"libraries", ready.libraries},
            {"device", ready.device},
            {"memory", ready.memory}};
}
Json to_json(Started const& started) { return {{"type", "started"}, {"job", started.job}}; }
Json to_json(Progress const& progress) {
    return {{"type", "progress"},
            {"fraction", progress.fraction},
            {"stage", progress.stage},
            {"elapsed", progress.elapsed_seconds},
            {"eta", progress.remaining_seconds}};
}
Json to_json(SeriesPoints const& points) {
    return {
        {"type", "series"}, {"name", points.name}, {"x", numbers_to_json(points.x)}, {"y", numbers_to_json(points.y)}};
}
Json to_json(Update const& update) { return {{"type", "update"}, {"name", update.name}, {"value", update.value}}; }
Json to_json(LogLine const& line) { return {{"type", "log"}, {"level", name_of(line.level)}, {"text", line.text}}; }
Json to_json(Warning const& warning) { return {{"type", "warning"}, {"error", orrery::to_json(warning.error)}}; }
Json to_json(ArtifactWritten const& written) {
    return {{"type", "artifact"}, {"artifact", written.artifact.to_json()}};
}
Json to_json(CheckpointWritten const& written) {
    return {{"type", "checkpoint"}, {"bytes", written.bytes}, {"sha256", written.sha256}};
}
Json ending_to_json(char const* type, Ending const& ending) {
    Json artifacts = Json::array();
    for (Artifact const& artifact : ending.artifacts) artifacts.push_back(artifact.to_json());
    return {{"type", type},
            {"job", ending.job},
            {"provenance", ending.provenance},
            {"peak_memory", ending.peak_memory},
            {"artifacts", std::move(artifacts)}};
}
Json to_json(Finished const& finished) {
    Json value = ending_to_json("result", finished);
    value["values"] = finished.values;
    value["checks_failed"] = finished.checks_failed;
    return value;
}
Json to_json(Failed const& failed) {
    Json value = ending_to_json("failed", failed);
    value["error"] = orrery::to_json(failed.error);
    return value;
}
Json to_json(Cancelled const& cancelled) { return ending_to_json("cancelled", cancelled); }
Json to_json(Paused const& paused) { return ending_to_json("paused", paused); }

template <class Variant>
std::string line_of(Variant const& content) {
    Json value = std::visit([](auto const& alternative) { return to_json(alternative); }, content);
    value["v"] = version;
    return value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The object of a line and its type, or why it is none.
Result<std::pair<Json, std::string>> parse_object(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    Json value = Json::parse(line.begin(), line.end(), nullptr, false);
    if (value.is_discarded()) return malformed("is not JSON", line);
    if (!value.is_object()) return malformed("is not a JSON object", line);
    Fields fields(value);
    std::uint64_t const told = fields.size("v");
    std::string type = fields.text("type");
    if (!fields.problem().empty()) return malformed(fields.problem(), line);
    if (told != static_cast<std::uint64_t>(version)) {
        Error error = malformed(
            "has version " + std::to_string(told) + ", this program speaks version " + std::to_string(version), line);
        error.remedy = "Use a worker and a window of the same release";
        return error;
    }
    return std::pair{std::move(value), std::move(type)};
}

void read_ending(Fields& fields, Ending& ending) {
    ending.job = fields.text("job");
    ending.provenance = fields.object("provenance");
    ending.peak_memory = fields.size("peak_memory");
    Json const list = fields.value("artifacts");
    if (!list.is_array()) return fields.fail("has \"artifacts\" that are not a list");
    for (Json const& item : list) {
        Result<Artifact> artifact = Artifact::from_json(item);
        if (!artifact) return fields.fail("has an artifact that cannot be read: " + artifact.error().message());
        ending.artifacts.push_back(std::move(artifact).value());
    }
}

Result<Message> read_live(Fields& fields, std::string const& type, std::string_view line) {
    if (type == "progress")
        return Message(
            Progress{fields.number("fraction"), fields.text("stage"), fields.number("elapsed"), fields.number("eta")});
    if (type == "series") {
        SeriesPoints points{fields.text("name"), fields.numbers("x"), fields.numbers("y")};
        if (points.x.size() != points.y.size())
            fields.fail("has " + std::to_string(points.x.size()) + " x and " + std::to_string(points.y.size()) + " y");
        return Message(std::move(points));
    }
    if (type == "update") return Message(Update{fields.text("name"), fields.value("value")});
    if (type == "log") return Message(LogLine{fields.level("level"), fields.text("text")});
    if (type == "warning") return Message(Warning{error_from_json(fields.object("error"))});
    if (type == "artifact") {
        Result<Artifact> artifact = Artifact::from_json(fields.object("artifact"));
        if (!artifact) return malformed("has an artifact that cannot be read: " + artifact.error().message(), line);
        return Message(ArtifactWritten{std::move(artifact).value()});
    }
    if (type == "checkpoint") return Message(CheckpointWritten{fields.size("bytes"), fields.text("sha256")});
    return malformed("has the unknown type \"" + type + "\"", line);
}

Result<Message> read_message(Fields& fields, std::string const& type, std::string_view line) {
    if (type == "ready")
        return Message(Ready{static_cast<int>(fields.size("pid")), fields.text("program_version"),
                             fields.object("libraries"), fields.text("device"), fields.size("memory")});
    if (type == "started") return Message(Started{fields.text("job")});
    if (type == "result") {
        Finished finished;
        read_ending(fields, finished);
        finished.values = fields.object("values");
        finished.checks_failed = fields.boolean("checks_failed");
        return Message(std::move(finished));
    }
    if (type == "failed") {
        Failed failed;
        read_ending(fields, failed);
        failed.error = error_from_json(fields.object("error"));
        return Message(std::move(failed));
    }
    if (type == "cancelled") {
        Cancelled cancelled;
        read_ending(fields, cancelled);
        return Message(std::move(cancelled));
    }
    if (type == "paused") {
        Paused paused;
        read_ending(fields, paused);
        return Message(std::move(paused));
    }
    return read_live(fields, type, line);
}

}  // namespace

std::string to_line(Command const& command) { return line_of(command); }
std::string to_line(Message const& message) { return line_of(message); }

Result<Command> parse_command(std::string_view line) {
    ORRERY_TRY(auto const object, parse_object(line));
    auto const& [value, type] = object;
    Fields fields(value);
    if (type == "quit") return Command(Quit{});
    if (type == "cancel" || type == "pause") {
        std::string job = fields.text("job");
        if (!fields.problem().empty()) return malformed(fields.problem(), line);
        if (type == "cancel") return Command(Cancel{std::move(job)});
        return Command(Pause{std::move(job)});
    }
    if (type != "run") return malformed("has the unknown type \"" + type + "\"", line);
    Run run;
    run.blobs = fields.text("blobs");
    run.checkpoint = fields.text("checkpoint");
    Json const spec = fields.object("spec");
    if (!fields.problem().empty()) return malformed(fields.problem(), line);
    Result<JobSpec> read = JobSpec::from_json(spec);
    if (!read) return malformed("has a job that cannot be read: " + read.error().message(), line);
    run.spec = std::move(read).value();
    return Command(std::move(run));
}

Result<Message> parse_message(std::string_view line) {
    ORRERY_TRY(auto const object, parse_object(line));
    Fields fields(object.first);
    Result<Message> message = read_message(fields, object.second, line);
    if (message.ok() && !fields.problem().empty()) return malformed(fields.problem(), line);
    return message;
}

void LineReader::feed(std::string_view bytes) {
    if (m_start > 0) {
        m_buffer.erase(0, m_start);
        m_scanned -= m_start;
        m_start = 0;
    }
    m_buffer += bytes;
}

bool LineReader::next(Line& line) {
    while (true) {
        std::size_t const end = m_buffer.find('\n', m_scanned);
        bool const whole = end != std::string::npos;
        std::size_t const stop = whole ? end : m_buffer.size();
        if (m_dropping) {
            m_start = m_scanned = whole ? end + 1 : stop;
            m_dropping = !whole;
            if (!whole) return false;
            continue;
        }
        bool const too_long = stop - m_start > m_limit;
        if (!whole && !too_long) {
            m_scanned = stop;
            return false;
        }
        line.too_long = too_long;
        line.text = m_buffer.substr(m_start, too_long ? shown_text * 2 : stop - m_start);
        m_start = m_scanned = whole ? end + 1 : stop;
        m_dropping = !whole;
        return true;
    }
}

std::string LineReader::remainder() & {
    std::string rest = m_dropping ? std::string() : m_buffer.substr(m_start);
    m_buffer.clear();
    m_start = m_scanned = 0;
    m_dropping = false;
    return rest;
}

}  // namespace orrery::protocol
