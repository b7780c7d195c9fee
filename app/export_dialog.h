// Asks what to export, in which format, how large; then issues `export`.
#pragma once

#include <QString>

namespace orrery {

class MainWindow;
class Room;

void show_export_dialog(MainWindow& window, Room& room, QString const& name);

}  // namespace orrery
