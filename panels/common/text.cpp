#include "panels/common/text.h"

#include <QChar>
#include <cmath>

namespace orrery {

QString duration_text(double seconds) {
    if (seconds < 0) return QStringLiteral("unknown time");
    if (seconds < 10) return QString::number(seconds, 'f', 1) + QStringLiteral(" s");
    auto const whole = static_cast<long long>(std::llround(seconds));
    if (whole < 100) return QStringLiteral("%1 s").arg(whole);
    if (whole < 3600) {
        long long const rest = whole % 60;
        return rest == 0 ? QStringLiteral("%1 min").arg(whole / 60)
                         : QStringLiteral("%1 min %2 s").arg(whole / 60).arg(rest);
    }
    return QStringLiteral("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString clock_text(double seconds) {
    auto const whole = static_cast<long long>(std::llround(std::max(0.0, seconds)));
    QString const tail = QStringLiteral("%1:%2").arg(whole % 3600 / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    if (whole < 3600) return tail;
    return QStringLiteral("%1:%2").arg(whole / 3600).arg(tail.rightJustified(5, QLatin1Char('0')));
}

QString bytes_text(double bytes) {
    if (bytes < 1e3) return QStringLiteral("%1 B").arg(bytes, 0, 'f', 0);
    if (bytes < 1e6) return QStringLiteral("%1 kB").arg(bytes / 1e3, 0, 'f', 0);
    if (bytes < 1e9) return QStringLiteral("%1 MB").arg(bytes / 1e6, 0, 'f', 0);
    return QStringLiteral("%1 GB").arg(bytes / 1e9, 0, 'f', 1);
}

QString file_name(std::string const& path) {
    auto const slash = path.find_last_of('/');
    return qt(slash == std::string::npos ? path : path.substr(slash + 1));
}

}  // namespace orrery
