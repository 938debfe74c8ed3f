#pragma once
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "report/fleet_report.hpp"

namespace bayplan::report {

/// Cells of a table of `fleet`; columns from `left_from` on, and the first, hold texts, the others numbers.
struct FleetTable {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
  std::size_t left_from = 0;
};

/// What to buy, a row a type, and the sums: the recommended fleet, else the ideal one.
FleetTable fleet_table(const FleetReport& report);

/// The cheapest fleets of one type, but for the one that is told already.
FleetTable single_type_table(const FleetReport& report);

/// What is cheapest when one of its types cannot be had.
FleetTable without_type_table(const FleetReport& report);

/// How much gets done per USD. One family.
FleetTable rate_table(const study::FamilyRate& family);

void print_table(std::ostream& out, const FleetTable& table, const Style& style);
void write_markdown_table(std::ostream& out, const FleetTable& table);

}  // namespace bayplan::report
