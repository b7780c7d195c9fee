// DdgRoom: the input (structure, sides, interface), the form's words, and the making of the views.
#include "panels/stab-ddg/room.h"

#include "panels/common/background.h"
#include "panels/common/labels.h"
#include "panels/common/text.h"
#include "panels/stab-ddg/sides_editor.h"
#include "panels/stab-ddg/structure_bar.h"
#include "renderers/plot/heat_map_view.h"
#include "renderers/plot/xy_view.h"
#include "renderers/protein/protein_view.h"
#include "renderers/protein/protein_view_loader.h"
#include "renderers/table/table_view.h"
#include "renderers/vtk/notice.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

namespace orrery::panels::stab_ddg {

namespace method = orrery::methods::stab_ddg;

namespace {

// Seconds a mutant and draw, measured on two cores with 244 residues; only for the first estimate, later ones are the
// usual time of runs on this machine.
constexpr double seconds_per_mutant_draw = 0.006;
constexpr double seconds_per_residue_draw = 0.004;

int residue_total(method::Backbone const& backbone) {
    int total = 0;
    for (method::BackboneChain const& chain : backbone.chains) total += static_cast<int>(chain.size());
    return total;
}

}  // namespace

DdgRoom::DdgRoom(PanelDescriptor const& panel, RoomServices& services, QWidget* parent)
    : Room(panel, services, {.verbs = {"scan", "predict", "finetune"}, .inputs = {"structure"}}, parent) {
    connect(&services.selection(), &SelectionModel::selection_changed, this, &DdgRoom::selection_changed);
}

DdgRoom::~DdgRoom() = default;

ParameterEditor* DdgRoom::create_editor(Parameter const& parameter, QWidget* parent) {
    if (parameter.name != "sides") return nullptr;
    auto* editor = new SidesEditor(parent);
    if (m_sides_editor == nullptr) m_sides_editor = editor;
    // Each verb's form has its own; all follow the structure.
    connect(this, &Room::state_changed, editor, [this, editor] {
        if (m_backbone == nullptr || editor->property("structure").toString() == qt(m_backbone->sha256)) return;
        std::vector<ChainChip> chips;
        for (method::BackboneChain const& chain : m_backbone->chains)
            chips.push_back({chain.name, chain.label_name, static_cast<int>(chain.size())});
        editor->setProperty("structure", qt(m_backbone->sha256));
        editor->set_chains(std::move(chips));
        Json const sides = value("sides");
        editor->show_value(sides.is_string() && !sides.get<std::string>().empty() ? sides : Json(m_sides_shown));
    });
    if (m_backbone != nullptr) QMetaObject::invokeMethod(this, [this] { Q_EMIT state_changed(); }, Qt::QueuedConnection);
    return editor;
}

QWidget* DdgRoom::create_views(QWidget* parent) {
    auto* splitter = new QSplitter(Qt::Horizontal, parent);
    splitter->setObjectName("stab-ddg.views");
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);

    auto* left = new QWidget(splitter);
    auto* left_layout = new QVBoxLayout(left);
    left_layout->setContentsMargins(0, 0, 0, 0);
    left_layout->setSpacing(0);
    auto view = create_protein_view(left);
    if (view.ok()) {
        m_protein = *view;
        m_protein->setObjectName("stab-ddg.structure");
        m_protein->setAccessibleName("Structure");
        m_protein->set_selection_model(&services().selection());
        m_structure_bar = new StructureBar(m_protein, left);
        left_layout->addWidget(m_structure_bar);
        left_layout->addWidget(make_separator(left));
        left_layout->addWidget(m_protein, 1);
        connect(m_structure_bar, &StructureBar::coloring_changed, this, [this](ResidueColoring coloring) {
            m_coloring = coloring;
            show_structure_colors();
            Q_EMIT state_changed();
        });
        connect(m_protein, &ProteinView::hovered, this, [this](QString const&, QString const& label) {
            if (!label.isEmpty()) services().status(label);
        });
        connect(m_protein, &ProteinView::state_changed, this, &Room::state_changed);
    } else {
        left_layout->addWidget(make_notice("No 3-D view", view.error(), left));
    }
    splitter->addWidget(left);

