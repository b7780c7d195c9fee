// The command line of the window and the export command's arguments.
#include "tests/catch.h"

#include "app/export_request.h"
#include "app/options.h"

using namespace orrery;

TEST_CASE("options: files, values with and without =, flags") {
    auto const options =
        Options::parse({"a.pdb", "--room", "stab-ddg", "--journey=j.journey", "--report-startup", "--", "-odd"});
    REQUIRE(options.ok());
    CHECK(options->files.size() == 2);
    CHECK(options->files[0].front() == '/');
    CHECK(options->room == "stab-ddg");
    CHECK(options->journey.ends_with("/j.journey"));
    CHECK(options->report_startup);
    CHECK_FALSE(options->quit_after_startup);
    auto const unknown = Options::parse({"--rom", "x"});
    REQUIRE_FALSE(unknown.ok());
    CHECK(unknown.error().what == "unknown option --rom");
    CHECK(Options::parse({"--room"}).error().what == "option --room needs a value");
}

TEST_CASE("export requests read back as they are written") {
    auto const request =
        ExportRequest::parse({"stab-ddg.map", "out/map.png", "width=90", "dpi=600", "transparent=true"});
    REQUIRE(request.ok());
    CHECK(request->room == "stab-ddg");
    CHECK(request->name == "map");
    CHECK(request->format == ExportFormat::png);
    CHECK(request->options.width_mm == 90);
    CHECK(request->options.dpi == 600);
    CHECK(request->options.transparent);
    auto const again = ExportRequest::parse(request->arguments());
    REQUIRE(again.ok());
    CHECK(again->arguments() == request->arguments());
    CHECK(ExportRequest::parse({"a.b", "c.xyz"}).error().remedy == "Use .png, .svg, .pdf or .csv");
    CHECK_FALSE(ExportRequest::parse({"a.b", "c.png", "dpi=many"}).ok());
    CHECK_FALSE(ExportRequest::parse({"a.b", "c.png", "colour=red"}).ok());
    CHECK_FALSE(ExportRequest::parse({"a.b"}).ok());
}
