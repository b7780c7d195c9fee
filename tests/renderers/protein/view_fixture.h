// A protein view in a window of its own, with the waiting that tests of it need.
#pragma once

#include "renderers/protein/protein_view.h"
#include "renderers/protein/protein_view_loader.h"
#include "tests/catch.h"
#include "tests/renderers/window_test.h"

#include <QColor>
#include <QImage>
#include <memory>

namespace orrery::tests {

struct ViewFixture {
    std::unique_ptr<ProteinView> view;

    ViewFixture(int width, int height) {
        auto made = create_protein_view(nullptr);
        REQUIRE(made);
        view.reset(*made);
        view->resize(width, height);
        view->show();
    }
    // Sets the structure and waits for its full picture.
    void show(std::shared_ptr<Structure const> const& structure) {
        bool shown = false;
        auto const connection = QObject::connect(view.get(), &ProteinView::shown, [&] { shown = true; });
        view->set_structure(structure);
        CHECK(wait_until([&] { return shown; }, 60'000));
        QObject::disconnect(connection);
        settle();
    }
    void set(ProteinDisplay const& display) {
        view->set_display(display);
        settle();
    }
    // Until shapes are made, motion has ended and no frame comes any more.
    void settle() {
        CHECK(wait_until([&] { return !view->busy(); }, 120'000));
        std::uint64_t frames = ~std::uint64_t(0);
        CHECK(wait_until(
            [&] {
                if (view->canvas()->moving()) return false;
                bool const same = view->canvas()->frames() == frames;
                frames = view->canvas()->frames();
                if (!same) wait_for(600);
                return same && frames > 0;
            },
            120'000));
    }
    [[nodiscard]] QImage picture() const { return view->grab().toImage().convertToFormat(QImage::Format_ARGB32); }
};

// Part of the pixels whose three channels lie within `tolerance` of `color`.
inline double share_of(QImage const& image, QColor const& color, int tolerance) {
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            QColor const c = image.pixelColor(x, y);
            if (std::abs(c.red() - color.red()) <= tolerance && std::abs(c.green() - color.green()) <= tolerance &&
                std::abs(c.blue() - color.blue()) <= tolerance)
                ++found;
        }
    return double(found) / (double(image.width()) * image.height());
}

}  // namespace orrery::tests
