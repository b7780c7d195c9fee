#pragma once
namespace orrery {
inline constexpr char const* version = "0.1.0";
}
