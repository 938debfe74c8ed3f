#pragma once
#include <cstdint>

namespace bayplan {

/// Resources are integers throughout; no comparison ever sees a double.
using CpuUnits = std::int64_t;  ///< 1024 units are one vCPU.
using MiB = std::int64_t;       ///< 2^20 bytes.
using MicroUsd = std::int64_t;  ///< 10^-6 USD; prices are per hour.
using NanoUsd = std::int64_t;   ///< 10^-9 USD; rates of Fargate and duals are finer than micro-USD.

inline constexpr CpuUnits kUnitsPerVcpu = 1024;
inline constexpr MiB kMiBPerGiB = 1024;
inline constexpr MicroUsd kMicroUsdPerUsd = 1'000'000;
inline constexpr NanoUsd kNanoUsdPerMicroUsd = 1000;
inline constexpr NanoUsd kNanoUsdPerUsd = kNanoUsdPerMicroUsd * kMicroUsdPerUsd;

}  // namespace bayplan
