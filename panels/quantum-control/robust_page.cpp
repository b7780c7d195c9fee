#include "panels/quantum-control/robust_page.h"

#include "panels/common/labels.h"
#include "panels/quantum-control/tiles.h"
#include "renderers/plot/heat_map_view.h"
#include "renderers/plot/xy_view.h"

#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace orrery::panels::quantum_control {

namespace {

enum Tile : std::size_t { tile_worst, tile_mean, tile_noise, tile_low, tile_second };

// Rows from below, as on any axis: files have the smallest first.
void turn_over(HeatMap& map) {
    std::size_t const columns = map.columns.categories.size(), rows = map.rows.categories.size();
    if (map.values.size() != rows * columns) return;
    std::reverse(map.rows.categories.begin(), map.rows.categories.end());
    std::vector<double> values(map.values.size());
    for (std::size_t r = 0; r < rows; ++r)
        std::copy_n(map.values.begin() + static_cast<std::ptrdiff_t>(r * columns), columns,
                    values.begin() + static_cast<std::ptrdiff_t>((rows - 1 - r) * columns));
    map.values = std::move(values);
}

double number(Json const& values, char const* key) {
    auto const found = values.find(key);
    return found != values.end() && found->is_number() ? found->get<double>() : std::nan("");
}

}  // namespace

RobustPage::RobustPage(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_tiles = new Tiles("quantum-control.robust",
                        {{"worst", "worst F of the map", ""},
                         {"mean", "mean F of the map", ""},
                         {"noise", "mean F under noise", "With its standard deviation over the draws"},
                         {"low", "5 % of the draws are below", ""},
                         {"second", "mean F of the second pulse", ""}},
                        this);
    layout->addWidget(m_tiles);
    layout->addWidget(make_separator(this));
    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->setHandleWidth(1);
    columns->setChildrenCollapsible(false);
    auto const map = [&](char const* name, char const* title) {
        auto* view = new HeatMapView(columns);
        view->setObjectName(QString("quantum-control.") + name);
        view->setAccessibleName(title);
        view->set_empty_text(title, "Map the robustness of the pulse in hand, or of a pulse file");
        view->setMinimumWidth(150);
        columns->addWidget(view);
        return view;
    };
    m_map = map("robust", "Fidelity over two errors");
    m_second = map("robust-second", "The second pulse");
    m_noise = new XyView(columns);
    m_noise->setObjectName("quantum-control.noise");
    m_noise->setAccessibleName("Fidelity under noise");
    m_noise->set_empty_text("Fidelity under noise", "Choose a kind of noise and map again");
    m_noise->setMinimumWidth(140);
    columns->addWidget(m_noise);
    columns->setSizes({500, 500, 350});
    layout->addWidget(columns, 1);
    clear();
}

void RobustPage::clear() {
    m_summary = Json::object();
    m_map->clear();
    m_second->clear();
    m_second->hide();
    m_noise->clear();
    m_noise_figures = std::vector<Figure>(2);
    show_summary(Json::object());
}

void RobustPage::show_map(Figure figure, bool second) {
    auto* map = std::get_if<HeatMap>(&figure.content);
    if (map == nullptr) return;
    turn_over(*map);
    HeatMapView* view = second ? m_second : m_map;
    if (second) figure.title = "Second pulse";
    view->show();
    if (!view->set_figure(std::move(figure)).ok()) view->clear();
}

void RobustPage::show_noise(Figure figure, bool second) {
    m_noise_figures[second ? 1 : 0] = std::move(figure);
    draw_noise();
}

void RobustPage::draw_noise() {
    Figure figure = m_noise_figures[0];
    auto* plot = std::get_if<XyPlot>(&figure.content);
    if (plot == nullptr || plot->series.empty()) return;
    if (auto const* other = std::get_if<XyPlot>(&m_noise_figures[1].content); other != nullptr && !other->series.empty()) {
        plot->series.front().name = "pulse";
        plot->series.push_back(other->series.front());
        plot->series.back().name = "second pulse";
    }
    if (!m_noise->set_figure(std::move(figure)).ok()) m_noise->clear();
}

void RobustPage::show_summary(Json const& values) {
    m_summary = values;
    m_tiles->set(tile_worst, fidelity_text(number(values, "worst")));
    m_tiles->set(tile_mean, fidelity_text(number(values, "mean")));
    double const mean = number(values, "noise_mean");
    bool const noise = std::isfinite(mean);
    m_tiles->set(tile_noise, noise ? QString("%1 ± %2")
                                         .arg(mean, 0, 'f', 5)
                                         .arg(number(values, "noise_deviation"), 0, 'f', 5)
                                   : QString());
    m_tiles->set(tile_low, noise ? QString::number(number(values, "noise_5_percent"), 'f', 5) : QString());
    m_tiles->set(tile_second, fidelity_text(number(values, "mean_b")));
    m_tiles->set_visible(tile_noise, noise);
    m_tiles->set_visible(tile_low, noise);
    m_tiles->set_visible(tile_second, std::isfinite(number(values, "mean_b")));
}

}  // namespace orrery::panels::quantum_control
