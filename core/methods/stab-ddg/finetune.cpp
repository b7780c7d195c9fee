#include "core/methods/stab-ddg/finetune.h"

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/compute/safetensors.h"
#include "core/methods/stab-ddg/checkpoint_state.h"
#include "core/methods/stab-ddg/inputs.h"
#include "core/methods/stab-ddg/metrics.h"
#include "core/methods/stab-ddg/mutant_list.h"
#include "core/methods/stab-ddg/parameters_input.h"
#include "core/methods/stab-ddg/report.h"
#include "core/methods/stab-ddg/sampling.h"
#include "core/methods/stab-ddg/training.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

namespace orrery::methods::stab_ddg {
namespace {

constexpr double evaluation_noise = 0.1;   // Å, as in inference
constexpr double evaluation_share = 0.05;  // of the progress, before and after
constexpr std::int64_t official_batch = 10000;
constexpr auto keep_interval = std::chrono::seconds(60);

Json to_binary(torch::Tensor const& tensor) {
    torch::Tensor flat = tensor.contiguous();
    auto const* bytes = reinterpret_cast<std::uint8_t const*>(flat.data_ptr<float>());
    return Json::binary(
        std::vector<std::uint8_t>(bytes, bytes + flat.numel() * static_cast<std::int64_t>(sizeof(float))));
}

// One complex's mutants that are trained on, and those held out.
struct Split {
    std::vector<std::size_t> train, held_out;
};

class FinetuneJob {
public:
    FinetuneJob(Json const& parameters, JobContext& context) : m_parameters(parameters), m_context(context) {}

    Result<JobResult> run() {
        ORRERY_CHECK(read());
        m_epochs = m_parameters.value("epochs", 200);
        m_noise = m_parameters.value("noise", 0.2);
        Trainer trainer(m_weights, m_parameters.value("lr", 1e-6), m_context.threads());
        DrawGenerator generator(m_parameters.value("seed", std::uint64_t{0}));
        ORRERY_CHECK(resume(trainer, generator));
        Signal signal = Signal::go_on;
        if (m_before.is_null()) {
            ORRERY_TRY(signal, evaluate_all(trainer.parameters(), "before", 0, m_before));
            if (signal != Signal::go_on) return stopped(trainer, generator, signal);
        }
        signal = train(trainer, generator);
        if (signal != Signal::go_on) return stopped(trainer, generator, signal);
        Json after;
        ORRERY_TRY(signal, evaluate_all(trainer.parameters(), "after", 1 - evaluation_share, after));
        if (signal != Signal::go_on) return stopped(trainer, generator, signal);
        ORRERY_CHECK(write(trainer, after, false));
        m_result.values["epochs"] = m_epochs;
        m_result.values["first_loss"] = m_losses.front();
        m_result.values["last_loss"] = m_losses.back();
        m_result.values["train_rmse_before"] = m_before["train"]["rmse"];
        m_result.values["train_rmse_after"] = after["train"]["rmse"];
        if (after.contains("held_out")) {
            m_result.values["held_out_rmse_before"] = m_before["held_out"]["rmse"];
            m_result.values["held_out_rmse_after"] = after["held_out"]["rmse"];
        }
        return m_result;
    }

private:
    Result<void> read() {
        ORRERY_TRY(m_weights, read_parameters(m_context, m_parameters));
        std::string path = m_parameters.at("table").get<std::string>();
        ORRERY_TRY(MutantTable table, read_mutant_table(path));
        ORRERY_CHECK(record_file(m_context, "table", path));
        for (std::string const& note : table.notes) m_context.log(LogLevel::info, note);
        if (!table.has_measurements()) {
            return bad_input("the table has no measured ddG or affinities", table.file_name,
                             "It needs a column ddG, or SKEMPI's affinities", "table");
        }
        TableSelection selection;
        for (Json const& name : m_parameters.value("complexes", Json::array()))
            selection.complexes.push_back(name.get<std::string>());
        selection.limit = m_parameters.value("limit", std::size_t{0});
        selection.single_only = m_parameters.value("single_only", false);
        selection.measured_only = true;
        selection.skip_missing = true;
        ORRERY_TRY(m_complexes, complexes_of_table(table, m_parameters.at("structures").get<std::string>(),
                                                   m_parameters, selection, m_context));
        std::vector<std::string> hashes = {m_weights.sha256};
        for (ListedComplex const& complex : m_complexes) {
            ORRERY_CHECK(check_memory_for(complex.input, static_cast<std::size_t>(m_weights.neighbours), complex.name));
            hashes.push_back(complex.identity);
            for (std::optional<double> value : complex.measured) hashes.push_back(std::to_string(*value));
        }
        m_key = job_key("finetune", m_parameters, hashes);
        return split();
    }

