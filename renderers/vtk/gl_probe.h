// Asks, before the first 3-D view, whether OpenGL 3.2 works here, so that a missing driver ends in a message and not in
// a crash.
#pragma once

#include "core/base/result.h"

#include <string>

namespace orrery {

struct GlFacts {
    std::string vendor, renderer, version;
    bool software = false;  // drawn by the processor (llvmpipe, softpipe, SwiftShader)
};

// Makes a small context once and remembers the answer; window's thread, QApplication alive. 20-60 ms the first time.
// ORRERY_NO_GL=1 answers as if there were none.
Result<GlFacts> const& gl_facts();

}  // namespace orrery
