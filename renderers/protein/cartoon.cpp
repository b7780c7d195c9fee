#include "renderers/protein/cartoon.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery::protein {

using view3d::Vector;

namespace {

// The natural cubic spline through points at parameters 0, 1, 2, ...
class Spline {
public:
    explicit Spline(std::vector<Vector> const& points) : m_points(points), m_second(points.size(), Vector{0, 0, 0}) {
        std::size_t const n = points.size();
        if (n < 3) return;
        // Tridiagonal system of the second derivatives: 1 4 1 on equal steps.
        std::vector<double> factor(n, 0);
        std::vector<Vector> right(n, Vector{0, 0, 0});
        for (std::size_t i = 1; i + 1 < n; ++i) {
            double const pivot = 4 - factor[i - 1];
            factor[i] = 1 / pivot;
            right[i] = ((points[i - 1] + points[i + 1] - points[i] * 2) * 6 - right[i - 1]) * (1 / pivot);
        }
        for (std::size_t i = n - 2; i > 0; --i) m_second[i] = right[i] - m_second[i + 1] * factor[i];
    }
    [[nodiscard]] Vector at(double t) const {
        auto const [i, u] = locate(t);
        double const v = 1 - u;
        return m_points[i] * v + m_points[i + 1] * u + m_second[i] * ((v * v * v - v) / 6) +
               m_second[i + 1] * ((u * u * u - u) / 6);
    }
    [[nodiscard]] Vector slope(double t) const {
        auto const [i, u] = locate(t);
        double const v = 1 - u;
        return m_points[i + 1] - m_points[i] + m_second[i] * ((1 - 3 * v * v) / 6) +
               m_second[i + 1] * ((3 * u * u - 1) / 6);
    }

private:
    struct Place {
        std::size_t i;
        double u;
    };
    [[nodiscard]] Place locate(double t) const {
        double const last = double(m_points.size() - 1);
        t = std::clamp(t, 0.0, last);
        auto const i = std::min(std::size_t(t), m_points.size() - 2);
        return {i, t - double(i)};
    }
    std::vector<Vector> const& m_points;
    std::vector<Vector> m_second;
};

// The cross section: |x / width|^(2/e) + |y / height|^(2/e) = 1; e = 1 an ellipse, small e a rectangle.
struct Profile {
    double width = 0.25, height = 0.25;  // half lengths, Å
    double roundness = 1;
};

Profile constexpr coil_profile{0.27, 0.27, 1};
Profile constexpr helix_profile{1.2, 0.24, 0.8};
Profile constexpr strand_profile{1.15, 0.22, 0.3};
Profile constexpr nucleic_profile{0.75, 0.75, 1};
double constexpr arrow_width = 1.95, arrow_length = 1.45;  // half width in Å; length in residues

Profile blend(Profile const& a, Profile const& b, double t) {
    t = std::clamp(t, 0.0, 1.0);
    t = t * t * (3 - 2 * t);
    auto const mix = [t](double x, double y) { return x + (y - x) * t; };
    return {mix(a.width, b.width), mix(a.height, b.height), mix(a.roundness, b.roundness)};
}

double signed_power(double base, double exponent) { return std::copysign(std::pow(std::abs(base), exponent), base); }

class Builder {
public:
    Builder(Trace const& trace, CartoonDetail const& detail, Cartoon& out)
        : m_trace(trace), m_detail(detail), m_out(out), m_curve(trace.points), m_last(double(trace.points.size() - 1)) {
        find_arrows();
    }

