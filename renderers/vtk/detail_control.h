// Chooses the detail of the next frame while the camera moves, from what frames cost so far.
#pragma once

#include "renderers/vtk/canvas.h"

#include <array>

namespace orrery::view3d {

class DetailControl {
public:
    // A frame of 38 ms leaves time for events and for the window's own compositing within 50 ms (20 frames a second).
    static constexpr double budget = 38;

    void record(int detail, double milliseconds);
    void forget() {
        m_cost = {};
        m_level = 0;
    }  // the scene changed
    [[nodiscard]] int level() const { return m_level; }
    // Lowest level whose cost, measured or expected, fits the budget.
    int choose();
    [[nodiscard]] double cost(int detail) const { return m_cost[std::size_t(detail)]; }

    // Pixels a side and shapes of a level.
    [[nodiscard]] static double scale(int detail) { return detail == 0 ? 1 : detail < 3 ? 0.5 : 1.0 / 3; }
    [[nodiscard]] static bool stand_ins(int detail) { return detail >= 2; }

private:
    [[nodiscard]] double expected(int detail) const;
    std::array<double, detail_levels> m_cost{};  // milliseconds, 0: not drawn yet
    int m_level = 0;
};

}  // namespace orrery::view3d
