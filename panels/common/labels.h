// Labels and buttons in the sizes and roles of the visual language (design: "Measures").
#pragma once

#include <QFont>
#include <QLabel>
#include <QString>
#include <QToolButton>

class QFrame;
class QPushButton;

namespace orrery {

// `role`: "", "title", "heading", "secondary", "good", "warn", "bad", "error", "mono" (theme_style.h). `pixels`: 11,
// 13, 16 or 20, scaled with the user's text scale and kept so when it changes.
QLabel* make_label(QString const& text, char const* role, QWidget* parent, int pixels = 13,
                   QFont::Weight weight = QFont::Normal);
// A label of one line that is cut with an ellipsis where it does not fit; the tool tip then holds the whole text.
class ElidingLabel : public QLabel {
public:
    using QLabel::QLabel;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};
QLabel* make_eliding_label(QString const& text, char const* role, QWidget* parent, int pixels = 13);
// A flat button with words, and an icon if its name is not empty.
QToolButton* make_quiet_button(QString const& text, QString const& icon_name, QString const& object_name,
                               QWidget* parent);
QPushButton* make_button(QString const& text, QString const& object_name, QWidget* parent, bool primary = false);
// A line of one pixel.
QFrame* make_separator(QWidget* parent, Qt::Orientation orientation = Qt::Horizontal);

}  // namespace orrery