    // Chosen over all mutants together, by a generator of its own, so that the training draws are the official ones.
    Result<void> split() {
        std::vector<std::pair<std::size_t, std::size_t>> all;
        for (std::size_t c = 0; c < m_complexes.size(); ++c) {
            for (std::size_t m = 0; m < m_complexes[c].mutants.size(); ++m) all.emplace_back(c, m);
        }
        std::size_t count = all.size();
        auto held =
            static_cast<std::size_t>(std::floor(m_parameters.value("held_out", 0.2) * static_cast<double>(count)));
        DrawGenerator generator(m_parameters.value("seed", std::uint64_t{0}) + 1);
        std::vector<std::size_t> order = generator.permutation(count);
        std::vector<bool> is_held(count, false);
        for (std::size_t i = 0; i < held; ++i) is_held[order[i]] = true;
        m_splits.resize(m_complexes.size());
        for (std::size_t i = 0; i < count; ++i) {
            Split& split = m_splits[all[i].first];
            (is_held[i] ? split.held_out : split.train).push_back(all[i].second);
        }
        m_train_count = count - held;
        m_held_count = held;
        if (m_train_count == 0) {
            return bad_input("no mutant is left to train on", {}, "Lower the held-out share or take more mutants",
                             "held_out");
        }
        m_context.log(LogLevel::info, std::to_string(m_train_count) + " mutants to train on, " +
                                          std::to_string(m_held_count) + " held out, " +
                                          std::to_string(m_complexes.size()) + " complexes");
        return {};
    }

    [[nodiscard]] std::size_t batch_size(ListedComplex const& complex) const {
        auto asked = m_parameters.value("batch", std::int64_t{0});
        auto length = static_cast<std::int64_t>(complex.input.structures[0].length());
        return static_cast<std::size_t>(asked > 0 ? asked : std::max<std::int64_t>(1, official_batch / length));
    }

    // Goes on from m_epoch, m_complex and m_offset; each is kept up to date between steps.
    Signal train(Trainer& trainer, DrawGenerator& generator) {
        auto kept = std::chrono::steady_clock::now();
        while (m_epoch < m_epochs) {
            auto began = std::chrono::steady_clock::now();
            for (; m_complex < m_complexes.size(); ++m_complex, m_offset = 0, m_order.clear()) {
                Signal signal = train_complex(trainer, generator);
                if (signal != Signal::go_on) return signal;
            }
            ++m_epoch;
            m_losses.push_back(m_sum / static_cast<double>(m_train_count));
            m_context.series("loss", m_epoch, m_losses.back());
            double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
            m_context.series("seconds an epoch", m_epoch, seconds);
            if (m_epoch == 1 || m_epoch % 10 == 0 || m_epoch == m_epochs) {
                char text[160];
                std::snprintf(text, sizeof text,
                              "epoch %d of %d: mean squared error %.4f, %.1f s an epoch, about %.0f s left", m_epoch,
                              m_epochs, m_losses.back(), seconds, seconds * (m_epochs - m_epoch));
                m_context.log(LogLevel::info, text);
            }
            m_complex = 0;
            m_sum = 0;
            if (std::chrono::steady_clock::now() - kept > keep_interval) {
                keep(trainer, generator.state());
                kept = std::chrono::steady_clock::now();
            }
        }
        return Signal::go_on;
    }

