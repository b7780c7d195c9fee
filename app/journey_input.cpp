#include "app/journey_input.h"

#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPointer>
#include <QUrl>
#include <QWheelEvent>
#include <optional>

#include "app/main_window.h"
#include "app/menus.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

using Words = std::vector<std::string>;

struct Target {
    QWidget* widget = nullptr;
    QPointF at;
};

std::optional<QPointF> point(Words const& words, std::size_t index) {
    if (words.size() < index + 2) return std::nullopt;
    return QPointF(qt(words[index]).toDouble(), qt(words[index + 1]).toDouble());
}

// The innermost widget at that place, as a real click would find it.
Target innermost(QWidget* widget, QPointF at) {
    if (QWidget* child = widget->childAt(at.toPoint())) return {child, QPointF(child->mapFrom(widget, at.toPoint()))};
    return {widget, at};
}

Result<Target> find_target(MainWindow& window, std::string const& what, Words const& words) {
    if (words.empty()) return bad_input(what + " needs the name of a widget");
    QWidget* widget = find_widget(window, qt(words[0]), true);
    if (widget == nullptr) return bad_input("no widget \"" + words[0] + "\" is to be seen");
    if (!widget->isEnabled()) return bad_input("the widget \"" + words[0] + "\" is off");
    return innermost(widget, point(words, 1).value_or(QPointF(widget->rect().center())));
}

void send_mouse(Target const& target, QEvent::Type type, Qt::MouseButton button, Qt::MouseButtons buttons) {
    QMouseEvent event(type, target.at, target.widget->mapToGlobal(target.at), button, buttons, Qt::NoModifier);
    QApplication::sendEvent(target.widget, &event);
}

Result<void> click(MainWindow& window, std::string const& what, Words const& words) {
    ORRERY_TRY(Target const target, find_target(window, what, words));
    QPointer<QWidget> const alive(target.widget);
    Qt::MouseButton const button = what == "right-click" ? Qt::RightButton : Qt::LeftButton;
    if (target.widget->focusPolicy() & Qt::ClickFocus) target.widget->setFocus(Qt::MouseFocusReason);
    send_mouse(target, QEvent::MouseMove, Qt::NoButton, Qt::NoButton);
    send_mouse(target, QEvent::MouseButtonPress, button, button);
    if (alive) send_mouse(target, QEvent::MouseButtonRelease, button, Qt::NoButton);
    if (what != "double-click" || !alive) return {};
    send_mouse(target, QEvent::MouseButtonDblClick, button, button);
    if (alive) send_mouse(target, QEvent::MouseButtonRelease, button, Qt::NoButton);
    return {};
}

Result<void> drag(MainWindow& window, Words const& words) {
    auto const from = point(words, 1), to = point(words, 3);
    if (!from || !to) return bad_input("drag needs a widget and two places");
    ORRERY_TRY(Target target, find_target(window, "drag", words));
    QPointF const way = *to - *from, start = target.at;
    send_mouse(target, QEvent::MouseMove, Qt::NoButton, Qt::NoButton);
    send_mouse(target, QEvent::MouseButtonPress, Qt::LeftButton, Qt::LeftButton);
    constexpr int steps = 8;
    for (int i = 1; i <= steps; ++i) {
        target.at = start + way * i / steps;
        send_mouse(target, QEvent::MouseMove, Qt::NoButton, Qt::LeftButton);
    }
    send_mouse(target, QEvent::MouseButtonRelease, Qt::LeftButton, Qt::NoButton);
    return {};
}

Result<void> wheel(MainWindow& window, Words const& words) {
    if (words.size() < 2) return bad_input("wheel needs a widget and a number of steps");
    ORRERY_TRY(Target const target, find_target(window, "wheel", {words[0]}));
    QPoint const turn(0, qt(words[1]).toInt() * 120);
    QWheelEvent event(target.at, target.widget->mapToGlobal(target.at), {}, turn, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(target.widget, &event);
    return {};
}

Result<QWidget*> keyboard_widget(MainWindow& window) {
    QWidget* focus = QApplication::focusWidget();
    // Without a window manager the window may not be active; its own focus widget is what would get the keys.
    if (focus == nullptr) focus = window.focusWidget();
    if (focus == nullptr) return bad_input("no widget has the keyboard");
    return focus;
}

void send_key(QWidget* widget, int key, Qt::KeyboardModifiers modifiers, QString const& text) {
    QPointer<QWidget> const alive(widget);
    QKeyEvent down(QEvent::KeyPress, key, modifiers, text);
    QApplication::sendEvent(widget, &down);
    if (!alive) return;
    QKeyEvent up(QEvent::KeyRelease, key, modifiers, text);
    QApplication::sendEvent(widget, &up);
}

Result<void> type(MainWindow& window, Words const& words) {
    ORRERY_TRY(QWidget* const widget, keyboard_widget(window));
    QPointer<QWidget> const alive(widget);
    QString text;
    for (std::size_t i = 0; i < words.size(); ++i) text += (i > 0 ? QStringLiteral(" ") : QString()) + qt(words[i]);
    for (QChar const letter : text)
        if (alive) send_key(alive, 0, Qt::NoModifier, QString(letter));
    return {};
}

Result<void> key(MainWindow& window, Words const& words) {
    QKeySequence const keys(words.empty() ? QString() : qt(words[0]), QKeySequence::PortableText);
    if (keys.isEmpty()) return bad_input("key needs keys", {}, "for example: key Ctrl+K");
    for (QAction* action : window.menus().actions())
        if (action->shortcut() == keys && action->isEnabled()) {
            action->trigger();
            return {};
        }
    ORRERY_TRY(QWidget* const widget, keyboard_widget(window));
    send_key(widget, keys[0].key(), keys[0].keyboardModifiers(), {});
    return {};
}

Result<void> drop(MainWindow& window, Words const& words) {
    if (words.empty()) return bad_input("drop needs a file");
    QMimeData data;
    QList<QUrl> urls;
    for (std::string const& word : words) urls << QUrl::fromLocalFile(QFileInfo(qt(word)).absoluteFilePath());
    data.setUrls(urls);
    QPoint const at = window.rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted()) return bad_input("the window does not take this drop");
    QDropEvent event(QPointF(at), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
    return {};
}

}  // namespace

QWidget* find_widget(MainWindow& window, QString const& name, bool must_be_visible) {
    QWidget* hidden = nullptr;
    for (QWidget* widget : window.findChildren<QWidget*>(name)) {
        if (widget->isVisible()) return widget;
        if (hidden == nullptr) hidden = widget;
    }
    return must_be_visible ? nullptr : hidden;
}

Result<void> give_input(MainWindow& window, std::string const& what, Words const& words) {
    if (what == "drag") return drag(window, words);
    if (what == "wheel") return wheel(window, words);
    if (what == "type") return type(window, words);
    if (what == "key") return key(window, words);
    if (what == "drop") return drop(window, words);
    return click(window, what, words);
}

}  // namespace orrery
