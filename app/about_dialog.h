#pragma once

namespace orrery {

class MainWindow;

// Version, libraries with theirs, licences of code, weights and data, and what the graphics driver says of itself
// (asked when the window is opened, not before: it makes a GL context).
void show_about(MainWindow& window);

}  // namespace orrery