    Signal train_complex(Trainer& trainer, DrawGenerator& generator) {
        ListedComplex const& complex = m_complexes[m_complex];
        std::vector<std::size_t> const& train = m_splits[m_complex].train;
        if (train.empty()) return Signal::go_on;
        if (m_order.empty()) {
            for (std::size_t i : generator.permutation(train.size())) m_order.push_back(train[i]);
        }
        std::size_t size = batch_size(complex);
        while (m_offset < m_order.size()) {
            std::size_t end = std::min(m_offset + size, m_order.size());
            std::vector<MutantChanges> mutants;
            std::vector<double> targets;
            for (std::size_t i = m_offset; i < end; ++i) {
                mutants.push_back(complex.changes[m_order[i]]);
                targets.push_back(*complex.measured[m_order[i]]);
            }
            m_state_before_step = generator.state();
            ComplexDraw draw = generator.next(complex.input, m_noise);
            Signal signal = Signal::go_on;
            auto tick = [&] {
                signal = m_context.progress(training_progress(), "epoch " + std::to_string(m_epoch + 1) + " of " +
                                                                     std::to_string(m_epochs) + ", " + complex.name);
                return signal == Signal::go_on;
            };
            std::optional<StepResult> step = trainer.step(complex.input, mutants, targets, draw, tick);
            if (!step) {
                // The draw belongs to the step that was not made.
                auto restored = generator.restore(m_state_before_step);
                if (!restored.ok()) m_context.warn(restored.error());
                return signal;
            }
            m_sum += step->loss * static_cast<double>(end - m_offset);
            m_offset = end;
        }
        return Signal::go_on;
    }

    [[nodiscard]] double training_progress() const {
        double within =
            (static_cast<double>(m_complex) +
             static_cast<double>(m_offset) / static_cast<double>(std::max<std::size_t>(m_order.size(), 1))) /
            static_cast<double>(m_complexes.size());
        return evaluation_share + (1 - 2 * evaluation_share) * (m_epoch + within) / m_epochs;
    }

    // Same draws before and after, so that only the weights differ.
    Result<Signal> evaluate_all(Parameters const& parameters, char const* when, double progress_from, Json& out) {
        FastNetwork network = FastNetwork::pack(parameters);
        Measured train, held_out;
        auto complexes = static_cast<double>(m_complexes.size());
        for (std::size_t c = 0; c < m_complexes.size(); ++c) {
            ListedComplex const& complex = m_complexes[c];
            DdgEngine engine(network, complex.input, complex.changes, static_cast<std::size_t>(parameters.neighbours),
                             m_context.threads());
            SamplingPlan plan;
            plan.draws = m_parameters.value("evaluation_draws", 5);
            plan.noise = evaluation_noise;
            plan.seed = m_parameters.value("seed", std::uint64_t{0});
            Sampler sampler(engine, complex.input, plan, {complex.mutants.size()}, m_context);
            sampler.set_stage(std::string("metrics ") + when + ", " + complex.name,
                              progress_from + evaluation_share * static_cast<double>(c) / complexes,
                              progress_from + evaluation_share * static_cast<double>(c + 1) / complexes);
            ORRERY_TRY(Sampler::Outcome outcome, sampler.run({}));
            if (outcome != Sampler::Outcome::finished) {
                return outcome == Sampler::Outcome::paused ? Signal::pause : Signal::cancel;
            }
            for (std::size_t m : m_splits[c].train) {
                train.add(complex.name, *complex.measured[m], sampler.samples().estimate(m).mean);
            }
            for (std::size_t m : m_splits[c].held_out) {
                held_out.add(complex.name, *complex.measured[m], sampler.samples().estimate(m).mean);
            }
        }
        out = {{"train", summary(train)}};
        if (held_out.size() > 0) out["held_out"] = summary(held_out);
        Json message = out;
        message["when"] = when;
        m_context.update("metrics", message);
        return Signal::go_on;
    }

