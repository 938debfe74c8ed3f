#pragma once
#include <cstdint>
#include <ostream>
#include <vector>

#include "report/place_text.hpp"

namespace bayplan::report {

/// A row a type and zone: how many, how full, and over how much of its CPU and how many free GPUs its instances are
/// spread; then, of all together, how many instances have how much CPU in use and how many GPUs free. Within 80
/// columns.
void write_cluster_groups(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                          const PlaceTextOptions& options);

}  // namespace bayplan::report
