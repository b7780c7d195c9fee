#include "core/base/files.h"
#include "core/base/table.h"
#include "tests/catch.h"
#include "tests/methods/stab-ddg/jobs.h"

#include <cmath>

using namespace orrery;
using namespace orrery::tests;

namespace {

std::vector<double> column_of(std::string const& csv, std::string const& name) {
    std::string body;
    for (std::size_t from = 0; from < csv.size();) {
        std::size_t to = csv.find('\n', from);
        if (csv[from] != '#') body += csv.substr(from, to - from + 1);
        from = to + 1;
    }
    auto file = parse_csv(body, "predictions.csv");
    REQUIRE(file.ok());
    int column = file->column(name);
    REQUIRE(column >= 0);
    std::vector<double> values;
    for (auto const& row : file->rows) {
        std::string const& text = row[static_cast<std::size_t>(column)];
        values.push_back(text.empty() ? std::nan("") : std::stod(text));
    }
    return values;
}

}  // namespace

TEST_CASE("a list of mutants: signs, parts, wild type, calibration") {
    ORRERY_NEED_SHARED(structure, "data/stab-ddg/1C1Y.pdb");
    if (!has_weights()) return;
    Json given = {{"structure", structure.string()},
                  {"sides", "A_B"},
                  {"numbering", "ordinal"},
                  {"draws", 2},
                  {"mutations", {"KB11M;NB10A", "RB5A,NB10D", "KB11K"}}};
    FakeContext weaker(2);
    auto result = run_verb("predict", given, weaker);
    if (!result.ok()) FAIL(result.error().message());
    std::string const& csv = weaker.files["predictions.csv"];
    std::vector<double> mean = column_of(csv, "ddg_mean"), whole = column_of(csv, "ddg_complex"),
                        side1 = column_of(csv, "ddg_side1"), side2 = column_of(csv, "ddg_side2");
    REQUIRE(mean.size() == 4);
    CHECK(mean[3] == 0.0);
    CHECK(column_of(csv, "ddg_se")[3] == 0.0);
    for (std::size_t m = 0; m < 4; ++m) {
        CHECK(side1[m] == 0.0);  // all mutations are on side 2
        CHECK(mean[m] == Approx(whole[m] - side2[m]).margin(1e-5));
        CHECK(column_of(csv, "n")[m] == 2);
    }
    given["sign"] = "tighter-positive";
    given["calibrate_slope"] = 0.5;
    given["calibrate_intercept"] = 1.0;
    given["profile"] = true;
    FakeContext tighter(1);
    REQUIRE(run_verb("predict", given, tighter).ok());
    std::vector<double> flipped = column_of(tighter.files["predictions.csv"], "ddg_mean");
    std::vector<double> calibrated = column_of(tighter.files["predictions.csv"], "ddg_calibrated");
    for (std::size_t m = 0; m < 4; ++m) {
        CHECK(flipped[m] == -mean[m]);
        CHECK(calibrated[m] == Approx(0.5 * flipped[m] + 1).margin(1e-6));
    }
    CHECK(tighter.files["predictions.csv"].find("positive = tighter binding") != std::string::npos);
    CHECK(tighter.files["profile.csv"].find("B:") != std::string::npos);
}

TEST_CASE("the chosen model and the biological assembly are what is computed on") {
    ORRERY_NEED_SHARED(structure, "data/stab-ddg/1C1Y.pdb");
    if (!has_weights()) return;
    auto const text = read_file(structure);
    REQUIRE(text.ok());
    // The atoms as they are (`together`), and with chain B 200 Å away (`apart`).
    std::string together, apart;
    for (std::size_t from = 0; from < text->size();) {
        std::size_t const to = std::min(text->find('\n', from), text->size() - 1) + 1;
        std::string line = text->substr(from, to - from);
        from = to;
        if (!line.starts_with("ATOM")) continue;
        together += line;
        if (line[21] == 'B') {
            char moved[9];
            std::snprintf(moved, sizeof moved, "%8.3f", std::stod(line.substr(30, 8)) + 200);
            line.replace(30, 8, moved);
        }
        apart += line;
    }
    std::string const move_back =
        "REMARK 350 BIOMOLECULE: 1\n"
        "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"
        "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n"
        "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n"
        "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n"
        "REMARK 350 APPLY THE FOLLOWING TO CHAINS: B\n"
        "REMARK 350   BIOMT1   2  1.000000  0.000000  0.000000     -200.00000\n"
        "REMARK 350   BIOMT2   2  0.000000  1.000000  0.000000        0.00000\n"
        "REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000        0.00000\n";
    auto const folder = scratch_directory("ddg-models");
    auto const models = folder / "models.pdb", assembly = folder / "assembly.pdb";
    REQUIRE(write_file(models, "MODEL        1\n" + apart + "ENDMDL\nMODEL        2\n" + together + "ENDMDL\nEND\n").ok());
    REQUIRE(write_file(assembly, move_back + apart + "END\n").ok());
    auto const ddg = [](std::filesystem::path const& file, Json more) {
        more.update({{"structure", file.string()}, {"sides", "A_B"}, {"numbering", "ordinal"}, {"draws", 1},
                     {"mutations", {"RB5A"}}});
        FakeContext context(2);
        auto result = run_verb("predict", more, context);
        if (!result.ok()) FAIL(result.error().message());
        return column_of(context.files["predictions.csv"], "ddg_mean").at(0);
    };
    double const bound = ddg(structure, Json::object()), parted = ddg(models, Json::object());
    CHECK(std::abs(bound - parted) > 0.05);
    CHECK(ddg(models, {{"model", 2}}) == Approx(bound).margin(1e-4));
    CHECK(ddg(assembly, Json::object()) == Approx(parted).margin(1e-4));
    CHECK(ddg(assembly, {{"assembly", true}}) == Approx(bound).margin(1e-3));

    FakeContext context(1);
    auto const missing = run_verb(
        "predict", {{"structure", models.string()}, {"sides", "A_B"}, {"mutations", {"RB5A"}}, {"model", 3}}, context);
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().message().find("models 1 to 2") != std::string::npos);
}

