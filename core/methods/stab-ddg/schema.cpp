#include "core/methods/stab-ddg/schema.h"

#include "core/methods/stab-ddg/schema_parts.h"
#include "core/methods/stab-ddg/verbs_tables_schema.h"

namespace orrery::methods::stab_ddg {

MethodSchema const& schema() {
    static MethodSchema const method = [] {
        MethodSchema m;
        m.slug = "stab-ddg";
        m.title = "Binding ddG";
        m.group = "Molecules and proteins";
        m.summary = "Which exchanges of residues weaken or tighten a protein complex, from folding energies.";
        m.paper_title = "Predicting mutational effects on protein binding from folding energy";
        m.authors =
            "Arthur Deng, Karsten Householder, Fang Wu, Sebastian Thrun, K. Christopher Garcia, Brian L. Trippe";
        m.venue = "ICML 2025";
        m.url = "arXiv:2507.05502";
        m.bibtex =
            "@inproceedings{deng2025stabddg,\n"
            "  title = {Predicting mutational effects on protein binding from folding energy},\n"
            "  author = {Deng, Arthur and Householder, Karsten and Wu, Fang and Thrun, Sebastian and Garcia, K. "
            "Christopher "
            "and Trippe, Brian L.},\n"
            "  booktitle = {International Conference on Machine Learning},\n"
            "  year = {2025},\n"
            "  eprint = {2507.05502},\n"
            "  archivePrefix = {arXiv}\n"
            "}\n";
        m.method_name = "StaB-ddG";
        m.file_patterns = {"*.pdb", "*.ent", "*.cif", "*.mmcif", "*.pdb.gz", "*.ent.gz", "*.cif.gz"};
        m.licences = {"StaB-ddG code: MIT", "ProteinMPNN weights: MIT", "SKEMPI 2.0: CC BY 4.0"};
        m.version = "1";
        m.verbs = run_verbs();
        std::vector<VerbSchema> tables = table_verbs();
        m.verbs.insert(m.verbs.end(), tables.begin(), tables.end());
        return m;
    }();
    return method;
}

}  // namespace orrery::methods::stab_ddg
