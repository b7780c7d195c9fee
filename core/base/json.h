// The one JSON type of the program: values of parameters, messages of the job protocol, records of the store.
#pragma once

#include <nlohmann/json.hpp>

namespace orrery {
using Json = nlohmann::json;  // keys are kept sorted, so equal values dump to equal bytes
}
