// What a person can do, as commands with a text form: menus, palette, forms, journeys and the log use the same.
#pragma once

#include <QString>

namespace orrery {

class MainWindow;

void add_commands(MainWindow& window);  // all of the below

void add_file_commands(MainWindow& window);
void add_room_commands(MainWindow& window);
void add_job_commands(MainWindow& window);
void add_view_commands(MainWindow& window);
void add_export_commands(MainWindow& window);
void add_selection_commands(MainWindow& window);

// A view changed the selection: note the command that does the same, with its undo.
void note_selection(MainWindow& window, QString const& kind);
void save_selection(MainWindow& window);
void restore_selection(MainWindow& window);

}  // namespace orrery
