#pragma once
#include <cstdint>
#include <ostream>
#include <vector>

#include "report/place_text.hpp"

namespace bayplan::report {

/// A row an instance: GPUs as boxes by task, bars for CPU and memory, network interfaces, price, tasks; the legend of
/// the boxes below. Within 80 columns: longer names are cut in their middle. `verbose`: names whole, and the tasks of
/// each instance on a line of their own.
void write_wide_table(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                      const PlaceTextOptions& options);

}  // namespace bayplan::report