    m_tabs = new QTabWidget(splitter);
    m_tabs->setObjectName("stab-ddg.tabs");
    m_tabs->setDocumentMode(true);
    m_heat_map = new HeatMapView(m_tabs);
    m_heat_map->setObjectName("stab-ddg.map");
    m_heat_map->setAccessibleName("Map of binding ddG, amino acids by positions");
    m_heat_map->set_empty_text("No map yet", "Press Scan: the map fills while the job runs");
    m_heat_map->set_selection(&services().selection());
    auto const plot = [this](char const* name, char const* title, char const* hint) {
        auto* view = new XyView(m_tabs);
        view->setObjectName(name);
        view->setAccessibleName(title);
        view->set_empty_text(title, hint);
        view->set_selection(&services().selection());
        return view;
    };
    m_parts = plot("stab-ddg.parts", "Parts of the binding ddG", "Select mutants in the map or the table");
    m_convergence_view = plot("stab-ddg.convergence", "Convergence", "Select mutants of a scan to follow their mean");
    m_measured = plot("stab-ddg.measured", "Predicted against measured", "Predict a list that has measured values");
    m_training = plot("stab-ddg.training", "Training loss", "Fine-tune on a measured table");
    m_tabs->addTab(m_heat_map, "Map");
    m_tabs->addTab(m_parts, "Parts");
    m_tabs->addTab(m_convergence_view, "Convergence");
    m_tabs->addTab(m_measured, "Measured");
    m_tabs->addTab(m_training, "Training");
    left->setMinimumWidth(312);
    m_tabs->setMinimumWidth(300);
    splitter->addWidget(m_tabs);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setSizes({400, 600});
    connect(m_heat_map, &HeatMapView::hovered, this, [this](QString const& text) {
        if (!text.isEmpty()) services().status(text);
    });
    for (XyView* view : {m_parts, m_convergence_view, m_measured, m_training})
        connect(view, &XyView::hovered, this, [this](QString const& text) {
            if (!text.isEmpty()) services().status(text);
        });

    if (m_backbone != nullptr && m_protein != nullptr)
        m_protein->set_structure(std::shared_ptr<Structure const>(m_backbone, &m_backbone->structure));
    show_structure_colors();
    return splitter;
}

QWidget* DdgRoom::create_results(QWidget* parent) {
    m_table = new TableView(parent);
    m_table->setObjectName("stab-ddg.table");
    m_table->setAccessibleName("Mutants");
    m_table->set_selection(&services().selection(), "mutant", "mutation_author");
    m_table->set_empty_text("No mutants yet", "Scan positions or predict a list");
    connect(m_table, &TableView::export_requested, this, [this] { services().export_dialog(slug(), "table"); });
    auto const button = [this](char const* name, QString const& text, std::size_t size) {
        auto* made = new QPushButton(text, m_table);
        made->setObjectName(name);
        made->setAccessibleName(QString("Predict all %1 of the selected mutants").arg(text.toLower()));
        made->setToolTip(made->accessibleName());
        m_table->add_button(made);
        connect(made, &QPushButton::clicked, this, [this, size] { combine(size); });
        return made;
    };
    m_pairs = button("stab-ddg.pairs", "Pairs", 2);
    m_triples = button("stab-ddg.triples", "Triples", 3);
    update_combine();
    table_filled();
    return m_table;
}

// --- input -----------------------------------------------------------------------------------------------------------

void DdgRoom::on_value_changed(std::string const& parameter) {
    if (parameter == "structure" || parameter == "reading" || parameter == "model" || parameter == "assembly")
        read_structure();
    else if (parameter == "sides" || parameter == "cutoff") find_interface();
    else update_run_bar();
}

