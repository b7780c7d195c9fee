// Mouse, keyboard and drops of a journey, as events sent to the widgets of the real window.
#pragma once

#include "core/base/result.h"

#include <QString>
#include <string>
#include <vector>

class QWidget;

namespace orrery {

class MainWindow;

Result<void> give_input(MainWindow& window, std::string const& what, std::vector<std::string> const& words);
// The visible widget of this object name, in the window or in one of its dialogs; null if none.
[[nodiscard]] QWidget* find_widget(MainWindow& window, QString const& name, bool must_be_visible);

}  // namespace orrery
