#include "renderers/protein/protein_view.h"
#include "renderers/protein/protein_view_loader.h"
#include "renderers/selection.h"
#include "renderers/theme.h"
#include "tests/catch.h"
#include "tests/renderers/protein/test_structures.h"
#include "tests/renderers/window_test.h"

#include <QLabel>
#include <QSignalSpy>

using namespace orrery;

TEST_CASE("without OpenGL: a message with a remedy, and everything else keeps working") {
    ORRERY_NEED_WINDOW();
    qputenv("ORRERY_NO_GL", "1");
    ThemeNotifier::instance().set(*Theme::load("light"));
    auto made = create_protein_view(nullptr);
    REQUIRE(made);
    std::unique_ptr<ProteinView> const view(*made);
    SelectionModel selection;
    view->set_selection_model(&selection);
    view->resize(640, 480);
    view->show();
    QSignalSpy failed(view.get(), &ProteinView::failed);
    view->set_structure(tests::ideal_helix(20));
    REQUIRE(tests::wait_until([&] { return !failed.isEmpty(); }, 60'000));
    CHECK(failed[0][0].toString().contains("3-D is turned off"));
    QString text;
    for (QLabel const* label : view->findChildren<QLabel*>())
        if (label->isVisible()) text += label->text() + "\n";
    CHECK(text.contains("The 3-D view can't be shown"));
    CHECK(text.contains("unset ORRERY_NO_GL"));
    tests::save_screenshot(*view, "protein_without_gl");

    selection.select("residue", {"A:3"});
    auto display = view->display();
    display.surface = true;
    display.spheres = true;
    view->set_display(display);
    view->reset_camera();
    view->fit_selection();
    CHECK_FALSE(view->slice_at_interface());
    CHECK(view->canvas() == nullptr);
    CHECK(view->residue_at({100, 100}).isEmpty());
    CHECK_FALSE(view->position_of("A:3"));
    CHECK(view->render_image({}).error().what == "there is no structure to draw");
    Json const state = view->state();
    CHECK(state["display"]["surface"] == true);
    CHECK(view->restore_state(state));
    view->set_structure(tests::ideal_helix(5));
    CHECK(tests::wait_until([&] { return failed.size() == 2; }, 60'000));
    view->set_structure(nullptr);
    CHECK(view->empty_text().contains("Drop a PDB or mmCIF file here"));
}
