#include "core/methods/stab-ddg/scan.h"

#include "core/methods/stab-ddg/checkpoint_state.h"
#include "core/methods/stab-ddg/inputs.h"
#include "core/methods/stab-ddg/positions.h"
#include "core/methods/stab-ddg/sampling.h"
#include "core/methods/stab-ddg/scan_output.h"
#include "core/methods/stab-ddg/structure_writer.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::stab_ddg {
namespace {

constexpr std::size_t columns_a_message = 40;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

class ScanJob {
public:
    ScanJob(Json const& parameters, JobContext& context)
        : m_parameters(parameters), m_context(context), m_report(report_of(parameters)) {}

    Result<JobResult> run() {
        ORRERY_CHECK(read());
        DdgEngine engine(m_weights.network, m_complex, m_changes, m_weights.neighbours, m_context.threads());
        SamplingPlan plan;
        plan.draws = m_report.draws;
        plan.adaptive = m_report.adaptive;
        plan.noise = m_report.noise;
        plan.seed = m_report.seed;
        plan.self_check = m_parameters.value("self_check", true);
        Sampler sampler(engine, m_complex, plan, m_column_ends, m_context);
        m_scan.samples = &sampler.samples();
        std::string key = job_key("scan", m_parameters, {m_weights.sha256, m_backbone.sha256, m_scan.sides});
        if (std::optional<Json> saved = load_state(m_context, key)) ORRERY_CHECK(sampler.restore(*saved));
        announce();
        if (sampler.samples().complete_draws() > 0) {
            for (std::size_t c = 0; c < m_scan.columns.size(); ++c) live(sampler.samples().complete_draws(), c);
        }
        Sampler::Hooks hooks;
        hooks.group_done = [&](int draw, std::size_t column) { live(draw, column); };
        hooks.draw_done = [&](int draw) { m_context.update("draw", {{"draw", draw}, {"complete", true}}); };
        auto keep = [&] {
            auto saved = save_state(m_context, key, sampler.save());
            if (!saved.ok()) m_context.warn(saved.error());
        };
        hooks.keep = keep;
        ORRERY_TRY(Sampler::Outcome outcome, sampler.run(hooks));
        if (outcome != Sampler::Outcome::finished) keep();
        ORRERY_CHECK(write(outcome != Sampler::Outcome::finished));
        if (outcome == Sampler::Outcome::paused) return paused_error();
        if (outcome == Sampler::Outcome::cancelled) return cancelled_error();
        m_result.values["positions"] = static_cast<std::int64_t>(m_scan.columns.size());
        m_result.values["mutants"] = static_cast<std::int64_t>(m_scan.mutants.size());
        m_result.values["draws"] = sampler.samples().complete_draws();
        m_result.values["unit"] = m_report.unit();
        return m_result;
    }

private:
    Result<void> read() {
        ORRERY_TRY(m_backbone,
                   read_structure_input(m_context, "structure", m_parameters.at("structure").get<std::string>(),
                                        read_options(m_parameters)));
        ORRERY_TRY(Sides sides, settle_sides(m_context, m_backbone, m_parameters.value("sides", std::string())));
        ORRERY_TRY(auto positions,
                   scan_positions(m_backbone, sides, m_parameters.value("positions", std::string("interface")),
                                  m_parameters.value("cutoff", 5.0)));
        ORRERY_TRY(m_weights, read_weights(m_context, m_parameters));
        m_report.zero_shot = m_weights.zero_shot;
        m_report.weights_name = m_weights.file_name;
        m_report.weights_sha256 = m_weights.sha256;
        m_complex = make_complex(m_backbone, sides, m_report.all_chains);
        ORRERY_CHECK(check_memory_for(m_complex, m_weights.neighbours, m_backbone.name));
        m_scan.backbone = &m_backbone;
        m_scan.report = &m_report;
        m_scan.sides = sides.text;
        for (auto const& [chain, position] : positions) ORRERY_CHECK(add_column(sides, chain, position));
        return {};
    }

    Result<void> add_column(Sides const& sides, int chain_index, int position) {
        BackboneChain const& chain = m_backbone.chains[static_cast<std::size_t>(chain_index)];
        auto at = static_cast<std::size_t>(position);
        ScanColumn column;
        column.chain = chain_index;
        column.position = position;
        column.side = std::find(sides.side1.begin(), sides.side1.end(), chain_index) != sides.side1.end() ? 1 : 2;
        column.chain_name = chain.name;
        column.number = std::to_string(chain.number[at]);
        if (chain.insertion_code[at] != 0) column.number += chain.insertion_code[at];
        column.letter = chain.letters[at];
        column.key = chain.name + ":" + column.number;
        column.label = chain.name + " " + column.letter + column.number;
        for (std::size_t row = 0; row < scan_rows.size(); ++row) {
            column.mutant[row] = -1;
            if (scan_rows[row] == column.letter) continue;
            Mutant mutant;
            mutant.mutations.push_back({chain_index, position, column.letter, scan_rows[row]});
            name_mutant(m_backbone, mutant);
            ORRERY_TRY(MutantChanges changes, mutant_changes(m_backbone, sides, m_complex, mutant));
            column.mutant[row] = static_cast<std::int64_t>(m_scan.mutants.size());
            m_scan.mutants.push_back(std::move(mutant));
            m_changes.push_back(std::move(changes));
        }
        m_column_ends.push_back(m_scan.mutants.size());
        m_scan.columns.push_back(std::move(column));
        return {};
    }

