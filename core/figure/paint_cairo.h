// Draws a display list with cairo: the pixels of PNG and the operators of PDF.
#pragma once

#include "core/figure/cairo_handles.h"
#include "core/figure/display_list.h"

namespace orrery::figure {

// The context's unit must be the point.
void paint(cairo_t* context, DisplayList const& list);

}  // namespace orrery::figure
