// Compiled by tests, never linked: a descriptor with help and citation compiles, one without does not.
#include "panels/common/panel.h"

orrery::PanelDescriptor descriptor() {
    return {
        .schema = nullptr, .icon = "",
#if defined(EMPTY_HELP)
        .help = "",
#elif !defined(WITHOUT_HELP)
        .help = ":/panels/example/help.md",
#endif
#if !defined(WITHOUT_CITATION)
        .citation = "arXiv:0000.00000",
#endif
        .empty_hint = ""
    };
}