    static Json summary(Measured const& data) {
        Metrics metrics = evaluate(data, {10, 0, 0});
        auto value = [](double number) { return std::isfinite(number) ? Json(number) : Json(); };
        return {{"pearson", value(metrics.pearson.value)},
                {"spearman", value(metrics.spearman.value)},
                {"rmse", value(metrics.rmse.value)},
                {"mae", value(metrics.mae.value)},
                {"mutants", data.size()}};
    }

    void keep(Trainer const& trainer, std::string const& generator_state) {
        Json tensors = Json::object();
        for (auto const& [name, tensor] : trainer.state()) tensors[name] = to_binary(tensor);
        Json state = {{"tensors", std::move(tensors)},
                      {"steps", trainer.steps()},
                      {"epoch", m_epoch},
                      {"complex", m_complex},
                      {"offset", m_offset},
                      {"order", m_order},
                      {"sum", m_sum},
                      {"losses", m_losses},
                      {"before", m_before}};
        state["generator"] = Json::binary(std::vector<std::uint8_t>(generator_state.begin(), generator_state.end()));
        auto saved = save_state(m_context, m_key, state);
        if (!saved.ok()) m_context.warn(saved.error());
    }

    Result<void> resume(Trainer& trainer, DrawGenerator& generator) {
        std::optional<Json> state = load_state(m_context, m_key);
        if (!state) return {};
        try {
            std::map<std::string, torch::Tensor> tensors;
            for (auto const& [name, like] : trainer.state()) {
                auto const& bytes = state->at("tensors").at(name).get_binary();
                if (bytes.size() != static_cast<std::size_t>(like.numel()) * sizeof(float))
                    throw std::length_error(name);
                torch::Tensor tensor = torch::empty_like(like);
                std::memcpy(tensor.data_ptr<float>(), bytes.data(), bytes.size());
                tensors[name] = tensor;
            }
            ORRERY_CHECK(trainer.restore(tensors, state->at("steps").get<std::int64_t>()));
            auto const& bytes = state->at("generator").get_binary();
            ORRERY_CHECK(generator.restore(std::string(bytes.begin(), bytes.end())));
            m_epoch = state->at("epoch").get<int>();
            m_complex = state->at("complex").get<std::size_t>();
            m_offset = state->at("offset").get<std::size_t>();
            m_order = state->at("order").get<std::vector<std::size_t>>();
            m_sum = state->at("sum").get<double>();
            m_losses = state->at("losses").get<std::vector<double>>();
            m_before = state->at("before");
        } catch (std::exception const& error) {
            return bad_input("the checkpoint is damaged", {}, "Start the job anew").caused_by(error.what());
        }
        for (std::size_t e = 0; e < m_losses.size(); ++e)
            m_context.series("loss", static_cast<double>(e + 1), m_losses[e]);
        m_context.log(LogLevel::info, "going on with epoch " + std::to_string(m_epoch + 1));
        return {};
    }

    Result<JobResult> stopped(Trainer const& trainer, DrawGenerator const& generator, Signal signal) {
        keep(trainer, generator.state());
        ORRERY_CHECK(write(trainer, Json(), true));
        if (signal == Signal::pause) return paused_error();
        return cancelled_error();
    }

