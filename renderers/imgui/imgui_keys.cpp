#include "renderers/imgui/imgui_keys.h"

#include <unordered_map>

namespace orrery {

ImGuiKey to_imgui_key(int qt_key, bool keypad) {
    static std::unordered_map<int, ImGuiKey> const named{
        {Qt::Key_Tab, ImGuiKey_Tab},
        {Qt::Key_Left, ImGuiKey_LeftArrow},
        {Qt::Key_Right, ImGuiKey_RightArrow},
        {Qt::Key_Up, ImGuiKey_UpArrow},
        {Qt::Key_Down, ImGuiKey_DownArrow},
        {Qt::Key_PageUp, ImGuiKey_PageUp},
        {Qt::Key_PageDown, ImGuiKey_PageDown},
        {Qt::Key_Home, ImGuiKey_Home},
        {Qt::Key_End, ImGuiKey_End},
        {Qt::Key_Insert, ImGuiKey_Insert},
        {Qt::Key_Delete, ImGuiKey_Delete},
        {Qt::Key_Backspace, ImGuiKey_Backspace},
        {Qt::Key_Space, ImGuiKey_Space},
        {Qt::Key_Return, ImGuiKey_Enter},
        {Qt::Key_Enter, ImGuiKey_KeypadEnter},
        {Qt::Key_Escape, ImGuiKey_Escape},
        {Qt::Key_Control, ImGuiKey_LeftCtrl},
        {Qt::Key_Shift, ImGuiKey_LeftShift},
        {Qt::Key_Alt, ImGuiKey_LeftAlt},
        {Qt::Key_Meta, ImGuiKey_LeftSuper},
        {Qt::Key_Menu, ImGuiKey_Menu},
        {Qt::Key_Apostrophe, ImGuiKey_Apostrophe},
        {Qt::Key_Comma, ImGuiKey_Comma},
        {Qt::Key_Minus, ImGuiKey_Minus},
        {Qt::Key_Period, ImGuiKey_Period},
        {Qt::Key_Slash, ImGuiKey_Slash},
        {Qt::Key_Semicolon, ImGuiKey_Semicolon},
        {Qt::Key_Equal, ImGuiKey_Equal},
        {Qt::Key_BracketLeft, ImGuiKey_LeftBracket},
        {Qt::Key_Backslash, ImGuiKey_Backslash},
        {Qt::Key_BracketRight, ImGuiKey_RightBracket},
        {Qt::Key_QuoteLeft, ImGuiKey_GraveAccent},
    };
    if (keypad && qt_key >= Qt::Key_0 && qt_key <= Qt::Key_9) {
        return static_cast<ImGuiKey>(ImGuiKey_Keypad0 + (qt_key - Qt::Key_0));
    }
    if (qt_key >= Qt::Key_0 && qt_key <= Qt::Key_9) return static_cast<ImGuiKey>(ImGuiKey_0 + (qt_key - Qt::Key_0));
    if (qt_key >= Qt::Key_A && qt_key <= Qt::Key_Z) return static_cast<ImGuiKey>(ImGuiKey_A + (qt_key - Qt::Key_A));
    if (qt_key >= Qt::Key_F1 && qt_key <= Qt::Key_F24)
        return static_cast<ImGuiKey>(ImGuiKey_F1 + (qt_key - Qt::Key_F1));
    auto const found = named.find(qt_key);
    return found == named.end() ? ImGuiKey_None : found->second;
}

Qt::CursorShape to_cursor(ImGuiMouseCursor cursor) {
    switch (cursor) {
        case ImGuiMouseCursor_TextInput:
            return Qt::IBeamCursor;
        case ImGuiMouseCursor_ResizeAll:
            return Qt::SizeAllCursor;
        case ImGuiMouseCursor_ResizeNS:
            return Qt::SizeVerCursor;
        case ImGuiMouseCursor_ResizeEW:
            return Qt::SizeHorCursor;
        case ImGuiMouseCursor_ResizeNESW:
            return Qt::SizeBDiagCursor;
        case ImGuiMouseCursor_ResizeNWSE:
            return Qt::SizeFDiagCursor;
        case ImGuiMouseCursor_Hand:
            return Qt::PointingHandCursor;
        case ImGuiMouseCursor_NotAllowed:
            return Qt::ForbiddenCursor;
        default:
            return Qt::ArrowCursor;
    }
}

}  // namespace orrery
