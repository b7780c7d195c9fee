#include "core/methods/quantum-control/minimise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orrery::methods::quantum_control {
namespace {

constexpr std::size_t memory = 20;
constexpr int most_tries = 30, most_stalled = 12;

}  // namespace

BoundedLbfgs::BoundedLbfgs(std::vector<double> start, std::vector<double> lower, std::vector<double> upper)
    : m_lower(std::move(lower)), m_upper(std::move(upper)), m_x(std::move(start)) {
    for (std::size_t i = 0; i < m_x.size(); ++i) m_x[i] = std::clamp(m_x[i], m_lower[i], m_upper[i]);
    m_trial = m_x;
}

// A variable at a bound whose gradient pushes it out is held there.
bool BoundedLbfgs::is_free(std::size_t i) const {
    if (m_lower[i] == m_upper[i]) return false;
    return !(m_x[i] <= m_lower[i] && m_gradient[i] > 0) && !(m_x[i] >= m_upper[i] && m_gradient[i] < 0);
}

void BoundedLbfgs::tell(double value, std::vector<double> const& gradient) {
    if (m_finished) return;
    if (!m_started) {
        m_started = true;
        m_value = value;
        m_gradient = gradient;
        return choose_direction();
    }
    double expected = 0;
    for (std::size_t i = 0; i < m_x.size(); ++i) expected += m_gradient[i] * (m_trial[i] - m_x[i]);
    if (std::isfinite(value) && value <= m_value + 1e-4 * expected) return accept(value, gradient);
    if (++m_tries >= most_tries) {
        if (m_memory.empty()) {
            m_finished = true;
            return;
        }
        m_memory.clear();
        return choose_direction();
    }
    double shorter = 0.5;  // minimum of the parabola through both values and the slope, held in 0.1..0.5
    double const curvature = value - m_value - expected;
    if (std::isfinite(value) && curvature > 0) shorter = std::clamp(-0.5 * expected / curvature, 0.1, 0.5);
    m_length *= shorter;
    try_step();
}

void BoundedLbfgs::accept(double value, std::vector<double> const& gradient) {
    Pair pair;
    double product = 0, steps = 0, changes = 0;
    for (std::size_t i = 0; i < m_x.size(); ++i) {
        pair.step.push_back(m_trial[i] - m_x[i]);
        pair.change.push_back(gradient[i] - m_gradient[i]);
        product += pair.step[i] * pair.change[i];
        steps += pair.step[i] * pair.step[i];
        changes += pair.change[i] * pair.change[i];
    }
    if (product > 1e-10 * std::sqrt(steps * changes)) {
        m_memory.push_back(std::move(pair));
        if (m_memory.size() > memory) m_memory.pop_front();
    }
    m_stalled = m_value - value < 1e-9 * std::abs(m_value) + 1e-15 ? m_stalled + 1 : 0;
    m_x = m_trial;
    m_value = value;
    m_gradient = gradient;
    ++m_iterations;
    if (m_stalled == 0) m_renewed = false;
    if (m_stalled >= most_stalled) {  // once more without what the memory believes, before it is the end
        m_finished = m_renewed;
        if (m_finished) return;
        m_renewed = true;
        m_stalled = 0;
        m_memory.clear();
    }
    choose_direction();
}

// The two loops of L-BFGS over the free variables.
void BoundedLbfgs::choose_direction() {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < m_x.size(); ++i)
        if (is_free(i)) free.push_back(i);
    auto dot = [&](std::vector<double> const& a, std::vector<double> const& b) {
        double sum = 0;
        for (std::size_t i : free) sum += a[i] * b[i];
        return sum;
    };
    double const size = std::sqrt(dot(m_gradient, m_gradient));
    if (size < 1e-11) {
        m_finished = true;
        return;
    }
    std::vector<double> q = m_gradient;
    std::vector<double> alpha(m_memory.size(), 0.0);
    for (std::size_t k = m_memory.size(); k-- > 0;) {
        Pair const& p = m_memory[k];
        double const product = dot(p.step, p.change);
        if (product <= 0) continue;
        alpha[k] = dot(p.step, q) / product;
        for (std::size_t i : free) q[i] -= alpha[k] * p.change[i];
    }
    if (!m_memory.empty()) {
        double const product = dot(m_memory.back().step, m_memory.back().change);
        double const squares = dot(m_memory.back().change, m_memory.back().change);
        if (product > 0 && squares > 0)
            for (std::size_t i : free) q[i] *= product / squares;
    }
    for (std::size_t k = 0; k < m_memory.size(); ++k) {
        Pair const& p = m_memory[k];
        double const product = dot(p.step, p.change);
        if (product <= 0) continue;
        double const beta = dot(p.change, q) / product;
        for (std::size_t i : free) q[i] += (alpha[k] - beta) * p.step[i];
    }
    m_direction.assign(m_x.size(), 0.0);
    for (std::size_t i : free) m_direction[i] = -q[i];
    if (!(dot(m_direction, m_gradient) < 0)) {
        m_memory.clear();
        for (std::size_t i : free) m_direction[i] = -m_gradient[i];
    }
    m_length = m_memory.empty() ? std::min(1.0, 1.0 / size) : 1.0;
    m_tries = 0;
    try_step();
}

void BoundedLbfgs::try_step() {
    for (std::size_t i = 0; i < m_x.size(); ++i) {
        m_trial[i] = std::clamp(m_x[i] + m_length * m_direction[i], m_lower[i], m_upper[i]);
    }
}

