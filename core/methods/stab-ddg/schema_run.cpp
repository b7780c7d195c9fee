#include "core/methods/stab-ddg/schema_parts.h"

#include "core/base/parameters.h"

namespace orrery::methods::stab_ddg {
namespace {

using namespace orrery::parameters;

Parameter weights_parameter() {
    Parameter parameter =
        make("weights", "Weights", ParameterType::file, "",
             "A .pt or .safetensors file with the 118 tensors of ProteinMPNN, yours or the authors' tuned ones. "
             "Empty: soluble v_48_020, zero-shot (values in nats, uncalibrated).",
             "Model");
    parameter.patterns = {"*.pt", "*.pth", "*.ckpt", "*.safetensors"};
    return parameter;
}

Parameter seed_parameter() {
    return advanced(
        ranged(make("seed", "Seed", ParameterType::integer, 0,
                    "Seed of the draws. Results for one seed are those of the official code on the CPU.", "Sampling"),
               0, 9007199254740991.0));
}

Parameter noise_parameter(double level, std::string help) {
    return advanced(
        cited(ranged(make("noise", "Backbone noise", ParameterType::real, level, std::move(help), "Sampling"), 0, 5,
                     "Å", 0.05),
              "section 3.3"));
}

std::vector<Parameter> sampling_parameters() {
    Parameter draws =
        cited(ranged(make("draws", "Draws", ParameterType::integer, 20,
                          "Decoding orders and noised backbones averaged for each mutant. More draws: smaller "
                          "standard errors (they fall with the square root).",
                          "Sampling"),
                     1, 1000, "", 1),
              "section 3.3");
    Parameter adaptive =
        advanced(make("adaptive", "Stop when precise", ParameterType::boolean, false,
                      "Go on until every standard error is below 0.1, at most 100 draws; Draws is then the "
                      "least number.",
                      "Sampling"));
    return {draws, noise_parameter(0.1, "Standard deviation of the gaussian noise on every backbone coordinate."),
            seed_parameter(), adaptive};
}

std::vector<Parameter> result_parameters() {
    Parameter sign = make("sign", "Sign", ParameterType::choice, "weaker-positive",
                          "What a positive ddG of binding means, in every table and figure.", "Results");
    sign.choices = {{"weaker-positive", "positive: the mutant binds weaker (FoldX, Flex ddG)"},
                    {"tighter-positive", "positive: the mutant binds tighter (SKEMPI tables here)"}};
    Parameter slope =
        ranged(make("calibrate_slope", "Calibration slope", ParameterType::real, 1.0,
                    "Calibrated value = slope x ddG + intercept, in a column beside the raw one; from a fit "
                    "to your own measurements.",
                    "Results"),
               -1000, 1000);
    Parameter intercept = ranged(
        make("calibrate_intercept", "Calibration intercept", ParameterType::real, 0.0, "See the slope.", "Results"),
        -1000, 1000, "kcal/mol");
    Parameter all_chains =
        make("all_chains", "All chains in the complex", ParameterType::boolean, false,
             "The complex is every chain of the file, also those on neither side, as in the official "
             "code; otherwise it is side 1 + side 2.",
             "Model");
    Parameter check =
        make("self_check", "Check against full decoding", ParameterType::boolean, true,
             "Compute one mutant in 64 again from scratch; a difference of 1e-4 or more ends the job.", "Model");
    return {advanced(sign), advanced(slope), advanced(intercept), advanced(all_chains), advanced(check)};
}

void append(std::vector<Parameter>& to, std::vector<Parameter> const& from) {
    to.insert(to.end(), from.begin(), from.end());
}

VerbSchema predict_verb() {
    VerbSchema verb;
    verb.name = "predict";
    verb.label = "Predict mutants";
    verb.summary = "Effect of given mutants on binding, with standard errors and the parts of complex and sides.";
    verb.resumable = true;
    verb.positional_files = true;
    Parameter mutations = make("mutations", "Mutants", ParameterType::text_list, Json::array(),
                               "One mutant an entry; several exchanges in one mutant are joined by commas "
                               "(EA63Q,QD30V,KA66A), mutants are parted by ; or by repeating the flag.",
                               "");
    Parameter list = make("list", "Mutant list", ParameterType::file, "",
                          "A table of mutants: the official list (#Pdb, mutation), a SKEMPI-like table, or a FoldX "
                          "individual_list.txt. Measured ddG in it are compared with the predictions.",
                          "Input");
    list.patterns = {"*.csv", "*.tsv", "*.txt"};
    Parameter structures = advanced(make("structures", "Structure folder", ParameterType::directory, "",
                                         "Where the structures named in the list's #Pdb column lie.", "Input"));
    Parameter profile =
        advanced(make("profile", "Per-residue profile", ParameterType::boolean, false,
                      "Also write profile.csv: how much each residue's log-probability changes, for every "
                      "mutant.",
                      "Results"));
    verb.parameters = {structure_parameter(false), sides_parameter(), mutations, list, structures, weights_parameter()};
    append(verb.parameters, sampling_parameters());
    append(verb.parameters, {advanced(numbering_parameter()), advanced(reading_parameter()), model_parameter(),
                             assembly_parameter()});
    append(verb.parameters, result_parameters());
    append(verb.parameters, {profile, advanced(threads_parameter())});
    verb.outputs = {{"predictions.csv", "table", "One row a mutant: mean, standard error, parts"},
                    {"predictions.json", "json", "Settings, SHA-256 of the weights, metrics"},
                    {"measured.figure.json", "figure", "Predicted against measured, where measurements are given"},
                    {"profile.csv", "table", "Change of each residue's log-probability, on request"}};
    return verb;
}

VerbSchema scan_verb() {
    VerbSchema verb;
    verb.name = "scan";
    verb.label = "Scan positions";
    verb.summary = "All 19 exchanges at every chosen position: a 20 x N map with standard errors.";
    verb.resumable = true;
    verb.positional_files = true;
    Parameter positions =
        make("positions", "Positions", ParameterType::text, "interface",
             "interface, all, or positions by chain and author number: A:10-20, B:5, C (a whole chain); "
             "several parted by commas.",
             "");
    Parameter cutoff =
        advanced(ranged(make("cutoff", "Interface cut-off", ParameterType::real, 5.0,
                             "A position is at the interface when a heavy atom of it lies within this distance "
                             "of one of the other side.",
                             "Input"),
                        1, 20, "Å", 0.5));
    verb.parameters = {structure_parameter(true), sides_parameter(), positions, cutoff, weights_parameter()};
    append(verb.parameters, sampling_parameters());
    append(verb.parameters, {advanced(reading_parameter()), model_parameter(), assembly_parameter()});
    append(verb.parameters, result_parameters());
    append(verb.parameters, {advanced(threads_parameter())});
    verb.outputs = {{"scan.csv", "table", "One row a mutant: mean, standard error, parts"},
                    {"scan_matrix.csv", "table", "20 amino acids x positions, means"},
                    {"scan.figure.json", "figure", "The map, with positions' mean and maximum above"},
                    {"scan_bfactor.pdb", "structure", "The structure with each position's mean ddG as B-factor"},
                    {"scan.json", "json", "Settings, SHA-256 of the weights, summary"}};
    return verb;
}

VerbSchema finetune_verb() {
    VerbSchema verb;
    verb.name = "finetune";
    verb.label = "Fine-tune";
    verb.summary = "Tune the weights on measured ddG of binding, with metrics on held-out mutants before and after.";
    verb.resumable = true;
    verb.positional_files = true;
    Parameter table =
        make("table", "Measured table", ParameterType::file, Json(),
             "Mutants with measured ddG or affinities: SKEMPI v2 or SKEMPI-like (#Pdb, Mutation(s)_cleaned, "
             "ddG; negative = weaker).",
             "");
    table.required = true;
    table.patterns = {"*.csv", "*.tsv"};
    Parameter structures = make("structures", "Structure folder", ParameterType::directory, Json(),
                                "Where the structures named in the table lie.", "");
    structures.required = true;
    Parameter epochs = cited(
        ranged(make("epochs", "Epochs", ParameterType::integer, 200, "Passes over all complexes and mutants.", ""), 1,
               100000, "", 1),
        "section 4.1");
    Parameter lr = cited(
        ranged(make("lr", "Learning rate", ParameterType::real, 1e-6,
                    "Step of Adam. The authors' 1e-6 is for thousands of mutants; 1e-5 suits a few tens.", "Training"),
               0, 1),
        "section 4.1");
    Parameter batch = ranged(make("batch", "Mutants a step", ParameterType::integer, 0,
                                  "0: as many as the official rule, 10000 / residues of the complex.", "Training"),
                             0, 10000, "", 1);
    Parameter held_out =
        ranged(make("held_out", "Held-out share", ParameterType::real, 0.2,
                    "Share of the mutants kept out of training, to report metrics before and after on.", "Evaluation"),
               0, 0.9, "", 0.05);
    Parameter complexes =
        make("complexes", "Complexes", ParameterType::text_list, Json::array(),
             "Only these of the table (1AO7_ABC_DE); empty: all whose structure is in the folder.", "Input");
    Parameter limit = ranged(make("limit", "Mutants at most", ParameterType::integer, 0,
                                  "Take only so many mutants of the table, in its order; 0: all.", "Input"),
                             0, 1000000, "", 1);
    Parameter single = make("single_only", "Single mutants only", ParameterType::boolean, false,
                            "Leave multiple mutants out.", "Input");
    Parameter evaluation = ranged(make("evaluation_draws", "Evaluation draws", ParameterType::integer, 5,
                                       "Draws averaged for the metrics before and after.", "Evaluation"),
                                  1, 100, "", 1);
    Parameter units = advanced(numbering_parameter());
    units.default_value = "ordinal";
    verb.parameters = {table,
                       structures,
                       epochs,
                       lr,
                       advanced(batch),
                       weights_parameter(),
                       noise_parameter(0.2, "Standard deviation of the noise on backbone coordinates while training."),
                       seed_parameter(),
                       held_out,
                       advanced(evaluation),
                       advanced(complexes),
                       advanced(limit),
                       advanced(single),
                       units,
                       advanced(reading_parameter()),
                       advanced(threads_parameter())};
    verb.outputs = {{"tuned.safetensors", "weights", "The tuned weights under their official names"},
                    {"finetune.json", "json", "Settings, loss of each epoch, metrics before and after"},
                    {"loss.csv", "table", "Mean squared error of each epoch"},
                    {"loss.figure.json", "figure", "The same as a curve"}};
    return verb;
}

}  // namespace

std::vector<VerbSchema> run_verbs() { return {predict_verb(), scan_verb(), finetune_verb()}; }

Parameter structure_parameter(bool required) {
    Parameter parameter = make("structure", "Structure", ParameterType::file, required ? Json() : Json(""),
                               "The complex: PDB or mmCIF, plain or gzip.", "");
    parameter.required = required;
    parameter.patterns = {"*.pdb", "*.ent", "*.cif", "*.mmcif", "*.pdb.gz", "*.ent.gz", "*.cif.gz"};
    return parameter;
}

Parameter sides_parameter() {
    return make("sides", "Sides", ParameterType::text, "",
                "Chains of side 1, _, chains of side 2: ABC_DE. Empty: suggested from the contacts.", "");
}

Parameter reading_parameter() {
    Parameter parameter =
        make("reading", "Reading", ParameterType::choice, "automatic",
             "How the structure file is read. Official: the reference code's rules, for equal numbers.", "Input");
    parameter.choices = {{"automatic", "highest occupancy, modified residues, real gaps"},
                         {"official", "as the reference code reads"}};
    return parameter;
}

Parameter model_parameter() {
    return advanced(ranged(make("model", "Model", ParameterType::integer, 1,
                                "Which model of a file with several (NMR), counted from 1.", "Input"),
                           1, 100000, "", 1));
}

Parameter assembly_parameter() {
    return advanced(make("assembly", "Biological assembly", ParameterType::boolean, false,
                         "Read biological assembly 1: the two sides may meet only there. Copies of a chain are named "
                         "A1, A2.",
                         "Input"));
}

Parameter numbering_parameter() {
    Parameter parameter = make("numbering", "Numbering", ParameterType::choice, "automatic",
                               "What the numbers in mutations count.", "Input");
    parameter.choices = {{"automatic", "told by the wild-type letters"},
                         {"author", "the file's residue numbers"},
                         {"ordinal", "position in the chain from 1 (SKEMPI cleaned)"}};
    return parameter;
}

Parameter threads_parameter() {
    return ranged(make("threads", "Threads", ParameterType::integer, 0,
                       "0: all cores. The numbers do not depend on it.", "Machine"),
                  0, 1024, "", 1);
}

}  // namespace orrery::methods::stab_ddg
