#include <QApplication>
#include <QTimer>
#include <cstdio>
#include <memory>

#include "app/first_frame.h"
#include "app/journey.h"
#include "app/main_window.h"
#include "app/options.h"
#include "app/quit_signals.h"
#include "app/stall_watchdog.h"
#include "app/startup_report.h"
#include "app/worker_place.h"
#include "core/base/files.h"
#include "core/base/version.h"
#include "panels/common/panel.h"

using namespace orrery;

namespace {

int use(Options const& options, QApplication& application, StartupReport& report) {
    MainWindow window({&all_panels(), state_directory() / "settings.json", worker_command(),
                       QString::fromStdString(options.screenshots.empty() ? "." : options.screenshots)});
    report.stage("window made");
    int exit_code = 0;
    std::unique_ptr<StallWatchdog> watchdog;
    QObject::connect(&window, &MainWindow::closed, &application, &QApplication::quit);
    on_quit_signal(window, [&window] { window.close(); });
    std::unique_ptr<Journey> journey;
    when_first_frame_is_there(window, [&] {
        report.stage("first interactive frame");
        if (options.report_startup)
            std::fputs(report.text("first interactive frame").c_str(), stdout), std::fflush(stdout);
        if (options.quit_after_startup) {
            window.close();
            return;
        }
        if (options.report_stalls) watchdog = std::make_unique<StallWatchdog>();
        window.start(options.session);
        if (!options.room.empty()) (void)window.commands().execute(CommandCall{"room", {options.room}});
        if (!options.files.empty()) (void)window.commands().execute(CommandCall{"open", options.files});
        if (options.journey.empty()) return;
        journey = std::make_unique<Journey>(window, watchdog.get());
        QObject::connect(journey.get(), &Journey::ended, &window, [&](int code) {
            exit_code = code;
            window.close();
        });
        journey->play(options.journey);
    });
    window.show();
    report.stage("window shown");
    QApplication::exec();
    if (watchdog)
        std::printf("longest stall: %.0f ms (%s)\n", watchdog->longest_milliseconds(),
                    watchdog->longest_during().toUtf8().constData());
    window.shut_down();
    return exit_code;
}

}  // namespace

int main(int argc, char* argv[]) {
    StartupReport report;
    auto const options = Options::parse({argv + 1, argv + argc});
    if (!options.ok()) {
        std::fprintf(stderr, "orrery: %s\n", options.error().message().c_str());
        return 2;
    }
    if (options->help || options->version) {
        std::puts(options->help ? Options::usage() : version);
        return 0;
    }
    QCoreApplication::setApplicationName("Orrery");
    QGuiApplication::setDesktopFileName("orrery");
    // One GL context for all views: moving a dock must not lose textures.
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QApplication application(argc, argv);
    report.stage("Qt started");
    QApplication::setStyle("Fusion");
    return use(*options, application, report);
}
