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
    [[nodiscard]] SafetensorsFile const& file() const { return m_file; }
    [[nodiscard]] std::string const& kind() const { return m_kind; }
    [[nodiscard]] Json const& config() const { return m_config; }
    // A file the case names, under --data DIR; without it beside the case in ../../data/<slug>/.
    [[nodiscard]] std::filesystem::path const& data_directory() const { return m_data_directory; }
    [[nodiscard]] Result<torch::Tensor> input(std::string const& name) const;   // "in." is put before
    [[nodiscard]] std::map<std::string, torch::Tensor> parameters() const;      // all param.*, prefix removed

    // Compares `got` with the tensor `name` of the case ("out.log_probs"); a differing shape or a NaN fails. Integers and
    // `tolerance` 0 compare exactly. Names the file does not hold are a failure too.
    void compare(std::string const& name, torch::Tensor const& got, double tolerance);
    // The same over the rows where `rows` is true (first dimension after a leading 1 is squeezed by the caller).
    void compare_where(std::string const& name, torch::Tensor const& got, torch::Tensor const& mask, double tolerance);
    void check(std::string const& name, bool passed, std::string const& detail);

    struct Line { std::string name; double difference = 0; double tolerance = 0; bool passed = false; std::string detail; };
    [[nodiscard]] std::vector<Line> const& lines() const { return m_lines; }

private:
    SafetensorsFile m_file;
    std::filesystem::path m_data_directory;
    std::string m_kind;
    Json m_config;
    std::vector<Line> m_lines;
};

// Runs `run_case` on each file (an out.* or mid.* it leaves uncompared is reported as failed), logs a line a comparison,
// ends with "N passed, N failed"; checks_failed when any failed. An unknown kind is an error naming the known ones.
Result<JobResult> run_verify(Json const& parameters, JobContext& context, std::string const& slug,
                             std::map<std::string, std::function<Result<void>(VerifyCase&)>> const& kinds);

}  // namespace orrery
