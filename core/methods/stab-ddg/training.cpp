#include "core/methods/stab-ddg/training.h"

#include "core/methods/stab-ddg/structure_gradient.h"

#include <cmath>

namespace orrery::methods::stab_ddg {
namespace {

constexpr double beta1 = 0.9, beta2 = 0.999, adam_epsilon = 1e-8;

}  // namespace

Trainer::Trainer(Parameters parameters, double learning_rate, int threads)
    : m_parameters(parameters.clone()), m_learning_rate(learning_rate), m_threads(threads) {
    for (auto& [name, tensor] : m_parameters.tensors) {
        tensor.requires_grad_(true);
        m_first[name] = torch::zeros_like(tensor.detach());
        m_second[name] = torch::zeros_like(tensor.detach());
    }
}

std::optional<StepResult> Trainer::step(ComplexInput const& complex, std::vector<MutantChanges> const& mutants,
                                        std::vector<double> const& targets, ComplexDraw const& draw, Tick const& tick) {
    StepResult result;
    {
        torch::NoGradGuard no_grad;
        FastNetwork network = FastNetwork::pack(m_parameters);
        DdgEngine engine(network, complex, mutants, static_cast<std::size_t>(m_parameters.neighbours), m_threads);
        if (!engine.prepare(draw, tick)) return std::nullopt;
        result.predicted.resize(mutants.size());
        auto body = [&](std::size_t m, int worker) { result.predicted[m] = engine.evaluate(m, worker).binding(); };
        if (!parallel_for(mutants.size(), m_threads, body, tick)) return std::nullopt;
    }
    auto count = static_cast<double>(mutants.size());
    std::vector<double> weights;  // d loss / d prediction
    for (std::size_t m = 0; m < mutants.size(); ++m) {
        double difference = result.predicted[m] - targets[m];
        result.loss += difference * difference / count;
        weights.push_back(2 * difference / count);
    }
    for (auto& [name, tensor] : m_parameters.tensors) tensor.mutable_grad() = torch::zeros_like(tensor.detach());
    for (std::size_t which = 0; which < structure_count; ++which) {
        std::vector<WeightedMutant> weighted;
        for (std::size_t m = 0; m < mutants.size(); ++m) {
            if (mutants[m].structures[which].empty()) continue;
            weighted.push_back({mutants[m].structures[which], which == 0 ? weights[m] : -weights[m]});
        }
        if (weighted.empty()) continue;
        if (!accumulate_gradient(m_parameters, complex.structures[which], draw[which], weighted, tick))
            return std::nullopt;
    }
    adam();
    return result;
}

void Trainer::apply(std::map<std::string, torch::Tensor> const& gradients) {
    for (auto& [name, tensor] : m_parameters.tensors) tensor.mutable_grad() = gradients.at(name).clone();
    adam();
}

std::map<std::string, torch::Tensor> Trainer::gradients() const {
    std::map<std::string, torch::Tensor> all;
    for (auto const& [name, tensor] : m_parameters.tensors) all[name] = tensor.grad();
    return all;
}

void Trainer::adam() {
    torch::NoGradGuard no_grad;
    ++m_steps;
    double correction1 = 1 - std::pow(beta1, static_cast<double>(m_steps));
    double correction2 = std::sqrt(1 - std::pow(beta2, static_cast<double>(m_steps)));
    for (auto& [name, tensor] : m_parameters.tensors) {
        torch::Tensor const& gradient = tensor.grad();
        m_first[name].lerp_(gradient, 1 - beta1);
        m_second[name].mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
        torch::Tensor denominator = (m_second[name].sqrt() / correction2).add_(adam_epsilon);
        tensor.addcdiv_(m_first[name], denominator, -m_learning_rate / correction1);
    }
}

std::map<std::string, torch::Tensor> Trainer::state() const {
    std::map<std::string, torch::Tensor> all;
    for (auto const& [name, tensor] : m_parameters.tensors) {
        all["weights." + name] = tensor.detach().clone();
        all["first." + name] = m_first.at(name).clone();
        all["second." + name] = m_second.at(name).clone();
    }
    return all;
}

Result<void> Trainer::restore(std::map<std::string, torch::Tensor> const& state, std::int64_t steps) {
    torch::NoGradGuard no_grad;
    auto take = [&](std::string const& name, torch::Tensor& into) {
        auto found = state.find(name);
        if (found == state.end() || found->second.sizes() != into.sizes()) return false;
        into.copy_(found->second);
        return true;
    };
    for (auto& [name, tensor] : m_parameters.tensors) {
        if (!take("weights." + name, tensor) || !take("first." + name, m_first[name]) ||
            !take("second." + name, m_second[name])) {
            return bad_input("the checkpoint does not hold " + name + " of this network", {},
                             "It belongs to other weights; start the job anew");
        }
    }
    m_steps = steps;
    return {};
}

}  // namespace orrery::methods::stab_ddg
