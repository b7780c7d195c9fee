#include "panels/common/state_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "panels/common/icons.h"
#include "panels/common/labels.h"
#include "renderers/theme.h"

namespace orrery {

StateStrip::StateStrip(QString const& object_name, QWidget* parent) : QFrame(parent) {
    setProperty("role", "strip");
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    layout->setSpacing(8);
    m_icon = new QLabel(this);
    m_icon->setFixedSize(16, 16);
    m_text = make_label({}, "", this);
    m_text->setObjectName(object_name);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setMinimumHeight(26);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    m_actions = new QHBoxLayout();
    m_actions->setSpacing(4);
    layout->addLayout(m_actions);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &StateStrip::draw_icon);
    hide();
}

void StateStrip::show_message(Kind kind, QString const& word, QString const& text, std::vector<Action> actions) {
    QString const plain = word + QStringLiteral(": ") + text;
    QStringList names;
    for (Action const& action : actions) names << action.object_name;
    // Progress comes 30 times a second and says the same mostly.
    if (!isHidden() && m_kind == kind && m_text->accessibleName() == plain && names == m_action_names &&
        actions.empty())
        return;
    m_action_names = names;
    m_kind = kind;
    draw_icon();
    m_text->setText(
        QStringLiteral("<b>%1</b>&nbsp; %2").arg(word.toHtmlEscaped(), text.toHtmlEscaped().replace('\n', "<br/>")));
    m_text->setAccessibleName(plain);
    while (QLayoutItem* item = m_actions->takeAt(0)) {
        // The action may be what is being clicked right now.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (Action& action : actions) {
        QToolButton* button = make_quiet_button(action.text, {}, action.object_name, this);
        connect(button, &QToolButton::clicked, this, [run = std::move(action.run)] { run(); });
        m_actions->addWidget(button);
    }
    show();
}

void StateStrip::draw_icon() {
    Theme const& theme = ThemeNotifier::instance().theme();
    switch (m_kind) {
        case Kind::info:
            m_icon->setPixmap(icon_pixmap("info", 16, theme.accent, devicePixelRatioF()));
            break;
        case Kind::good:
            m_icon->setPixmap(icon_pixmap("done", 16, theme.good, devicePixelRatioF()));
            break;
        case Kind::warning:
            m_icon->setPixmap(icon_pixmap("warning", 16, theme.warn, devicePixelRatioF()));
            break;
        case Kind::error:
            m_icon->setPixmap(icon_pixmap("error", 16, theme.bad, devicePixelRatioF()));
            break;
    }
}

void StateStrip::clear() {
    m_text->clear();
    hide();
}

QString StateStrip::text() const { return isHidden() ? QString() : m_text->accessibleName(); }

}  // namespace orrery
