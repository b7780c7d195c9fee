// A method for the tests of the window: it counts. Its schema is linked by the window's test, its function by the
// worker of the test, as with the methods of the product.
#pragma once

#include "core/base/schema.h"

namespace orrery::tests {

// Verbs: count (steps, step_ms, seed, start; resumable), fail, warn.
MethodSchema const& counting_schema();

}  // namespace orrery::tests