TEST_CASE("official list with a folder of structures, and measured values in the reported sign") {
    ORRERY_NEED_SHARED(structures, "data/stab-ddg");
    ORRERY_NEED_SHARED(table, "data/stab-ddg/skempi_filtered_with_baselines.csv");
    if (!has_weights()) return;
    auto all = read_file(table);
    REQUIRE(all.ok());
    std::string rows = all->substr(0, all->find('\n') + 1);
    for (std::size_t from = rows.size(); from < all->size();) {
        std::size_t to = all->find('\n', from);
        std::string line = all->substr(from, to - from + 1);
        if (line.find("1C1Y_A_B") != std::string::npos) rows += line;
        from = to + 1;
    }
    auto folder = scratch_directory("ddg-predict");
    REQUIRE(write_file(folder / "list.csv", rows).ok());
    FakeContext context(2);
    auto result = run_verb("predict",
                           {{"list", (folder / "list.csv").string()},
                            {"structures", structures.string()},
                            {"draws", 2},
                            {"reading", "official"}},
                           context);
    if (!result.ok()) FAIL(result.error().message());
    CHECK(result->values["mutants"] == 16);
    CHECK(context.files.count("measured.figure.json") == 1);
    std::vector<double> measured = column_of(context.files["predictions.csv"], "ddg_measured");
    CHECK(measured.size() == 16);
    CHECK(std::count_if(measured.begin(), measured.end(), [](double v) { return v > 0; }) > 10);  // most mutants weaken
    Json summary = Json::parse(context.files["predictions.json"]);
    CHECK(summary["settings"]["label"] == "zero-shot, nats");
    CHECK(summary.contains("metrics"));
}

TEST_CASE("what is missing is said") {
    ORRERY_NEED_SHARED(structure, "data/stab-ddg/1C1Y.pdb");
    if (!has_weights()) return;
    auto failure = [&](Json const& given) {
        FakeContext context;
        auto result = run_verb("predict", given, context);
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().kind == ErrorKind::bad_input);
        return result.error();
    };
    CHECK(failure({{"structure", structure.string()}}).field == "mutations");
    CHECK(failure({{"mutations", {"KB11M"}}}).field == "structure");
    Error wrong = failure(
        {{"structure", structure.string()}, {"sides", "A_B"}, {"mutations", {"EB11M"}}, {"numbering", "author"}});
    CHECK(wrong.message().find("EB11M") != std::string::npos);
    auto folder = scratch_directory("ddg-empty");
    REQUIRE(write_file(folder / "list.csv", "#Pdb,mutation\n1XYZ_A_B,EA1Q\n").ok());
    Error missing = failure({{"list", (folder / "list.csv").string()}, {"structures", folder.string()}});
    CHECK(missing.message().find("1XYZ.pdb") != std::string::npos);
}

TEST_CASE("a paused list ends in the bytes of one that was not paused, and stops when precise") {
    ORRERY_NEED_SHARED(structure, "data/stab-ddg/1C1Y.pdb");
    if (!has_weights()) return;
    Json given = {{"structure", structure.string()},
                  {"sides", "A_B"},
                  {"numbering", "ordinal"},
                  {"draws", 3},
                  {"mutations", {"KB11M;NB10A;DA38A;KB30A,RB35G"}}};
    FakeContext whole(1);
    REQUIRE(run_verb("predict", given, whole).ok());
    int pauses = 0;
    FakeContext resumed = run_with_pauses("predict", given, 60, 1, &pauses);
    CHECK(pauses > 2);
    CHECK(resumed.files["predictions.csv"] == whole.files["predictions.csv"]);
    CHECK(resumed.files["predictions.json"] == whole.files["predictions.json"]);

    // Nothing to average: the wild type is exactly 0 in every draw, so the least number of draws is enough.
    given["adaptive"] = true;
    given["mutations"] = {"KB11K"};
    given["draws"] = 2;
    FakeContext adaptive(2);
    REQUIRE(run_verb("predict", given, adaptive).ok());
    CHECK(column_of(adaptive.files["predictions.csv"], "n")[0] == 2);
    CHECK(column_of(adaptive.files["predictions.csv"], "ddg_mean")[0] == 0.0);
}
