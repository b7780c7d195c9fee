// DdgRoom: what runs send, the linked views of it, session state and exports.
#include "panels/common/text.h"
#include "panels/stab-ddg/room.h"
#include "panels/stab-ddg/structure_bar.h"
#include "renderers/plot/heat_map_view.h"
#include "renderers/plot/xy_view.h"
#include "renderers/protein/protein_view.h"
#include "renderers/table/table_view.h"

#include <QHeaderView>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>

#include <algorithm>
#include <cmath>

namespace orrery::panels::stab_ddg {

namespace {

constexpr std::size_t pinned_limit = 6;  // mutants shown together in parts and convergence

std::vector<std::string> sorted_keys(QSet<QString> const& selected) {
    std::vector<std::string> keys;
    for (QString const& key : selected) keys.push_back(key.toStdString());
    std::sort(keys.begin(), keys.end());
    return keys;
}

std::vector<double> reals(Json const& values) {
    std::vector<double> result;
    for (Json const& value : values) result.push_back(value.is_number() ? value.get<double>() : nan_value);
    return result;
}

}  // namespace

void DdgRoom::on_run_started(JobStatus const& status) {
    m_results = Results();
    m_map = Figure();
    m_has_map = false;
    m_convergence.clear();
    m_live.clear();
    if (m_heat_map != nullptr) m_heat_map->clear();
    for (XyView* view : {m_parts, m_convergence_view, m_measured, m_training})
        if (view != nullptr) view->clear();
    if (m_table != nullptr) m_table->clear();
    if (m_structure_bar != nullptr) m_structure_bar->set_values_available(false);
    if (m_tabs == nullptr) return;
    if (status.spec.verb == "scan") m_tabs->setCurrentWidget(m_heat_map);
    if (status.spec.verb == "predict") m_tabs->setCurrentWidget(m_measured);
    if (status.spec.verb == "finetune") {
        m_tabs->setCurrentWidget(m_training);
        XyPlot plot;
        plot.kind = XyKind::line;
        plot.x.title = "epoch";
        plot.y.title = "mean squared error";
        plot.y.unit = "(kcal/mol)²";
        Series series;
        series.name = "training";
        plot.series.push_back(std::move(series));
        Figure figure;
        figure.title = "Training loss";
        figure.content = std::move(plot);
        (void)m_training->set_figure(std::move(figure));
        services().read_series(status.id(), "loss", this, [this, id = status.id()](std::vector<SeriesPoint> points) {
            if (id != shown_run()) return;
            for (SeriesPoint const& point : points) (void)m_training->append(0, {&point.x, 1}, {&point.y, 1});
        });
    }
}

void DdgRoom::on_run_update(JobStatus const&, std::string const& name, Json const& value) {
    if (m_heat_map == nullptr) return;
    if (name == "layout") m_live.layout(value);
    else if (name == "columns" && m_live.columns(value)) show_map(m_live.figure());
    else if (name == "column" && m_has_map) column_done(value);
    else if (name == "draw" && m_has_map) {
        show_structure_colors();
        show_selected_mutants();
    }
}

void DdgRoom::column_done(Json const& value) {
    int const column = value.value("index", -1);
    std::vector<double> const means = reals(value.value("mean", Json::array()));
    std::vector<double> const errors = reals(value.value("se", Json::array()));
    if (auto set = m_heat_map->set_column(column, means, errors); !set.ok()) {
        services().report(set.error());
        return;
    }
    auto& map = std::get<HeatMap>(m_map.content);
    std::size_t const columns = map.columns.categories.size();
    int const draws = value.value("draw", 0) + 1;
    for (std::size_t row = 0; row < means.size(); ++row) {
        std::size_t const cell = row * columns + static_cast<std::size_t>(column);
        double const error = row < errors.size() ? errors[row] : nan_value;
        map.values[cell] = means[row];
        map.errors[cell] = error;
        bool const wild_type = (map.marks[cell] & 1) != 0;
        map.marks[cell] = wild_type ? 1 : (!std::isnan(error) && std::abs(means[row]) < 2 * error ? 2 : 0);
        if (!wild_type) m_convergence.add(cell_mutant(map, static_cast<int>(row), column), draws, means[row], error);
    }
    if (column + 1 == static_cast<int>(columns)) (void)m_heat_map->set_marks(map.marks);
}

void DdgRoom::on_run_series(JobStatus const&, std::string const& name, SeriesPoint point) {
    if (name == "loss" && m_training != nullptr) (void)m_training->append(0, {&point.x, 1}, {&point.y, 1});
}

void DdgRoom::on_run_artifact(JobStatus const& status, Artifact const& artifact) {
    std::string const id = status.id();
    if (artifact.name == "scan.csv" || artifact.name == "predictions.csv") {
        services().read_artifact(artifact, this, [this, id, name = artifact.name](Result<std::string> bytes) {
            if (id != shown_run()) return;
            auto results = bytes.ok() ? read_results(*bytes, name) : Result<Results>(bytes.error());
            if (results.ok()) show_results(std::move(*results));
            else services().report(results.error());
        });
    } else if (artifact.name == "scan.figure.json" || artifact.name == "measured.figure.json") {
        services().read_artifact(artifact, this, [this, id, name = artifact.name](Result<std::string> bytes) {
            if (id != shown_run() || !bytes.ok()) return;
            Json const value = Json::parse(*bytes, nullptr, false);
            auto figure = Figure::from_json(value);
            if (!figure.ok()) services().report(figure.error());
            else if (name == "scan.figure.json") show_map(std::move(*figure));
            else (void)m_measured->set_figure(std::move(*figure));
        });
    }
}

void DdgRoom::on_run_ended(JobStatus const&) {
    if (m_training != nullptr) m_training->set_live(false);
}

void DdgRoom::show_map(Figure figure) {
    if (std::get_if<HeatMap>(&figure.content) == nullptr) return;
    m_map = std::move(figure);
    m_has_map = true;
    m_heat_map->set_cell_key([this](int row, int column) {
        auto const* map = std::get_if<HeatMap>(&m_map.content);
        return map != nullptr ? qt(cell_mutant(*map, row, column)) : QString();
    });
    if (auto set = m_heat_map->set_figure(m_map); !set.ok()) services().report(set.error());
    if (m_structure_bar != nullptr) {
        m_structure_bar->set_values_available(true);
        if (m_coloring == ResidueColoring::chain) m_coloring = ResidueColoring::mean;
        m_structure_bar->set_coloring(m_coloring);
    }
    show_structure_colors();
}

void DdgRoom::show_results(Results results) {
    m_results = std::move(results);
    auto const* map = std::get_if<HeatMap>(&m_map.content);
    if (m_has_map && map != nullptr) m_results.value_unit = map->value_unit;
    table_filled();
    if (m_results.has_measured() && m_measured != nullptr) (void)m_measured->set_figure(measured_figure(m_results));
    show_selected_mutants();
}

// What people look for first stands first; files keep the order of the run's CSV.
void DdgRoom::table_filled() {
    if (m_table == nullptr || m_results.table.columns().empty()) return;
    m_table->set_table(m_results.table);
    QHeaderView* header = m_table->view()->horizontalHeader();
    int place = 0;
    for (char const* name : {"mutation_author", "ddg_mean", "ddg_se", "n", "ddg_measured", "ddg_calibrated"}) {
        int const column = m_results.table.column_index(name);
        if (column >= 0) header->moveSection(header->visualIndex(column), place++);
    }
}

void DdgRoom::update_combine() {
    if (m_pairs == nullptr) return;
    auto const selected = services().selection().selected("mutant").size();
    m_pairs->setEnabled(selected >= 2);
    m_triples->setEnabled(selected >= 3);
}

void DdgRoom::combine(std::size_t size) {
    std::vector<std::string> keys = sorted_keys(services().selection().selected("mutant"));
    auto combined = combine_mutants(keys, size);
    if (!combined.ok()) {
        services().report(combined.error());
        return;
    }
    std::vector<std::string> set = {slug() + ".mutations"};
    set.insert(set.end(), combined->begin(), combined->end());
    if (auto done = services().commands().execute(CommandCall{"set", std::move(set)}); !done.ok()) {
        services().report(done.error());
        return;
    }
    if (auto done = services().commands().execute(CommandCall{"verb", {slug(), "predict"}}); !done.ok())
        services().report(done.error());
}

void DdgRoom::show_structure_colors() {
    if (m_protein == nullptr || m_backbone == nullptr) return;
    ProteinDisplay display = m_protein->display();
    bool const by_value = m_coloring == ResidueColoring::mean || m_coloring == ResidueColoring::best_gain;
    if (by_value && m_has_map) {
        auto const by_key = values_by_residue(m_map, m_coloring, weaker_positive());
        protein::ResidueValues values;
        Structure const& structure = m_backbone->structure;
        values.values.assign(structure.residues.size(), nan_value);
        for (std::size_t r = 0; r < structure.residues.size(); ++r) {
            auto const found = by_key.find(structure.residue_key(r));
            if (found != by_key.end()) values.values[r] = found->second;
        }
        values.title = m_coloring == ResidueColoring::mean ? "mean ddG" : "best gain";
        values.unit = std::get<HeatMap>(m_map.content).value_unit;
        m_protein->set_values(std::move(values));
        display.color = protein::ColorMode::value;
    } else {
        display.color = m_coloring == ResidueColoring::side ? protein::ColorMode::side : protein::ColorMode::chain;
    }
    m_protein->set_display(display);
}

// Mutants and residues are two kinds of one selection: what is picked as one is shown as the other.
void DdgRoom::selection_changed(QString const& kind) {
    if (m_linking) return;
    m_linking = true;
    SelectionModel& selection = services().selection();
    if (kind == "mutant") {
        QSet<QString> residues;
        for (QString const& key : selection.selected("mutant"))
            for (std::string const& residue : residue_keys_of(key.toStdString())) residues.insert(qt(residue));
        if (!residues.isEmpty()) selection.select("residue", residues);
        show_selected_mutants();
    } else if (kind == "residue" && m_table != nullptr) {
        // The mutants of the residue, so that the table shows them; a mutant of it that is selected stays alone.
        QSet<QString> const residues = selection.selected("residue");
        QSet<QString> kept;
        for (QString const& key : selection.selected("mutant"))
            for (std::string const& residue : residue_keys_of(key.toStdString()))
                if (residues.contains(qt(residue))) kept.insert(key);
        if (kept.isEmpty() && !residues.isEmpty())
            for (MutantValue const& mutant : m_results.mutants)
                for (std::string const& residue : mutant.residue_keys)
                    if (residues.contains(qt(residue))) kept.insert(qt(mutant.key));
        selection.select("mutant", kept);
        show_selected_mutants();
    }
    m_linking = false;
    Q_EMIT state_changed();  // the session keeps what is selected
}

void DdgRoom::show_selected_mutants() {
    update_combine();
    if (m_parts == nullptr) return;
    std::vector<std::string> keys = sorted_keys(services().selection().selected("mutant"));
    if (keys.size() > pinned_limit) keys.resize(pinned_limit);
    Figure parts = parts_figure(m_results, keys);
    if (std::get<XyPlot>(parts.content).series.empty()) m_parts->clear();
    else (void)m_parts->set_figure(std::move(parts));
    auto const* map = std::get_if<HeatMap>(&m_map.content);
    Figure convergence = m_convergence.figure(keys, m_has_map && map != nullptr ? map->value_unit : "nats");
    if (std::get<XyPlot>(convergence.content).series.empty()) m_convergence_view->clear();
    else (void)m_convergence_view->set_figure(std::move(convergence));
}

std::vector<std::pair<QString, QString>> DdgRoom::selection_facts() const {
    std::vector<std::pair<QString, QString>> facts = Room::selection_facts();
    QSet<QString> const mutants = services().selection().selected("mutant");
    if (mutants.size() != 1) return facts;
    MutantValue const* mutant = m_results.find(mutants.begin()->toStdString());
    if (mutant == nullptr) return facts;
    auto const number = [](double value) { return std::isnan(value) ? QString("-") : QString::number(value, 'f', 3); };
    facts.emplace_back("ddG of binding", QString("%1 ± %2 %3").arg(number(mutant->mean), number(mutant->standard_error),
                                                                   qt(m_results.value_unit)));
    facts.emplace_back("draws", QString::number(mutant->draws));
    facts.emplace_back("complex", number(mutant->complex));
    facts.emplace_back("side 1", number(mutant->side1));
    facts.emplace_back("side 2", number(mutant->side2));
    if (!std::isnan(mutant->measured)) facts.emplace_back("measured", number(mutant->measured));
    return facts;
}

Json DdgRoom::inspect(std::string_view path) const {
    if (path == "structure") return m_backbone != nullptr ? Json(m_backbone->name) : Json();
    if (path == "sides") return m_sides_shown;
    if (path == "interface") return m_interface_keys.size();
    if (path == "mutants") return m_results.mutants.size();
    if (path == "coloring") return static_cast<int>(m_coloring);
    if (path == "map.filled") {
        auto const* map = std::get_if<HeatMap>(&m_map.content);
        if (!m_has_map || map == nullptr) return 0;
        return std::count_if(map->values.begin(), map->values.end(), [](double value) { return !std::isnan(value); });
    }
    if (path.starts_with("ddg.")) {
        MutantValue const* mutant = m_results.find(std::string(path.substr(4)));
        return mutant != nullptr ? Json(mutant->mean) : Json();
    }
    return {};
}

Json DdgRoom::extra_state() const {
    Json state = {{"coloring", static_cast<int>(m_coloring)}};
    if (m_protein != nullptr && m_backbone != nullptr) state["structure_view"] = m_protein->state();
    else if (!m_view_state.is_null()) state["structure_view"] = m_view_state;
    if (m_tabs != nullptr) state["tab"] = m_tabs->currentIndex();
    std::vector<std::string> keys = sorted_keys(services().selection().selected("mutant"));
    state["mutants"] = keys;
    return state;
}

void DdgRoom::restore_extra(Json const& state) {
    if (!state.is_object()) return;
    int const coloring = state.value("coloring", 0);
    if (coloring >= 0 && coloring <= static_cast<int>(ResidueColoring::best_gain))
        m_coloring = static_cast<ResidueColoring>(coloring);
    if (m_structure_bar != nullptr) m_structure_bar->set_coloring(m_coloring);
    if (state.contains("structure_view")) {
        // The structure is read on another thread; the view takes its state when it is there.
        m_view_state = state["structure_view"];
        if (m_protein != nullptr && m_backbone != nullptr) {
            if (auto restored = m_protein->restore_state(m_view_state); !restored.ok()) services().report(restored.error());
            m_view_state = Json();
        }
    }
    if (m_tabs != nullptr) m_tabs->setCurrentIndex(std::clamp(state.value("tab", 0), 0, m_tabs->count() - 1));
    QSet<QString> mutants;
    for (Json const& key : state.value("mutants", Json::array()))
        if (key.is_string()) mutants.insert(qt(key.get<std::string>()));
    if (!mutants.isEmpty()) services().selection().select("mutant", mutants);
    show_structure_colors();
}

std::vector<Exportable> DdgRoom::exportables() {
    std::vector<Exportable> list;
    if (m_has_map) list.push_back({.name = "map", .title = "Map of ddG", .figure = [this] { return m_map; }});
    auto const plot = [&](char const* name, char const* title, XyView* view) {
        if (view != nullptr && !view->empty())
            list.push_back({.name = name, .title = title, .figure = [view] { return view->figure(); }});
    };
    plot("parts", "Parts of the binding ddG", m_parts);
    plot("convergence", "Convergence", m_convergence_view);
    plot("measured", "Predicted against measured", m_measured);
    plot("training", "Training loss", m_training);
    if (m_protein != nullptr && m_backbone != nullptr)
        list.push_back({.name = "structure", .title = "Structure", .image = [this](QSize size, bool transparent) {
                            PictureOptions options;
                            options.width = size.width();
                            options.height = size.height();
                            options.transparent = transparent;
                            auto image = m_protein->render_image(options);
                            if (image.ok()) return *image;
                            services().report(image.error());
                            return QImage();
                        }});
    if (!m_results.mutants.empty())
        list.push_back({.name = "table", .title = "Mutants", .table = [this] { return m_results.table; }});
    return list;
}

}  // namespace orrery::panels::stab_ddg