    void build() {
        std::size_t const n = m_trace.points.size();
        for (std::size_t i = 0; i < n; ++i) {
            begin_part(i);
            double const from = std::max(0.0, double(i) - 0.5), to = std::min(m_last, double(i) + 0.5);
            if (i == 0) cap(from, -1);
            std::vector<double> stations;
            int const steps = std::max(1, int(std::lround(m_detail.steps * (to - from))));
            for (int j = 0; j <= steps; ++j) stations.push_back(from + (to - from) * j / steps);
            double const base = m_arrow_base[i];
            bool const has_base = base > from + 1e-9 && base < to - 1e-9;
            if (has_base) {
                stations.erase(std::remove_if(stations.begin() + 1, stations.end() - 1,
                                              [base](double t) { return std::abs(t - base) < 0.04; }),
                               stations.end() - 1);
                stations.insert(std::lower_bound(stations.begin(), stations.end(), base), base);
            }
            strip(stations, has_base ? base : -1);
            if (base >= 0 && !has_base && std::abs(base - from) < 1e-9) shoulder(base);
            if (i + 1 == n) cap(to, 1);
            end_part();
        }
    }

private:
    // Where the head of the strand that ends a run begins; -1 where the residue holds none.
    void find_arrows() {
        std::size_t const n = m_trace.points.size();
        m_arrow_base.assign(n, -1);
        m_arrow_of.assign(n, -1);
        for (std::size_t i = 0; i < n; ++i) {
            if (m_trace.secondary[i] != SecondaryStructure::strand) continue;
            if (i + 1 < n && m_trace.secondary[i + 1] == SecondaryStructure::strand) continue;
            std::size_t first = i;
            while (first > 0 && m_trace.secondary[first - 1] == SecondaryStructure::strand) --first;
            double const end = std::min(double(i) + 0.5, m_last);
            double const base = std::max(end - arrow_length, double(first));
            for (std::size_t j = first; j <= i; ++j) m_arrow_of[j] = base;
            m_arrow_base[std::size_t(std::lround(std::floor(base + 0.5)))] = base;
        }
    }

    [[nodiscard]] Profile profile_of(std::size_t i) const {
        if (m_trace.nucleic) return nucleic_profile;
        switch (m_trace.secondary[i]) {
            case SecondaryStructure::helix:
                return helix_profile;
            case SecondaryStructure::strand:
                return strand_profile;
            default:
                return coil_profile;
        }
    }

    // `after`: beyond the arrow's base where t lies on it.
    [[nodiscard]] Profile profile_at(double t, std::size_t i, bool after) const {
        Profile const own = profile_of(i);
        if (m_trace.nucleic || m_trace.secondary[i] == SecondaryStructure::coil) return own;
        std::size_t const n = m_trace.points.size();
        Profile result = own;
        // A run begins and ends as coil, so that the next residue's tube fits on.
        if ((i == 0 || m_trace.secondary[i - 1] != m_trace.secondary[i]) && i > 0)
            result = blend(coil_profile, own, (t - (double(i) - 0.5)) / 0.55);
        if (m_trace.secondary[i] == SecondaryStructure::helix) {
            if (i + 1 < n && m_trace.secondary[i + 1] != m_trace.secondary[i])
                result = blend(coil_profile, own, (double(i) + 0.5 - t) / 0.55);
            return result;
        }
        double const base = m_arrow_of[i];
        if (base >= 0 && (t > base + 1e-9 || (after && t > base - 1e-9))) {
            std::size_t last = i;
            while (last + 1 < n && m_trace.secondary[last + 1] == SecondaryStructure::strand) ++last;
            double const end = std::min(double(last) + 0.5, m_last);
            double const part = std::clamp((end - t) / std::max(end - base, 1e-6), 0.0, 1.0);
            double const tip = coil_profile.width * 0.9;
            result = {tip + (arrow_width - tip) * part, strand_profile.height, strand_profile.roundness};
        }
        return result;
    }

    struct Frame {
        Vector center, along, across, normal;
    };
    [[nodiscard]] Frame frame_at(double t) const {
        Frame frame;
        frame.center = m_curve.at(t);
        frame.along = normalized(m_curve.slope(t));
        if (length(frame.along) == 0) frame.along = {0, 0, 1};
        auto const i = std::min(std::size_t(std::clamp(t, 0.0, m_last)), m_trace.points.size() - 2);
        double const u = std::clamp(t - double(i), 0.0, 1.0);
        Vector across = m_trace.sides[i] * (1 - u) + m_trace.sides[i + 1] * u;
        across = across - frame.along * dot(across, frame.along);
        if (length(across) < 1e-6) across = cross(frame.along, Vector{0.31, 0.59, 0.74});
        frame.across = normalized(across);
        frame.normal = cross(frame.along, frame.across);
        return frame;
    }

