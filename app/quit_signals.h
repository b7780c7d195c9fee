// SIGTERM, SIGINT and SIGHUP close the window as a person would: workers end, the session is closed properly.
#pragma once

#include <functional>

class QObject;

namespace orrery {

// `quit` is called on the window's thread. Once a program.
void on_quit_signal(QObject& context, std::function<void()> quit);

}  // namespace orrery
