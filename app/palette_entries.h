// What the command palette offers.
#pragma once

#include "app/command_palette.h"
#include "panels/common/panel.h"

#include <QStringList>
#include <map>
#include <vector>

namespace orrery {

// `standing`: commands with their arguments that menus offer, by text, with the words of the menu and the shortcut.
struct StandingCommand {
    QString title;
    std::string text;
    QString shortcut;
};
[[nodiscard]] std::vector<PaletteEntry> palette_entries(std::vector<PanelDescriptor> const& panels,
                                                        CommandBus const& commands,
                                                        std::vector<StandingCommand> const& standing,
                                                        QStringList const& recent_files);

}  // namespace orrery
