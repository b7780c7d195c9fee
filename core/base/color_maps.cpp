#include "core/base/color_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace orrery {
namespace {

using Table = std::array<Rgb, 256>;

// The published values (public domain, CC0) of viridis (Smith, van der Walt and Firing) and of twilight (Bechtold,
// every second of its 510 entries), as hexadecimal sRGB.
constexpr std::string_view viridis_text =
    "44015444025645045745055946075a46085c460a5d460b5e470d60470e61471063471164471365481467481668481769"
    "48186a481a6c481b6d481c6e481d6f481f70482071482173482374482475482576482677482878482979472a7a472c7a"
    "472d7b472e7c472f7d46307e46327e46337f463480453581453781453882443983443a83443b84433d84433e85423f85"
    "4240864241864142874144874045884046883f47883f48893e49893e4a893e4c8a3d4d8a3d4e8a3c4f8a3c508b3b518b"
    "3b528b3a538b3a548c39558c39568c38588c38598c375a8c375b8d365c8d365d8d355e8d355f8d34608d34618d33628d"
    "33638d32648e32658e31668e31678e31688e30698e306a8e2f6b8e2f6c8e2e6d8e2e6e8e2e6f8e2d708e2d718e2c718e"
    "2c728e2c738e2b748e2b758e2a768e2a778e2a788e29798e297a8e297b8e287c8e287d8e277e8e277f8e27808e26818e"
    "26828e26828e25838e25848e25858e24868e24878e23888e23898e238a8d228b8d228c8d228d8d218e8d218f8d21908d"
    "21918c20928c20928c20938c1f948c1f958b1f968b1f978b1f988b1f998a1f9a8a1e9b8a1e9c891e9d891f9e891f9f88"
    "1fa0881fa1881fa1871fa28720a38620a48621a58521a68522a78522a88423a98324aa8325ab8225ac8226ad8127ad81"
    "28ae8029af7f2ab07f2cb17e2db27d2eb37c2fb47c31b57b32b67a34b67935b77937b87838b9773aba763bbb753dbc74"
    "3fbc7340bd7242be7144bf7046c06f48c16e4ac16d4cc26c4ec36b50c46a52c56954c56856c66758c7655ac8645cc863"
    "5ec96260ca6063cb5f65cb5e67cc5c69cd5b6ccd5a6ece5870cf5773d05675d05477d1537ad1517cd2507fd34e81d34d"
    "84d44b86d54989d5488bd6468ed64590d74393d74195d84098d83e9bd93c9dd93ba0da39a2da37a5db36a8db34aadc32"
    "addc30b0dd2fb2dd2db5de2bb8de29bade28bddf26c0df25c2df23c5e021c8e020cae11fcde11dd0e11cd2e21bd5e21a"
    "d8e219dae319dde318dfe318e2e418e5e419e7e419eae51aece51befe51cf1e51df4e61ef6e620f8e621fbe723fde725";
constexpr std::string_view twilight_text =
    "e2d9e2e1d9e2e0d9e2ded9e1ddd9e0dcd9dfdad8dfd8d8ded6d7ddd4d6dcd2d5dbd0d4d9cdd3d8cbd2d7c8d0d6c5cfd5"
    "c2ced4bfccd3bccbd1b9c9d0b6c8cfb3c6ceb0c5cdadc3cdaac2cca7c0cba4becaa1bdc99ebbc99cb9c899b8c896b6c7"
    "93b4c691b2c68eb1c58cafc589adc587abc485a9c482a7c380a5c37ea4c37ca2c27aa0c2789ec2769cc1759ac17398c1"
    "7196c17094c06e92c06d90c06c8ebf6b8cbf698abf6888be6786be6684bd6682bd657fbd647dbc637bbc6379bb6277bb"
    "6275ba6172ba6170b9606eb8606cb86069b76067b65f65b55f62b45f60b45f5eb35f5bb25f59b15f57b05e54ae5e52ad"
    "5e4fac5e4dab5e4ba95e48a85e46a65e43a55d41a35d3ea15d3ca05d3a9e5c379c5c359a5b32985b30955a2e935a2b90"
    "59298e58278b572588572385562182551f7f531e7c521c79511a754f19724e186f4c176b4b166849156447146146145e"
    "44135a4212574112543f12513d114e3c114b3a114939114637114436114235114034113e33113c32123a311339301437"
    "2f143631133732123733123734123836113837113939113a3a113a3c113b3e113c40123d42123e44123f471340491341"
    "4b13424e14435014445315455615465816475b16485d174960184a63184b65194c681a4d6b1b4d6d1b4e701c4e721d4f"
    "751e4f781f4f7a20507d21507f23508124508425508627508828508b2a508d2b508f2d50912f50933050953250973450"
    "9936509b38509d3a509f3c50a03e50a24050a44250a54450a74650a94850aa4a50ac4c50ad4e51af5151b05351b15552"
    "b35752b45a53b55c54b65e54b86155b96356ba6557bb6857bc6a58bd6c5abe6f5bbf715cc0745dc0765fc17960c27b62"
    "c37d63c48065c48267c58569c6876bc68a6dc78c6fc78f72c89174c89477c99679ca997cca9b7fcb9d82cba085cca287"
    "cca58bcda78ecea991ceac94cfae97d0b09bd0b39ed1b5a1d2b7a5d3b9a8d4bcacd4beafd5c0b3d6c2b6d7c4b9d8c6bd"
    "d9c8c0dacac3dbcbc6dccdcadccfcdddd0cfded2d2ded3d4dfd4d7e0d6d9e0d7dae1d7dce1d8dee2d8dfe2d9e1e2d9e2";

Table parse_table(std::string_view text) {
    auto digit = [](char c) { return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); };
    Table table;
    for (std::size_t i = 0; i < table.size(); ++i)
        for (std::size_t channel = 0; channel < 3; ++channel) {
            std::size_t const at = 6 * i + 2 * channel;
            table[i][channel] = static_cast<std::uint8_t>(16 * digit(text[at]) + digit(text[at + 1]));
        }
    return table;
}

