// A growing column of numbers and the smallest and largest of any range of it, exactly. Blocks of 64 values, blocks of
// 64 blocks and so on: 3.2 % more memory than the values, and an answer in a few hundred reads whatever the range. (So
// a line of ten million points is drawn with two vertices a pixel column and no peak is lost.)
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace orrery {

// Doubles in pieces that never move: appending to ten million costs as little as to ten.
class GrowingColumn {
public:
    static constexpr std::size_t piece_size = 65536;
    void append(std::span<double const> values);
    void clear();
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] double operator[](std::size_t index) const {
        return m_pieces[index / piece_size][index % piece_size];
    }
    [[nodiscard]] double back() const { return (*this)[m_size - 1]; }
    void set(std::size_t index, double value) { m_pieces[index / piece_size][index % piece_size] = value; }
    // The values first..last-1 that lie in one piece: at least one, where first < last.
    [[nodiscard]] std::span<double const> run(std::size_t first, std::size_t last) const;
    [[nodiscard]] std::vector<double> copy(std::size_t first, std::size_t last) const;

private:
    std::vector<std::unique_ptr<double[]>> m_pieces;
    std::size_t m_size = 0;
};

struct MinMax {
    double minimum, maximum;  // +infinity, -infinity: no number among them
    [[nodiscard]] bool empty() const { return !(minimum <= maximum); }
};

// Over a column that only grows. NaN is passed over.
class MinMaxPyramid {
public:
    static constexpr std::size_t fan_out = 64;
    // Takes in what was appended to the column since the last call.
    void extend(GrowingColumn const& column);
    void clear();
    // Of the values first..last-1. All of them must have been taken in.
    [[nodiscard]] MinMax range(GrowingColumn const& column, std::size_t first, std::size_t last) const;
    [[nodiscard]] MinMax whole(GrowingColumn const& column) const { return range(column, 0, column.size()); }
    [[nodiscard]] std::size_t bytes() const;

private:
    // m_levels[k][i]: of the values i*64^(k+1) ... ; the last block of a level may be part filled.
    std::vector<std::vector<MinMax>> m_levels;
    std::size_t m_taken = 0;
};

// The first index in first..size whose x is >= value (or > value). x never falls. Searched outwards from `first`, so
// that asking for one pixel column after the other is quick; `stride` is a guess of how far.
[[nodiscard]] std::size_t lower_bound_from(GrowingColumn const& x, std::size_t first, double value,
                                           std::size_t stride = 1);

// Which points draw the part x_min..x_max of a line on `columns` pixel columns: the line's own points, with one
// neighbour on either side, when they are few; else the smallest and largest of each column, in the order that keeps
// the line short. NaN ends a stretch: points of two stretches are set apart by a NaN.
struct ReducedLine {
    std::vector<double> x, y;
    bool reduced = false;
};
void reduce_line(GrowingColumn const& x, GrowingColumn const& y, MinMaxPyramid const& pyramid, double x_min,
                 double x_max, int columns, bool x_logarithmic, ReducedLine& result);

}  // namespace orrery
