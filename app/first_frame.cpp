#include "app/first_frame.h"

#include <QEvent>
#include <QTimer>
#include <QWidget>

namespace orrery {

namespace {

class FirstPaint : public QObject {
public:
    FirstPaint(QWidget& window, std::function<void()> then) : QObject(&window), m_then(std::move(then)) {
        window.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint && m_then) {
            watched->removeEventFilter(this);
            // The paint event is part of the flush to the screen; a timer of zero comes when the loop is free after it.
            QTimer::singleShot(0, this, [this] {
                auto const then = std::move(m_then);
                m_then = nullptr;
                deleteLater();
                then();
            });
        }
        return false;
    }

private:
    std::function<void()> m_then;
};

}  // namespace

void when_first_frame_is_there(QWidget& window, std::function<void()> then) { new FirstPaint(window, std::move(then)); }

}  // namespace orrery
