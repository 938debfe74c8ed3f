#pragma once
#include <string>

#include "base/json_writer.hpp"
#include "report/diff/diff_report.hpp"
#include "report/document/table.hpp"

/// What a change costs on each launch type.
namespace bayplan::report {

/// Whether a price of a launch type, or whether a task can run there, differs between the sides; or one side is absent.
bool changes_costs(const study::DefinitionDiff& diff);

/// "a task an hour: EC2 $0.526 -> $3.912, Managed Instances $0.567 -> $4.22; not possible on Fargate and Fargate Spot
/// (BAY408)"; empty where nothing is known.
std::string launch_type_cost_words(const study::DefinitionDiff& diff);

/// "Fargate prices: us-east-1, 2026-09-11 to 2026-09-28"; empty where the report states none.
std::string fargate_price_words(const study::DiffReport& report);

/// A row a launch type: an hour before and after, and what a month then costs more.
Table launch_type_changes_table(const study::DefinitionDiff& diff);

/// The member "launchTypes" of the object that is open.
void write_launch_type_changes_json(JsonWriter& json, const std::string& region, const study::DefinitionDiff& diff);

}  // namespace bayplan::report
