// What the pages do with their plots.
#pragma once

#include "renderers/plot/xy_view.h"

#include <utility>

namespace orrery::panels::quantum_control {

// Shows a figure in place of one of the same kind without losing the zoom: a plot that is fed while a run goes must not
// jump back under the reader's hands.
inline void show_figure(XyView* view, Figure figure) {
    if (view == nullptr) return;
    auto* wanted = std::get_if<XyPlot>(&figure.content);
    Figure const present = view->figure();
    auto const* shown = std::get_if<XyPlot>(&present.content);
    bool same = wanted != nullptr && shown != nullptr && present.title == figure.title &&
                shown->series.size() == wanted->series.size() && shown->notes == wanted->notes &&
                shown->y.minimum == wanted->y.minimum && shown->y.maximum == wanted->y.maximum &&
                shown->horizontal_lines == wanted->horizontal_lines;
    for (std::size_t s = 0; same && s < wanted->series.size(); ++s)
        same = shown->series[s].name == wanted->series[s].name && shown->series[s].faint == wanted->series[s].faint;
    if (!same) {
        // A figure made here has series of equal lengths; a refusal would be a mistake of this program.
        if (Result<void> const set = view->set_figure(std::move(figure)); !set.ok()) view->clear();
        return;
    }
    for (std::size_t s = 0; s < wanted->series.size(); ++s)
        if (!view->replace_series(static_cast<int>(s), wanted->series[s]).ok()) return view->clear();
}

}  // namespace orrery::panels::quantum_control
