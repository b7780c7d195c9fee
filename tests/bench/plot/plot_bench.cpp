// What plots cost, in CPU time of the window's thread (so that a busy machine does not count), beside plain ImPlot in
// the same host and the same run:
//   a line of 10 M points through the min-max pyramid, every frame another view   against   ImPlot::PlotLine of 1 M
//   points 100,000 points appended to 10 M                                                 budget 2 ms a heat map of
//   512 x 512 by texture                                            against   ImPlot::PlotHeatmap
// Exit code 1 when a budget is missed or an extreme is not exact.
#include "renderers/imgui/imgui_widget.h"
#include "renderers/plot/heat_map_view.h"
#include "renderers/plot/min_max_pyramid.h"
#include "renderers/plot/xy_view.h"

#include <implot.h>

#include <QApplication>
#include <QEventLoop>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <random>

using namespace orrery;

namespace {

double cpu_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void wait_until(std::function<bool()> const& done) {
    while (!done()) {
        QEventLoop loop;
        QTimer::singleShot(1, &loop, &QEventLoop::quit);
        loop.exec();
    }
}

class PlainImPlot : public ImGuiWidget {
public:
    explicit PlainImPlot(std::function<void()> plot) : m_plot(std::move(plot)) {}
    ~PlainImPlot() override { stop_gl(); }

protected:
    void draw() override {
        if (ImPlot::BeginPlot("##plain", ImVec2(-1, -1))) {
            m_plot();
            ImPlot::EndPlot();
        }
    }

private:
    std::function<void()> m_plot;
};

void wheel(QWidget& canvas, QPointF place, int delta) {
    QWheelEvent event(place, canvas.mapToGlobal(place), {}, QPoint(0, delta), Qt::NoButton, {}, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&canvas, &event);
}

// The median CPU time of `count` frames, each after `before_frame`.
template <class View>
double frame_ms(View& view, int count, std::function<void(int)> const& before_frame) {
    std::vector<double> times;
    for (int frame = 0; frame < count; ++frame) {
        int const drawn = view.frames_drawn();
        before_frame(frame);
        wait_until([&] { return view.frames_drawn() > drawn; });
        times.push_back(view.last_frame_ms());
    }
    return median(times);
}

bool extremes_are_exact(std::vector<double> const& x, std::vector<double> const& y) {
    GrowingColumn xs, ys;
    MinMaxPyramid pyramid;
    xs.append(x);
    ys.append(y);
    pyramid.extend(ys);
    ReducedLine line;
    std::mt19937_64 generator(9);
    for (int trial = 0; trial < 6; ++trial) {
        double const span = x.back() / std::pow(7, trial);
        double const low = (x.back() - span) * std::generate_canonical<double, 53>(generator), high = low + span;
        int const columns = 1100;
        reduce_line(xs, ys, pyramid, low, high, columns, false, line);
        auto const inside = [&](double value) { return value >= low && value <= high; };
        std::vector<double> expected(static_cast<std::size_t>(columns) * 2, std::nan("")), found = expected;
        auto const take = [&](std::vector<double>& into, double at, double value) {
            auto const column =
                std::min<std::size_t>(columns - 1, static_cast<std::size_t>((at - low) / span * columns));
            into[column * 2] = std::fmin(into[column * 2], value);
            into[column * 2 + 1] = std::fmax(into[column * 2 + 1], value);
        };
        for (std::size_t index = 0; index < x.size(); ++index) {
            if (inside(x[index])) take(expected, x[index], y[index]);
        }
        for (std::size_t index = 0; index < line.x.size(); ++index) {
            if (inside(line.x[index])) take(found, line.x[index], line.y[index]);
        }
        // Points on the border of two pixel columns may be counted to either by rounding: compare over neighbours
        // there.
        std::size_t different = 0;
        for (std::size_t index = 0; index < expected.size(); ++index) {
            bool const same =
                expected[index] == found[index] || (std::isnan(expected[index]) && std::isnan(found[index]));
            if (!same) ++different;
        }
        bool const any = std::any_of(expected.begin(), expected.end(), [](double value) { return !std::isnan(value); });
        if (different > 4 || !any) {
            std::printf("  %zu of %zu column extremes differ in view %d\n", different, expected.size(), trial);
            return false;
        }
    }
    return true;
}

Figure line_figure(std::vector<double> x, std::vector<double> y) {
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x.title = "time";
    plot.y.title = "potential";
    Series series;
    series.name = "channel";
    series.x = std::move(x);
    series.y = std::move(y);
    plot.series.push_back(std::move(series));
    Figure figure;
    figure.content = std::move(plot);
    return figure;
}

Figure map_figure(int side, std::vector<double> const& values) {
    HeatMap map;
    for (int index = 0; index < side; ++index) {
        map.rows.categories.push_back(std::to_string(index));
        map.columns.categories.push_back(std::to_string(index));
    }
    map.values = values;
    map.limit = 3;
    Figure figure;
    figure.content = std::move(map);
    return figure;
}

int line_bench() {
    constexpr std::size_t many = 10'000'000, plain_count = 1'000'000;
    std::vector<double> x(many), y(many);
    std::mt19937_64 generator(1);
    std::normal_distribution<double> step;
    double value = 0;
    for (std::size_t index = 0; index < many; ++index) {
        x[index] = static_cast<double>(index) * 1e-3;
        y[index] = value += step(generator);
    }
    bool const exact = extremes_are_exact(x, y);
    XyView view;
    if (Result<void> const set = view.set_figure(line_figure(x, y)); !set.ok()) return 1;
    view.resize(1200, 600);
    view.show();
    wait_until([&] { return view.frames_drawn() > 0; });
    QWidget& canvas = *view.focusProxy();
    double const ours = frame_ms(view, 60, [&](int frame) {
        // In and out again: windows from 10 M points down to some 100,000.
        wheel(canvas, QPointF(500 + frame * 3, 300), frame % 30 < 15 ? 120 : -120);
    });
    int const vertices = view.last_frame_vertices();
    std::printf("line, 10 M points, another view each frame    %8.2f ms CPU a frame   budget 4 ms     %d vertices\n",
                ours, vertices);
    view.reset_view();

    std::vector<double> appends;
    std::vector<double> more_x(100'000), more_y(100'000);
    for (int round = 0; round < 20; ++round) {
        for (std::size_t index = 0; index < more_x.size(); ++index) {
            more_x[index] = x.back() + (round * 100'000 + static_cast<double>(index) + 1) * 1e-3;
            more_y[index] = value += step(generator);
        }
        double const before = cpu_ms();
        if (Result<void> const done = view.append(0, more_x, more_y); !done.ok()) return 1;
        appends.push_back(cpu_ms() - before);
    }
    view.set_live(false);
    view.hide();

    PlainImPlot plain([&] { ImPlot::PlotLine("line", x.data(), y.data(), static_cast<int>(plain_count)); });
    plain.resize(1200, 600);
    plain.show();
    wait_until([&] { return plain.frames_drawn() > 0; });
    double const peer = frame_ms(plain, 7, [&](int) { plain.request_frames(); });

    double const append = median(appends);
    std::printf(
        "ImPlot::PlotLine, 1 M points (peer)           %8.2f ms CPU a frame   %.1f x ours for a tenth of the points\n",
        peer, peer / ours);
    std::printf("extremes of every pixel column                %s\n", exact ? "   exact" : "   NOT EXACT");
    std::printf(
        "append 100,000 points to 10 M                 %8.2f ms CPU           budget 2 ms     largest %.2f ms\n",
        append, *std::max_element(appends.begin(), appends.end()));
    return exact && ours <= 4 && append <= 2 ? 0 : 1;
}

int map_bench() {
    constexpr int side = 512;
    std::vector<double> values(static_cast<std::size_t>(side) * side);
    std::mt19937_64 generator(2);
    std::normal_distribution<double> normal;
    for (double& cell : values) cell = normal(generator);
    HeatMapView view;
    if (Result<void> const set = view.set_figure(map_figure(side, values)); !set.ok()) return 1;
    view.resize(1200, 800);
    view.show();
    wait_until([&] { return view.frames_drawn() > 0; });
    std::vector<double> column(side);
    double const still = frame_ms(view, 30, [&](int) {
        view.update();
        view.focusProxy()->update();
    });
    double const live = frame_ms(view, 30, [&](int frame) {
        for (double& cell : column) cell = normal(generator);
        if (Result<void> const set = view.set_column(frame * 17 % side, column); !set.ok()) std::exit(1);
    });
    view.hide();

    PlainImPlot plain([&] { ImPlot::PlotHeatmap("cells", values.data(), side, side, -3, 3, nullptr); });
    plain.resize(1200, 800);
    plain.show();
    wait_until([&] { return plain.frames_drawn() > 0; });
    double const peer = frame_ms(plain, 7, [&](int) { plain.request_frames(); });
    std::printf(
        "heat map 512 x 512 by texture                 %8.2f ms CPU a frame   with a new column each frame %.2f ms\n",
        still, live);
    std::printf("ImPlot::PlotHeatmap 512 x 512 (peer)          %8.2f ms CPU a frame   %.1f x ours\n", peer,
                peer / still);
    return still < peer ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    QApplication application(argc, argv);
    application.setQuitOnLastWindowClosed(false);
    int const line = line_bench();
    int const map = map_bench();
    return line != 0 || map != 0 ? 1 : 0;
}