void DdgRoom::read_structure() {
    Json const path = value("structure");
    if (!path.is_string() || path.get<std::string>().empty()) {
        m_backbone.reset();
        m_reading.clear();
        show_input({}, {});
        return;
    }
    method::ReadOptions options;
    if (value("reading") == "official") options.mode = method::ReadingMode::official;
    std::string const file = path.get<std::string>();
    if (Json const model = value("model"); model.is_number_integer()) options.model = model.get<int>();
    options.assembly = value("assembly") == true;
    std::string const wanted = file + (options.mode == method::ReadingMode::official ? " official" : "") + " model " +
                               std::to_string(options.model) + (options.assembly ? " assembly" : "");
    if (wanted == m_reading) return;
    m_reading = wanted;
    show_input_loading(file_name(file));
    in_background(
        this, [file, options] { return method::read_backbone(file, options); },
        [this, wanted, file](Result<method::Backbone> read) {
            if (wanted == m_reading) structure_read(file, std::move(read));
        });
}

void DdgRoom::structure_read(std::string const& path, Result<method::Backbone> read) {
    if (!read.ok()) {
        // What is loaded stays: the old structure is still shown, and the field says what is wrong with the new one.
        m_reading.clear();
        Error error = read.error();
        error.field = "structure";
        if (m_backbone != nullptr) describe_input();
        else show_input({}, {});
        show_error(error);
        services().report(error);
        return;
    }
    bool const first = m_backbone == nullptr;
    m_backbone = std::make_shared<method::Backbone const>(std::move(*read));
    (void)path;
    if (!first) services().selection().select("residue", {});
    m_interface.clear();
    m_interface_keys.clear();
    m_sides_shown.clear();
    describe_input();
    show_views();
    if (m_protein != nullptr) {
        m_protein->set_structure(std::shared_ptr<Structure const>(m_backbone, &m_backbone->structure));
        if (!m_view_state.is_null()) {
            if (auto restored = m_protein->restore_state(m_view_state); !restored.ok()) services().report(restored.error());
            m_view_state = Json();
        }
    }
    Q_EMIT state_changed();
    find_interface();
}

void DdgRoom::describe_input() {
    QStringList chains;
    for (method::BackboneChain const& chain : m_backbone->chains) chains << qt(chain.name);
    QString facts = QString("%1 %2 · %3 residues")
                        .arg(m_backbone->chains.size() == 1 ? "chain" : "chains")
                        .arg(chains.join(' '))
                        .arg(residue_total(*m_backbone));
    if (!m_interface_keys.empty())
        facts += QString(" · %1 · %2 positions at the interface").arg(qt(m_sides_shown)).arg(m_interface_keys.size());
    QStringList notes = m_side_notes;
    if (m_backbone->model_count > 1)
        notes << QString("Model %1 of %2 is read; choose another under More, Model")
                     .arg(value("model").is_number_integer() ? value("model").get<int>() : 1)
                     .arg(m_backbone->model_count);
    if (m_backbone->has_assembly && value("assembly") != true)
        notes << "The file describes a biological assembly; read it with More, Biological assembly";
    for (std::string const& note : m_backbone->notes) notes << qt(note);
    Json const path = value("structure");
    show_input(path.is_string() ? file_name(path.get<std::string>()) : qt(m_backbone->name), facts, notes);
}

void DdgRoom::find_interface() {
    if (m_backbone == nullptr) {
        update_run_bar();
        return;
    }
    auto const backbone = m_backbone;
    Json const sides_value = value("sides");
    std::string const text = sides_value.is_string() ? sides_value.get<std::string>() : std::string();
    Json const cutoff_value = value("cutoff");
    double const cutoff = cutoff_value.is_number() ? cutoff_value.get<double>() : 5.0;
    struct Found {
        method::Sides sides;
        Positions positions;
        std::string warning;
    };
    in_background(
        this,
        [backbone, text, cutoff]() -> Result<Found> {
            auto sides = text.empty() ? method::suggest_sides(*backbone) : method::parse_sides(*backbone, text);
            if (!sides.ok()) return std::move(sides).error();
            Found found{std::move(*sides), {}, {}};
            found.positions = method::interface_positions(*backbone, found.sides, cutoff);
            found.warning = method::touch_warning(*backbone, found.sides);
            return found;
        },
        [this, backbone](Result<Found> found) {
            if (backbone != m_backbone) return;
            if (!found.ok()) {
                Error error = found.error();
                error.field = "sides";
                m_interface.clear();
                m_interface_keys.clear();
                show_error(error);
                update_run_bar();
                return;
            }
            interface_found(std::move(found->sides), std::move(found->positions), qt(found->warning));
        });
}

