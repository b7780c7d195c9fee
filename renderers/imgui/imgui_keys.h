#pragma once

#include <imgui.h>
#include <QCursor>

namespace orrery {

// Qt::Key in Dear ImGui's terms; ImGuiKey_None for keys it has no name for.
[[nodiscard]] ImGuiKey to_imgui_key(int qt_key, bool keypad);
[[nodiscard]] Qt::CursorShape to_cursor(ImGuiMouseCursor cursor);

}  // namespace orrery
