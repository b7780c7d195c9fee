// When the window has drawn itself once and answers.
#pragma once

#include <functional>

class QWidget;

namespace orrery {

// Calls `then` once: after the first paint of the window has been handed to the screen and the event loop came round
// again, so that a click at that moment is answered.
void when_first_frame_is_there(QWidget& window, std::function<void()> then);

}  // namespace orrery
