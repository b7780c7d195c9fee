// What tests of widgets share: one QApplication, waiting, and screenshots.
#pragma once

#include <QImage>
#include <QString>
#include <functional>

class QWidget;

namespace orrery::tests {

// True when there is a display; the program's QApplication then exists. Else prints "skipped: ..." once and is false.
bool need_window();

// Runs the event loop until `done` or until `timeout_ms` has passed; whether it was done.
bool wait_until(std::function<bool()> const& done, int timeout_ms = 5000);
// Runs the event loop for so long.
void wait_for(int milliseconds);

// Saves under $ORRERY_SCREENSHOTS (nothing when that is not set): NAME.png, with "@2x" at scale 2.
void save_screenshot(QImage const& image, QString const& name);
void save_screenshot(QWidget& widget, QString const& name);

}  // namespace orrery::tests

#define ORRERY_NEED_WINDOW()                   \
    if (!orrery::tests::need_window()) return; \
    static_assert(true)
