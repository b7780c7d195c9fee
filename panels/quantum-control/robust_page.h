// How much a pulse forgives: the map of F over two errors (of two pulses beside each other) and the histogram under noise.
#pragma once

#include "core/base/figure.h"

#include <QWidget>

class QLabel;

namespace orrery {
class HeatMapView;
class XyView;
}  // namespace orrery

namespace orrery::panels::quantum_control {

class Tiles;

class RobustPage : public QWidget {
    Q_OBJECT
public:
    explicit RobustPage(QWidget* parent);
    void clear();
    // `second`: the map of the other pulse.
    void show_map(Figure figure, bool second);
    void show_noise(Figure figure, bool second);
    void show_summary(Json const& values);  // robust.json
    [[nodiscard]] HeatMapView* map() const { return m_map; }
    [[nodiscard]] HeatMapView* second_map() const { return m_second; }
    [[nodiscard]] XyView* noise() const { return m_noise; }
    [[nodiscard]] Json const& summary() const { return m_summary; }

private:
    void draw_noise();
    Json m_summary = Json::object();
    std::vector<Figure> m_noise_figures = std::vector<Figure>(2);
    Tiles* m_tiles = nullptr;
    HeatMapView* m_map = nullptr;
    HeatMapView* m_second = nullptr;
    XyView* m_noise = nullptr;
};

}  // namespace orrery::panels::quantum_control
