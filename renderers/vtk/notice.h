// The designed message in place of a view that can't be shown: title, what happened, what to do, details to copy.
#pragma once

#include "core/base/result.h"

#include <QWidget>

namespace orrery {

// Follows the theme. Screen readers get the whole text as the accessible description.
QWidget* make_notice(QString const& title, Error const& error, QWidget* parent = nullptr);

}  // namespace orrery
