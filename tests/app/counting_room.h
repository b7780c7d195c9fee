// The room of the counting method: a text that shows what came.
#pragma once

#include "panels/common/room.h"

#include <QPlainTextEdit>

namespace orrery::tests {

class CountingRoom : public Room {
    Q_OBJECT
public:
    CountingRoom(PanelDescriptor const& panel, RoomServices& services, QWidget* parent);
    [[nodiscard]] Json inspect(std::string_view path) const override;
    [[nodiscard]] std::vector<Exportable> exportables() override;
    int started = 0, updates = 0, points = 0, ended = 0;
    std::string artifact_text;

protected:
    QWidget* create_views(QWidget* parent) override;
    QWidget* create_results(QWidget* parent) override;
    void on_run_started(JobStatus const& status) override;
    void on_run_update(JobStatus const& status, std::string const& name, Json const& value) override;
    void on_run_series(JobStatus const& status, std::string const& name, SeriesPoint point) override;
    void on_run_artifact(JobStatus const& status, Artifact const& artifact) override;
    void on_run_ended(JobStatus const& status) override;
    [[nodiscard]] Json extra_state() const override { return {{"note", m_note}}; }
    void restore_extra(Json const& state) override { m_note = state.value("note", std::string()); }

private:
    QPlainTextEdit* m_text = nullptr;
    std::string m_note = "kept";
};

PanelDescriptor counting_panel();
std::vector<PanelDescriptor> const& counting_panels();

}  // namespace orrery::tests
