// Words and numbers as the window shows them.
#pragma once

#include <QString>
#include <string>

namespace orrery {

// "0.4 s", "41 s", "3 min 20 s", "2 h 5 min".
[[nodiscard]] QString duration_text(double seconds);
// "0:41", "12:05", "1:02:05": a clock that runs.
[[nodiscard]] QString clock_text(double seconds);
[[nodiscard]] QString bytes_text(double bytes);  // "412 MB"
[[nodiscard]] inline QString qt(std::string const& text) { return QString::fromStdString(text); }
[[nodiscard]] inline QString qt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
// File name of a path, for display.
[[nodiscard]] QString file_name(std::string const& path);

}  // namespace orrery