    std::uint32_t vertex(Vector const& position, Vector const& normal) {
        auto& mesh = m_out.mesh;
        for (double const v : position) mesh.positions.push_back(float(v));
        for (double const v : normal) mesh.normals.push_back(float(v));
        m_out.vertex_residue.push_back(m_residue);
        return std::uint32_t(m_out.vertex_residue.size() - 1);
    }

    // A ring of vertices. `slope`: change of the half lengths along the curve, Å per Å, which tilts the normals;
    // `flat`: all normals along this vector instead.
    std::uint32_t ring(Frame const& frame, Profile const& profile, std::array<double, 2> const& slope,
                       Vector const* flat, double scale = 1) {
        std::uint32_t first = 0;
        for (int k = 0; k < m_detail.sides; ++k) {
            // Half a step off the axes: with few sides the corners of a rectangle are met.
            double const angle = 2 * std::numbers::pi * (k + 0.5) / m_detail.sides;
            double const c = std::cos(angle), s = std::sin(angle), e = profile.roundness;
            double const x = signed_power(c, e), y = signed_power(s, e);
            Vector const position =
                frame.center + frame.across * (x * profile.width * scale) + frame.normal * (y * profile.height * scale);
            Vector normal;
            if (flat) {
                normal = *flat;
            } else {
                double nx = signed_power(c, 2 - e) / profile.width, ny = signed_power(s, 2 - e) / profile.height;
                double const size = std::hypot(nx, ny);
                nx /= size, ny /= size;
                double const rise = nx * x * slope[0] + ny * y * slope[1];
                normal = normalized(frame.across * nx + frame.normal * ny - frame.along * rise);
            }
            std::uint32_t const index = vertex(position, normal);
            if (k == 0) first = index;
        }
        return first;
    }

    void connect(std::uint32_t a, std::uint32_t b) {
        auto const sides = std::uint32_t(m_detail.sides);
        auto& triangles = m_out.mesh.triangles;
        for (std::uint32_t k = 0; k < sides; ++k) {
            std::uint32_t const l = (k + 1) % sides;
            // Counter-clockwise from outside: the frame (along, across, normal) is right-handed.
            for (std::uint32_t const index : {a + k, a + l, b + l, a + k, b + l, b + k}) triangles.push_back(index);
        }
    }

    [[nodiscard]] std::array<double, 2> slope_at(double t, bool after) const {
        double constexpr h = 0.02;
        std::size_t const i = m_index;
        double const low = std::max(t - (after ? 0 : h), 0.0), high = std::min(t + (after ? h : 0), m_last);
        if (high - low < 1e-9) return {0, 0};
        Profile const a = profile_at(low, i, after), b = profile_at(high, i, after);
        double const run = std::max(length(m_curve.slope(t)) * (high - low), 1e-6);
        return {(b.width - a.width) / run, (b.height - a.height) / run};
    }

    void strip(std::vector<double> const& stations, double base) {
        std::uint32_t before = 0;
        bool first = true;
        for (double const t : stations) {
            Frame const frame = frame_at(t);
            bool const on_base = base >= 0 && std::abs(t - base) < 1e-9;
            bool const start_of_head = first && m_arrow_of[m_index] >= 0 && std::abs(t - m_arrow_of[m_index]) < 1e-9;
            std::uint32_t const here = ring(frame, profile_at(t, m_index, start_of_head), slope_at(t, first), nullptr);
            if (!first) connect(before, here);
            before = here;
            if (on_base) {
                shoulder(t);
                before = ring(frame, profile_at(t, m_index, true), slope_at(t, true), nullptr);
            }
            first = false;
        }
    }

    // The back of an arrow's head: from the band's outline to the head's, facing backwards.
    void shoulder(double t) {
        Frame const frame = frame_at(t);
        Vector const back = frame.along * -1;
        std::size_t const previous =
            m_index > 0 && std::abs(t - (double(m_index) - 0.5)) < 1e-9 ? m_index - 1 : m_index;
        std::uint32_t const inner = ring(frame, profile_at(t, previous, false), {0, 0}, &back);
        std::uint32_t const outer = ring(frame, profile_at(t, m_index, true), {0, 0}, &back);
        connect(inner, outer);
    }

