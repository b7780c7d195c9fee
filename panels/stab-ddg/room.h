// The room of binding ddG: structure, sides and settings on the left; 3-D view, map and plots in the middle; mutants
// below. Everything shown is linked by the selection kinds "residue" and "mutant".
#pragma once

#include "panels/common/room.h"
#include "panels/stab-ddg/results.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

class QPushButton;
class QTabWidget;

namespace orrery {
class HeatMapView;
class ProteinView;
class TableView;
class XyView;
}  // namespace orrery

namespace orrery::panels::stab_ddg {

class SidesEditor;
class StructureBar;

class DdgRoom : public Room {
    Q_OBJECT
public:
    DdgRoom(PanelDescriptor const& panel, RoomServices& services, QWidget* parent);
    ~DdgRoom() override;

    [[nodiscard]] std::vector<Exportable> exportables() override;
    [[nodiscard]] Json inspect(std::string_view path) const override;
    [[nodiscard]] std::vector<std::pair<QString, QString>> selection_facts() const override;

protected:
    QWidget* create_views(QWidget* parent) override;
    QWidget* create_results(QWidget* parent) override;
    ParameterEditor* create_editor(Parameter const& parameter, QWidget* parent) override;
    [[nodiscard]] QString run_text(std::string const& verb) const override;
    [[nodiscard]] double estimated_seconds(std::string const& verb) const override;
    [[nodiscard]] QString run_obstacle(std::string const& verb) const override;
    [[nodiscard]] std::string run_title(std::string const& verb) const override;

    void on_value_changed(std::string const& parameter) override;
    void on_run_started(JobStatus const& status) override;
    void on_run_update(JobStatus const& status, std::string const& name, Json const& value) override;
    void on_run_series(JobStatus const& status, std::string const& name, SeriesPoint point) override;
    void on_run_artifact(JobStatus const& status, Artifact const& artifact) override;
    void on_run_ended(JobStatus const& status) override;
    [[nodiscard]] Json extra_state() const override;
    void restore_extra(Json const& state) override;

private:
    using Positions = std::vector<std::pair<int, int>>;

    void read_structure();
    void structure_read(std::string const& path, Result<methods::stab_ddg::Backbone> read);
    void describe_input();
    void find_interface();  // sides or cut-off changed
    void interface_found(methods::stab_ddg::Sides sides, Positions positions, QString const& warning);
    [[nodiscard]] std::vector<std::string> residue_keys(Positions const& positions) const;
    [[nodiscard]] int scanned_positions() const;
    [[nodiscard]] bool weaker_positive() const;
    void column_done(Json const& value);

    void show_map(Figure figure);
    void show_results(Results results);
    void show_structure_colors();
    void selection_changed(QString const& kind);
    void show_selected_mutants();  // parts and convergence follow the selection
    void table_filled();
    void combine(std::size_t size);  // all pairs or triples of the selected mutants become the list to predict
    void update_combine();

    std::shared_ptr<methods::stab_ddg::Backbone const> m_backbone;
    std::string m_reading;  // path and mode being read or shown
    QStringList m_side_notes;
    std::vector<std::string> m_interface_keys;
    Positions m_interface;
    std::string m_sides_shown;  // what find_interface() settled on

    Results m_results;
    LiveMap m_live;
    Figure m_map;
    bool m_has_map = false;
    Convergence m_convergence;
    ResidueColoring m_coloring = ResidueColoring::chain;
    Json m_view_state;  // camera and display, until the structure is there
    bool m_linking = false;

    SidesEditor* m_sides_editor = nullptr;
    ProteinView* m_protein = nullptr;
    StructureBar* m_structure_bar = nullptr;
    QTabWidget* m_tabs = nullptr;
    HeatMapView* m_heat_map = nullptr;
    XyView* m_parts = nullptr;
    XyView* m_convergence_view = nullptr;
    XyView* m_measured = nullptr;
    XyView* m_training = nullptr;
    TableView* m_table = nullptr;
    QPushButton *m_pairs = nullptr, *m_triples = nullptr;
};

}  // namespace orrery::panels::stab_ddg
