#include "tests/app/window_fixture.h"

#include <unistd.h>

#include <QApplication>
#include <QElapsedTimer>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "panels/common/background.h"
#include "panels/common/text.h"
#include "tests/fixtures.h"

namespace orrery::tests {

namespace fs = std::filesystem;

bool display_is_there() {
    if (qApp != nullptr) return true;
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr &&
        std::getenv("QT_QPA_PLATFORM") == nullptr) {
        std::puts("skipped: there is no display (packaging/test.sh brings its own)");
        return false;
    }
    static int argc = 1;
    static char name[] = "test_app";
    static char* argv[] = {name, nullptr};
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QApplication::setQuitOnLastWindowClosed(false);
    // Lives to the end of the process: Qt wants one application, and the test cases share it.
    new QApplication(argc, argv);
    QApplication::setStyle("Fusion");
    return true;
}

Window::Window(std::string const& name, bool fresh, std::string const& session) {
    m_folder =
        fs::temp_directory_path() / ("orrery-test-app-" + name + "-" + std::to_string(static_cast<long>(::getpid())));
    if (fresh) fs::remove_all(m_folder);
    fs::create_directories(m_folder);
    ::setenv("ORRERY_STATE", (m_folder / "state").c_str(), 1);
    m_window = std::make_unique<MainWindow>(MainWindow::Setup{&counting_panels(),
                                                              m_folder / "settings.json",
                                                              {ORRERY_COUNTING_WORKER},
                                                              qt((m_folder / "pictures").string())});
    m_window->show();
    m_window->start(session);
    REQUIRE(wait([this] { return m_window->session().ready(); }));
    settle();
}

Window::~Window() {
    m_window->close();
    m_window->shut_down();
    m_window.reset();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

CountingRoom& Window::room() { return *static_cast<CountingRoom*>(m_window->rooms().room("counting")); }

std::string Window::state(std::string const& path) {
    auto const value = read_state(*m_window, path);
    if (!value.ok()) return "(" + value.error().message() + ")";
    return value->is_string() ? value->get<std::string>() : value->dump();
}

bool Window::wait(std::function<bool()> const& holds, double seconds) {
    QElapsedTimer timer;
    timer.start();
    while (!holds()) {
        if (static_cast<double>(timer.elapsed()) > seconds * 1000) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    return true;
}

bool Window::wait(std::string const& path, std::string const& value) {
    return wait([&] { return state(path) == value; });
}

bool Window::wait_jobs() {
    bool const done = wait([this] { return m_window->session().busy_count() == 0; });
    settle();
    return done;
}

void Window::settle() {
    for (int i = 0; i < 3; ++i) {
        wait([] { return background_pool().activeThreadCount() == 0; });
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

fs::path Window::write(std::string const& name, std::string const& text) {
    std::ofstream(m_folder / name) << text;
    return m_folder / name;
}

}  // namespace orrery::tests
