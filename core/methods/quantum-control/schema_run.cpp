#include "core/methods/quantum-control/schema.h"
namespace orrery::methods::quantum_control {
std::vector<VerbSchema> run_verbs() { return {}; }
}  // namespace orrery::methods::quantum_control
