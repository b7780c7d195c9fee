// Work that must not stop the window: reading a file, parsing a table. `work` runs on a thread of the pool and must not
// touch widgets; `then` gets its value on the window's thread, or is dropped when `context` is gone by then.
#pragma once

#include <QMetaObject>
#include <QPointer>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <utility>

namespace orrery {

// The pool of the window; the shell waits for it at the end so that no work outlives what it reads.
QThreadPool& background_pool();
// An object of the window's thread that lives as long as the program: carries answers across.
QObject& window_thread();

template <class Work, class Then>
void in_background(QObject* context, Work work, Then then) {
    QPointer<QObject> const guard(context);
    background_pool().start([guard, work = std::move(work), then = std::move(then)]() mutable {
        auto value = std::make_shared<decltype(work())>(work());
        QMetaObject::invokeMethod(
            &window_thread(),
            [guard, value, then = std::move(then)]() mutable {
                if (guard) then(std::move(*value));
            },
            Qt::QueuedConnection);
    });
}

}  // namespace orrery
