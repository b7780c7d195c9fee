// The way to get a protein view without linking VTK.
#pragma once

#include "core/base/result.h"

class QWidget;

namespace orrery {

class ProteinView;

inline constexpr char const* view3d_module = "orrery_views3d";

// The view belongs to `parent`. Nothing of VTK is loaded until it gets its first structure. Error: the module of 3-D
// views is not installed; show it with make_notice() and go on without 3-D.
Result<ProteinView*> create_protein_view(QWidget* parent);

}  // namespace orrery
