#include "core/methods/quantum-control/schema.h"

namespace orrery::methods::quantum_control {

std::vector<VerbSchema> run_verbs();

MethodSchema const& schema() {
    static MethodSchema const method = [] {
        MethodSchema m;
        m.slug = "quantum-control";
        m.title = "Quantum control";
        m.group = "Physics";
        m.summary = "Pulses that move atoms and circuits where they should go, by learning or by gradient, live.";
        m.paper_title = "Reinforcement Learning for Quantum Control under Physical Constraints";
        m.authors = "";
        m.venue = "ICML 2025";
        m.url = "arXiv:2501.14372";
        m.bibtex =
            "@inproceedings{rlquantumcontrol2025,\n"
            "  title = {Reinforcement Learning for Quantum Control under Physical Constraints},\n"
            "  booktitle = {International Conference on Machine Learning},\n"
            "  year = {2025},\n"
            "  eprint = {2501.14372},\n"
            "  archivePrefix = {arXiv}\n"
            "}\n";
        m.method_name = "RL4qcWpc";
        m.file_patterns = {"*.csv", "*.json", "*.npy", "*.npz"};
        m.licences = {"RL4qcWpc code: no licence file; its citation file says MIT (nothing of it is used here)"};
        m.version = "1";
        m.verbs = run_verbs();
        return m;
    }();
    return method;
}

}  // namespace orrery::methods::quantum_control