Json BoundedLbfgs::save() const {
    Json pairs = Json::array();
    for (Pair const& p : m_memory) pairs.push_back({p.step, p.change});
    return {{"x", m_x},         {"gradient", m_gradient}, {"trial", m_trial},     {"direction", m_direction},
            {"memory", pairs},  {"value", m_value},       {"length", m_length},   {"iterations", m_iterations},
            {"tries", m_tries}, {"stalled", m_stalled},   {"started", m_started}, {"finished", m_finished},
            {"lower", m_lower}, {"upper", m_upper},       {"renewed", m_renewed}};
}

void BoundedLbfgs::restore(Json const& s) {
    s.at("x").get_to(m_x);
    s.at("gradient").get_to(m_gradient);
    s.at("trial").get_to(m_trial);
    s.at("direction").get_to(m_direction);
    s.at("value").get_to(m_value);
    s.at("length").get_to(m_length);
    s.at("iterations").get_to(m_iterations);
    s.at("tries").get_to(m_tries);
    s.at("renewed").get_to(m_renewed);
    s.at("stalled").get_to(m_stalled);
    s.at("started").get_to(m_started);
    s.at("finished").get_to(m_finished);
    s.at("lower").get_to(m_lower);
    s.at("upper").get_to(m_upper);
    m_memory.clear();
    for (Json const& p : s.at("memory")) {
        m_memory.push_back({p.at(0).get<std::vector<double>>(), p.at(1).get<std::vector<double>>()});
    }
}

NelderMead::NelderMead(std::vector<double> start, double size) {
    m_points.push_back(start);
    for (std::size_t i = 0; i < start.size(); ++i) {
        m_points.push_back(start);
        m_points.back()[i] += size;
    }
    m_trial = m_points[0];
}

std::vector<double> NelderMead::along(double factor) const {
    std::vector<double> out = m_centroid;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += factor * (m_centroid[i] - m_points[m_worst][i]);
    return out;
}

void NelderMead::begin_round() {
    std::size_t const n = m_points.size();
    m_best = static_cast<std::size_t>(std::min_element(m_values.begin(), m_values.end()) - m_values.begin());
    m_worst = static_cast<std::size_t>(std::max_element(m_values.begin(), m_values.end()) - m_values.begin());
    if (m_values[m_worst] - m_values[m_best] < 1e-12) m_finished = true;
    m_centroid.assign(m_points[0].size(), 0.0);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; k != m_worst && i < m_centroid.size(); ++i)
            m_centroid[i] += m_points[k][i] / static_cast<double>(n - 1);
    m_stage = reflect;
    m_trial = along(1);
}

void NelderMead::replace_worst(std::vector<double> point, double value) {
    m_points[m_worst] = std::move(point);
    m_values[m_worst] = value;
    begin_round();
}

void NelderMead::tell(double value) {
    if (m_finished) return;
    if (m_stage == build || m_stage == shrink) {
        if (m_stage == build) {
            m_values.push_back(value);
            m_best = static_cast<std::size_t>(std::min_element(m_values.begin(), m_values.end()) - m_values.begin());
        } else {
            m_values[m_next] = value;
        }
        do ++m_next;
        while (m_stage == shrink && m_next == m_best);
        if (m_next >= m_points.size()) return begin_round();
        m_trial = m_points[m_next];
        return;
    }
    if (m_stage == reflect) {
        m_reflected = m_trial;
        m_reflected_value = value;
        std::size_t worse = 0;
        for (double v : m_values) worse += v > value ? 1 : 0;
        if (value < m_values[m_best]) {
            m_stage = expand;
            m_trial = along(2);
        } else if (worse >= 2) {
            replace_worst(m_trial, value);
        } else {
            m_stage = contract;
            m_trial = along(value < m_values[m_worst] ? 0.5 : -0.5);
        }
        return;
    }
    if (m_stage == expand) {
        if (value < m_reflected_value) return replace_worst(m_trial, value);
        return replace_worst(m_reflected, m_reflected_value);
    }
    if (value < std::min(m_reflected_value, m_values[m_worst])) return replace_worst(m_trial, value);
    for (std::size_t k = 0; k < m_points.size(); ++k)
        for (std::size_t i = 0; k != m_best && i < m_trial.size(); ++i)
            m_points[k][i] = 0.5 * (m_points[k][i] + m_points[m_best][i]);
    m_stage = shrink;
    m_next = m_best == 0 ? 1 : 0;
    m_trial = m_points[m_next];
}

Json NelderMead::save() const {
    return {{"points", m_points},     {"values", m_values},         {"trial", m_trial},      {"reflected", m_reflected},
            {"centroid", m_centroid}, {"value", m_reflected_value}, {"best", m_best},        {"worst", m_worst},
            {"next", m_next},         {"stage", m_stage},           {"finished", m_finished}};
}

void NelderMead::restore(Json const& s) {
    s.at("points").get_to(m_points);
    s.at("values").get_to(m_values);
    s.at("trial").get_to(m_trial);
    s.at("reflected").get_to(m_reflected);
    s.at("centroid").get_to(m_centroid);
    s.at("value").get_to(m_reflected_value);
    s.at("best").get_to(m_best);
    s.at("worst").get_to(m_worst);
    s.at("next").get_to(m_next);
    s.at("stage").get_to(m_stage);
    s.at("finished").get_to(m_finished);
}

}  // namespace orrery::methods::quantum_control
