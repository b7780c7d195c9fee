#include "app/export_request.h"

#include <filesystem>

#include "core/base/number.h"

namespace orrery {

namespace {

Result<bool> truth(std::string const& key, std::string const& text) {
    if (text == "true") return true;
    if (text == "false") return false;
    return bad_input(key + " is true or false, not \"" + text + "\"");
}

Result<void> set_option(ExportOptions& options, std::string const& key, std::string const& text) {
    if (key == "transparent" || key == "dark") {
        ORRERY_TRY(bool const value, truth(key, text));
        (key == "dark" ? options.dark : options.transparent) = value;
        return {};
    }
    double* const target = key == "width"    ? &options.width_mm
                           : key == "height" ? &options.height_mm
                           : key == "dpi"    ? &options.dpi
                                             : nullptr;
    if (target == nullptr)
        return bad_input("export has no option \"" + key + "\"", {}, "width, height (mm), dpi, transparent, dark");
    auto const number = parse_real(text);
    if (!number || !(*number >= 0)) return bad_input(key + " is \"" + text + "\", but must be a number");
    *target = *number;
    return {};
}

}  // namespace

Result<ExportRequest> ExportRequest::parse(std::vector<std::string> const& arguments) {
    if (arguments.size() < 2)
        return bad_input("export needs <room>.<name> and a file", {},
                         "for example: export stab-ddg.map map.pdf dpi=300");
    ExportRequest request;
    auto const dot = arguments[0].find('.');
    if (dot == std::string::npos) return bad_input("\"" + arguments[0] + "\" is not <room>.<name>");
    request.room = arguments[0].substr(0, dot);
    request.name = arguments[0].substr(dot + 1);
    request.file = arguments[1];
    auto const format = export_format_from(std::filesystem::path(request.file).extension().string());
    if (!format)
        return bad_input("the ending of the file does not tell a format", request.file, "Use .png, .svg, .pdf or .csv");
    request.format = *format;
    for (std::size_t i = 2; i < arguments.size(); ++i) {
        auto const equals = arguments[i].find('=');
        if (equals == std::string::npos) return bad_input("\"" + arguments[i] + "\" is not <option>=<value>");
        ORRERY_CHECK(set_option(request.options, arguments[i].substr(0, equals), arguments[i].substr(equals + 1)));
    }
    return request;
}

std::vector<std::string> ExportRequest::arguments() const {
    ExportOptions const standard;
    std::vector<std::string> result{room + "." + name, file};
    if (options.width_mm != standard.width_mm) result.push_back("width=" + number_text(options.width_mm));
    if (options.height_mm != standard.height_mm) result.push_back("height=" + number_text(options.height_mm));
    if (format == ExportFormat::png && options.dpi != standard.dpi) result.push_back("dpi=" + number_text(options.dpi));
    if (options.transparent) result.emplace_back("transparent=true");
    if (options.dark) result.emplace_back("dark=true");
    return result;
}

}  // namespace orrery
