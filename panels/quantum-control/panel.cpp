// What the shell needs to know of the room.
#include "core/methods/quantum-control/schema.h"
#include "panels/common/panel.h"
#include "panels/quantum-control/room.h"

namespace orrery::panels::quantum_control {

PanelDescriptor descriptor() {
    return {.schema = &methods::quantum_control::schema(),
            .icon = ":/panels/quantum-control/icon.svg",
            .help = ":/panels/quantum-control/help.md",
            .citation = "arXiv:2501.14372",
            .empty_hint = "Drop a system (JSON) or a pulse (CSV, NPY) here",
            .samples = {{.name = "lambda-grape",
                         .title = "Population transfer in a Lambda atom, by gradient",
                         .summary = "Five levels, amplitudes alone, GRAPE from five starts: F 0.9949 in a few seconds.",
                         .verb = "optimize",
                         .files = {},
                         .parameters = {{"system", "lambda5"},
                                        {"method", "grape"},
                                        {"detuning_bound", 0.0},
                                        {"iterations", 1500}}},
                        {.name = "lambda-ppo",
                         .title = "The same by reinforcement learning",
                         .summary = "PPO as in the paper, three seeds: watch reward and infidelity, detunings are free.",
                         .verb = "optimize",
                         .files = {},
                         .parameters = {{"system", "lambda5"}, {"method", "ppo"}, {"seeds", 3}, {"updates", 400}}},
                        {.name = "rydberg-cz",
                         .title = "A CZ gate between two Rydberg atoms",
                         .summary = "Nine levels under blockade, GRAPE: see the Bloch path and the process fidelity.",
                         .verb = "optimize",
                         .files = {},
                         .parameters = {{"system", "rydberg1"}, {"method", "grape"}, {"seeds", 2}, {"iterations", 300}}}},
            .create = [](PanelDescriptor const& panel, RoomServices& services, QWidget* parent) -> Room* {
                return new ControlRoom(panel, services, parent);
            }};
}

}  // namespace orrery::panels::quantum_control
