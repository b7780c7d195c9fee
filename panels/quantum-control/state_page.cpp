#include "panels/quantum-control/state_page.h"

#include "core/base/color_maps.h"
#include "panels/common/labels.h"
#include "panels/common/text.h"
#include "renderers/scene/scene_view.h"
#include "renderers/scene/shapes.h"
#include "renderers/theme.h"
#include "renderers/theme_style.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSlider>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery::panels::quantum_control {

namespace {

using view3d::Vector;

constexpr double city_height = 0.9;    // of the largest possible entry, in units of the city's side
constexpr double smallest_bar = 1e-3;  // magnitude below which a cell is flat

QColor color_of_phase(double phase) {
    // A quarter on, so that positive entries are blue and negative ones red, neither near the background.
    double const turn = phase / (2 * std::numbers::pi) + 1.25;
    Rgb const rgb = color_of(ColorScale::cyclic, turn - std::floor(turn));
    return {rgb[0], rgb[1], rgb[2]};
}

QColor color_of_time(double part) {
    // The darkest colours would be lost on a dark ground.
    double const first = ThemeNotifier::instance().theme().dark ? 0.3 : 0.08;
    Rgb const rgb = color_of(ColorScale::sequential, first + (0.95 - first) * part);
    return {rgb[0], rgb[1], rgb[2]};
}

// The key of the phase colours, beside the city.
class PhaseBar : public QWidget {
public:
    explicit PhaseBar(QWidget* parent) : QWidget(parent) {
        setFixedSize(150, 28);
        setToolTip("Colour of a bar: the phase of its entry of the density matrix");
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        Theme const& theme = ThemeNotifier::instance().theme();
        QRectF const bar(0, 2, width(), 9);
        QLinearGradient gradient(bar.topLeft(), bar.topRight());
        for (int k = 0; k <= 16; ++k)
            gradient.setColorAt(k / 16.0, color_of_phase((k / 8.0 - 1) * std::numbers::pi * 0.999));
        painter.fillRect(bar, gradient);
        painter.setPen(theme.border);
        painter.drawRect(bar.adjusted(0, 0, -1, 0));
        painter.setFont(theme.sized(11));
        painter.setPen(theme.secondary_text);
        QRectF const text(0, 12, width(), 16);
        painter.drawText(text, Qt::AlignLeft, QStringLiteral("−π"));
        painter.drawText(text, Qt::AlignHCenter, QStringLiteral("phase 0"));
        painter.drawText(text, Qt::AlignRight, QStringLiteral("π"));
    }
};

}  // namespace

