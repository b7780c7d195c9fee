// The real window on the test's own settings, sessions and worker, with an event loop that tests turn by hand.
#pragma once

#include "app/docks.h"
#include "app/journey_state.h"
#include "app/main_window.h"
#include "app/room_host.h"
#include "tests/app/counting_room.h"
#include "tests/catch.h"

#include <functional>
#include <memory>
#include <string>

namespace orrery::tests {

// False, with the reason printed, where there is no display; the test case ends then.
bool display_is_there();

class Window {
public:
    // `name`: of the scratch folder with settings, sessions and data; the same name in one test keeps them.
    explicit Window(std::string const& name, bool fresh = true, std::string const& session = {});
    ~Window();
    MainWindow* operator->() { return m_window.get(); }
    MainWindow& operator*() { return *m_window; }
    [[nodiscard]] CountingRoom& room();
    [[nodiscard]] std::filesystem::path const& folder() const { return m_folder; }

    Result<void> run(std::string const& command) { return m_window->commands().execute(command); }
    // The state as journeys see it, as text.
    std::string state(std::string const& path);
    // Turns the event loop until it holds; false after `seconds`.
    bool wait(std::function<bool()> const& holds, double seconds = 30);
    bool wait(std::string const& path, std::string const& value);
    bool wait_jobs();
    void settle();  // what is pending now
    std::filesystem::path write(std::string const& name, std::string const& text);
    template <class Widget>
    Widget* find(char const* name) {
        return m_window->findChild<Widget*>(QString::fromLatin1(name));
    }

private:
    std::filesystem::path m_folder;
    std::unique_ptr<MainWindow> m_window;
};

}  // namespace orrery::tests

#define ORRERY_NEED_DISPLAY() \
    if (!orrery::tests::display_is_there()) return
