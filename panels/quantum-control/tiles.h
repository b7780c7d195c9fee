// A row of read-outs: a value in large figures with what it is below it.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace orrery::panels::quantum_control {

class Tiles : public QWidget {
public:
    // `names`: object names are <prefix>.<name>; captions are shown.
    struct Tile {
        QString name, caption, tool_tip;
    };
    Tiles(QString const& prefix, std::vector<Tile> const& tiles, QWidget* parent);
    void set(std::size_t tile, QString const& value);  // "–" for an empty value
    void set_visible(std::size_t tile, bool visible);
    [[nodiscard]] QHBoxLayout* row() const { return m_row; }  // for buttons after the tiles

private:
    QHBoxLayout* m_row;
    std::vector<QWidget*> m_boxes;
    std::vector<QLabel*> m_values;
};

// "0.994858", with as many figures as tell it from 1: 7 decimals.
[[nodiscard]] QString fidelity_text(double fidelity);
[[nodiscard]] QString infidelity_text(double fidelity);  // "5.14e-3"

}  // namespace orrery::panels::quantum_control
