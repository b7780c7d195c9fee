#include "renderers/imgui/imgui_style.h"

#include "renderers/theme_style.h"

#include <implot.h>

#include <cmath>

namespace orrery {

void apply_theme(Theme const& theme) {
    ImGuiStyle& style = ImGui::GetStyle();
    float const scale = static_cast<float>(theme.scale);
    float const line_height = style.FontSizeBase;
    style = ImGuiStyle();
    style.FontSizeBase = line_height;
    style.FrameRounding = style.PopupRounding = style.GrabRounding = style.ScrollbarRounding = style.TabRounding = 4;
    style.WindowRounding = style.ChildRounding = 0;
    style.WindowBorderSize = 0;
    style.FrameBorderSize = style.PopupBorderSize = 1;
    style.WindowPadding = ImVec2(8 * scale, 8 * scale);
    style.FramePadding = ImVec2(8 * scale, 5 * scale);
    style.ItemSpacing = ImVec2(8 * scale, 8 * scale);
    style.Colors[ImGuiCol_Text] = to_vec4(theme.text);
    style.Colors[ImGuiCol_TextDisabled] = to_vec4(disabled(theme));
    style.Colors[ImGuiCol_WindowBg] = style.Colors[ImGuiCol_ChildBg] = to_vec4(theme.surface);
    style.Colors[ImGuiCol_PopupBg] = to_vec4(theme.surface);
    style.Colors[ImGuiCol_Border] = to_vec4(theme.border);
    style.Colors[ImGuiCol_BorderShadow] = ImVec4(0, 0, 0, 0);
    style.Colors[ImGuiCol_FrameBg] = to_vec4(theme.surface);
    style.Colors[ImGuiCol_FrameBgHovered] = style.Colors[ImGuiCol_ButtonHovered] = to_vec4(hover(theme));
    style.Colors[ImGuiCol_FrameBgActive] = style.Colors[ImGuiCol_ButtonActive] = to_vec4(selected(theme));
    style.Colors[ImGuiCol_Button] = to_vec4(theme.surface);
    style.Colors[ImGuiCol_CheckMark] = style.Colors[ImGuiCol_SliderGrab] = to_vec4(theme.accent);
    style.Colors[ImGuiCol_SliderGrabActive] = to_vec4(theme.accent);
    style.Colors[ImGuiCol_Header] = to_vec4(selected(theme));
    style.Colors[ImGuiCol_HeaderHovered] = to_vec4(hover(theme));
    style.Colors[ImGuiCol_HeaderActive] = to_vec4(selected(theme));
    style.Colors[ImGuiCol_Separator] = to_vec4(theme.border);
    style.Colors[ImGuiCol_TextSelectedBg] = to_vec4(theme.accent, 0.35);
    style.Colors[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
    style.Colors[ImGuiCol_ScrollbarGrab] = to_vec4(mix(theme.window, theme.secondary_text, 0.4));

    ImPlotStyle& plot = ImPlot::GetStyle();
    plot = ImPlotStyle();
    plot.PlotBorderSize = 1;
    plot.PlotPadding = ImVec2(12 * scale, 12 * scale);
    plot.LabelPadding = ImVec2(6 * scale, 6 * scale);
    plot.LegendPadding = ImVec2(8 * scale, 8 * scale);
    plot.LegendInnerPadding = ImVec2(8 * scale, 6 * scale);
    plot.FitPadding = ImVec2(0.03f, 0.06f);
    plot.MajorTickLen = ImVec2(4 * scale, 4 * scale);
    plot.MinorTickLen = ImVec2(0, 0);
    plot.MinorAlpha = 0.45f;  // ImPlot counts labelled ticks between round ones as minor
    plot.PlotMinSize = ImVec2(60, 40);
    plot.Colors[ImPlotCol_FrameBg] = to_vec4(theme.surface);
    plot.Colors[ImPlotCol_PlotBg] = to_vec4(theme.surface);
    plot.Colors[ImPlotCol_PlotBorder] = to_vec4(edge(theme));
    plot.Colors[ImPlotCol_LegendBg] = to_vec4(theme.surface, 0.92);
    plot.Colors[ImPlotCol_LegendBorder] = to_vec4(theme.border);
    plot.Colors[ImPlotCol_LegendText] = to_vec4(theme.text);
    plot.Colors[ImPlotCol_TitleText] = to_vec4(theme.text);
    plot.Colors[ImPlotCol_InlayText] = to_vec4(theme.text);
    plot.Colors[ImPlotCol_AxisText] = to_vec4(theme.secondary_text);
    plot.Colors[ImPlotCol_AxisGrid] = to_vec4(theme.border, theme.dark ? 0.8 : 0.7);
    plot.Colors[ImPlotCol_AxisTick] = to_vec4(edge(theme));
    plot.Colors[ImPlotCol_Selection] = to_vec4(theme.accent);
    plot.Colors[ImPlotCol_Crosshairs] = to_vec4(theme.secondary_text);
    ImPlot::BustColorCache();
}

void add_vertical_text(ImDrawList& list, ImVec2 position, ImU32 color, char const* text) {
    int const first = list.VtxBuffer.Size;
    // Written upright in the middle of nowhere and turned vertex by vertex: the clip rectangle must not cut it first.
    ImVec2 const origin(std::round(position.x), std::round(position.y));
    list.PushClipRect(ImVec2(-1e6f, -1e6f), ImVec2(1e6f, 1e6f));
    list.AddText(origin, color, text);
    list.PopClipRect();
    for (int vertex = first; vertex < list.VtxBuffer.Size; ++vertex) {
        ImVec2& point = list.VtxBuffer[vertex].pos;
        point = ImVec2(origin.x + (point.y - origin.y), origin.y - (point.x - origin.x));
    }
}

}  // namespace orrery
