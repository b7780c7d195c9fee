#include "panels/quantum-control/curves.h"

#include "core/base/number.h"
#include "core/base/table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::panels::quantum_control {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double least_infidelity = 1e-12;  // where the curve ends: F is no better known
constexpr std::size_t most_points = 2000;

double number_in(Json const& value, char const* key) {
    auto const found = value.find(key);
    return found != value.end() && found->is_number() ? found->get<double>() : nan_value;
}

double infidelity(double fidelity) { return std::max(1 - fidelity, least_infidelity); }

template <class Member>
Series line(std::string name, SeedCurve const& curve, Member member, bool as_infidelity, int color) {
    Series series;
    series.name = std::move(name);
    series.color = color;
    series.x = curve.evaluations;
    for (double v : curve.*member) series.y.push_back(as_infidelity ? infidelity(v) : v);
    return series;
}

struct Spread {
    std::vector<double> x, mean, deviation;
};
// Mean and standard deviation over the seeds at each point that all of them have.
template <class Member, class Map>
Spread spread(std::vector<SeedCurve> const& seeds, Member member, Map map) {
    Spread out;
    std::size_t length = std::numeric_limits<std::size_t>::max();
    for (SeedCurve const& seed : seeds) length = std::min(length, seed.evaluations.size());
    for (std::size_t k = 0; k < length; ++k) {
        double sum = 0, square = 0;
        for (SeedCurve const& seed : seeds) {
            double const v = map((seed.*member)[k]);
            sum += v;
            square += v * v;
        }
        double const n = static_cast<double>(seeds.size()), mean = sum / n;
        out.x.push_back(seeds.front().evaluations[k]);
        out.mean.push_back(mean);
        out.deviation.push_back(n > 1 ? std::sqrt(std::max(0.0, (square - n * mean * mean) / (n - 1))) : 0);
    }
    return out;
}

Figure framed(char const* title, char const* y_title, bool logarithmic) {
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x.title = "pulses tried";
    plot.y.title = y_title;
    plot.y.logarithmic = logarithmic;
    Figure figure;
    figure.title = title;
    figure.content = std::move(plot);
    return figure;
}

}  // namespace

void Curves::add_round(Json const& round) {
    Json const list = round.value("seeds", Json::array());
    double const evaluations = number_in(round, "evaluations");
    if (list.empty() || std::isnan(evaluations)) return;
    if (m_seeds.size() != list.size()) {
        m_seeds.assign(list.size(), SeedCurve());
        m_seen = 0;
        m_skip = 1;
        m_provisional = false;
    }
    // Every m_skip-th message stays; the newest is always shown.
    for (std::size_t s = 0; s < list.size(); ++s) {
        SeedCurve& curve = m_seeds[s];
        curve.seed = list[s].value("seed", std::int64_t{0});
        if (m_provisional)
            for (auto* values : {&curve.evaluations, &curve.reward, &curve.mean, &curve.best}) values->pop_back();
        curve.evaluations.push_back(evaluations);
        curve.reward.push_back(number_in(list[s], "reward"));
        curve.mean.push_back(number_in(list[s], "fidelity"));
        curve.best.push_back(number_in(list[s], "fidelity_best"));
    }
    m_provisional = ++m_seen % m_skip != 0;
    if (m_seeds.front().evaluations.size() < most_points) return;
    for (SeedCurve& curve : m_seeds)
        for (auto* values : {&curve.evaluations, &curve.reward, &curve.mean, &curve.best}) {
            std::vector<double> half;
            for (std::size_t k = 0; k < values->size(); k += 2) half.push_back((*values)[k]);
            *values = std::move(half);
        }
    m_skip *= 2;
    m_provisional = false;
}

void Curves::add_history(std::vector<SeedCurve> const& history) {
    if (m_seeds.empty()) {
        m_seeds = history;
        // Fewer points in one curve than in another would have no common x.
        std::size_t length = m_seeds.empty() ? 0 : m_seeds.front().evaluations.size();
        for (SeedCurve const& curve : m_seeds) length = std::min(length, curve.evaluations.size());
        for (SeedCurve& curve : m_seeds)
            for (auto* values : {&curve.evaluations, &curve.reward, &curve.mean, &curve.best}) values->resize(length, nan_value);
        return;
    }
    Curves earlier;
    earlier.add_history(history);
    if (earlier.empty() || earlier.m_seeds.size() != m_seeds.size()) return;
    double const first = m_seeds.front().evaluations.empty() ? 0 : m_seeds.front().evaluations.front();
    std::vector<double> const& x = earlier.m_seeds.front().evaluations;
    auto const count = std::lower_bound(x.begin(), x.end(), first) - x.begin();
    for (std::size_t s = 0; s < m_seeds.size(); ++s) {
        auto const put = [&](std::vector<double>& to, std::vector<double> const& from) {
            to.insert(to.begin(), from.begin(), from.begin() + count);
        };
        put(m_seeds[s].evaluations, earlier.m_seeds[s].evaluations);
        put(m_seeds[s].reward, earlier.m_seeds[s].reward);
        put(m_seeds[s].mean, earlier.m_seeds[s].mean);
        put(m_seeds[s].best, earlier.m_seeds[s].best);
    }
}

