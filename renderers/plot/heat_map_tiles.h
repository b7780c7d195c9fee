// The cells of a heat map as GL textures of at most 256 x 256 texels, made when they come into view, the longest unseen
// dropped first. One texel is one cell, or a block of them where cells are smaller than a pixel.
#pragma once

#include "core/base/color_maps.h"
#include "renderers/plot/heat_map_levels.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace orrery {

struct HeatMapTile {
    unsigned texture = 0;
    double x_min = 0, x_max = 0, y_min = 0, y_max = 0;  // in cells
};

class HeatMapTiles {
public:
    static constexpr int side = 256;
    static constexpr std::size_t most_kept = 256;  // 64 MiB of texels

    // The tiles that cover cells x_min..x_max, y_min..y_max, with blocks of 2^row_shift x 2^column_shift cells a texel.
    // With the GL context current.
    std::vector<HeatMapTile> cover(HeatMapLevels const& levels, ColorScale scale, ColorRange const& range, double x_min,
                                   double x_max, double y_min, double y_max, int row_shift, int column_shift);
    // Drops the tiles with a cell of row..row_end-1, column..column_end-1; or all.
    void invalidate(std::size_t row, std::size_t row_end, std::size_t column, std::size_t column_end);
    void invalidate_all();
    void release();  // with the GL context current
    [[nodiscard]] std::size_t kept() const { return m_tiles.size(); }
    [[nodiscard]] std::size_t built() const { return m_built; }

private:
    using Key = std::tuple<int, int, std::size_t, std::size_t>;  // row_shift, column_shift, tile row, tile column
    struct Entry {
        unsigned texture = 0;
        std::uint64_t used = 0;
        bool stale = false;
    };
    void drop_oldest();
    std::map<Key, Entry> m_tiles;
    std::vector<std::uint32_t> m_texels;
    std::uint64_t m_clock = 0;
    std::size_t m_built = 0;
};

// The texels of one tile, row-major RGBA8 (transparent: not computed), as the textures hold them.
void tile_texels(HeatMapLevels const& levels, ColorScale scale, ColorRange const& range, int row_shift,
                 int column_shift, std::size_t first_row, std::size_t first_column, int rows, int columns,
                 std::vector<std::uint32_t>& texels);

}  // namespace orrery
