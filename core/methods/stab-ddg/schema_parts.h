// Parameters that several verbs share, so that they are declared once. No LibTorch.
#pragma once

#include "core/base/schema.h"

#include <vector>

namespace orrery::methods::stab_ddg {

Parameter structure_parameter(bool required);
Parameter sides_parameter();
Parameter reading_parameter();
Parameter model_parameter();
Parameter assembly_parameter();
Parameter numbering_parameter();
Parameter threads_parameter();

// predict, scan, finetune (schema_run.cpp)
std::vector<VerbSchema> run_verbs();

}  // namespace orrery::methods::stab_ddg