Result<Curves> Curves::from_csv(std::string_view text, std::string const& file_name) {
    ORRERY_TRY(CsvFile const csv, parse_csv(text, file_name, ','));
    int const evaluations = csv.column("evaluations"), seed = csv.column("seed"), reward = csv.column("reward"),
              mean = csv.column("fidelity"), best = csv.column("fidelity_best");
    if (evaluations < 0 || seed < 0 || best < 0)
        return bad_input("the curves have no columns evaluations, seed and fidelity_best", file_name, "Run it again");
    Curves curves;
    auto const at = [&](std::vector<std::string> const& row, int column) {
        return column < 0 ? nan_value : parse_real(row[static_cast<std::size_t>(column)]).value_or(nan_value);
    };
    for (auto const& row : csv.rows) {
        auto const number = static_cast<std::int64_t>(at(row, seed));
        auto found = std::find_if(curves.m_seeds.begin(), curves.m_seeds.end(),
                                  [&](SeedCurve const& curve) { return curve.seed == number; });
        if (found == curves.m_seeds.end()) {
            curves.m_seeds.emplace_back().seed = number;
            found = curves.m_seeds.end() - 1;
        }
        found->evaluations.push_back(at(row, evaluations));
        found->reward.push_back(at(row, reward));
        found->mean.push_back(at(row, mean));
        found->best.push_back(at(row, best));
    }
    return curves;
}

bool Curves::has_reward() const {
    return !empty() && std::any_of(m_seeds.front().reward.begin(), m_seeds.front().reward.end(),
                                   [](double v) { return !std::isnan(v); });
}

double Curves::evaluations() const { return empty() ? 0 : m_seeds.front().evaluations.back(); }

double Curves::best() const {
    double best = nan_value;
    for (SeedCurve const& curve : m_seeds)
        if (!curve.best.empty() && !(curve.best.back() <= best)) best = curve.best.back();
    return best;
}

// Colours: 4 blue (best), 5 vermillion (mean over seeds), 2 bluish green (mean of an update).
Figure Curves::infidelity_figure() const {
    Figure figure = framed("Infidelity", "1 − F", true);
    auto& plot = std::get<XyPlot>(figure.content);
    plot.x.logarithmic = true;
    if (empty()) return figure;
    if (m_seeds.size() == 1) {
        SeedCurve const& one = m_seeds.front();
        if (has_reward()) plot.series.push_back(line("mean of the update", one, &SeedCurve::mean, true, 2));
        plot.series.push_back(line("best", one, &SeedCurve::best, true, 4));
        return figure;
    }
    for (SeedCurve const& curve : m_seeds) {
        plot.series.push_back(line("seed " + std::to_string(curve.seed), curve, &SeedCurve::best, true, 4));
        plot.series.back().faint = true;
    }
    // A standard deviation above its mean has no place on this axis: the seeds themselves show how far they lie apart.
    Spread const over = spread(m_seeds, &SeedCurve::best, infidelity);
    Series mean;
    mean.name = "mean of " + std::to_string(m_seeds.size()) + " seeds";
    mean.color = 5;
    mean.x = over.x;
    mean.y = over.mean;
    plot.series.push_back(std::move(mean));
    figure.caption = "Pale: each seed";
    Series best;
    best.name = "best of all";
    best.color = 4;
    best.x = over.x;
    for (std::size_t k = 0; k < over.x.size(); ++k) {
        double most = 0;
        for (SeedCurve const& curve : m_seeds) most = std::max(most, curve.best[k]);
        best.y.push_back(infidelity(most));
    }
    plot.series.push_back(std::move(best));
    return figure;
}

Figure Curves::reward_figure() const {
    Figure figure = framed("Reward", "mean reward", false);
    auto& plot = std::get<XyPlot>(figure.content);
    if (!has_reward()) return figure;
    if (m_seeds.size() == 1) {
        plot.series.push_back(line("mean of the update", m_seeds.front(), &SeedCurve::reward, false, 2));
        return figure;
    }
    for (SeedCurve const& curve : m_seeds) {
        plot.series.push_back(line("seed " + std::to_string(curve.seed), curve, &SeedCurve::reward, false, 2));
        plot.series.back().faint = true;
    }
    Spread const over = spread(m_seeds, &SeedCurve::reward, [](double v) { return v; });
    Series mean;
    mean.name = "mean of " + std::to_string(m_seeds.size()) + " seeds ± s.d.";
    mean.color = 5;
    mean.x = over.x;
    mean.y = over.mean;
    mean.error = over.deviation;
    plot.series.push_back(std::move(mean));
    return figure;
}

}  // namespace orrery::panels::quantum_control
