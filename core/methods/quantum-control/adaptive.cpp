#include "core/methods/quantum-control/simulate.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::quantum_control {
namespace {

// Dormand and Prince's 5(4) pair; Hairer, Norsett and Wanner's coefficients of their 8(5,3) triple (Solving ODEs I,
// section II.10).
constexpr double a5[7][7] = {{0.0},
                             {1.0 / 5},
                             {3.0 / 40, 9.0 / 40},
                             {44.0 / 45, -56.0 / 15, 32.0 / 9},
                             {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                             {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                             {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr std::array<double, 7> c5 = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr std::array<double, 7> e4 = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                      -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr std::array<double, 12> c8 = {0.0,
                                       0.05260015195876773,
                                       0.0789002279381516,
                                       0.1183503419072274,
                                       0.2816496580927726,
                                       0.3333333333333333,
                                       0.25,
                                       0.3076923076923077,
                                       0.6512820512820513,
                                       0.6,
                                       0.8571428571428571,
                                       1.0};
constexpr double a8[12][12] = {
    {0.0},
    {0.05260015195876773},
    {0.0197250569845379, 0.0591751709536137},
    {0.02958758547680685, 0.0, 0.08876275643042054},
    {0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792},
    {0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242},
    {0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125},
    {0.03709200011850479, 0.0, 0.0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
     0.008273789163814023},
    {0.6241109587160757, 0.0, 0.0, -3.3608926294469414, -0.868219346841726, 27.59209969944671, 20.154067550477894,
     -43.48988418106996},
    {0.47766253643826434, 0.0, 0.0, -2.4881146199716677, -0.590290826836843, 21.230051448181193, 15.279233632882423,
     -33.28821096898486, -0.020331201708508627},
    {-0.9371424300859873, 0.0, 0.0, 5.186372428844064, 1.0914373489967295, -8.149787010746927, -18.52006565999696,
     22.739487099350505, 2.4936055526796523, -3.0467644718982196},
    {2.273310147516538, 0.0, 0.0, -10.53449546673725, -2.0008720582248625, -17.9589318631188, 27.94888452941996,
     -2.8589982771350235, -8.87285693353063, 12.360567175794303, 0.6433927460157636}};
constexpr std::array<double, 12> b8 = {0.054293734116568765,
                                       0.0,
                                       0.0,
                                       0.0,
                                       0.0,
                                       4.450312892752409,
                                       1.8915178993145003,
                                       -5.801203960010585,
                                       0.3111643669578199,
                                       -0.1521609496625161,
                                       0.20136540080403034,
                                       0.04471061572777259};
constexpr std::array<double, 13> e3 = {-0.18980075407240762,
                                       0.0,
                                       0.0,
                                       0.0,
                                       0.0,
                                       4.450312892752409,
                                       1.8915178993145003,
                                       -5.801203960010585,
                                       -0.4226823213237919,
                                       -0.1521609496625161,
                                       0.20136540080403034,
                                       0.02265179219836082,
                                       0.0};
constexpr std::array<double, 13> e5 = {0.01312004499419488,
                                       0.0,
                                       0.0,
                                       0.0,
                                       0.0,
                                       -1.2251564463762044,
                                       -0.4957589496572502,
                                       1.6643771824549864,
                                       -0.35032884874997366,
                                       0.3341791187130175,
                                       0.08192320648511571,
                                       -0.022355307863886294,
                                       0.0};
class Integrator {
public:
    Integrator(Program const& program, Pulse const& pulse, AdaptivePlan const& plan)
        : m_program(program), m_pulse(pulse), m_plan(plan), m_n(static_cast<std::size_t>(program.components)) {
        for (std::size_t f = first_control_feature; f < program.features.size(); ++f) {
            std::vector<double> values = pulse.values[static_cast<std::size_t>(program.features[f].control)];
            for (double& v : values) v = program.features[f].power == 2 ? v * v : v;
            m_polynomials.push_back(interval_polynomials(pulse.times, values, plan.interpolation));
        }
        m_y = program.initial;
        m_k.assign(13, std::vector<double>(m_n));
    }

    AdaptiveRun run() {
        std::size_t const last = m_pulse.times.size() - 1;
        keep(m_y);
        derivative(m_pulse.times[0], m_y, m_k[0]);
        double h = first_step();
        double t = m_pulse.times[0];
        std::size_t next = 1;
        while (next <= last) {
            if (m_out.steps >= m_plan.most_steps) {
                m_out.reached_limit = true;
                break;
            }
            double const end = m_pulse.times[m_plan.stop_at_knots ? next : last];
            bool const cut = t + h * (1 + 1e-12) >= end;
            double const step = cut ? end - t : h;
            double const error = attempt(t, step);
            ++m_out.steps;
            double const factor = control(error);
            if (error > 1) {
                h = step * std::min(factor, 1.0);
                continue;
            }
            double const before = t;
            t = cut ? end : t + step;
            while (next <= last && m_pulse.times[next] <= t + 1e-15 * std::abs(t))
                keep(dense_output(before, step, next++));
            m_y.swap(m_new);
            m_k[0].swap(m_k[m_stages]);
            h = cut && factor >= 1 ? std::max(h, step * factor) : step * factor;
        }
        m_out.trajectory.state = m_y;
        m_out.trajectory.fidelity = m_program.fidelity.value(m_y.data());
        return m_out;
    }

private:
    void keep(std::vector<double> const& y) {
        m_out.trajectory.knots.insert(m_out.trajectory.knots.end(), y.begin(), y.end());
    }

    // Cubic Hermite between the ends of the step: output alone, the integration does not see it.
    std::vector<double> dense_output(double t, double h, std::size_t knot) {
        double const s = std::clamp((m_pulse.times[knot] - t) / h, 0.0, 1.0);
        if (s == 1.0) return m_new;
        double const h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s), h01 = s * s * (3 - 2 * s),
                     h11 = s * s * (s - 1);
        std::vector<double> y(m_n);
        for (std::size_t i = 0; i < m_n; ++i) {
            y[i] = h00 * m_y[i] + h10 * h * m_k[0][i] + h01 * m_new[i] + h11 * h * m_k[m_stages][i];
        }
        return y;
    }

    void derivative(double t, std::vector<double> const& y, std::vector<double>& k) {
        auto const& times = m_pulse.times;
        auto at = std::upper_bound(times.begin() + 1, times.end() - 1, t) - 1;
        auto const interval = static_cast<std::size_t>(at - times.begin());
        m_features.assign(m_program.features.size(), 1.0);
        for (std::size_t f = first_control_feature; f < m_features.size(); ++f) {
            m_features[f] = evaluate(m_polynomials[f - first_control_feature][interval], t - *at);
        }
        m_slots.resize(m_program.slots.size());
        for (std::size_t s = 0; s < m_slots.size(); ++s) {
            double v = 0;
            for (SlotTerm const& term : m_program.slots[s]) v += term.weight * m_features[term.feature];
            m_slots[s] = v;
        }
        for (std::size_t d = 0; d < m_n; ++d) {
            double sum = 0;
            for (std::uint32_t op = m_program.row_begin[d]; op < m_program.row_begin[d + 1]; ++op) {
                sum += m_slots[m_program.linear[op].slot] * y[m_program.linear[op].source];
            }
            k[d] = sum;
        }
        for (QuadraticOp const& q : m_program.quadratic) {
            k[q.destination] += m_slots[q.slot] * y[q.first] * y[q.second];
        }
    }

    // Takes a step into m_new, m_k[m_stages] its derivative; the error in units of the tolerance.
    double attempt(double t, double h) {
        bool const eight = m_plan.method == AdaptiveMethod::dopri8;
        m_stages = eight ? 12 : 6;
        std::vector<double> y(m_n);
        auto combine = [&](double const* a, std::size_t count) {
            for (std::size_t i = 0; i < m_n; ++i) {
                double sum = 0;
                for (std::size_t s = 0; s < count; ++s) sum += a[s] * m_k[s][i];
                y[i] = m_y[i] + h * sum;
            }
        };
        for (std::size_t s = 1; s < m_stages; ++s) {
            combine(eight ? a8[s] : a5[s], s);
            derivative(t + h * (eight ? c8[s] : c5[s]), y, m_k[s]);
        }
        combine(eight ? b8.data() : a5[6], m_stages);
        m_new = y;
        derivative(t + h, m_new, m_k[m_stages]);
        return h * (eight ? error_of_eight() : error_norm(e4.data(), m_stages + 1));
    }

    double error_norm(double const* weights, std::size_t count) const {
        double sum = 0;
        for (std::size_t i = 0; i < m_n; ++i) {
            double e = 0;
            for (std::size_t s = 0; s < count; ++s) e += weights[s] * m_k[s][i];
            double const scale = m_plan.absolute + m_plan.relative * std::max(std::abs(m_y[i]), std::abs(m_new[i]));
            sum += (e / scale) * (e / scale);
        }
        return std::sqrt(sum / static_cast<double>(m_n));
    }
    [[nodiscard]] double error_of_eight() const {
        double const five = error_norm(e5.data(), 13), three = error_norm(e3.data(), 13);
        if (five == 0 && three == 0) return 0;
        return five * five / std::sqrt(five * five + 0.01 * three * three);
    }

    // Factor of the next step: I controller, with a proportional part where plan.p is not 0; 0.2 to 10, safety 0.9.
    double control(double error) {
        double const order = m_plan.method == AdaptiveMethod::dopri8 ? 8 : 5;
        double const e = std::max(error, 1e-10);
        double factor = 0.9 * std::pow(1 / e, (m_plan.i + m_plan.p) / order) * std::pow(m_last, m_plan.p / order);
        if (error <= 1) m_last = e;
        return std::clamp(factor, 0.2, 10.0);
    }

    [[nodiscard]] double first_step() const {
        double y = 0, k = 0;
        for (std::size_t i = 0; i < m_n; ++i) {
            double const scale = m_plan.absolute + m_plan.relative * std::abs(m_y[i]);
            y += (m_y[i] / scale) * (m_y[i] / scale);
            k += (m_k[0][i] / scale) * (m_k[0][i] / scale);
        }
        double const whole = m_pulse.times.back() - m_pulse.times.front();
        double const guess = k > 1e-20 ? 0.01 * std::sqrt(y / k) : 1e-3 * whole;
        return std::min(guess, 0.01 * whole);
    }

    Program const& m_program;
    Pulse const& m_pulse;
    AdaptivePlan const& m_plan;
    std::size_t m_n, m_stages = 6;
    std::vector<std::vector<std::array<double, 4>>> m_polynomials;
    std::vector<std::vector<double>> m_k;
    std::vector<double> m_y, m_new, m_features, m_slots;
    double m_last = 1;
    AdaptiveRun m_out;
};

}  // namespace

AdaptiveRun run_adaptive(Program const& program, Pulse const& pulse, AdaptivePlan const& plan) {
    return Integrator(program, pulse, plan).run();
}

}  // namespace orrery::methods::quantum_control
