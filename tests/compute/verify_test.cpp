// The verify verb's judge: what passes, what fails, and that nothing passes by being looked away from.
#include "core/compute/verify.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <cmath>
#include <fstream>

using namespace orrery;
using namespace orrery::tests;
namespace fs = std::filesystem;

namespace {

class ListeningContext : public JobContext {
public:
    Signal progress(double, std::string_view) override { return next_signal; }
    void series(std::string_view, double, double) override {}
    void update(std::string_view, Json const&) override {}
    void log(LogLevel, std::string_view text) override { lines.emplace_back(text); }
    void warn(Error) override {}
    void used_input(InputRecord record) override { inputs.push_back(std::move(record)); }
    Result<Artifact> emit(std::string_view, std::string_view, std::string_view, std::string_view, bool) override {
        return Artifact{};
    }
    Result<void> save_checkpoint(std::string_view) override { return {}; }
    std::optional<std::string> checkpoint() const override { return std::nullopt; }
    int threads() const override { return 1; }
    bool wants_gpu() const override { return false; }
    Json provenance() const override { return Json::object(); }

    Signal next_signal = Signal::go_on;
    std::vector<std::string> lines;
    std::vector<InputRecord> inputs;
};

fs::path const& folder() {
    static fs::path const made = scratch_directory("verify");
    return made;
}

fs::path write_case(std::string const& name, std::map<std::string, torch::Tensor> const& tensors,
                    std::map<std::string, std::string> const& metadata = {{"kind", "double"},
                                                                          {"config", "{\"factor\": 2}"}}) {
    auto bytes = write_safetensors(tensors, metadata);
    REQUIRE(bytes.ok());
    std::ofstream(folder() / name, std::ios::binary).write(bytes->data(), static_cast<std::streamsize>(bytes->size()));
    return folder() / name;
}

VerifyCase open_case(fs::path const& path) {
    auto file = SafetensorsFile::open(path);
    REQUIRE(file.ok());
    return VerifyCase(std::move(*file), {});
}

Result<void> run_double(VerifyCase& one) {
    ORRERY_TRY(auto x, one.input("x"));
    one.compare("out.y", x * one.config().value("factor", 1.0), 1e-6);
    return {};
}

Result<JobResult> run(std::vector<fs::path> const& files, ListeningContext& context) {
    Json parameters{{"files", Json::array()}};
    for (fs::path const& file : files) parameters["files"].push_back(file.string());
    return run_verify(parameters, context, "double-it", {{"double", run_double}, {"other", run_double}});
}

bool any_line(ListeningContext const& context, std::string const& part) {
    for (std::string const& line : context.lines)
        if (line.find(part) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST_CASE("a right case passes and a wrong one fails, with the largest difference") {
    torch::Tensor const x = torch::tensor({1.f, 2.f, 3.f});
    fs::path const right = write_case("right.safetensors", {{"in.x", x}, {"out.y", 2 * x}, {"param.w", x}});
    fs::path const wrong = write_case("wrong.safetensors", {{"in.x", x}, {"out.y", torch::tensor({2.f, 4.f, 6.5f})}});
    ListeningContext context;
    auto result = run({right, wrong}, context);
    INFO((result.ok() ? "" : result.error().message()));
    REQUIRE(result.ok());
    CHECK(result->checks_failed);
    CHECK(result->values == Json{{"passed", 1}, {"failed", 1}});
    REQUIRE(context.lines.size() == 5);
    CHECK(context.lines[0] == "right.safetensors (double)");
    CHECK(context.lines[1] == "  out.y     max |difference| 0.00e+00  tolerance 1e-06  passed");
    CHECK(context.lines[3] ==
          "  out.y     max |difference| 5.00e-01  tolerance 1e-06  FAILED: 6 instead of 6.5 at [2]");
    CHECK(context.lines[4] == "1 passed, 1 failed");
    CHECK(context.inputs.size() == 2);
    CHECK(context.inputs[0].sha256.size() == 64);
    ListeningContext calm;
    auto good = run({right}, calm);
    REQUIRE(good.ok());
    CHECK_FALSE(good->checks_failed);
}

TEST_CASE("results that are not compared fail") {
    torch::Tensor const x = torch::tensor({1.f});
    ListeningContext context;
    auto result = run({write_case("more.safetensors", {{"in.x", x}, {"out.y", 2 * x}, {"mid.h", x}})}, context);
    REQUIRE(result.ok());
    CHECK(result->checks_failed);
    CHECK(any_line(context, "mid.h"));
    CHECK(any_line(context, "FAILED: was not compared"));
}

TEST_CASE("a case whose run ends in an error fails and the others go on") {
    torch::Tensor const x = torch::tensor({1.f});
    ListeningContext context;
    auto result = run({write_case("no_input.safetensors", {{"out.y", x}}),
                       write_case("fine.safetensors", {{"in.x", x}, {"out.y", 2 * x}})},
                      context);
    REQUIRE(result.ok());
    CHECK(any_line(context, "there is no tensor \"in.x\""));
    CHECK(context.lines.back() == "1 passed, 1 failed");
}

TEST_CASE("shapes, NaN, infinities and whole numbers are compared strictly") {
    double const infinity = INFINITY, nan = std::nan("");
    fs::path const path =
        write_case("strict.safetensors", {{"out.a", torch::tensor({1.0, 2.0}, torch::kFloat64)},
                                          {"out.inf", torch::tensor({infinity, 1.0}, torch::kFloat64)},
                                          {"out.nan", torch::tensor({nan, 1.0}, torch::kFloat64)},
                                          {"out.i", torch::tensor({1, 2}, torch::kInt64)}});
    auto verdict = [&](std::string const& name, torch::Tensor const& got, double tolerance) {
        VerifyCase one = open_case(path);
        one.compare(name, got, tolerance);
        return one.lines().front();
    };
    CHECK(verdict("out.a", torch::tensor({1.0, 2.05}), 0.1).passed);
    CHECK_FALSE(verdict("out.a", torch::tensor({1.0, 2.2}), 0.1).passed);
    CHECK(verdict("out.a", torch::tensor({{1.0, 2.0}}), 0.1).detail == "the shape is [1, 2], not [2]");
    CHECK_FALSE(verdict("out.a", torch::tensor({1.0, nan}, torch::kFloat64), 1e9).passed);
    CHECK_FALSE(verdict("out.nan", torch::tensor({nan, 1.0}, torch::kFloat64), 1e9).passed);
    CHECK(verdict("out.inf", torch::tensor({infinity, 1.0}, torch::kFloat64), 0).passed);
    CHECK_FALSE(verdict("out.inf", torch::tensor({-infinity, 1.0}, torch::kFloat64), 1e9).passed);
    CHECK(verdict("out.i", torch::tensor({1, 2}, torch::kInt32), 5).passed);
    CHECK_FALSE(verdict("out.i", torch::tensor({1, 3}, torch::kInt64), 5).passed);
    CHECK_FALSE(verdict("out.a", torch::Tensor(), 1).passed);
    CHECK(verdict("out.absent", torch::tensor({1.0}), 1).detail == "the case does not hold it");
}

TEST_CASE("only the chosen rows are compared") {
    fs::path const path =
        write_case("rows.safetensors", {{"out.a", torch::tensor({{{1.f, 2.f}, {3.f, 4.f}, {5.f, 6.f}}})}});
    torch::Tensor const got = torch::tensor({{1.f, 2.f}, {99.f, 99.f}, {5.f, 6.f}});
    VerifyCase one = open_case(path);
    one.compare_where("out.a", got, torch::tensor({true, false, true}), 1e-6);
    one.compare_where("out.a", got, torch::tensor({true, true, true}), 1e-6);
    one.compare_where("out.a", got, torch::tensor({false, false, false}), 1e-6);
    one.compare_where("out.a", got, torch::tensor({true}), 1e-6);
    REQUIRE(one.lines().size() == 4);
    CHECK(one.lines()[0].passed);
    CHECK_FALSE(one.lines()[1].passed);
    CHECK(one.lines()[1].difference == Approx(96));
    CHECK(one.lines()[2].detail == "no row is compared");
    CHECK_FALSE(one.lines()[3].passed);
}

TEST_CASE("files that can't be judged are errors before anything runs") {
    torch::Tensor const x = torch::tensor({1.f});
    fs::path const right = write_case("right2.safetensors", {{"in.x", x}, {"out.y", 2 * x}});
    auto message = [&](fs::path const& path) {
        ListeningContext context;
        auto result = run({right, path}, context);
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().field == "files");
        CHECK(context.lines.empty());
        return result.error().message();
    };
    CHECK(message(write_case("unknown.safetensors", {{"in.x", x}}, {{"kind", "triple"}})) ==
          "the kind of case \"triple\" is not known to double-it (unknown.safetensors). Known are: double, other");
    CHECK(message(write_case("none.safetensors", {{"in.x", x}}, {})).find("says no kind of case") != std::string::npos);
    CHECK(message(write_case("config.safetensors", {{"in.x", x}}, {{"kind", "double"}, {"config", "{"}}))
              .find("config") != std::string::npos);
    std::ofstream(folder() / "bad.json") << "{";
    CHECK(message(folder() / "bad.json").find("not valid JSON") != std::string::npos);
    CHECK(message(folder() / "absent.safetensors").find("no such file") != std::string::npos);
}

TEST_CASE("a JSON case takes its kind from itself or its name") {
    std::ofstream(folder() / "metrics.json") << R"({"config": {"a": 1}, "rows": [1, 2]})";
    ListeningContext context;
    Json const parameters{{"files", {(folder() / "metrics.json").string()}}, {"data", "/somewhere"}};
    fs::path data;
    auto result = run_verify(parameters, context, "double-it",
                             {{"metrics", [&](VerifyCase& one) -> Result<void> {
                                   data = one.data_directory();
                                   one.check("rows", one.content()["rows"].size() == 2, "two rows");
                                   return {};
                               }}});
    REQUIRE(result.ok());
    CHECK_FALSE(result->checks_failed);
    CHECK(data == "/somewhere");
    CHECK(any_line(context, "two rows"));
}

TEST_CASE("cancelling between cases ends with cancelled") {
    torch::Tensor const x = torch::tensor({1.f});
    ListeningContext context;
    context.next_signal = Signal::cancel;
    auto result = run({write_case("cancel.safetensors", {{"in.x", x}, {"out.y", 2 * x}})}, context);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::cancelled);
}
