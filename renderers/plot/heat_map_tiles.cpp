#include "renderers/plot/heat_map_tiles.h"

#include "renderers/imgui/opengl_backend.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace orrery {

void tile_texels(HeatMapLevels const& levels, ColorScale scale, ColorRange const& range, int row_shift,
                 int column_shift, std::size_t first_row, std::size_t first_column, int rows, int columns,
                 std::vector<std::uint32_t>& texels) {
    static_assert(std::endian::native == std::endian::little, "RGBA bytes are written as one little-endian word");
    std::array<std::uint32_t, 256> words{};
    std::array<Rgb, 256> const& table = color_table(scale);
    for (std::size_t index = 0; index < words.size(); ++index) {
        words[index] = 0xFF000000U | static_cast<std::uint32_t>(table[index][2]) << 16 |
                       static_cast<std::uint32_t>(table[index][1]) << 8 | table[index][0];
    }
    texels.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    std::size_t next = 0;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            float const value = levels.at(first_row + static_cast<std::size_t>(row),
                                          first_column + static_cast<std::size_t>(column), row_shift, column_shift);
            if (std::isnan(value)) {
                texels[next++] = 0;
                continue;
            }
            double const position = std::clamp(range.position(static_cast<double>(value)), 0.0, 1.0) * 255;
            texels[next++] = words[static_cast<std::size_t>(std::lround(position))];
        }
    }
}

std::vector<HeatMapTile> HeatMapTiles::cover(HeatMapLevels const& levels, ColorScale scale, ColorRange const& range,
                                             double x_min, double x_max, double y_min, double y_max, int row_shift,
                                             int column_shift) {
    std::size_t const block_rows = (levels.rows() + (std::size_t{1} << row_shift) - 1) >> row_shift;
    std::size_t const block_columns = (levels.columns() + (std::size_t{1} << column_shift) - 1) >> column_shift;
    auto const first_tile = [](double low, int shift) {
        return static_cast<std::size_t>(std::max(0.0, std::floor(low))) / side >> shift;
    };
    auto const last_tile = [](double high, int shift, std::size_t blocks) {
        auto const cell = static_cast<std::size_t>(std::max(0.0, std::ceil(high)));
        return std::min((cell >> shift) / side, (blocks - 1) / side);
    };
    std::vector<HeatMapTile> result;
    for (std::size_t row = first_tile(y_min, row_shift); row <= last_tile(y_max, row_shift, block_rows); ++row) {
        for (std::size_t column = first_tile(x_min, column_shift);
             column <= last_tile(x_max, column_shift, block_columns); ++column) {
            std::size_t const first_row = row * side, first_column = column * side;
            int const rows = static_cast<int>(std::min<std::size_t>(side, block_rows - first_row));
            int const columns = static_cast<int>(std::min<std::size_t>(side, block_columns - first_column));
            Entry& entry = m_tiles[Key{row_shift, column_shift, row, column}];
            entry.used = ++m_clock;
            if (entry.texture == 0 || entry.stale) {
                tile_texels(levels, scale, range, row_shift, column_shift, first_row, first_column, rows, columns,
                            m_texels);
                if (entry.texture == 0) {
                    entry.texture = make_texture(columns, rows, m_texels.data());
                } else {
                    update_texture(entry.texture, columns, rows, m_texels.data());
                }
                entry.stale = false;
                ++m_built;
            }
            HeatMapTile tile;
            tile.texture = entry.texture;
            tile.x_min = static_cast<double>(first_column << column_shift);
            tile.y_min = static_cast<double>(first_row << row_shift);
            // The last block may reach beyond the map: its texel is drawn in full and clipped by the plot.
            tile.x_max = static_cast<double>((first_column + static_cast<std::size_t>(columns)) << column_shift);
            tile.y_max = static_cast<double>((first_row + static_cast<std::size_t>(rows)) << row_shift);
            result.push_back(tile);
        }
    }
    while (m_tiles.size() > std::max(most_kept, result.size())) drop_oldest();
    return result;
}

void HeatMapTiles::drop_oldest() {
    auto const oldest = std::min_element(m_tiles.begin(), m_tiles.end(),
                                         [](auto const& a, auto const& b) { return a.second.used < b.second.used; });
    delete_texture(oldest->second.texture);
    m_tiles.erase(oldest);
}

void HeatMapTiles::invalidate(std::size_t row, std::size_t row_end, std::size_t column, std::size_t column_end) {
    for (auto& [key, entry] : m_tiles) {
        auto const& [row_shift, column_shift, tile_row, tile_column] = key;
        std::size_t const first_row = tile_row * side << row_shift, last_row = (tile_row + 1) * side << row_shift;
        std::size_t const first_column = tile_column * side << column_shift;
        std::size_t const last_column = (tile_column + 1) * side << column_shift;
        if (row < last_row && row_end > first_row && column < last_column && column_end > first_column)
            entry.stale = true;
    }
}

void HeatMapTiles::invalidate_all() {
    for (auto& [key, entry] : m_tiles) entry.stale = true;
}

void HeatMapTiles::release() {
    for (auto const& [key, entry] : m_tiles) {
        if (entry.texture != 0) delete_texture(entry.texture);
    }
    m_tiles.clear();
}

}  // namespace orrery
