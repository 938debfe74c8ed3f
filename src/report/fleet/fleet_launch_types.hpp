#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/report_document.hpp"
#include "report/document/table.hpp"
#include "report/fleet/fleet_report.hpp"

/// Where else the workload of a fleet could run, and at which cost.
namespace bayplan::report {

/// "Other launch types: Fargate $0.494/h (+31 %), ... (--compare)"; empty where they were not compared.
std::string launch_types_words(const FleetReport& report);
/// "In the mean of the load: Fargate $0.64/h, $468/month (+48%); EC2 as planned $0.43/h, $315/month": what a load
/// costs where only tasks that run are paid for. Empty without a load.
std::string load_cost_words(const FleetReport& report);

/// A row a launch type: what it costs, next to the planned EC2 fleet.
Table launch_types_table(const FleetReport& report);

/// Sizes that tasks have on Fargate. No rows where none can run there.
Table fargate_sizes_table(const FleetReport& report);

/// "EC2 costs less than Fargate if all tasks run more than 77 % of the time"
std::vector<std::string> break_even_words(const FleetReport& report);

/// "Fargate and Fargate Spot: infer: GPUs are not supported on Fargate (BAY408)"
std::vector<std::string> not_possible_words(const FleetReport& report);

/// "Fargate and Fargate Spot: web: networkMode awsvpc instead of bridge (BAY801)"
std::vector<std::string> required_change_words(const FleetReport& report);

/// "On arm64 (Graviton): 5 c7g.large, $0.363/h packed (x86_64: $0.376/h); requires an arm64 image of web"; empty
/// where there is no such plan.
std::string arm64_words(const FleetReport& report);

/// Prices that are not known, how each launch type is billed, what was used, and what is taken for granted.
std::vector<std::string> missing_price_words(const FleetReport& report);
std::vector<std::string> billing_words(const FleetReport& report);
std::vector<std::string> launch_type_price_words(const FleetReport& report);
std::vector<Assumption> launch_type_assumptions(const FleetReport& report);

/// All of the above, as a text report has it with --compare.
void write_launch_types_text(std::ostream& out, const FleetReport& report, const Style& style);

/// The same as sections of a page, or a part of a comment.
void add_launch_types(ReportDocument& document, const FleetReport& report);

/// The members "launchTypes" and "arm64" of the object that is open.
void write_launch_types_json(JsonWriter& json, const FleetReport& report);

}  // namespace bayplan::report
