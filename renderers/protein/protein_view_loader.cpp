#include "renderers/protein/protein_view_loader.h"

#include "renderers/protein/protein_view.h"
#include "renderers/vtk/view_module.h"

namespace orrery {

Result<ProteinView*> create_protein_view(QWidget* parent) {
    ORRERY_CHECK(find_view_module(view3d_module));
    return new ProteinView(parent);
}

}  // namespace orrery
