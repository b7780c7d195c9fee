// The job protocol between the window (or a cluster script) and a worker: one JSON object a line, each with the
// protocol's version "v" and its "type". Standard output of a worker carries these lines and nothing else.
//   to the worker:  run, cancel, pause, quit
//   from it:        ready, started, progress, series, update, log, warning, artifact, checkpoint,
//                   result, failed, cancelled, paused (the last four end a job)
// Numbers that JSON lacks (not a number, infinities) travel in series as null, "inf" and "-inf".
#pragma once

#include "core/base/job.h"
#include "core/base/json.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orrery::protocol {

inline constexpr int version = 1;

// ---- to the worker
struct Run {
    JobSpec spec;
    std::filesystem::path blobs;       // root of the content-addressed files (see blob_path in run_context.h)
    std::filesystem::path checkpoint;  // written and, if there, read at the start; empty: none
};
struct Cancel {
    std::string job;
};
struct Pause {
    std::string job;
};
struct Quit {};
using Command = std::variant<Run, Cancel, Pause, Quit>;

// ---- from the worker
struct Ready {
    int pid = 0;
    std::string program_version;
    Json libraries = Json::object();  // "LibTorch" -> "2.11.0"
    std::string device = "cpu";
    std::uint64_t memory = 0;  // resident bytes of the idle worker
};
struct Started {
    std::string job;
};
struct Progress {
    double fraction = 0;  // 0..1
    std::string stage;
    double elapsed_seconds = 0;
    double remaining_seconds = -1;  // -1: not known
};
struct SeriesPoints {
    std::string name;
    std::vector<double> x, y;  // same length
};
struct Update {
    std::string name;
    Json value;
};
struct LogLine {
    LogLevel level = LogLevel::info;
    std::string text;
};
struct Warning {
    Error error;
};
struct ArtifactWritten {
    Artifact artifact;
};
struct CheckpointWritten {
    std::uint64_t bytes = 0;
    std::string sha256;
};
// What every end of a job says.
struct Ending {
    std::string job;
    Json provenance = Json::object();
    std::uint64_t peak_memory = 0;  // bytes resident at most since the job began
    std::vector<Artifact> artifacts;
};
struct Finished : Ending {
    Json values = Json::object();
    bool checks_failed = false;
};
struct Failed : Ending {
    Error error;
};
struct Cancelled : Ending {};
struct Paused : Ending {};
using Message = std::variant<Ready, Started, Progress, SeriesPoints, Update, LogLine, Warning, ArtifactWritten,
                             CheckpointWritten, Finished, Failed, Cancelled, Paused>;

// One line, with its line feed. Text that is not UTF-8 is sent with replacement characters.
[[nodiscard]] std::string to_line(Command const& command);
[[nodiscard]] std::string to_line(Message const& message);

// `line` without its line feed. Errors name what is wrong and show the beginning of the offending text; a newer
// protocol version is told as such.
Result<Command> parse_command(std::string_view line);
Result<Message> parse_message(std::string_view line);

// Cuts a byte stream into lines. A line above `limit` bytes is given up: next() then returns its beginning once with
// `too_long` set, and the rest up to its line feed is dropped.
class LineReader {
public:
    explicit LineReader(std::size_t limit = std::size_t{64} << 20) : m_limit(limit) {}
    struct Line {
        std::string text;
        bool too_long = false;
    };
    void feed(std::string_view bytes);
    [[nodiscard]] bool next(Line& line);      // false: no whole line is there yet
    [[nodiscard]] std::string remainder() &;  // what came after the last line feed; empties it

private:
    std::size_t m_limit;
    std::string m_buffer;
    std::size_t m_start = 0;    // of the next line in m_buffer
    std::size_t m_scanned = 0;  // no line feed in m_buffer before this
    bool m_dropping = false;    // in the rest of a line that was too long
};

}  // namespace orrery::protocol
