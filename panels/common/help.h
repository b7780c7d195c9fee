// Help page and citation of a room, as windows beside the main one (never blocking).
#pragma once

class QWidget;

namespace orrery {

struct PanelDescriptor;

void show_help(PanelDescriptor const& panel, QWidget* parent);
void show_citation(PanelDescriptor const& panel, QWidget* parent);

}  // namespace orrery