struct Linear {
    double r = 0, g = 0, b = 0;  // linear light, 0..1 inside the gamut
    [[nodiscard]] bool in_gamut() const {
        constexpr double slack = 1e-6;
        return std::min({r, g, b}) >= -slack && std::max({r, g, b}) <= 1 + slack;
    }
    [[nodiscard]] double luminance() const { return 0.2126 * r + 0.7152 * g + 0.0722 * b; }
};

double to_linear(double value) { return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); }
std::uint8_t to_byte(double linear) {
    double const x = std::clamp(linear, 0.0, 1.0);
    double const value = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(255 * value));
}
double lightness_of_luminance(double y) { return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389 / 27; }

// Oklab (Ottosson 2020): hues stay the same from light to dark, where CIELAB's blue turns violet.
Linear from_oklch(double lightness, double chroma, double hue) {
    double const a = chroma * std::cos(hue), b = chroma * std::sin(hue);
    double const l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    double const m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    double const s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

// The colour of this hue with exactly this CIE L*, at the asked chroma or the largest that the screen can show.
Rgb with_lightness(double wanted, double chroma, double hue) {
    for (double c = chroma; c >= 0; c -= 0.002) {
        double low = 0, high = 1.2;
        for (int i = 0; i < 50; ++i) {
            double const middle = (low + high) / 2;
            double const found = lightness_of_luminance(std::max(0.0, from_oklch(middle, c, hue).luminance()));
            (found < wanted ? low : high) = middle;
        }
        Linear const color = from_oklch(low, c, hue);
        if (color.in_gamut()) return {to_byte(color.r), to_byte(color.g), to_byte(color.b)};
    }
    return {255, 255, 255};
}

// L* falls evenly from 100 in the middle to 36 at both ends, so that equal steps look equal and neither sign looks
// larger. The two middle entries are white: the zero is pinned there.
Table make_diverging() {
    constexpr double blue = 4.52, red = 0.47;  // hue angles, radians
    constexpr double darkest = 36, strongest = 0.19;
    Table table;
    for (std::size_t i = 0; i < 128; ++i) {
        double const u = static_cast<double>(i) / 127;
        double const l = 100 - (100 - darkest) * u;
        double const chroma = strongest * std::pow(u, 0.8);
        table[127 - i] = i == 0 ? Rgb{255, 255, 255} : with_lightness(l, chroma, blue);
        table[128 + i] = i == 0 ? Rgb{255, 255, 255} : with_lightness(l, chroma, red);
    }
    return table;
}

}  // namespace

