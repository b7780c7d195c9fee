#include "core/figure/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::figure {
namespace {

double nice_step(double span, int most) {
    double const rough = span / std::max(1, most - 1);
    double const power = std::pow(10, std::floor(std::log10(rough)));
    for (double factor : {1.0, 2.0, 2.5, 5.0, 10.0})
        if (factor * power >= rough * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

std::string with_minus_sign(std::string text) {
    if (!text.empty() && text[0] == '-') text = "−" + text.substr(1);
    return text;
}

std::string label_of(double value, double step, double largest) {
    if (value == 0) return "0";
    if (largest >= 1e6 || largest < 1e-4) {
        std::string text = fmt::format("{:.3g}", value);
        // "1e+06" -> "1e6"
        if (auto const e = text.find('e'); e != std::string::npos) {
            int const exponent = std::stoi(text.substr(e + 1));
            text = text.substr(0, e) + "e" + (exponent < 0 ? "−" : "") + std::to_string(std::abs(exponent));
        }
        return with_minus_sign(text);
    }
    int decimals = 0;
    // Rounded to a millionth of a step, so that 0.30000000000000004 needs one decimal.
    for (double scaled = step; decimals < 10 && std::abs(scaled - std::round(scaled)) > 1e-6 * scaled; ++decimals)
        scaled *= 10;
    return with_minus_sign(fmt::format("{:.{}f}", value, decimals));
}

Range widened(Range range) {
    double const half = std::max(std::abs(range.minimum), std::abs(range.maximum)) * 0.05;
    double const by = half > 0 ? half : 1;
    return {range.minimum - by, range.maximum + by};
}

}  // namespace

std::vector<Tick> linear_ticks(Range range, int most) {
    std::vector<Tick> ticks;
    double const span = range.maximum - range.minimum;
    if (!(span > 0) || !std::isfinite(span)) return ticks;
    double const step = nice_step(span, std::max(2, most));
    double const slack = span * 1e-9;
    double const largest = std::max(std::abs(range.minimum), std::abs(range.maximum));
    double const first = std::ceil((range.minimum - slack) / step);
    for (int i = 0; i < 100; ++i) {
        double const value = (first + i) * step;
        if (value > range.maximum + slack) break;
        ticks.push_back({value, label_of(std::abs(value) < step * 1e-6 ? 0 : value, step, largest)});
    }
    return ticks;
}

std::vector<Tick> logarithmic_ticks(Range range, int most) {
    std::vector<Tick> ticks;
    if (!(range.minimum > 0) || !(range.maximum > range.minimum)) return ticks;
    int const first = static_cast<int>(std::floor(std::log10(range.minimum))),
              last = static_cast<int>(std::ceil(std::log10(range.maximum)));
    int const stride =
        std::max(1, (last - first) / std::max(1, most) + ((last - first) % std::max(1, most) != 0 ? 1 : 0));
    bool const between = last - first <= 2;
    for (int exponent = first; exponent <= last; exponent += stride)
        for (double factor : {1.0, 2.0, 5.0}) {
            if (factor > 1 && !between) continue;
            double const value = factor * std::pow(10.0, exponent);
            if (value < range.minimum * (1 - 1e-9) || value > range.maximum * (1 + 1e-9)) continue;
            ticks.push_back({value, exponent >= -3 && exponent <= 5
                                        ? fmt::format("{:.6g}", value)
                                        : fmt::format("{}e{}{}", factor, exponent < 0 ? "−" : "", std::abs(exponent))});
        }
    return ticks;
}

Range axis_range(Axis const& axis, std::vector<double> const& values, bool with_zero, bool room) {
    if (!axis.categories.empty()) return {-0.5, static_cast<double>(axis.categories.size()) - 0.5};
    bool const given = axis.minimum != axis.maximum && std::isfinite(axis.minimum) && std::isfinite(axis.maximum) &&
                       (!axis.logarithmic || std::min(axis.minimum, axis.maximum) > 0);
    if (given) return {std::min(axis.minimum, axis.maximum), std::max(axis.minimum, axis.maximum)};
    constexpr double largest = 1e300;  // spans must stay finite
    Range range{largest, -largest};
    for (double value : values) {
        if (!std::isfinite(value) || std::abs(value) > largest || (axis.logarithmic && value <= 0)) continue;
        range = {std::min(range.minimum, value), std::max(range.maximum, value)};
    }
    if (range.minimum > range.maximum) return axis.logarithmic ? Range{1, 10} : Range{0, 1};
    if (axis.logarithmic) {
        double const by = std::max(std::pow(range.maximum / range.minimum, 0.05), 1.1);
        return {range.minimum / by, range.maximum * by};
    }
    if (with_zero) range = {std::min(0.0, range.minimum), std::max(0.0, range.maximum)};
    if (!(range.maximum > range.minimum)) range = widened(range);
    double const step = nice_step(range.maximum - range.minimum, 6) / 2;
    double const slack = 1e-9;
    Range rounded{std::floor(range.minimum / step + slack) * step, std::ceil(range.maximum / step - slack) * step};
    double const least = room ? 0.02 * (rounded.maximum - rounded.minimum) : 0;
    if (range.minimum - rounded.minimum < least && !(with_zero && range.minimum == 0)) rounded.minimum -= step;
    if (rounded.maximum - range.maximum < least && !(with_zero && range.maximum == 0)) rounded.maximum += step;
    return rounded;
}

double position(Axis const& axis, Range range, double value) {
    if (axis.logarithmic && axis.categories.empty())
        return (std::log(value) - std::log(range.minimum)) / (std::log(range.maximum) - std::log(range.minimum));
    return (value - range.minimum) / (range.maximum - range.minimum);
}

std::vector<std::size_t> labelled_categories(std::size_t count, double pitch, double needed,
                                             std::vector<int> const& groups) {
    if (count == 0 || !(pitch > 0)) return {};
    std::size_t step = 1;
    for (std::size_t power = 1; static_cast<double>(step) * pitch < needed && step < count; power *= 10)
        for (std::size_t factor : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
            step = factor * power;
            if (static_cast<double>(step) * pitch >= needed) break;
        }
    std::vector<std::size_t> chosen;
    std::size_t start = 0;
    while (start < count) {
        std::size_t end = start + 1;
        while (end < count && (groups.size() != count || groups[end] == groups[start])) ++end;
        for (std::size_t i = start; i < end; i += step) {
            bool const touches_next = end < count && static_cast<double>(end - i) * pitch < needed;
            bool const touches_last = !chosen.empty() && static_cast<double>(i - chosen.back()) * pitch < needed;
            if (!touches_last && !(touches_next && i != start)) chosen.push_back(i);
        }
        start = end;
    }
    return chosen;
}

}  // namespace orrery::figure
