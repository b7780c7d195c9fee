// What every result of the method says about itself: sign convention, unit, settings. No LibTorch.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orrery::methods::stab_ddg {

struct Report {
    bool weaker_positive = true;
    bool zero_shot = true;  // nats, uncalibrated; else kcal/mol
    double slope = 1, intercept = 0;
    int draws = 20;
    bool adaptive = false;
    double noise = 0.1;  // Å
    std::uint64_t seed = 0;
    bool all_chains = false;
    std::string reading, numbering;
    std::string weights_name, weights_sha256;

    [[nodiscard]] bool calibrated() const { return slope != 1 || intercept != 0; }
    // From the official sign (positive = tighter binding) to the reported one, as float32's shortest text needs it.
    [[nodiscard]] double reported(double official) const;
    // slope x reported + intercept
    [[nodiscard]] double calibrated_value(double reported_value) const { return slope * reported_value + intercept; }
    [[nodiscard]] std::string unit() const;         // "kcal/mol", "nats"
    [[nodiscard]] std::string sign_text() const;    // "positive = weaker binding"
    [[nodiscard]] std::string value_title() const;  // "ddG of binding (positive = weaker binding)"
    // Lines for the head of a table: what the values are, with which weights and draws. No time, path or thread count.
    [[nodiscard]] std::vector<std::string> comments() const;
    [[nodiscard]] Json to_json() const;
};

Report report_of(Json const& parameters);

[[nodiscard]] inline std::string count_of_draws(int draws) {
    return std::to_string(draws) + (draws == 1 ? " draw" : " draws");
}

// A value as a table holds it: rounded to float32, no negative zero. NaN becomes an empty cell in cell_of().
[[nodiscard]] double rounded(double value);

}  // namespace orrery::methods::stab_ddg
