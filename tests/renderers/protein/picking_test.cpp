#include "renderers/protein/picking.h"
#include "tests/catch.h"
#include "tests/renderers/protein/test_structures.h"

using namespace orrery;
using namespace orrery::protein;
using view3d::Plane;
using view3d::Ray;

TEST_CASE("a ray hits the nearer of two atoms") {
    tests::StructureBuilder builder;
    builder.chain("A").residue("GLY", 1).atom("CA", 6, {0, 0, 0}).residue("SER", 2).atom("CA", 6, {0, 0, 5});
    auto const structure = builder.build();
    std::vector<float> radii{1.7F, 1.7F};
    Ray const ray{{0.5, 0, 20}, {0, 0, -1}};
    auto const hit = hit_atoms(*structure, radii, ray);
    REQUIRE(hit);
    CHECK(hit->residue == 1);
    CHECK(hit->atom == 1);
    CHECK(hit->distance == Approx(15 - std::sqrt(1.7 * 1.7 - 0.25)));

    SECTION("what is not drawn is not hit") {
        radii[1] = 0;
        CHECK(hit_atoms(*structure, radii, ray)->residue == 0);
        radii[0] = 0;
        CHECK_FALSE(hit_atoms(*structure, radii, ray));
    }
    SECTION("what is cut away is not hit") {
        Plane const behind{{0, 0, 2.5}, {0, 0, -1}};
        CHECK(hit_atoms(*structure, radii, ray, behind)->residue == 0);
    }
    SECTION("nothing behind the eye") { CHECK_FALSE(hit_atoms(*structure, radii, Ray{{0, 0, 20}, {0, 0, 1}})); }
    SECTION("a miss") { CHECK_FALSE(hit_atoms(*structure, radii, Ray{{1.8, 0, 20}, {0, 0, -1}})); }
}

TEST_CASE("a ray hits the ribbon's residue") {
    auto const strand = tests::ideal_strand(10);
    Cartoon const cartoon = make_cartoon(*strand, find_backbone(*strand), {8, 16});
    for (std::uint32_t residue = 0; residue < 10; ++residue) {
        auto const hit = hit_cartoon(cartoon.mesh, cartoon.parts, Ray{{3.4 * residue, 0, 30}, {0, 0, -1}});
        REQUIRE(hit);
        CHECK(hit->residue == residue);
    }
    CHECK_FALSE(hit_cartoon(cartoon.mesh, cartoon.parts, Ray{{10, 4, 30}, {0, 0, -1}}));
    Plane const front{{0, 0, -5}, {0, 0, -1}};
    CHECK_FALSE(hit_cartoon(cartoon.mesh, cartoon.parts, Ray{{10, 0, 30}, {0, 0, -1}}, front));
}
