#pragma once

namespace orrery {

class MainWindow;

// Theme, text size, threads, motion, keys. Every edit is a command and takes effect at once; undo takes it back.
void show_settings(MainWindow& window);

}  // namespace orrery
