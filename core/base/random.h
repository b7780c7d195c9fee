// A seeded generator whose stream is the same on every machine: xoshiro256++ seeded by splitmix64, normals by the polar
// method.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace orrery {

class Random {
public:
    explicit Random(std::uint64_t seed = 0) {
        for (std::uint64_t& word : m_state) {
            seed += 0x9e3779b97f4a7c15ULL;
            std::uint64_t z = seed;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
            word = z ^ (z >> 31);
        }
    }
    std::uint64_t bits() {
        auto turn = [](std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
        std::uint64_t const out = turn(m_state[0] + m_state[3], 23) + m_state[0], t = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= t;
        m_state[3] = turn(m_state[3], 45);
        return out;
    }
    // In [0, 1).
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
    double normal() {
        for (;;) {
            double const x = 2 * uniform() - 1, y = 2 * uniform() - 1, s = x * x + y * y;
            if (s > 0 && s < 1) return x * std::sqrt(-2 * std::log(s) / s);
        }
    }
    // Below `count`.
    std::uint64_t below(std::uint64_t count) {
        return static_cast<std::uint64_t>(uniform() * static_cast<double>(count));
    }

    [[nodiscard]] std::array<std::uint64_t, 4> const& state() const { return m_state; }
    void restore(std::array<std::uint64_t, 4> const& state) { m_state = state; }

private:
    std::array<std::uint64_t, 4> m_state{};
};

}  // namespace orrery
