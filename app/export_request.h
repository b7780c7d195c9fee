// `export <room>.<name> <file> [width=180] [height=120] [dpi=300] [transparent=true] [dark=true]`: what to write, in
// millimetres and dots an inch.
#pragma once

#include "core/base/result.h"
#include "core/figure/export.h"

#include <string>
#include <vector>

namespace orrery {

struct ExportRequest {
    std::string room, name, file;
    ExportFormat format = ExportFormat::png;
    ExportOptions options;

    static Result<ExportRequest> parse(std::vector<std::string> const& arguments);
    [[nodiscard]] std::vector<std::string> arguments() const;
};

}  // namespace orrery
