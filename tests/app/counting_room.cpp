#include "tests/app/counting_room.h"

#include "panels/common/text.h"
#include "tests/app/counting.h"

namespace orrery::tests {

CountingRoom::CountingRoom(PanelDescriptor const& panel, RoomServices& services, QWidget* parent)
    : Room(panel, services, {{"count", "fail", "warn"}, {"numbers"}}, parent) {}

QWidget* CountingRoom::create_views(QWidget* parent) {
    m_text = new QPlainTextEdit(parent);
    m_text->setObjectName("counting.view");
    return m_text;
}

QWidget* CountingRoom::create_results(QWidget* parent) {
    auto* results = new QWidget(parent);
    results->setObjectName("counting.results");
    return results;
}

void CountingRoom::on_run_started(JobStatus const&) {
    ++started;
    updates = points = 0;
    artifact_text.clear();
    m_text->clear();
}

void CountingRoom::on_run_update(JobStatus const&, std::string const&, Json const&) { ++updates; }
void CountingRoom::on_run_series(JobStatus const&, std::string const&, SeriesPoint) { ++points; }
void CountingRoom::on_run_ended(JobStatus const&) { ++ended; }

void CountingRoom::on_run_artifact(JobStatus const&, Artifact const& artifact) {
    services().read_artifact(artifact, this, [this](Result<std::string> const& bytes) {
        artifact_text = bytes.ok() ? *bytes : bytes.error().message();
        m_text->setPlainText(qt(artifact_text));
    });
}

Json CountingRoom::inspect(std::string_view path) const {
    if (path == "text") return artifact_text;
    if (path == "updates") return updates;
    if (path == "points") return points;
    if (path == "started") return started;
    return {};
}

std::vector<Exportable> CountingRoom::exportables() {
    if (artifact_text.empty()) return {};
    Exportable plot;
    plot.name = "plot";
    plot.title = "Counts";
    plot.figure = [this] {
        Figure figure;
        figure.title = "Counts";
        XyPlot content;
        content.kind = XyKind::line;
        content.x.title = "step";
        content.y.title = "value";
        Series series;
        series.name = "value";
        for (int i = 0; i < 10; ++i) {
            series.x.push_back(i);
            series.y.push_back(i * 1.5);
        }
        content.series = {series};
        figure.content = content;
        if (auto const status = services().job(shown_run())) figure.provenance = status->provenance;
        return figure;
    };
    return {plot};
}

PanelDescriptor counting_panel() {
    return {.schema = &counting_schema(),
            .icon = "",
            .help = ":/tests/help.md",
            .citation = "arXiv:0000.00000",
            .empty_hint = "Drop a list of numbers here",
            .samples = {{.name = "ten",
                         .title = "Ten steps",
                         .summary = "Counts to ten.",
                         .verb = "count",
                         .files = {},
                         .parameters = {{"steps", 12}}}},
            .create = [](PanelDescriptor const& panel, RoomServices& services, QWidget* parent) -> Room* {
                return new CountingRoom(panel, services, parent);
            }};
}

std::vector<PanelDescriptor> const& counting_panels() {
    static std::vector<PanelDescriptor> const panels{counting_panel()};
    return panels;
}

}  // namespace orrery::tests