StatePage::StatePage(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);

    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(8);
    auto const level_box = [&](char const* name, char const* title) {
        auto* box = new QComboBox(bar);
        box->setObjectName(QString("quantum-control.state.") + name);
        box->setAccessibleName(title);
        box->setToolTip(title);
        connect(box, &QComboBox::activated, this, [this] {
            draw_path();
            draw_moment();
            Q_EMIT changed();
        });
        return box;
    };
    row->addWidget(make_label("Bloch sphere of", "secondary", bar));
    m_north = level_box("north", "Level at the north pole");
    row->addWidget(m_north);
    row->addWidget(make_label("and", "secondary", bar));
    m_south = level_box("south", "Level at the south pole");
    row->addWidget(m_south);
    row->addStretch(1);
    row->addWidget(new PhaseBar(bar));
    layout->addWidget(bar);
    layout->addWidget(make_separator(this));

    auto* views = new QSplitter(Qt::Horizontal, this);
    views->setHandleWidth(1);
    views->setChildrenCollapsible(false);
    m_bloch = new SceneView(views);
    m_bloch->setObjectName("quantum-control.bloch");
    m_bloch->setAccessibleName("Bloch sphere");
    m_city = new SceneView(views);
    m_city->setObjectName("quantum-control.city");
    m_city->setAccessibleName("Density matrix");
    views->addWidget(m_bloch);
    views->addWidget(m_city);
    views->setSizes({500, 600});
    layout->addWidget(views, 1);
    layout->addWidget(make_separator(this));

    auto* foot = new QWidget(this);
    auto* foot_row = new QHBoxLayout(foot);
    foot_row->setContentsMargins(12, 6, 12, 6);
    foot_row->setSpacing(8);
    m_play = make_quiet_button("Play", {}, "quantum-control.state.play", foot);
    m_play->setCheckable(true);
    m_play->setToolTip("Go through the pulse in five seconds");
    foot_row->addWidget(m_play);
    m_time = new QSlider(Qt::Horizontal, foot);
    m_time->setObjectName("quantum-control.state.time");
    m_time->setAccessibleName("Time");
    foot_row->addWidget(m_time, 1);
    m_purity = make_label({}, "secondary", foot);
    m_purity->setObjectName("quantum-control.state.facts");
    foot_row->addWidget(m_purity);
    m_time_text = make_label({}, "", foot);
    m_time_text->setObjectName("quantum-control.state.time-text");
    m_time_text->setMinimumWidth(90);
    m_time_text->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    foot_row->addWidget(m_time_text);
    layout->addWidget(foot);

    connect(m_time, &QSlider::valueChanged, this, [this] {
        draw_moment();
        Q_EMIT changed();
    });
    connect(m_play, &QToolButton::toggled, this, [this](bool on) {
        m_play->setText(on ? "Pause" : "Play");
        if (!on) return m_timer.stop();
        if (m_time->value() == m_time->maximum()) m_time->setValue(0);
        m_timer.start(std::clamp(5000 / std::max(1, m_time->maximum()), 25, 400));
    });
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_time->value() >= m_time->maximum()) return m_play->setChecked(false);
        m_time->setValue(m_time->value() + 1);
    });
    for (SceneView* view : {m_bloch, m_city}) connect(view, &SceneView::camera_changed, this, &StatePage::changed);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        draw_frame();
        draw_path();
        draw_moment();
    });

    view3d::Camera home;
    home.focal_point = {0, 0, 0};
    home.position = {2.6, 1.5, 1.1};
    home.up = {0, 0, 1};
    m_bloch->set_home(home, 1.32);
    home.focal_point = {0.5, 0.5, 0.28};
    home.position = {-1.3, -1.9, 1.9};
    m_city->set_home(home, 0.8);
    clear();
}

void StatePage::clear() {
    m_timer.stop();
    m_play->setChecked(false);
    m_states = StateHistory();
    m_time->setRange(0, 0);
    m_time_text->clear();
    m_purity->setText("Optimize or open a pulse to see its state");
    for (char const* name : {"path", "path balls", "vector", "vector balls"}) m_bloch->remove_layer(name);
    m_city->remove_layer("bars");
    for (QWidget* widget : {static_cast<QWidget*>(m_north), static_cast<QWidget*>(m_south),
                            static_cast<QWidget*>(m_time), static_cast<QWidget*>(m_play)})
        widget->setEnabled(false);
}

void StatePage::fill_levels() {
    QStringList names;
    for (std::string const& name : m_states.levels) names << qt(name);
    bool same = m_north->count() == names.size();
    for (int k = 0; same && k < names.size(); ++k) same = m_north->itemText(k) == names[k];
    if (same) return;
    for (QComboBox* box : {m_north, m_south}) {
        box->clear();
        box->addItems(names);
    }
    auto const [a, b] = natural_pair(m_states);
    m_north->setCurrentIndex(static_cast<int>(a));
    m_south->setCurrentIndex(static_cast<int>(b));
}

