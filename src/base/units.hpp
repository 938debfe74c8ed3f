#pragma once
#include <cstdint>

namespace bayplan {

/// Resources are integers throughout; no comparison ever sees a double.
using CpuUnits = std::int64_t;  ///< 1024 units are one vCPU.
using MiB = std::int64_t;       ///< 2^20 bytes.
using MicroUsd = std::int64_t;  ///< 10^-6 USD; prices are per hour.

inline constexpr CpuUnits kUnitsPerVcpu = 1024;
inline constexpr MiB kMiBPerGiB = 1024;
inline constexpr MicroUsd kMicroUsdPerUsd = 1'000'000;

}  // namespace bayplan
