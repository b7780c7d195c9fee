// The command line of the window: orrery [FILES] [--room SLUG] [--session FILE] [--journey FILE] [--screenshots DIR]
// [--report-startup] [--quit-after-startup] [--report-stalls].
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace orrery {

struct Options {
    std::vector<std::string> files;  // absolute paths
    std::string room;
    std::string session;
    std::string journey;
    std::string screenshots;
    bool report_startup = false;
    bool quit_after_startup = false;
    bool report_stalls = false;
    bool help = false;
    bool version = false;

    static Result<Options> parse(std::vector<std::string> const& arguments);
    static char const* usage();
};

}  // namespace orrery
