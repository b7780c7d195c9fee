#include "core/compute/verify.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/compute/device.h"
#include "core/compute/runtime.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace orrery {
namespace {

std::string shape_text(torch::Tensor const& tensor) {
    return fmt::format("[{}]", fmt::join(tensor.sizes().vec(), ", "));
}

// The place of element `flat` in `tensor`: "[0, 3]".
std::string place_text(torch::Tensor const& tensor, std::int64_t flat) {
    std::vector<std::int64_t> place(static_cast<std::size_t>(tensor.dim()));
    for (std::size_t i = place.size(); i-- > 0;) {
        std::int64_t const size = tensor.size(static_cast<std::int64_t>(i));
        place[i] = flat % size;
        flat /= size;
    }
    return fmt::format("[{}]", fmt::join(place, ", "));
}

bool is_result(std::string const& name) { return name.rfind("out.", 0) == 0 || name.rfind("mid.", 0) == 0; }

}  // namespace

VerifyCase::VerifyCase(SafetensorsFile file, std::filesystem::path data_directory)
    : m_file(std::move(file)),
      m_path(m_file.path()),
      m_data_directory(std::move(data_directory)),
      m_config(Json::object()) {
    auto const& metadata = m_file.metadata();
    if (auto const found = metadata.find("kind"); found != metadata.end()) m_kind = found->second;
    if (auto const found = metadata.find("config"); found != metadata.end()) {
        Json parsed = Json::parse(found->second, nullptr, false);
        if (parsed.is_object()) m_config = std::move(parsed);
    }
}

VerifyCase::VerifyCase(std::filesystem::path path, Json content, std::filesystem::path data_directory)
    : m_path(std::move(path)),
      m_content(std::move(content)),
      m_data_directory(std::move(data_directory)),
      m_kind(m_path.stem().string()),
      m_config(Json::object()) {
    if (!m_content.is_object()) return;
    if (m_content.contains("kind") && m_content["kind"].is_string()) m_kind = m_content["kind"].get<std::string>();
    if (m_content.contains("config") && m_content["config"].is_object()) m_config = m_content["config"];
}

Result<torch::Tensor> VerifyCase::input(std::string const& name) const { return m_file.tensor("in." + name); }

std::map<std::string, torch::Tensor> VerifyCase::parameters() const {
    std::map<std::string, torch::Tensor> found;
    for (std::string const& name : m_file.names()) {
        if (name.rfind("param.", 0) != 0) continue;
        auto tensor = m_file.tensor(name);
        if (tensor.ok()) found.emplace(name.substr(6), std::move(*tensor));
    }
    return found;
}

void VerifyCase::compare(std::string const& name, torch::Tensor const& got, double tolerance) {
    Line line{name, std::nan(""), tolerance, false, {}};
    auto expected = m_file.tensor(name);
    if (!expected.ok()) {
        line.detail = "the case does not hold it";
        m_lines.push_back(std::move(line));
        return;
    }
    compare_tensors(std::move(line), *expected, got);
}

void VerifyCase::compare_where(std::string const& name, torch::Tensor const& got, torch::Tensor const& mask,
                               double tolerance) {
    Line line{name, std::nan(""), tolerance, false, {}};
    auto expected = m_file.tensor(name);
    auto refuse = [&](std::string detail) {
        line.detail = std::move(detail);
        m_lines.push_back(line);
    };
    if (!expected.ok()) return refuse("the case does not hold it");
    torch::Tensor wanted = *expected;
    if (got.defined() && wanted.dim() == got.dim() + 1 && wanted.size(0) == 1) wanted = wanted.squeeze(0);
    if (!got.defined() || got.dim() == 0 || wanted.sizes() != got.sizes())
        return compare_tensors(std::move(line), wanted, got);
    torch::Tensor const rows = mask.detach().cpu().to(torch::kBool).flatten();
    if (rows.numel() != got.size(0))
        return refuse(fmt::format("the mask has {} rows, not {}", rows.numel(), got.size(0)));
    torch::Tensor const chosen = rows.nonzero().flatten();
    if (chosen.numel() == 0) return refuse("no row is compared");
    compare_tensors(std::move(line), wanted.index_select(0, chosen), got.detach().cpu().index_select(0, chosen));
}

void VerifyCase::compare_tensors(Line line, torch::Tensor expected, torch::Tensor got) {
    auto finish = [&](bool passed, std::string detail) {
        line.passed = passed;
        line.detail = std::move(detail);
        m_lines.push_back(line);
    };
    if (!got.defined()) return finish(false, "nothing was computed");
    if (expected.sizes() != got.sizes())
        return finish(false, fmt::format("the shape is {}, not {}", shape_text(got), shape_text(expected)));
    line.difference = 0;
    if (expected.numel() == 0) return finish(true, "");
    got = got.detach().cpu();
    bool const whole = !expected.is_floating_point() && !got.is_floating_point();
    // Equal infinities differ by NaN, so equal elements are set to 0 by hand; a NaN on either side stays one and fails.
    torch::ScalarType const type = whole ? torch::kInt64 : torch::kFloat64;
    expected = expected.to(type).contiguous();
    got = got.to(type).contiguous();
    torch::Tensor difference =
        torch::where(expected == got, torch::zeros({}, torch::kFloat64), (expected - got).abs().to(torch::kFloat64))
            .flatten();
    torch::Tensor const ranked =
        torch::where(difference.isnan(), torch::full({}, INFINITY, torch::kFloat64), difference);
    std::int64_t const worst = ranked.argmax().item<std::int64_t>();
    line.difference = difference[worst].item<double>();
    double const allowed = whole ? 0 : line.tolerance;
    if (whole) line.tolerance = 0;
    if (line.difference <= allowed) return finish(true, "");  // false for NaN
    finish(false, fmt::format("{} instead of {} at {}", got.flatten()[worst].item<double>(),
                              expected.flatten()[worst].item<double>(), place_text(expected, worst)));
}

