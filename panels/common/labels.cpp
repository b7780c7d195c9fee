#include "panels/common/labels.h"

#include <QFrame>
#include <QPainter>
#include <QPushButton>
#include <QStyle>

#include "panels/common/icons.h"
#include "renderers/theme.h"

namespace orrery {

namespace {

void prepare_label(QLabel* label, char const* role, int pixels, QFont::Weight weight) {
    if (role != nullptr && *role != 0) label->setProperty("role", role);
    auto const set_font = [label, pixels, weight] {
        QFont font = ThemeNotifier::instance().theme().sized(pixels);
        font.setWeight(weight);
        label->setFont(font);
    };
    set_font();
    QObject::connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, label, set_font);
}

}  // namespace

QSize ElidingLabel::minimumSizeHint() const { return {24, QLabel::minimumSizeHint().height()}; }

void ElidingLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QRect const area = contentsRect();
    QString const shown = fontMetrics().elidedText(text(), Qt::ElideRight, area.width());
    if (QString const tip = shown == text() ? QString() : text(); toolTip() != tip) setToolTip(tip);
    style()->drawItemText(&painter, area, static_cast<int>(alignment() | Qt::AlignVCenter), palette(), isEnabled(),
                          shown, foregroundRole());
}

QLabel* make_eliding_label(QString const& text, char const* role, QWidget* parent, int pixels) {
    auto* label = new ElidingLabel(text, parent);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    prepare_label(label, role, pixels, QFont::Normal);
    return label;
}

QLabel* make_label(QString const& text, char const* role, QWidget* parent, int pixels, QFont::Weight weight) {
    auto* label = new QLabel(text, parent);
    prepare_label(label, role, pixels, weight);
    return label;
}

QToolButton* make_quiet_button(QString const& text, QString const& icon_name, QString const& object_name,
                               QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setObjectName(object_name);
    button->setAccessibleName(text);
    button->setProperty("quiet", true);
    button->setFocusPolicy(Qt::TabFocus);
    if (icon_name.isEmpty()) return button;
    button->setIcon(icon(icon_name));
    button->setIconSize({16, 16});
    button->setToolButtonStyle(text.isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    return button;
}

QPushButton* make_button(QString const& text, QString const& object_name, QWidget* parent, bool primary) {
    auto* button = new QPushButton(text, parent);
    button->setObjectName(object_name);
    button->setAccessibleName(text);
    if (primary) button->setProperty("primary", true);
    return button;
}

QFrame* make_separator(QWidget* parent, Qt::Orientation orientation) {
    auto* line = new QFrame(parent);
    line->setProperty("role", "separator");
    if (orientation == Qt::Horizontal)
        line->setFixedHeight(1);
    else
        line->setFixedWidth(1);
    return line;
}

}  // namespace orrery