    Result<void> write(Trainer const& trainer, Json const& after, bool partial) {
        auto emit = [&](char const* name, char const* kind, char const* type,
                        std::string const& bytes) -> Result<void> {
            ORRERY_TRY(Artifact artifact, m_context.emit(name, kind, type, bytes, partial));
            m_result.artifacts.push_back(std::move(artifact));
            return {};
        };
        std::map<std::string, torch::Tensor> tensors;
        for (auto const& [name, tensor] : trainer.parameters().tensors) tensors[name] = tensor.detach();
        ORRERY_TRY(std::string weights,
                   write_safetensors(tensors, {{"method", "stab-ddg"},
                                               {"tuned_from_sha256", m_weights.sha256},
                                               {"epochs", std::to_string(m_epoch)},
                                               {"num_edges", std::to_string(m_weights.neighbours)}}));
        ORRERY_CHECK(emit("tuned.safetensors", "weights", "application/octet-stream", weights));
        Table table({{"epoch", "epoch", "", ColumnType::integer, 0, ""},
                     {"mse", "mean squared error", "(kcal/mol)^2", ColumnType::real, 4, "over the training mutants"}});
        Series series;
        series.name = "training";
        for (std::size_t e = 0; e < m_losses.size(); ++e) {
            table.add_row({static_cast<std::int64_t>(e + 1), rounded(m_losses[e])});
            series.x.push_back(static_cast<double>(e + 1));
            series.y.push_back(rounded(m_losses[e]));
        }
        ORRERY_CHECK(
            emit("loss.csv", "table", "text/csv",
                 table.to_csv({"mean squared error of predicted and measured ddG of binding, one fresh draw a step"})));
        Figure figure;
        figure.title = "Fine-tuning";
        figure.caption =
            "Mean squared error of each epoch over " + std::to_string(m_train_count) + " mutants, one draw a step.";
        XyPlot plot;
        plot.kind = XyKind::line;
        plot.x = {"epoch", "", {}, false, 0, 0};
        plot.y = {"mean squared error", "(kcal/mol)²", {}, false, 0, 0};
        plot.series.push_back(std::move(series));
        figure.content = std::move(plot);
        figure.provenance = m_context.provenance();
        ORRERY_CHECK(emit("loss.figure.json", "figure", "application/json", figure.to_json().dump()));
        Json complexes = Json::array();
        for (std::size_t c = 0; c < m_complexes.size(); ++c) {
            complexes.push_back({{"name", m_complexes[c].name},
                                 {"train", m_splits[c].train.size()},
                                 {"held_out", m_splits[c].held_out.size()},
                                 {"batch", batch_size(m_complexes[c])}});
        }
        Json summary = {{"tuned_from", {{"file", m_weights.file_name}, {"sha256", m_weights.sha256}}},
                        {"epochs_done", m_epoch},
                        {"epochs", m_epochs},
                        {"learning_rate", m_parameters.value("lr", 1e-6)},
                        {"noise", m_noise},
                        {"seed", m_parameters.value("seed", std::uint64_t{0})},
                        {"complexes", std::move(complexes)},
                        {"loss", m_losses},
                        {"before", m_before},
                        {"after", after},
                        {"sign", "metrics in the tables' sign: negative = weaker binding"}};
        return emit("finetune.json", "json", "application/json", summary.dump(2) + "\n");
    }

    Json const& m_parameters;
    JobContext& m_context;
    Parameters m_weights;
    std::vector<ListedComplex> m_complexes;
    std::vector<Split> m_splits;
    std::size_t m_train_count = 0, m_held_count = 0;
    std::string m_key;
    int m_epochs = 0;
    double m_noise = 0.2;
    // Where training stands, between two steps.
    int m_epoch = 0;
    std::size_t m_complex = 0, m_offset = 0;
    std::vector<std::size_t> m_order;  // of the complex under way
    double m_sum = 0;                  // of loss x mutants in this epoch
    std::vector<double> m_losses;
    Json m_before;
    std::string m_state_before_step;
    JobResult m_result;
};

}  // namespace

Result<JobResult> finetune(Json const& parameters, JobContext& context) {
    return FinetuneJob(parameters, context).run();
}

}  // namespace orrery::methods::stab_ddg
