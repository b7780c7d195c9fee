#include "panels/common/labels.h"

#include <QFrame>
#include <QPushButton>

#include "panels/common/icons.h"
#include "renderers/theme.h"

namespace orrery {

QLabel* make_label(QString const& text, char const* role, QWidget* parent, int pixels, QFont::Weight weight) {
    auto* label = new QLabel(text, parent);
    if (role != nullptr && *role != 0) label->setProperty("role", role);
    auto const set_font = [label, pixels, weight] {
        QFont font = ThemeNotifier::instance().theme().sized(pixels);
        font.setWeight(weight);
        label->setFont(font);
    };
    set_font();
    QObject::connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, label, set_font);
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
