#pragma once
#include <cstdint>
#include <string>

#include "base/units.hpp"

/// Figures as text reports show them.
namespace bayplan::report {

/// "3.912", "12.24", "0.0042", "122,400.00": at most four decimals, at least two.
std::string usd(MicroUsd amount);

/// USD as JSON reports carry it.
double usd_number(MicroUsd amount);

/// "812 MiB", "7.6 GiB", "71 GiB": three digits, rounded down.
std::string memory_size(MiB memory);

/// "32 vCPU", "1.75 vCPU", "100 CPU units".
std::string cpu_size(CpuUnits cpu);

/// "12%", rounded down, so that 100% is all; "<1%" of something that small, "-" where there is no whole. Every report
/// rounds shares so, in every format (data/page/common.js too), so that those of one run do not differ.
std::string percent(std::int64_t part, std::int64_t whole);
std::string percent(double part, double whole);

/// "30s", "4m", "1h30m", "3d4h", "-2m": exact, without the units that are nothing.
std::string duration(std::int64_t seconds);

/// 250000 -> "0.25", 4000000 -> "4".
std::string from_millionths(std::int64_t millionths);

}  // namespace bayplan::report
