#include "core/base/files.h"
#include "core/compute/runtime.h"
#include "core/compute/safetensors.h"
#include "core/methods/stab-ddg/training.h"
#include "tests/catch.h"
#include "tests/methods/stab-ddg/jobs.h"
#include "tests/methods/stab-ddg/random_network.h"

#include <ATen/CPUGeneratorImpl.h>

using namespace orrery;
using namespace orrery::tests;

namespace {

Json finetune_parameters(std::filesystem::path const& table, std::filesystem::path const& structures) {
    return {{"table", table.string()},
            {"structures", structures.string()},
            {"complexes", {"1C1Y_A_B"}},
            {"limit", 6},
            {"epochs", 3},
            {"batch", 2},
            {"lr", 1e-4},
            {"noise", 0.1},
            {"held_out", 0.34},
            {"evaluation_draws", 1}};
}

}  // namespace

TEST_CASE("gradients by segments equal those of the plain network in one graph") {
    configure_torch(1);
    Parameters parameters = random_parameters(16, 12);
    ComplexInput complex = random_complex(60, 3);
    std::vector<MutantChanges> mutants = {changes_at(complex, {{3, 5}}), changes_at(complex, {{40, 7}}),
                                          changes_at(complex, {{10, 2}, {50, 9}, {11, 1}})};
    std::vector<double> targets = {-1.0, 0.5, 2.0};
    DrawGenerator generator(4);
    ComplexDraw draw = generator.next(complex, 0.2);
    Trainer trainer(parameters, 1e-3, 1);
    auto step = trainer.step(complex, mutants, targets, draw, {});
    REQUIRE(step.has_value());

    Parameters plain = parameters.clone();
    for (auto& [name, tensor] : plain.tensors) tensor.requires_grad_(true);
    torch::Tensor binding = torch::zeros({3});
    for (std::size_t which = 0; which < structure_count; ++which) {
        StructureTensors structure = to_tensors(complex.structures[which]);
        torch::Tensor sequences = structure.letters.repeat({4, 1});
        for (std::size_t m = 0; m < 3; ++m) {
            for (LetterChange const& change : mutants[m].structures[which]) {
                sequences[static_cast<std::int64_t>(m)][change.position] = std::int64_t{change.letter};
            }
        }
        EncodedTensors encoded = encode_reference(plain, structure, noise_of(draw[which]));
        torch::Tensor energies =
            sequence_energy(decode_reference(plain, structure, encoded, order_of(draw[which]), sequences), sequences);
        torch::Tensor folding = energies.slice(0, 0, 3) - energies[3];
        binding = which == 0 ? binding + folding : binding - folding;
    }
    torch::Tensor loss = (binding - torch::tensor(targets).to(torch::kFloat32)).square().mean();
    loss.backward();
    CHECK(step->loss == Approx(loss.item<double>()).epsilon(1e-4));
    auto gradients = trainer.gradients();
    for (auto const& [name, tensor] : plain.tensors) {
        double scale = std::max(1.0, tensor.grad().abs().max().item<double>());
        INFO(name << " scale " << scale);
        CHECK((tensor.grad() - gradients.at(name)).abs().max().item<double>() < 2e-4 * scale);
    }
}

TEST_CASE("a step that is stopped changes nothing") {
    Parameters parameters = random_parameters(16, 12);
    ComplexInput complex = random_complex(60, 3);
    std::vector<MutantChanges> mutants = {changes_at(complex, {{3, 5}})};
    DrawGenerator generator(4);
    ComplexDraw draw = generator.next(complex, 0.2);
    Trainer trainer(parameters, 1e-3, 1);
    int calls = 0;
    REQUIRE(Trainer(parameters, 1e-3, 1).step(complex, mutants, {1.0}, draw, [&] { return ++calls > 0; }).has_value());
    CHECK(calls > 30);
    for (int stop : {1, 2, calls / 4, calls / 2, calls - 1}) {
        int left = stop;
        CHECK_FALSE(trainer.step(complex, mutants, {1.0}, draw, [&] { return --left > 0; }).has_value());
        CHECK(trainer.steps() == 0);
    }
    for (auto const& [name, tensor] : trainer.parameters().tensors) CHECK(tensor.equal(parameters[name]));
}