    // A dome over the end; direction -1 at the start, 1 at the end of the stretch.
    void cap(double t, int direction) {
        Frame frame = frame_at(t);
        Profile const profile = profile_at(t, m_index, false);
        double const depth = std::min(profile.width, profile.height);
        Vector const outward = frame.along * direction, center = frame.center;
        int const rings = std::max(2, m_detail.sides / 4);
        std::uint32_t before = 0;
        for (int j = 0; j <= rings; ++j) {
            double const angle = std::numbers::pi / 2 * j / rings;
            double const size = std::max(std::cos(angle), 1e-3);
            frame.center = center + outward * (depth * std::sin(angle));
            std::uint32_t const here = ring(frame, profile, {0, 0}, nullptr, size);
            for (int k = 0; k < m_detail.sides; ++k) {
                float* const n = &m_out.mesh.normals[3 * (std::size_t(here) + std::size_t(k))];
                Vector const tilted = normalized(Vector{double(n[0]), double(n[1]), double(n[2])} * std::cos(angle) +
                                                 outward * std::sin(angle));
                for (std::size_t axis = 0; axis < 3; ++axis) n[axis] = float(tilted[axis]);
            }
            if (j > 0) direction > 0 ? connect(before, here) : connect(here, before);
            before = here;
        }
    }

    void begin_part(std::size_t i) {
        m_index = i;
        m_residue = m_trace.residues[i];
        m_part_vertex = m_out.vertex_residue.size();
        m_part_triangle = m_out.mesh.triangles.size() / 3;
    }

    void end_part() {
        Cartoon::Part part;
        part.residue = m_residue;
        part.first_triangle = std::uint32_t(m_part_triangle);
        part.triangle_count = std::uint32_t(m_out.mesh.triangles.size() / 3 - m_part_triangle);
        auto const& positions = m_out.mesh.positions;
        std::size_t const end = m_out.vertex_residue.size();
        Vector low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
        for (std::size_t v = m_part_vertex; v < end; ++v)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                low[axis] = std::min(low[axis], double(positions[3 * v + axis]));
                high[axis] = std::max(high[axis], double(positions[3 * v + axis]));
            }
        part.center = (low + high) * 0.5;
        part.radius = length(high - low) / 2;
        m_out.parts.push_back(part);
    }

    Trace const& m_trace;
    CartoonDetail const& m_detail;
    Cartoon& m_out;
    Spline m_curve;
    double m_last;
    std::vector<double> m_arrow_base;  // where the head's base lies, for the residue that holds it; else -1
    std::vector<double> m_arrow_of;    // the base of the strand a residue belongs to; else -1
    std::size_t m_index = 0;
    std::uint32_t m_residue = 0;
    std::size_t m_part_vertex = 0, m_part_triangle = 0;
};

}  // namespace

CartoonDetail CartoonDetail::for_size(std::size_t residues, std::size_t triangles) {
    for (CartoonDetail const detail :
         {CartoonDetail{10, 20}, CartoonDetail{8, 16}, CartoonDetail{6, 12}, CartoonDetail{4, 10}})
        if (residues * std::size_t(detail.steps) * std::size_t(detail.sides) * 2 <= triangles) return detail;
    return {3, 8};
}

Cartoon make_cartoon(Structure const&, Backbone const& backbone, CartoonDetail const& detail) {
    Cartoon cartoon;
    std::size_t rings = 0;
    for (Trace const& trace : backbone.traces) rings += trace.points.size() * std::size_t(detail.steps + 2) + 12;
    std::size_t const vertices = rings * std::size_t(detail.sides);
    cartoon.mesh.positions.reserve(3 * vertices);
    cartoon.mesh.normals.reserve(3 * vertices);
    cartoon.vertex_residue.reserve(vertices);
    cartoon.mesh.triangles.reserve(6 * vertices);
    for (Trace const& trace : backbone.traces) Builder(trace, detail, cartoon).build();
    return cartoon;
}

}  // namespace orrery::protein
