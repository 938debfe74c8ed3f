#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "report/place_text.hpp"

namespace bayplan::report {

/// Clusters up to this size have a row an instance without `-v`.
inline constexpr std::size_t kShownInstances = 24;

/// A row an instance: GPU slots, bars, tasks. At most 80 columns where the names allow it.
void write_instance_table(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                          const PlaceTextOptions& options);

/// A row a type: how many, how full, and how many instances have how many GPUs free.
void write_type_table(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                      const PlaceTextOptions& options);

/// "2 running", "train#1-2", "web#4"; `placements`: those on the instance.
std::vector<std::string> tasks_on(const PlaceReport& report, std::uint32_t instance,
                                  const std::vector<std::uint32_t>& placements);

}  // namespace bayplan::report
