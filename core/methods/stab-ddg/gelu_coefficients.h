// erf(x / sqrt 2) = x P(x^2) / Q(x^2) for |x| <= 5.4, saturated beyond. Fitted for the least absolute error (1.5e-9 in
// exact arithmetic; about 3e-7 in float32, the rounding of P and Q), not the tanh form, whose error adds up over a
// chain.
#pragma once

namespace orrery::methods::stab_ddg::erf_fit {

inline constexpr float limit = 5.4F;
inline constexpr float p[7] = {0.7978846F,     0.06504761F,     0.0095946F,     0.00033713743F,
                               1.6957498e-05F, 1.06639405e-07F, -1.5298042e-10F};
inline constexpr float q[6] = {1.0F, 0.24819197F, 0.02838997F, 0.0019259695F, 8.1606304e-05F, 2.0135453e-06F};

}  // namespace orrery::methods::stab_ddg::erf_fit
