#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "report/place/place_report.hpp"
#include "report/timeline/timeline_report.hpp"

/// Tasks without a place, those together of which the same is to be said.
namespace bayplan::report {

struct LeftOut {
  std::uint32_t workload = 0;  ///< Index into Scenario::workloads.
  std::int64_t tasks = 0;
  std::string names;  ///< "train#3-5"; printable, cut where it is long.
  std::string state;  ///< "not placed", "PROVISIONING"; over time "failed", "waiting" too.
  std::string why;
  std::string closest = {};   ///< The instance that passed most checks, and what it lacks; may be empty.
  std::string rejected = {};  ///< "RESOURCE:GPU 2 of 2"; may be empty.
};

std::vector<LeftOut> left_out(const PlaceReport& report);
std::vector<LeftOut> left_out(const TimelineReport& report);

/// Comment: a list item for each of the first.
void add_left_out_list(ReportDocument& document, const std::vector<LeftOut>& left_out);
/// Page: a section with a row each.
void add_left_out_table(ReportDocument& document, const placement::Scenario& scenario,
                        const std::vector<LeftOut>& left_out);

}  // namespace bayplan::report
