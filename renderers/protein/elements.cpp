#include "renderers/protein/elements.h"

namespace orrery::protein {

float van_der_waals_radius(std::uint8_t element) {
    switch (element) {
        case 1:
            return 1.10F;
        case 6:
            return 1.70F;
        case 7:
            return 1.55F;
        case 8:
            return 1.52F;
        case 9:
            return 1.47F;
        case 11:
            return 2.27F;
        case 12:
            return 1.73F;
        case 15:
            return 1.80F;
        case 16:
            return 1.80F;
        case 17:
            return 1.75F;
        case 19:
            return 2.75F;
        case 20:
            return 2.31F;
        case 30:
            return 1.39F;
        case 34:
            return 1.90F;
        case 35:
            return 1.85F;
        case 53:
            return 1.98F;
        default:
            return 1.70F;
    }
}

float covalent_radius(std::uint8_t element) {
    switch (element) {
        case 1:
            return 0.31F;
        case 5:
            return 0.84F;
        case 6:
            return 0.76F;
        case 7:
            return 0.71F;
        case 8:
            return 0.66F;
        case 9:
            return 0.57F;
        case 11:
            return 1.66F;
        case 12:
            return 1.41F;
        case 14:
            return 1.11F;
        case 15:
            return 1.07F;
        case 16:
            return 1.05F;
        case 17:
            return 1.02F;
        case 19:
            return 2.03F;
        case 20:
            return 1.76F;
        case 25:
            return 1.39F;
        case 26:
            return 1.32F;
        case 27:
            return 1.26F;
        case 28:
            return 1.24F;
        case 29:
            return 1.32F;
        case 30:
            return 1.22F;
        case 34:
            return 1.20F;
        case 35:
            return 1.20F;
        case 53:
            return 1.39F;
        default:
            return 1.30F;
    }
}

Rgb element_color(std::uint8_t element) {
    switch (element) {
        case 1:
            return {236, 236, 236};
        case 6:
            return {150, 152, 156};
        case 7:
            return {78, 110, 220};
        case 8:
            return {218, 78, 70};
        case 9:
        case 17:
            return {96, 190, 90};
        case 11:
        case 19:
            return {150, 104, 210};
        case 12:
        case 20:
            return {92, 170, 76};
        case 15:
            return {232, 148, 58};
        case 16:
            return {222, 190, 72};
        case 26:
            return {206, 116, 62};
        case 30:
            return {128, 132, 176};
        case 34:
            return {226, 166, 60};
        case 35:
            return {164, 74, 56};
        case 53:
            return {140, 60, 150};
        default:
            return {190, 150, 190};
    }
}

}  // namespace orrery::protein
