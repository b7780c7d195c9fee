#include "tests/renderers/window_test.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <QWidget>
#include <iostream>

namespace orrery::tests {

bool need_window() {
    static bool const available = [] {
        auto const set = [](char const* name) { return !qEnvironmentVariableIsEmpty(name); };
        if (!set("DISPLAY") && !set("WAYLAND_DISPLAY") && qgetenv("QT_QPA_PLATFORM") != "offscreen") {
            std::cout << "skipped: no display (run under xvfb-run, as packaging/test.sh does)\n";
            return false;
        }
        static int count = 1;
        static char name[] = "test";
        static char* arguments[] = {name, nullptr};
        // Never deleted: Qt's own statics must outlive it, and the order of statics is not ours to choose.
        static auto* const application = new QApplication(count, arguments);
        application->setQuitOnLastWindowClosed(false);
        application->setStyle("Fusion");
        return true;
    }();
    return available;
}

bool wait_until(std::function<bool()> const& done, int timeout_ms) {
    QElapsedTimer timer;
    timer.start();
    while (!done()) {
        if (timer.elapsed() > timeout_ms) return false;
        wait_for(5);
    }
    return true;
}

void wait_for(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

void save_screenshot(QImage const& image, QString const& name) {
    QString const folder = qEnvironmentVariable("ORRERY_SCREENSHOTS");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    QString const suffix = image.devicePixelRatio() > 1 ? "@2x.png" : ".png";
    if (!image.save(QDir(folder).filePath(name + suffix))) {
        std::cout << "could not write the screenshot " << name.toStdString() << " into " << folder.toStdString()
                  << "\n";
    }
}

void save_screenshot(QWidget& widget, QString const& name) { save_screenshot(widget.grab().toImage(), name); }

}  // namespace orrery::tests
