#include "core/methods/stab-ddg/report.h"

#include "core/base/version.h"

#include <sstream>

namespace orrery::methods::stab_ddg {
namespace {

std::string number(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

}  // namespace

double rounded(double value) {
    auto single = static_cast<double>(static_cast<float>(value));
    return single == 0 ? 0.0 : single;
}

double Report::reported(double official) const { return rounded(weaker_positive ? -official : official); }

std::string Report::unit() const { return zero_shot ? "nats" : "kcal/mol"; }

std::string Report::sign_text() const {
    return weaker_positive ? "positive = weaker binding" : "positive = tighter binding";
}

std::string Report::value_title() const { return "ddG of binding (" + sign_text() + ")"; }

std::vector<std::string> Report::comments() const {
    std::vector<std::string> lines;
    lines.push_back(std::string("ddG of binding = ") +
                    (weaker_positive ? "dG_mutant - dG_wild_type" : "-(dG_mutant - dG_wild_type)") + ", " +
                    sign_text());
    lines.push_back(zero_shot ? "zero-shot, nats: rank with these, they are not calibrated to kcal/mol"
                              : "kcal/mol, weights tuned on measured ddG");
    lines.push_back("ddg = complex - (side 1 + side 2), mean over draws; se = standard error of that mean");
    if (calibrated()) {
        lines.push_back("calibrated, kcal/mol = " + number(slope) + " x ddg + " + number(intercept));
    }
    lines.push_back("StaB-ddG (arXiv:2507.05502) in Orrery " + std::string(version) + ", weights " + weights_name +
                    " sha256 " + weights_sha256);
    lines.push_back("draws " + std::string(adaptive ? "at least " : "") + std::to_string(draws) + ", noise " +
                    number(noise) + " A, seed " + std::to_string(seed) +
                    (all_chains ? ", complex = all chains of the file" : ""));
    return lines;
}

Json Report::to_json() const {
    return {{"sign", sign_text()},
            {"unit", unit()},
            {"zero_shot", zero_shot},
            {"label", zero_shot ? "zero-shot, nats" : "kcal/mol"},
            {"draws", draws},
            {"adaptive", adaptive},
            {"noise", noise},
            {"seed", seed},
            {"all_chains", all_chains},
            {"reading", reading},
            {"numbering", numbering},
            {"calibration", {{"slope", slope}, {"intercept", intercept}}},
            {"weights", {{"file", weights_name}, {"sha256", weights_sha256}}},
            {"orrery_version", version}};
}

Report report_of(Json const& parameters) {
    Report report;
    report.weaker_positive = parameters.value("sign", std::string("weaker-positive")) != "tighter-positive";
    report.slope = parameters.value("calibrate_slope", 1.0);
    report.intercept = parameters.value("calibrate_intercept", 0.0);
    report.draws = parameters.value("draws", 20);
    report.adaptive = parameters.value("adaptive", false);
    report.noise = parameters.value("noise", 0.1);
    report.seed = parameters.value("seed", std::uint64_t{0});
    report.all_chains = parameters.value("all_chains", false);
    report.reading = parameters.value("reading", std::string("automatic"));
    report.numbering = parameters.value("numbering", std::string("automatic"));
    return report;
}

}  // namespace orrery::methods::stab_ddg
