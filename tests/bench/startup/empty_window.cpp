// The named peer of bench_startup: the least that a Qt program with one window can be, timed by the same code.
#include <QApplication>
#include <QLabel>
#include <QMainWindow>
#include <cstdio>
#include <cstring>

#include "app/first_frame.h"
#include "app/startup_report.h"

int main(int argc, char* argv[]) {
    orrery::StartupReport report;
    QApplication application(argc, argv);
    QMainWindow window;
    window.resize(1400, 900);
    window.setCentralWidget(new QLabel("empty"));
    bool const quit = argc > 1 && std::strcmp(argv[1], "--quit-after-startup") == 0;
    orrery::when_first_frame_is_there(window, [&] {
        report.stage("first interactive frame");
        std::fputs(report.text("first interactive frame").c_str(), stdout);
        std::fflush(stdout);
        if (quit) QApplication::quit();
    });
    window.show();
    return QApplication::exec();
}
