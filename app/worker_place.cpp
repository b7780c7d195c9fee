#include "app/worker_place.h"

#include <QCoreApplication>
#include <cstdlib>

namespace orrery {

std::vector<std::string> worker_command() {
    if (char const* given = std::getenv("ORRERY_CLI"); given != nullptr && *given != 0) return {given, "worker"};
    return {QCoreApplication::applicationDirPath().toStdString() + "/orrery-cli", "worker"};
}

}  // namespace orrery
