// What the shell needs to know of the room.
#include "core/methods/stab-ddg/schema.h"
#include "panels/common/panel.h"
#include "panels/stab-ddg/room.h"

namespace orrery::panels::stab_ddg {

PanelDescriptor descriptor() {
    return {.schema = &methods::stab_ddg::schema(),
            .icon = ":/panels/stab-ddg/icon.svg",
            .help = ":/panels/stab-ddg/help.md",
            .citation = "arXiv:2507.05502",
            .empty_hint = "Drop a PDB or mmCIF file of a protein complex here",
            .samples = {{.name = "1ak4",
                         .title = "Cyclophilin A with the HIV-1 capsid",
                         .summary = "1AK4, 309 residues. Scan the interface and see which positions the capsid depends on.",
                         .verb = "scan",
                         .files = {{"structure", "samples/1AK4.pdb"}},
                         .parameters = {{"sides", "A_B"}}}},
            .create = [](PanelDescriptor const& panel, RoomServices& services, QWidget* parent) -> Room* {
                return new DdgRoom(panel, services, parent);
            }};
}

}  // namespace orrery::panels::stab_ddg
