// figure-samples FOLDER: every sample figure as PNG, SVG, PDF and CSV.
#include "core/figure/export.h"
#include "tests/figure/samples.h"

#include <cstdio>
#include <fstream>

int main(int count, char** arguments) {
    using namespace orrery;
    if (count != 2) return std::puts("usage: figure-samples FOLDER"), 2;
    std::filesystem::path const folder = arguments[1];
    std::filesystem::create_directories(folder);
    auto write = [&](std::string const& name, Figure const& figure, ExportFormat format, ExportOptions const& options) {
        auto bytes = export_figure(figure, format, options);
        if (!bytes.ok()) return std::printf("%s: %s\n", name.c_str(), bytes.error().message().c_str()), false;
        std::ofstream(folder / (name + "." + std::string(to_string(format))), std::ios::binary) << *bytes;
        return true;
    };
    bool fine = true;
    for (auto const& [name, figure] : tests::all_samples())
        for (ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf, ExportFormat::csv})
            fine = write(name, figure, format, {}) && fine;
    ExportOptions dark;
    dark.dark = true;
    fine = write("heat_map_33_dark", tests::sample_heat_map(33), ExportFormat::png, dark) && fine;
    fine = write("lines_dark", tests::sample_lines(), ExportFormat::png, dark) && fine;
    ExportOptions column;
    column.width_mm = 85;
    fine = write("scatter_column", tests::sample_scatter(), ExportFormat::png, column) && fine;
    fine = write("heat_map_33_column", tests::sample_heat_map(33), ExportFormat::png, column) && fine;
    fine = write("bars_column", tests::sample_bars(), ExportFormat::png, column) && fine;
    ExportOptions clear;
    clear.transparent = true;
    fine = write("bars_transparent", tests::sample_bars(), ExportFormat::png, clear) && fine;
    return fine ? 0 : 1;
}
