// Where the program of the workers is.
#pragma once

#include <string>
#include <vector>

namespace orrery {

// {"<orrery-cli>", "worker"}: ORRERY_CLI, else the program beside this one.
[[nodiscard]] std::vector<std::string> worker_command();

}  // namespace orrery