void StatePage::show_states(StateHistory states) {
    if (states.empty() || states.size() < 2) return clear();
    double const part = m_states.empty() ? 1 : m_time->value() / std::max(1.0, static_cast<double>(m_time->maximum()));
    m_states = std::move(states);
    for (QWidget* widget : {static_cast<QWidget*>(m_north), static_cast<QWidget*>(m_south),
                            static_cast<QWidget*>(m_time), static_cast<QWidget*>(m_play)})
        widget->setEnabled(true);
    fill_levels();
    int const last = static_cast<int>(m_states.times.size()) - 1;
    {
        QSignalBlocker const blocker(m_time);
        m_time->setRange(0, last);
        m_time->setPageStep(std::max(1, last / 10));
        m_time->setValue(static_cast<int>(std::lround(part * last)));
    }
    if (!m_wanted.is_null()) {
        Json const wanted = std::move(m_wanted);
        m_wanted = Json();
        restore_state(wanted);
    }
    draw_frame();
    draw_path();
    draw_moment();
}

std::size_t StatePage::moment() const { return static_cast<std::size_t>(m_time->value()); }
void StatePage::set_moment(std::size_t moment) { m_time->setValue(static_cast<int>(moment)); }

std::pair<std::size_t, std::size_t> StatePage::pair() const {
    return {static_cast<std::size_t>(std::max(0, m_north->currentIndex())),
            static_cast<std::size_t>(std::max(0, m_south->currentIndex()))};
}

void StatePage::set_pair(std::size_t a, std::size_t b) {
    m_north->setCurrentIndex(static_cast<int>(a));
    m_south->setCurrentIndex(static_cast<int>(b));
    draw_path();
    draw_moment();
}

// What does not change with time: the sphere's circles, the city's ground.
void StatePage::draw_frame() {
    if (m_states.empty()) return;
    Theme const& theme = ThemeNotifier::instance().theme();
    QColor const faint = mix(theme.surface, theme.secondary_text, 0.45);
    Vector const x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin{0, 0, 0};
    view3d::Tubes circles;
    circles.add_circle(origin, x, y, 1, 0.006, faint);
    circles.add_circle(origin, x, z, 1, 0.004, faint);
    circles.add_circle(origin, y, z, 1, 0.004, faint);
    for (Vector const& axis : {x, y, z}) circles.add(axis * -1, axis, 0.004, faint);
    m_bloch->set_layer("circles", circles.cylinders());
    m_bloch->set_layer("globe", view3d::globe(origin, 1, theme.accent, 0.08F));

    view3d::BoxMesh ground;
    ground.add({-0.02, -0.02, -0.02}, {1.02, 1.02, -0.001}, mix(theme.surface, theme.secondary_text, 0.12));
    double const n = static_cast<double>(m_states.size());
    for (std::size_t k = 0; k <= m_states.size(); ++k) {
        double const at = static_cast<double>(k) / n, half = 0.0015;
        ground.add({at - half, 0, 0}, {at + half, 1, 0.0005}, faint);
        ground.add({0, at - half, 0}, {1, at + half, 0.0005}, faint);
    }
    m_city->set_layer("ground", ground.layer());
    std::vector<SceneLabel> labels;
    for (std::size_t k = 0; k < m_states.size(); ++k) {
        double const at = (static_cast<double>(k) + 0.5) / n;
        QString const name = qt(m_states.levels[k]).section(' ', 0, 0);
        // Many names stand in two rows, so that neighbours do not collide.
        double const away = m_states.size() > 6 && k % 2 == 1 ? -0.17 : -0.08;
        labels.push_back({{away, 1 - at, 0}, name, true});
        labels.push_back({{at, away, 0}, name, true});
    }
    double const titles = m_states.size() > 6 ? -0.3 : -0.24;
    labels.push_back({{titles, 0.5, 0}, "row", true});
    labels.push_back({{0.5, titles, 0}, "column", true});
    m_city->set_labels(std::move(labels));
}