std::array<Rgb, 256> const& color_table(ColorScale scale) {
    static Table const sequential = parse_table(viridis_text);
    static Table const cyclic = parse_table(twilight_text);
    static Table const diverging = make_diverging();
    switch (scale) {
        case ColorScale::sequential:
            return sequential;
        case ColorScale::cyclic:
            return cyclic;
        case ColorScale::diverging:
            break;
    }
    return diverging;
}

Rgb color_of(ColorScale scale, double t) {
    if (std::isnan(t)) return color_of_missing();
    double const position = std::clamp(t, 0.0, 1.0) * 255;
    return color_table(scale)[static_cast<std::size_t>(std::lround(position))];
}

Rgb color_of_missing() { return {232, 234, 237}; }

Rgb category_color(std::size_t index) {
    static constexpr std::array<Rgb, 8> okabe_ito{{{230, 159, 0},
                                                   {86, 180, 233},
                                                   {0, 158, 115},
                                                   {240, 228, 66},
                                                   {0, 114, 178},
                                                   {213, 94, 0},
                                                   {204, 121, 167},
                                                   {0, 0, 0}}};
    return okabe_ito[index % okabe_ito.size()];
}

std::size_t series_category(Series const& series, std::size_t order) {
    static constexpr std::array<std::size_t, 8> preferred{4, 5, 2, 6, 0, 1, 7, 3};
    return series.color >= 0 ? static_cast<std::size_t>(series.color) % 8 : preferred[order % preferred.size()];
}

double ColorRange::position(double value) const { return (value - minimum) / (maximum - minimum); }

ColorRange color_range(HeatMap const& map) {
    std::vector<double> finite;
    for (double value : map.values)
        if (std::isfinite(value)) finite.push_back(value);
    ColorRange range;
    if (map.scale == ColorScale::diverging) {
        double limit = std::abs(map.limit);
        if (limit == 0 && !finite.empty()) {
            for (double& value : finite) value = std::abs(value);
            std::size_t const rank = static_cast<std::size_t>(std::ceil(0.98 * static_cast<double>(finite.size()))) - 1;
            std::nth_element(finite.begin(), finite.begin() + static_cast<std::ptrdiff_t>(rank), finite.end());
            limit = finite[rank];
        }
        if (!(limit > 0) || !std::isfinite(limit)) limit = 1;
        range = {-limit, limit};
    } else if (!finite.empty()) {
        auto const [low, high] = std::minmax_element(finite.begin(), finite.end());
        range = {*low, *high};
    }
    if (!(range.maximum > range.minimum)) {
        double const half = std::max(0.5, std::abs(range.minimum) * 0.5);
        range = {range.minimum - half, range.maximum + half};
    }
    // Values whose span overflows would make every position NaN.
    constexpr double largest = std::numeric_limits<double>::max() / 4;
    return {std::max(range.minimum, -largest), std::min(range.maximum, largest)};
}

double lightness(Rgb color) {
    Linear const linear{to_linear(color[0] / 255.0), to_linear(color[1] / 255.0), to_linear(color[2] / 255.0)};
    return lightness_of_luminance(linear.luminance());
}

double contrast_ratio(Rgb a, Rgb b) {
    auto luminance = [](Rgb color) {
        return Linear{to_linear(color[0] / 255.0), to_linear(color[1] / 255.0), to_linear(color[2] / 255.0)}
            .luminance();
    };
    double const high = std::max(luminance(a), luminance(b)), low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

}  // namespace orrery
