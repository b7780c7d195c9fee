// `orrery-cli <method> verify FILE...`: runs reference cases and compares each out.* and mid.* with what the case holds.
#pragma once

#include "core/base/job.h"
#include "core/base/schema.h"
#include "core/compute/safetensors.h"

#include <functional>
#include <string>

namespace orrery {

// One case: the file, its kind and config, and the comparisons made so far.
class VerifyCase {
public:
    VerifyCase(SafetensorsFile file, std::filesystem::path data_directory);
    // A case without tensors, from a .json file: its kind is the text under "kind", or else the file's name without
    // ending ("parser_official"). It compares by check() alone.
    VerifyCase(std::filesystem::path path, Json content, std::filesystem::path data_directory);
    [[nodiscard]] SafetensorsFile const& file() const { return m_file; }
    [[nodiscard]] std::string const& kind() const { return m_kind; }
    [[nodiscard]] Json const& config() const { return m_config; }  // an object, empty if the case has none
    [[nodiscard]] Json const& content() const { return m_content; }  // of a .json case, else null
    [[nodiscard]] std::filesystem::path const& path() const { return m_path; }
    // A file the case names, under --data DIR; without it beside the case in ../../data/<slug>/.
    [[nodiscard]] std::filesystem::path const& data_directory() const { return m_data_directory; }
    [[nodiscard]] Result<torch::Tensor> input(std::string const& name) const;   // "in." is put before
    [[nodiscard]] std::map<std::string, torch::Tensor> parameters() const;      // all param.*, prefix removed

    // Compares `got` with the tensor `name` of the case ("out.log_probs"); a differing shape or a NaN fails. Integers and
    // `tolerance` 0 compare exactly. Names the file does not hold are a failure too.
    void compare(std::string const& name, torch::Tensor const& got, double tolerance);
    // The same over the rows where `mask` [rows] is true. A leading dimension of 1 that the case's tensor has and `got`
    // lacks is taken away.
    void compare_where(std::string const& name, torch::Tensor const& got, torch::Tensor const& mask, double tolerance);
    void check(std::string const& name, bool passed, std::string const& detail);

    struct Line { std::string name; double difference = 0; double tolerance = 0; bool passed = false; std::string detail; };
    [[nodiscard]] std::vector<Line> const& lines() const { return m_lines; }

    // Fails each out.* and mid.* of the file that was not compared: a case must not pass by looking away.
    void fail_uncompared();
    [[nodiscard]] bool passed() const;
    // The text of the report: a header, and one aligned line a comparison.
    [[nodiscard]] std::vector<std::string> report() const;

private:
    void compare_tensors(Line line, torch::Tensor expected, torch::Tensor got);

    SafetensorsFile m_file;
    std::filesystem::path m_path;
    Json m_content;
    std::filesystem::path m_data_directory;
    std::string m_kind;
    Json m_config;
    std::vector<Line> m_lines;
};

// Runs the function of its kind on each file (an out.* or mid.* it leaves uncompared is reported as failed), logs a line a comparison,
// ends with the one line "N passed, N failed" (cases, not comparisons); checks_failed when any failed. All files are
// opened first: one that can't be read, or whose kind is unknown, is an error that names the known ones.
Result<JobResult> run_verify(Json const& parameters, JobContext& context, std::string const& slug,
                             std::map<std::string, std::function<Result<void>(VerifyCase&)>> const& kinds);

}  // namespace orrery
