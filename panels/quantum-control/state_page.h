// The state while the pulse in hand acts: the Bloch sphere of two levels with its path, the density matrix as a city, and
// a slider through time.
#pragma once

#include "panels/quantum-control/state_data.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace orrery {
class SceneView;
}

namespace orrery::panels::quantum_control {

class StatePage : public QWidget {
    Q_OBJECT
public:
    explicit StatePage(QWidget* parent);
    // Keeps time (as a part of the whole) and pair when the levels are the same.
    void show_states(StateHistory states);
    void clear();
    [[nodiscard]] StateHistory const& states() const { return m_states; }
    [[nodiscard]] std::size_t moment() const;  // index of the time shown
    void set_moment(std::size_t moment);
    [[nodiscard]] std::pair<std::size_t, std::size_t> pair() const;
    void set_pair(std::size_t a, std::size_t b);
    [[nodiscard]] SceneView* bloch() const { return m_bloch; }
    [[nodiscard]] SceneView* city() const { return m_city; }
    [[nodiscard]] Json state() const;
    void restore_state(Json const& state);

signals:
    void changed();  // what state() holds

private:
    void draw_path();
    void draw_moment();
    void draw_city(std::size_t moment);
    void draw_frame();
    void fill_levels();

    StateHistory m_states;
    Json m_wanted;  // restored before the states were there
    SceneView* m_bloch = nullptr;
    SceneView* m_city = nullptr;
    QComboBox *m_north = nullptr, *m_south = nullptr;
    QSlider* m_time = nullptr;
    QToolButton* m_play = nullptr;
    QLabel *m_time_text = nullptr, *m_purity = nullptr;
    QTimer m_timer;
    QString m_height_note;
};

}  // namespace orrery::panels::quantum_control
