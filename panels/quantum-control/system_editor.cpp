#include "panels/quantum-control/system_editor.h"

#include "panels/common/text.h"
#include "renderers/theme.h"
#include "renderers/theme_style.h"

#include <QComboBox>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <set>

namespace orrery::panels::quantum_control {

namespace method = orrery::methods::quantum_control;

// Levels as lines, what couples them in the colour of its control, decay as dotted arrows. Rows are steps away from the
// start and the target, since a rotating frame has no energies to draw by.
class LevelDiagram : public QWidget {
public:
    explicit LevelDiagram(QWidget* parent) : QWidget(parent) {
        setFixedHeight(132);
        setAccessibleName("Level diagram");
        connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { update(); });
    }
    void show_system(std::shared_ptr<method::QuantumSystem const> system) {
        m_system = std::move(system);
        lay_out();
        update();
        if (m_system == nullptr) return;
        QStringList lines;
        for (method::Control const& control : m_system->controls)
            lines << QString("%1: %2, up to %3 MHz")
                         .arg(qt(control.name),
                              control.kind == method::ControlKind::amplitude ? "amplitude" : "detuning")
                         .arg(control.upper / method::two_pi, 0, 'g', 4);
        for (method::Jump const& jump : m_system->jumps)
            lines << QString("%1: %2 per µs").arg(qt(jump.name)).arg(jump.rate, 0, 'g', 4);
        setToolTip("Full lines: drives, in the colours of the plots. Dotted: decay.\n" + lines.join('\n'));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        Theme const& theme = ThemeNotifier::instance().theme();
        painter.setPen(theme.border);
        painter.setBrush(theme.surface);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        if (m_system == nullptr) return;
        draw_jumps(painter, theme);
        draw_couplings(painter, theme);
        draw_levels(painter, theme);
    }

private:
    struct Place {
        double x = 0, y = 0;  // parts of the drawing's width and height
    };

    void lay_out() {
        m_places.clear();
        if (m_system == nullptr) return;
        auto const n = static_cast<std::size_t>(m_system->levels);
        std::vector<int> row(n, -1);
        auto const start = [&](std::vector<method::Complex> const& state) {
            for (std::size_t k = 0; k < n && k < state.size(); ++k)
                if (std::abs(state[k]) > 1e-9) row[k] = 0;
        };
        for (auto const& weighted : m_system->initial) start(weighted.state);
        // Steps through couplings first; what only decay reaches comes after.
        auto const spread = [&](auto const& next) {
            for (bool any = true; any;) {
                any = false;
                std::vector<int> const before = row;
                for (auto const& [from, to] : next)
                    if (before[from] >= 0 && row[to] < 0) {
                        row[to] = before[from] + 1;
                        any = true;
                    }
            }
        };
        std::vector<std::pair<std::size_t, std::size_t>> couplings, decays;
        for (method::Term const& term : m_system->terms)
            for (method::MatrixEntry const& entry : term.matrix)
                if (entry.row != entry.column && term.control >= 0)
                    couplings.emplace_back(static_cast<std::size_t>(entry.row), static_cast<std::size_t>(entry.column));
        for (method::Jump const& jump : m_system->jumps)
            for (method::MatrixEntry const& entry : jump.matrix)
                if (entry.row != entry.column)
                    decays.emplace_back(static_cast<std::size_t>(entry.column), static_cast<std::size_t>(entry.row));
        // The target stands beside the start, as in a Lambda, unless one drive leads straight from one to the other.
        std::vector<int> const started = row;
        bool const direct = std::any_of(couplings.begin(), couplings.end(), [&](auto const& pair) {
            return started[pair.first] == 0 && pair.second < m_system->target_state.size() &&
                   std::abs(m_system->target_state[pair.second]) > 1e-9;
        });
        if (!direct) start(m_system->target_state);
        spread(couplings);
        std::vector<bool> only_decay(n, false);
        for (std::size_t k = 0; k < n; ++k) only_decay[k] = row[k] < 0;
        spread(decays);
        int rows = 1;
        for (std::size_t k = 0; k < n; ++k) {
            if (only_decay[k]) row[k] = 0;  // sinks stand at the foot
            rows = std::max(rows, row[k] + 1);
        }
        m_places.assign(n, {});
        std::size_t widest = 1;
        for (int r = 0; r < rows; ++r)
            widest = std::max(widest, static_cast<std::size_t>(std::count(row.begin(), row.end(), r)));
        m_slot = 1.0 / static_cast<double>(widest);
        for (int r = 0; r < rows; ++r) {
            std::vector<std::size_t> members;
            for (std::size_t k = 0; k < n; ++k)
                if (row[k] == r) members.push_back(k);
            for (std::size_t i = 0; i < members.size(); ++i)
                m_places[members[i]] = {(static_cast<double>(i) + 0.5) / static_cast<double>(members.size()),
                                        rows == 1 ? 0.5 : 1 - static_cast<double>(r) / (rows - 1)};
        }
    }
    [[nodiscard]] QPointF at(std::size_t level) const {
        Place const& place = m_places[level];
        return {14 + place.x * (width() - 28), 26 + place.y * (height() - 52)};
    }
    [[nodiscard]] double half() const { return std::clamp(m_slot * (width() - 28) * 0.32, 8.0, 24.0); }

