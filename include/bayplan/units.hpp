#pragma once
#include <cstdint>

#include "bayplan/version.hpp"

namespace bayplan::v0 {

using CpuUnits = std::int64_t;  ///< 1024 are one vCPU.
using MiB = std::int64_t;       ///< 2^20 bytes.
/// 10^-6 USD; prices are per hour. Money is an integer, so that sums are exact and equal prices compare equal.
using MicroUsd = std::int64_t;

/// The amount in USD. Use it to display, not to calculate.
constexpr double usd(MicroUsd amount) {
  return static_cast<double>(amount) / 1e6;
}

}  // namespace bayplan::v0
