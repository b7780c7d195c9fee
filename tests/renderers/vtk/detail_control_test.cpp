#include "renderers/vtk/detail_control.h"
#include "tests/catch.h"

using namespace orrery::view3d;

TEST_CASE("quick scenes keep full detail while moving") {
    DetailControl control;
    control.record(0, 12);
    CHECK(control.choose() == 0);
}

TEST_CASE("slow scenes drop at once to a level expected to fit, and further when it does not") {
    DetailControl control;
    control.record(0, 180);
    int const first = control.choose();
    CHECK(first >= 1);
    control.record(first, 120);
    CHECK(control.choose() > first);
}

TEST_CASE("detail comes back only with a margin") {
    DetailControl control;
    control.record(0, 60);
    int const level = control.choose();
    CHECK(level == 1);
    for (int i = 0; i < 20; ++i) control.record(0, 30);  // fits, but barely
    CHECK(control.choose() == 1);
    for (int i = 0; i < 20; ++i) control.record(0, 10);
    CHECK(control.choose() == 0);
}

TEST_CASE("nothing known: full detail; the last level is never left") {
    DetailControl control;
    CHECK(control.choose() == 0);
    for (int level = 0; level < detail_levels; ++level) control.record(level, 900);
    CHECK(control.choose() == detail_levels - 1);
    control.forget();
    CHECK(control.choose() == 0);
}
