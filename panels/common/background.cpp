#include "panels/common/background.h"

#include <QCoreApplication>

namespace orrery {

QThreadPool& background_pool() {
    static QThreadPool pool;
    return pool;
}

QObject& window_thread() { return *QCoreApplication::instance(); }

}  // namespace orrery
