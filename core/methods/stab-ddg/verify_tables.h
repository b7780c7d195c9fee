// Reference cases without tensors: how structures are read, interface sets, the benchmark's metrics and filter.
#pragma once

#include "core/compute/verify.h"

namespace orrery::methods::stab_ddg {

// Kinds parser_official, interface_residues, metrics_skempi, skempi_filter (JSON files). Their inputs lie in the case's
// data folder.
std::map<std::string, std::function<Result<void>(VerifyCase&)>> verify_table_kinds();

}  // namespace orrery::methods::stab_ddg