TEST_CASE(
    "fine-tuning lowers the error, reports held-out metrics and saves weights that reload to the same predictions") {
    ORRERY_NEED_SHARED(structures, "data/stab-ddg");
    ORRERY_NEED_SHARED(table, "data/stab-ddg/skempi_filtered_with_baselines.csv");
    if (!has_weights()) return;
    Json given = finetune_parameters(table, structures);
    FakeContext context(2);
    auto result = run_verb("finetune", given, context);
    if (!result.ok()) FAIL(result.error().message());
    CHECK(context.losses.size() == 3);
    Json summary = Json::parse(context.files["finetune.json"]);
    CHECK(summary["before"]["train"]["mutants"] == 4);
    CHECK(summary["before"]["held_out"]["mutants"] == 2);
    CHECK(summary["after"]["held_out"].contains("rmse"));
    // Same draws before and after: what changed is the weights alone.
    CHECK(summary["after"]["train"]["rmse"].get<double>() < summary["before"]["train"]["rmse"].get<double>());

    auto folder = scratch_directory("ddg-finetune");
    REQUIRE(write_file(folder / "tuned.safetensors", context.files["tuned.safetensors"]).ok());
    std::string structure = (structures / "1C1Y.pdb").string();
    Json predict = {{"structure", structure}, {"sides", "A_B"}, {"mutations", {"KB11M"}},
                    {"numbering", "ordinal"}, {"draws", 2},     {"weights", (folder / "tuned.safetensors").string()}};
    FakeContext first(1), second(2);
    REQUIRE(run_verb("predict", predict, first).ok());
    auto reloaded = methods::stab_ddg::load_parameters(folder / "tuned.safetensors");
    REQUIRE(reloaded.ok());
    CHECK(reloaded->tensors.size() == 118);
    auto again = write_safetensors(reloaded->tensors);
    REQUIRE(write_file(folder / "again.safetensors", *again).ok());
    predict["weights"] = (folder / "again.safetensors").string();
    REQUIRE(run_verb("predict", predict, second).ok());
    auto values = [](std::string const& csv) { return csv.substr(csv.find("\ncomplex")); };
    CHECK(values(first.files["predictions.csv"]) == values(second.files["predictions.csv"]));
    CHECK(first.files["predictions.csv"].find("kcal/mol") != std::string::npos);

    int pauses = 0;
    FakeContext resumed = run_with_pauses("finetune", given, context.calls / 3, 2, &pauses);
    CHECK(pauses >= 2);
    CHECK(resumed.files["tuned.safetensors"] == context.files["tuned.safetensors"]);
    CHECK(resumed.files["loss.csv"] == context.files["loss.csv"]);
    CHECK(resumed.files["finetune.json"] == context.files["finetune.json"]);
}

TEST_CASE("fine-tuning can be cancelled at any moment") {
    ORRERY_NEED_SHARED(structures, "data/stab-ddg");
    ORRERY_NEED_SHARED(table, "data/stab-ddg/skempi_filtered_with_baselines.csv");
    if (!has_weights()) return;
    for (int at : {0, 50, 120, 250}) {
        FakeContext context(2);
        context.decide = [&](int call) { return call >= at ? Signal::cancel : Signal::go_on; };
        auto result = run_verb("finetune", finetune_parameters(table, structures), context);
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().kind == ErrorKind::cancelled);
        CHECK(context.calls <= at + 2);
        CHECK(context.partial["tuned.safetensors"]);
    }
}

TEST_CASE("tables that can't be trained on are refused") {
    ORRERY_NEED_SHARED(structures, "data/stab-ddg");
    if (!has_weights()) return;
    auto folder = scratch_directory("ddg-tables");
    REQUIRE(write_file(folder / "plain.csv", "#Pdb,mutation\n1C1Y_A_B,KB11M\n").ok());
    FakeContext context;
    auto result = run_verb("finetune",
                           {{"table", (folder / "plain.csv").string()}, {"structures", structures.string()}}, context);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().field == "table");
}
