// Fine-tuning on measured ddG of binding (section 5): one Adam step a batch, the loss being the mean squared difference
// of complex - (side 1 + side 2), official sign (positive = tighter), in the units of the targets.
#pragma once

#include "core/methods/stab-ddg/energies.h"
#include "core/methods/stab-ddg/parameters.h"

#include <optional>

namespace orrery::methods::stab_ddg {

struct StepResult {
    double loss = 0;                // before the step
    std::vector<double> predicted;  // before the step, one a mutant
};

// Memory stays small whatever the batch: predictions come from the fast path, and gradients from one structure at a
// time, each phase of each layer recomputed by blocks of rows when its gradient is due. A mutant's graph holds only the
// rows its letters reach (the others cancel in E(mutant) - E(wild type), and so do their gradients).
class Trainer {
public:
    // Adam with betas 0.9 and 0.999, eps 1e-8, no decay.
    Trainer(Parameters parameters, double learning_rate, int threads);

    // `tick` is asked between blocks (tens of milliseconds); when it says stop, nothing was changed and nothing
    // returned.
    std::optional<StepResult> step(ComplexInput const& complex, std::vector<MutantChanges> const& mutants,
                                   std::vector<double> const& targets, ComplexDraw const& draw, Tick const& tick);

    // One Adam step with gradients computed elsewhere, one a parameter.
    void apply(std::map<std::string, torch::Tensor> const& gradients);

    [[nodiscard]] Parameters const& parameters() const { return m_parameters; }
    [[nodiscard]] std::map<std::string, torch::Tensor> gradients() const;  // of the last step
    [[nodiscard]] std::int64_t steps() const { return m_steps; }

    // Everything a later run needs to go on as if it had not been interrupted: weights and both moments.
    [[nodiscard]] std::map<std::string, torch::Tensor> state() const;
    Result<void> restore(std::map<std::string, torch::Tensor> const& state, std::int64_t steps);

private:
    void adam();

    Parameters m_parameters;
    double m_learning_rate;
    int m_threads;
    std::int64_t m_steps = 0;
    std::map<std::string, torch::Tensor> m_first, m_second;
};

}  // namespace orrery::methods::stab_ddg
