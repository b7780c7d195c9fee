#include <QBuffer>
#include <QFileInfo>
#include <cmath>

#include "app/commands/commands.h"
#include "app/export_dialog.h"
#include "app/export_request.h"
#include "app/main_window.h"
#include "app/room_host.h"
#include "core/base/files.h"
#include "panels/common/background.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

using Arguments = std::vector<std::string>;

// Drawing, encoding and writing happen on another thread; the figure is a copy.
void write_later(MainWindow& window, std::string const& file, std::function<Result<std::string>()> make) {
    in_background(
        &window,
        [file, make = std::move(make)]() -> Result<std::uint64_t> {
            ORRERY_TRY(std::string const bytes, make());
            ORRERY_CHECK(write_file(file, bytes));
            return static_cast<std::uint64_t>(bytes.size());
        },
        [&window, file](Result<std::uint64_t> const& written) {
            if (!written.ok())
                window.report(written.error());
            else
                window.tell(QStringLiteral("Exported %1, %2").arg(qt(file), bytes_text(static_cast<double>(*written))));
        });
}

std::string comment_of(Json const& provenance) { return "provenance: " + provenance.dump(); }

Result<std::string> encode_png(QImage const& image, Json const& provenance, double dpi) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) return internal_error("the picture could not be encoded");
    return embed_png_provenance(bytes.toStdString(), provenance, dpi);
}

Result<Done> export_one(MainWindow& window, Arguments const& arguments) {
    ORRERY_TRY(ExportRequest request, ExportRequest::parse(arguments));
    request.file = QFileInfo(qt(request.file)).absoluteFilePath().toStdString();
    Room* room = window.rooms().room(request.room);
    if (room == nullptr) return bad_input("there is no room \"" + request.room + "\"");
    JobStatus const* status = window.session().find(room->shown_run());
    Json const provenance = status != nullptr ? status->provenance : Json::object();
    QStringList names;
    for (Exportable const& exportable : room->exportables()) {
        names << exportable.name;
        if (exportable.name.toStdString() != request.name) continue;
        bool const csv = request.format == ExportFormat::csv;
        if (csv && exportable.table) {
            write_later(window, request.file, [table = exportable.table(), provenance]() -> Result<std::string> {
                return table.to_csv({comment_of(provenance)});
            });
            return Done{};
        }
        if (exportable.figure) {
            write_later(window, request.file, [figure = exportable.figure(), request] {
                return export_figure(figure, request.format, request.options);
            });
            return Done{};
        }
        if (exportable.image && request.format == ExportFormat::png) {
            double const height_mm =
                request.options.height_mm > 0 ? request.options.height_mm : request.options.width_mm * 0.75;
            QSize const pixels(static_cast<int>(std::lround(request.options.width_mm / 25.4 * request.options.dpi)),
                               static_cast<int>(std::lround(height_mm / 25.4 * request.options.dpi)));
            if (pixels.width() < 16 || pixels.height() < 16 || pixels.width() > 16384 || pixels.height() > 16384)
                return bad_input("a picture of " + std::to_string(pixels.width()) + " x " +
                                     std::to_string(pixels.height()) + " pixels can't be drawn",
                                 {}, "choose 16 to 16384 pixels a side");
            QImage const image = exportable.image(pixels, request.options.transparent);
            write_later(window, request.file,
                        [image, provenance, dpi = request.options.dpi] { return encode_png(image, provenance, dpi); });
            return Done{};
        }
        return bad_input(
            exportable.title.toStdString() + " can't be written as " + std::string(to_string(request.format)),
            request.file, exportable.image ? "Use .png" : "Use .csv");
    }
    return bad_input(
        "\"" + request.room + "\" has nothing called \"" + request.name + "\" to export", {},
        names.isEmpty() ? "run something first" : "It has " + names.join(QStringLiteral(", ")).toStdString());
}

}  // namespace

void add_export_commands(MainWindow& window) {
    CommandBus& bus = window.commands();
    bus.add({"export", "export <room>.<name> <file> [width=mm] [dpi=n] [transparent=true]",
             "Export a figure, picture or table", ""},
            [&window](Arguments const& arguments) { return export_one(window, arguments); });
    bus.add({"export-dialog", "export-dialog [<room>.<name>]", "Export a figure or table", "Ctrl+E", false},
            [&window](Arguments const& arguments) -> Result<Done> {
                Room* room = window.rooms().current_room();
                std::string name;
                if (!arguments.empty()) {
                    auto const dot = arguments[0].find('.');
                    room = window.rooms().room(arguments[0].substr(0, dot));
                    if (dot != std::string::npos) name = arguments[0].substr(dot + 1);
                }
                if (room == nullptr) return bad_input("no room is open", {}, "choose one at the left");
                if (room->exportables().empty())
                    return bad_input("there is nothing to export yet", {}, "run something first");
                show_export_dialog(window, *room, qt(name));
                return Done{};
            });
}

}  // namespace orrery