    void draw_levels(QPainter& painter, Theme const& theme) {
        painter.setFont(theme.sized(11));
        for (std::size_t k = 0; k < m_places.size(); ++k) {
            QPointF const p = at(k);
            painter.setPen(QPen(theme.text, 2));
            painter.drawLine(p - QPointF(half(), 0), p + QPointF(half(), 0));
            painter.setPen(theme.secondary_text);
            QString const name = qt(m_system->level_names[k]).section(' ', 0, 0);
            double const height = m_places[k].y;
            if (height > 0.1 && height < 0.9) {  // lines come from both sides: the name stands beside
                painter.drawText(QPointF(p.x() + half() + 3, p.y() + 4), name);
                continue;
            }
            bool const upper = height < 0.5;  // its lines come from below
            painter.drawText(QRectF(p.x() - 40, upper ? p.y() - 18 : p.y() + 2, 80, 16),
                             Qt::AlignHCenter | (upper ? Qt::AlignBottom : Qt::AlignTop), name);
        }
    }
    void draw_couplings(QPainter& painter, Theme const& theme) {
        static constexpr int colors[] = {4, 5, 2, 6};
        int amplitude = 0;
        for (std::size_t c = 0; c < m_system->controls.size(); ++c) {
            if (m_system->controls[c].kind != method::ControlKind::amplitude) continue;
            painter.setPen(QPen(category_color(colors[amplitude++ % 4], theme.dark), 1.8));
            for (method::Term const& term : m_system->terms) {
                if (term.control != static_cast<int>(c)) continue;
                for (method::MatrixEntry const& entry : term.matrix)
                    if (entry.row < entry.column)
                        painter.drawLine(at(static_cast<std::size_t>(entry.row)),
                                         at(static_cast<std::size_t>(entry.column)));
            }
        }
    }
    void draw_jumps(QPainter& painter, Theme const& theme) {
        QPen pen(mix(theme.surface, theme.secondary_text, 0.75), 1.2, Qt::DotLine);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        std::set<std::pair<int, int>> seen;
        for (method::Jump const& jump : m_system->jumps)
            for (method::MatrixEntry const& entry : jump.matrix) {
                if (entry.row == entry.column || !seen.insert({entry.row, entry.column}).second) continue;
                QPointF const from = at(static_cast<std::size_t>(entry.column)),
                              to = at(static_cast<std::size_t>(entry.row));
                QPointF const middle = (from + to) / 2 + QPointF((to.y() - from.y()) * 0.18, 0);
                QPainterPath path(from);
                path.quadTo(middle, to);
                painter.drawPath(path);
            }
    }

    std::shared_ptr<method::QuantumSystem const> m_system;
    std::vector<Place> m_places;
    double m_slot = 1;
};

SystemEditor::SystemEditor(Parameter const& parameter, QWidget* parent) : ParameterEditor(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_box = new QComboBox(this);
    for (Choice const& choice : parameter.choices) m_box->addItem(qt(choice.label), qt(choice.value));
    m_presets = m_box->count();
    layout->addWidget(m_box);
    m_diagram = new LevelDiagram(this);
    layout->addWidget(m_diagram);
    connect(m_box, &QComboBox::activated, this, [this](int index) {
        if (index >= m_presets) return;
        Q_EMIT edited({m_box->itemData(index).toString()});
        Q_EMIT preset_chosen();
    });
}

QWidget* SystemEditor::focus_widget() { return m_box; }

void SystemEditor::show_value(Json const& value) {
    if (m_box->count() > m_presets || !value.is_string()) return;  // a file of one's own is in use
    m_box->setCurrentIndex(m_box->findData(qt(value.get<std::string>())));
}

void SystemEditor::show_system(std::shared_ptr<method::QuantumSystem const> system, QString const& own_file) {
    bool const had_own = m_box->count() > m_presets;
    while (m_box->count() > m_presets) m_box->removeItem(m_presets);
    if (!own_file.isEmpty()) {
        m_box->addItem("Own file: " + own_file);
        m_box->setCurrentIndex(m_presets);
    } else if (had_own && system != nullptr) {
        m_box->setCurrentIndex(std::max(0, m_box->findData(qt(system->name))));
    }
    m_diagram->show_system(std::move(system));
}

}  // namespace orrery::panels::quantum_control
