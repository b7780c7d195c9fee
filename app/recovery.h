// Sessions that an Orrery left behind when it ended without closing them.
#pragma once

#include "core/base/store.h"

#include <functional>
#include <vector>

class QObject;

namespace orrery {

// Looks in the background; newest first. `then` comes on the window's thread, also when there are none.
void find_unfinished_sessions(QObject* context, std::function<void(std::vector<SessionFile>)> then);
// Not to be offered again; the files stay, and "open" takes them at any time.
void mark_left(std::vector<SessionFile> const& sessions);

}  // namespace orrery