void StatePage::draw_path() {
    if (m_states.empty()) return;
    auto const [a, b] = pair();
    view3d::Tubes path;
    double const last = std::max<double>(1, static_cast<double>(m_states.times.size()) - 1);
    for (std::size_t k = 1; k < m_states.times.size(); ++k) {
        auto const from = bloch_vector(m_states, k - 1, a, b), to = bloch_vector(m_states, k, a, b);
        path.add({from[0], from[1], from[2]}, {to[0], to[1], to[2]}, 0.014,
                 color_of_time(static_cast<double>(k) / last));
    }
    m_bloch->set_layer("path", path.cylinders());
    m_bloch->set_layer("path balls", path.balls());
    QString const north = qt(m_states.levels[a]), south = qt(m_states.levels[b]);
    m_bloch->set_labels({{{0, 0, 1.14}, QString("|%1⟩").arg(north.section(' ', 0, 0))},
                         {{0, 0, -1.14}, QString("|%1⟩").arg(south.section(' ', 0, 0))},
                         {{1.12, 0, 0}, "x", true},
                         {{0, 1.12, 0}, "y", true}});
    m_bloch->set_caption("Path from early (dark) to late (bright)");
}

void StatePage::draw_moment() {
    if (m_states.empty()) return;
    std::size_t const k = moment();
    Theme const& theme = ThemeNotifier::instance().theme();
    auto const [a, b] = pair();
    auto const v = bloch_vector(m_states, k, a, b);
    view3d::Tubes vector;
    vector.add({0, 0, 0}, {v[0], v[1], v[2]}, 0.022, theme.accent);
    vector.add_ball({v[0], v[1], v[2]}, 0.055, theme.accent);
    m_bloch->set_layer("vector", vector.cylinders());
    m_bloch->set_layer("vector balls", vector.balls());
    draw_city(k);
    double purity = 0;
    for (std::complex<double> const& entry : m_states.rho[k]) purity += std::norm(entry);
    m_time_text->setText(QString("%1 µs").arg(m_states.times[k], 0, 'f', 4));
    m_purity->setText(QString("length %1 · purity %2")
                          .arg(std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), 0, 'f', 4)
                          .arg(purity, 0, 'f', 4));
}

void StatePage::draw_city(std::size_t moment) {
    view3d::BoxMesh bars;
    std::size_t const n = m_states.size();
    double const step = 1.0 / static_cast<double>(n), gap = step * 0.14;
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column) {
            std::complex<double> const entry = m_states.at(moment, row, column);
            double const height = std::abs(entry);
            if (height < smallest_bar) continue;
            double const x = static_cast<double>(column) * step, y = 1 - static_cast<double>(row + 1) * step;
            bars.add({x + gap, y + gap, 0}, {x + step - gap, y + step - gap, height * city_height},
                     color_of_phase(std::arg(entry)));
        }
    m_city->set_layer("bars", bars.layer());
    m_city->set_caption("Height: magnitude of an entry of the density matrix. Colour: its phase");
}

Json StatePage::state() const {
    if (m_states.empty()) return m_wanted.is_null() ? Json::object() : m_wanted;
    auto const [a, b] = pair();
    return {{"moment", moment()}, {"north", a}, {"south", b}, {"bloch", m_bloch->state()}, {"city", m_city->state()}};
}

void StatePage::restore_state(Json const& state) {
    if (!state.is_object() || state.empty()) return;
    if (m_states.empty()) {
        m_wanted = state;
        return;
    }
    m_wanted = Json();
    auto const index = [&](char const* key, int limit, int otherwise) {
        int const value = state.value(key, otherwise);
        return value >= 0 && value < limit ? value : otherwise;
    };
    m_north->setCurrentIndex(index("north", m_north->count(), m_north->currentIndex()));
    m_south->setCurrentIndex(index("south", m_south->count(), m_south->currentIndex()));
    m_time->setValue(index("moment", m_time->maximum() + 1, m_time->value()));
    // A camera that can't be read is not worth a message: the home view is as good.
    if (state.contains("bloch")) (void)m_bloch->restore_state(state["bloch"]);
    if (state.contains("city")) (void)m_city->restore_state(state["city"]);
}

}  // namespace orrery::panels::quantum_control