void VerifyCase::check(std::string const& name, bool passed, std::string const& detail) {
    m_lines.push_back(Line{name, passed ? 0 : std::nan(""), 0, passed, detail});
}

void VerifyCase::fail_uncompared() {
    std::set<std::string> compared;
    for (Line const& line : m_lines) compared.insert(line.name);
    for (std::string const& name : m_file.names())
        if (is_result(name) && compared.count(name) == 0)
            m_lines.push_back(Line{name, std::nan(""), 0, false, "was not compared"});
}

bool VerifyCase::passed() const {
    return !m_lines.empty() &&
           std::all_of(m_lines.begin(), m_lines.end(), [](Line const& line) { return line.passed; });
}

std::vector<std::string> VerifyCase::report() const {
    std::vector<std::string> text{fmt::format("{} ({})", m_path.filename().string(), m_kind)};
    std::size_t width = 8;
    for (Line const& line : m_lines) width = std::max(width, line.name.size());
    for (Line const& line : m_lines) {
        std::string const difference = std::isnan(line.difference) ? "-" : fmt::format("{:.2e}", line.difference);
        std::string const tolerance = line.tolerance == 0 ? "exact" : fmt::format("{:.0e}", line.tolerance);
        std::string row = fmt::format("  {:<{}}  max |difference| {:>8}  tolerance {:>5}  {}", line.name, width,
                                      difference, tolerance, line.passed ? "passed" : "FAILED");
        if (!line.detail.empty()) row += ": " + line.detail;
        text.push_back(std::move(row));
    }
    return text;
}

namespace {

using Kinds = std::map<std::string, std::function<Result<void>(VerifyCase&)>>;

Result<VerifyCase> open_case(std::filesystem::path const& path, std::filesystem::path const& data, Kinds const& kinds,
                             std::string const& slug) {
    std::string const name = path.filename().string();
    std::optional<VerifyCase> opened;
    if (path.extension() == ".json") {
        ORRERY_TRY(std::string const text, read_file(path));
        Json content = Json::parse(text, nullptr, false);
        if (content.is_discarded()) return bad_input("the file is not valid JSON", name, {}, "files");
        opened.emplace(path, std::move(content), data);
    } else {
        auto file = SafetensorsFile::open(path);
        if (!file.ok()) {
            Error error = std::move(file).error();
            error.field = "files";
            return error;
        }
        auto const config = file->metadata().find("config");
        if (config != file->metadata().end() && !Json::parse(config->second, nullptr, false).is_object())
            return bad_input("the metadata key config is not a JSON object", name, {}, "files");
        opened.emplace(std::move(*file), data);
    }
    if (kinds.count(opened->kind()) == 0) {
        std::vector<std::string> known;
        for (auto const& [kind, function] : kinds) known.push_back(kind);
        std::string const what = opened->kind().empty() ? "the file says no kind of case (metadata key kind)"
                                                        : fmt::format("the kind of case \"{}\" is not known to {}",
                                                                      opened->kind().substr(0, 100), slug);
        return bad_input(what, name, "Known are: " + fmt::format("{}", fmt::join(known, ", ")), "files");
    }
    return std::move(*opened);
}

Result<void> record_input(JobContext& context, std::filesystem::path const& path) {
    ORRERY_TRY(std::string hash, sha256_file(path));
    context.used_input({"files", path.string(), std::move(hash), std::filesystem::file_size(path)});
    return {};
}

}  // namespace

Result<JobResult> run_verify(Json const& parameters, JobContext& context, std::string const& slug, Kinds const& kinds) {
    int const asked = parameters.value("threads", 0);
    configure_torch(asked > 0 ? asked : context.threads());
    std::string const given =
        parameters.contains("data") && parameters["data"].is_string() ? parameters["data"].get<std::string>() : "";
    std::vector<VerifyCase> cases;
    for (Json const& entry : parameters.at("files")) {
        std::filesystem::path const path = entry.get<std::string>();
        std::filesystem::path const beside =
            std::filesystem::absolute(path).parent_path() / ".." / ".." / "data" / slug;
        ORRERY_TRY(
            auto opened,
            open_case(path, given.empty() ? beside.lexically_normal() : std::filesystem::path(given), kinds, slug));
        cases.push_back(std::move(opened));
    }

    int passed = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        VerifyCase& one = cases[i];
        double const fraction = static_cast<double>(i) / static_cast<double>(cases.size());
        Signal const signal = context.progress(fraction, one.path().filename().string());
        if (signal == Signal::cancel) return cancelled_error();
        if (signal == Signal::pause) return paused_error();
        ORRERY_CHECK(record_input(context, one.path()));
        auto ran = kinds.at(one.kind())(one);
        if (!ran.ok() && (ran.error().kind == ErrorKind::cancelled || ran.error().kind == ErrorKind::paused))
            return ran.error();
        if (ran.ok())
            one.fail_uncompared();
        else
            one.check("run", false, ran.error().message());
        if (one.lines().empty()) one.check("run", false, "nothing was compared");
        for (std::string const& line : one.report()) context.log(LogLevel::info, line);
        if (one.passed()) ++passed;
    }
    context.progress(1, "done");
    int const failed = static_cast<int>(cases.size()) - passed;
    context.log(LogLevel::info, fmt::format("{} passed, {} failed", passed, failed));
    JobResult result;
    result.values = {{"passed", passed}, {"failed", failed}};
    result.checks_failed = failed > 0;
    return result;
}

}  // namespace orrery