void DdgRoom::interface_found(method::Sides sides, Positions positions, QString const& warning) {
    m_sides_shown = sides.text;
    m_interface = std::move(positions);
    m_interface_keys = residue_keys(m_interface);
    m_side_notes = warning.isEmpty() ? QStringList() : QStringList{warning};
    if (m_sides_editor != nullptr) {
        Json const given = value("sides");
        if (!given.is_string() || given.get<std::string>().empty()) m_sides_editor->show_value(m_sides_shown);
    }
    if (m_protein != nullptr) {
        std::vector<int> side_of_chain(m_backbone->structure.chains.size(), 0);
        auto const mark = [&](std::vector<int> const& chains, int side) {
            for (int chain : chains) {
                std::string const& name = m_backbone->chains[static_cast<std::size_t>(chain)].name;
                for (std::size_t c = 0; c < side_of_chain.size(); ++c)
                    if (m_backbone->structure.chains[c].name == name) side_of_chain[c] = side;
            }
        };
        mark(sides.side1, 1);
        mark(sides.side2, 2);
        m_protein->set_sides(std::move(side_of_chain));
        m_protein->set_stick_residues(m_interface_keys);
    }
    describe_input();
    update_run_bar();
}

std::vector<std::string> DdgRoom::residue_keys(Positions const& positions) const {
    std::vector<std::string> keys;
    for (auto const& [chain, position] : positions) {
        std::int64_t const residue =
            m_backbone->chains[static_cast<std::size_t>(chain)].residue[static_cast<std::size_t>(position)];
        if (residue >= 0) keys.push_back(m_backbone->structure.residue_key(static_cast<std::size_t>(residue)));
    }
    return keys;
}

// --- words of the run button ------------------------------------------------------------------------------------------

int DdgRoom::scanned_positions() const {
    Json const positions = value("positions");
    std::string const text = positions.is_string() ? positions.get<std::string>() : "interface";
    if (text == "interface") return static_cast<int>(m_interface.size());
    if (text == "all" && m_backbone != nullptr) return residue_total(*m_backbone);
    return -1;  // a list: counted by the job
}

bool DdgRoom::weaker_positive() const { return value("sign") != "tighter-positive"; }

QString DdgRoom::run_text(std::string const& verb) const {
    if (verb == "scan") {
        int const positions = scanned_positions();
        return positions > 0 ? QString("Scan %1 positions").arg(positions) : QString("Scan positions");
    }
    return Room::run_text(verb);
}

double DdgRoom::estimated_seconds(std::string const& verb) const {
    if (verb != "scan" || m_backbone == nullptr) return Room::estimated_seconds(verb);
    Json const draws_value = value("draws");
    double const draws = draws_value.is_number() ? draws_value.get<double>() : 20;
    int const positions = scanned_positions();
    if (positions <= 0) return -1;
    return draws * (positions * 19 * seconds_per_mutant_draw + residue_total(*m_backbone) * seconds_per_residue_draw);
}

QString DdgRoom::run_obstacle(std::string const& verb) const {
    if (verb == "scan" && m_backbone != nullptr && scanned_positions() == 0)
        return "The two sides have no residues within the cut-off: check the sides";
    if (verb == "predict") {
        Json const list = value("list"), mutants = value("mutations"), structure = value("structure");
        bool const has_list = list.is_string() && !list.get<std::string>().empty();
        bool const has_mutants = mutants.is_array() && !mutants.empty();
        if (!has_list && !has_mutants) return "Give mutants or a list first";
        if (!has_list && (!structure.is_string() || structure.get<std::string>().empty())) return "Choose a structure first";
    }
    return Room::run_obstacle(verb);
}

std::string DdgRoom::run_title(std::string const& verb) const {
    std::string const name = m_backbone != nullptr ? m_backbone->name : "";
    if (verb == "scan") return "Scan " + name + (m_sides_shown.empty() ? "" : " " + m_sides_shown);
    if (verb == "predict") return "Predict mutants" + (name.empty() ? "" : " of " + name);
    return Room::run_title(verb);
}

}  // namespace orrery::panels::stab_ddg
