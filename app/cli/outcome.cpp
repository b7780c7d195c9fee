#include "app/cli/outcome.h"

#include "core/base/error_json.h"
#include "core/base/files.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>

namespace orrery::cli {

namespace {

std::string dumped(Json const& value, int indent = -1) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

void print(std::FILE* stream, std::string const& text) {
    std::fwrite(text.data(), 1, text.size(), stream);
    std::fflush(stream);
}

std::string status_of(Outcome const& outcome) {
    if (!outcome.error) return outcome.checks_failed ? "check_failed" : "done";
    return outcome.error->kind == ErrorKind::cancelled ? "cancelled" : "failed";
}

Json outcome_to_json(Outcome const& outcome) {
    Json artifacts = Json::array(), warnings = Json::array();
    for (Artifact const& artifact : outcome.artifacts) artifacts.push_back(artifact.to_json());
    for (Error const& warning : outcome.warnings) warnings.push_back(to_json(warning));
    Json value = {{"method", outcome.method},        {"verb", outcome.verb},
                  {"status", status_of(outcome)},    {"exit_code", outcome.exit_code()},
                  {"values", outcome.values},        {"artifacts", std::move(artifacts)},
                  {"warnings", std::move(warnings)}, {"provenance", outcome.provenance}};
    if (outcome.error) value["error"] = to_json(*outcome.error);
    return value;
}

std::string value_text(Json const& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    if (value.is_null()) return "-";
    return dumped(value);
}

std::string values_text(Json const& values) {
    std::size_t longest = 0;
    for (auto const& [name, value] : values.items()) longest = std::max(longest, name.size());
    std::string text;
    for (auto const& [name, value] : values.items())
        text += fmt::format("{:<{}}  {}\n", name, longest, value_text(value));
    return text;
}

std::string artifacts_text(std::vector<Artifact> const& artifacts) {
    std::size_t longest = 0;
    for (Artifact const& artifact : artifacts) longest = std::max(longest, artifact.path.string().size());
    std::string text;
    for (Artifact const& artifact : artifacts)
        text += fmt::format("{:<{}}  {:>7}{}\n", artifact.path.string(), longest, byte_text(artifact.bytes),
                            artifact.partial ? "  partial" : "");
    return text;
}

std::string error_text(Error const& error) {
    std::string text = "error: " + error.message() + '\n';
    for (std::string const& cause : error.chain) text += "  caused by: " + cause + '\n';
    return text;
}

}  // namespace

int Outcome::exit_code() const {
    if (error && error->kind == ErrorKind::cancelled && interrupted_by != 0) return 128 + interrupted_by;
    if (error) return orrery::exit_code(error->kind);
    return checks_failed ? 1 : 0;
}

int print_outcome(Outcome const& outcome, bool json, bool quiet) {
    if (json) {
        print(stdout, dumped(outcome_to_json(outcome), 2) + '\n');
        return outcome.exit_code();
    }
    if (outcome.error) {
        bool const cancelled = outcome.error->kind == ErrorKind::cancelled;
        bool const kept = !outcome.artifacts.empty();
        print(stderr, cancelled ? std::string("cancelled") + (kept ? "; what was done so far is kept" : "") + "\n"
                                : error_text(*outcome.error));
    }
    if (!quiet) print(stdout, values_text(outcome.values) + artifacts_text(outcome.artifacts));
    return outcome.exit_code();
}

int print_error(Error const& error, bool json) {
    if (json)
        print(
            stdout,
            dumped({{"status", "failed"}, {"exit_code", exit_code(error.kind)}, {"error", to_json(error)}}, 2) + '\n');
    else
        print(stderr, error_text(error));
    return exit_code(error.kind);
}

}  // namespace orrery::cli