    void announce() {
        m_context.update("layout", {{"complex", m_backbone.name + "_" + m_scan.sides},
                                    {"sides", m_scan.sides},
                                    {"unit", m_report.unit()},
                                    {"value_title", m_report.value_title()},
                                    {"rows", std::string(scan_rows)},
                                    {"row_groups", scan_row_groups},
                                    {"positions", m_scan.columns.size()},
                                    {"mutants", m_scan.mutants.size()},
                                    {"draws", m_report.draws}});
        for (std::size_t first = 0; first < m_scan.columns.size(); first += columns_a_message) {
            Json columns = Json::array();
            for (std::size_t c = first; c < std::min(first + columns_a_message, m_scan.columns.size()); ++c) {
                columns.push_back(m_scan.columns[c].to_json());
            }
            m_context.update("columns", {{"first", first}, {"columns", std::move(columns)}});
        }
    }

    void live(int draw, std::size_t index) {
        ScanColumn const& column = m_scan.columns[index];
        Json mean = Json::array(), error = Json::array(), n = Json::array();
        for (std::size_t row = 0; row < scan_rows.size(); ++row) {
            ScanResult::Value value = m_scan.value(column, row);
            mean.push_back(number_or_null(value.mean));
            error.push_back(number_or_null(value.standard_error));
            n.push_back(value.n);
        }
        m_context.update("column", {{"draw", draw},
                                    {"index", index},
                                    {"chain", column.chain_name},
                                    {"position", column.number},
                                    {"key", column.key},
                                    {"mean", std::move(mean)},
                                    {"se", std::move(error)},
                                    {"n", std::move(n)}});
    }

    Result<void> emit(std::string const& name, char const* kind, char const* type, std::string const& bytes,
                      bool partial) {
        ORRERY_TRY(Artifact artifact, m_context.emit(name, kind, type, bytes, partial));
        m_result.artifacts.push_back(std::move(artifact));
        return {};
    }

    Result<void> write(bool partial) {
        ORRERY_CHECK(emit("scan.csv", "table", "text/csv", scan_csv(m_scan), partial));
        ORRERY_CHECK(emit("scan_matrix.csv", "table", "text/csv", scan_matrix_csv(m_scan), partial));
        Figure figure = scan_figure(m_scan);
        figure.provenance = m_context.provenance();
        ORRERY_CHECK(emit("scan.figure.json", "figure", "application/json", figure.to_json().dump(), partial));
        ORRERY_CHECK(emit("scan.json", "json", "application/json", scan_summary(m_scan).dump(2) + "\n", partial));
        return write_structure(partial);
    }

    // PDB where it can hold the structure, else mmCIF; scripts that colour it.
    Result<void> write_structure(bool partial) {
        std::vector<double> values = residue_values(m_scan);
        std::string meaning = "mean " + m_report.value_title() + ", " + m_report.unit();
        std::vector<std::string> remarks = {"B-FACTOR: " + meaning,
                                            "STAB-DDG IN ORRERY, MEAN OVER 19 EXCHANGES OF EACH POSITION"};
        ColoringScript script;
        Result<std::string> pdb = write_pdb(m_backbone.structure, values, remarks);
        script.file = pdb.ok() ? "scan_bfactor.pdb" : "scan_bfactor.cif";
        std::string text = pdb.ok() ? *pdb : write_mmcif(m_backbone.structure, values, remarks);
        if (!pdb.ok()) m_context.log(LogLevel::info, "written as mmCIF: " + pdb.error().message());
        ORRERY_CHECK(emit(script.file, "structure", pdb.ok() ? "chemical/x-pdb" : "chemical/x-mmcif", text, partial));
        script.limit = symmetric_limit(values);
        script.meaning = meaning;
        for (ScanColumn const& column : m_scan.columns) script.residues.push_back(column.key);
        ORRERY_CHECK(emit("scan.pml", "text", "text/plain", pymol_script(script), partial));
        return emit("scan.cxc", "text", "text/plain", chimerax_script(script), partial);
    }

    Json const& m_parameters;
    JobContext& m_context;
    Report m_report;
    FastWeights m_weights;
    Backbone m_backbone;
    ComplexInput m_complex;
    std::vector<MutantChanges> m_changes;
    std::vector<std::size_t> m_column_ends;
    ScanResult m_scan;
    JobResult m_result;
};

}  // namespace

Result<JobResult> scan(Json const& parameters, JobContext& context) { return ScanJob(parameters, context).run(); }

}  // namespace orrery::methods::stab_ddg
