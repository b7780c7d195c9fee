// How well a text answers what was typed, for the command palette.
#pragma once

#include <QString>

namespace orrery {

// 0: not at all. All words of `typed` must be found, each as a run of letters or, failing that, as letters in order;
// runs, beginnings of words and short texts count more. Case does not count.
[[nodiscard]] int fuzzy_score(QString const& typed, QString const& text);

}  // namespace orrery
