#include "renderers/vtk/detail_control.h"

namespace orrery::view3d {

void DetailControl::record(int detail, double milliseconds) {
    double& cost = m_cost[std::size_t(detail)];
    cost = cost == 0 ? milliseconds : 0.6 * cost + 0.4 * milliseconds;
}

double DetailControl::expected(int detail) const {
    // Measured in llvmpipe with 100 k atoms: half resolution takes 0.4 of the time, stand-ins a tenth.
    static constexpr std::array<double, detail_levels> share{1, 0.4, 0.12, 0.08};
    if (m_cost[std::size_t(detail)] > 0) return m_cost[std::size_t(detail)];
    for (int known = detail; known-- > 0;)
        if (double const cost = m_cost[std::size_t(known)]; cost > 0)
            return cost * share[std::size_t(detail)] / share[std::size_t(known)];
    return 0;
}

int DetailControl::choose() {
    int level = 0;
    while (level + 1 < detail_levels && expected(level) > budget) ++level;
    // Going back to more detail within a motion needs a margin, or the picture flickers between two levels.
    if (level < m_level && expected(level) > 0.6 * budget) level = m_level;
    return m_level = level;
}

}  // namespace orrery::view3d
