#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/start_task_lines.hpp"
#include "report/document/table.hpp"
#include "report/fleet/fleet_report.hpp"

/// Sentences of the reports of `fleet`.
namespace bayplan::report {

/// An array of what is bought, by type and zone.
void write_purchases_json(JsonWriter& json, const fleet::Market& market, const fleet::Purchases& purchases);

/// "$28.80/h"; in vCPUs where no price is known at all.
std::string hourly(const fleet::Market& market, MicroUsd amount);

/// "4 g4dn.12xlarge and 24 g4dn.xlarge", what is owned apart; "nothing".
std::string fleet_words(const fleet::Market& market, const fleet::Purchases& purchases,
                        std::string_view last = " and ");

/// "Buy 4 g4dn.12xlarge and 24 g4dn.xlarge: $28.80/h, about $21,024/month at 730 h. Lower bound: $28.27/h (gap 1.8 %).
/// Simulated ECS placement fills it in 120 of 120 launch orders (binpack:memory)."
std::string fleet_headline(const FleetReport& report);

/// The same in two parts where Spot Instances, commitments or a load come first.
struct FleetAnswer {
  std::string answer;
  std::string on_demand;  ///< What is bought On-Demand, or at the peak. Empty where that is the answer.
};
FleetAnswer fleet_answer(const FleetReport& report);
/// "At the peak: Buy ...": the second part where no heading says what it is of.
std::string on_demand_words(const FleetReport& report, const std::string& on_demand);

/// "with g4dn.xlarge at 15300 instead of 15519 MiB 2 train cannot be placed in 20 of 20 launch orders": when what is
/// registered comes out at the least of its estimate. Empty where every task is then placed.
std::string memory_doubt_words(const FleetReport& report);

/// What of its cost is surplus CPU credits.
MicroUsd reported_credits(const FleetReport& report);

/// What CPU credits do to the plan, where a burstable type is bought or they decide that none is; else nothing.
std::vector<std::string> credit_words(const FleetReport& report);

/// What awsvpcTrunking would make of it; empty where it was not compared.
std::string trunking_words(const FleetReport& report);

/// "1.9 %": how much more than the least, rounded to be true.
std::string percent_more(MicroUsd amount, MicroUsd least);

/// "priceLattice": the contract's word for what the bound rests on.
std::string_view bound_method(const study::FleetPlan& plan);
std::string_view name_of(study::FleetStop stop);
std::string_view name_of(fleet::FillMethod method);

/// "binpack:memory", "strategies as written, largest tasks first".
std::string policy_words(const fleet::Policy& policy);

/// Placement constraints that the plan adds, those of several workloads once: `memberOf "attribute:ecs.instance-type =~
/// c6a.*" for web, api and 3 more`. So many workloads are named.
std::vector<std::string> constraint_words(const FleetReport& report, const fleet::Policy& policy,
                                          std::size_t most_named);

/// Whether the policy keeps workloads apart: it has constraints beyond those of the question.
bool keeps_apart(const FleetReport& report, const fleet::Policy& policy);

/// What an instance type is warned of: "retired", "previous generation"; empty.
std::string generation_words(const fleet::Offer& offer);

/// Returns one name per shape: "train:1", with the workload after it if a definition is in several shapes.
std::vector<std::string> shape_names(const placement::Scenario& scenario, const fleet::Question& question);

/// "no offer has what it asks for" in terms of one type: "RESOURCE:GPU (3 short)"
std::string rejection_words(const fleet::TypeRejection& rejection);

/// "Linux on demand", "from prices.csv, hourlyPrice of the scenario": of what is bought, or may be.
std::string price_source(const FleetReport& report);

/// "16 types without a price are not considered, such as ...": types that the plan leaves out, in a line for each
/// reason, or with `all` for each type. `more`: the end of a line about several types.
std::vector<std::string> excluded_types_lines(const FleetReport& report, bool all, std::string_view more = {});

/// Everything that the plan rests on, each once.
std::vector<Assumption> collect_assumptions(const FleetReport& report);

/// Returns how much more the cheapest fleet that ECS placement fills costs than the ideal packing; nothing where it
/// costs as much, or the recommended one is to withstand a lost zone or a deployment.
std::optional<MicroUsd> placement_overhead(const FleetReport& report);

/// "ECS placement costs $0.53/h (1.9%) more than the ideal packing"
std::string placement_overhead_words(const FleetReport& report);

/// A cheaper fleet, and who fills it: StartTask, or ECS with constraints that the scenario does not have.
struct CheaperFleet {
  MicroUsd hourly_cost = 0;
  std::string words;
};
/// The cheapest first. `most_named`: workloads named in constraints.
std::vector<CheaperFleet> cheaper_fleets(const FleetReport& report, std::size_t most_named);

/// The standalone tasks of the ideal fleet where it has them. Instances to buy are named as reports name them, to be
/// replaced by the IDs of those that were bought. ECS chooses the instances of services.
std::vector<TasksToStart> tasks_to_start(const FleetReport& report);

/// What to buy, a row a type, and the sums: the recommended fleet, else the ideal one.
Table fleet_table(const FleetReport& report);

/// The cheapest single-type fleets, except the one that is recommended.
Table single_type_table(const FleetReport& report);

/// What is cheapest when one of its types is unavailable.
Table without_type_table(const FleetReport& report);

/// Terminal: "  $28.076/h  binpack:memory, in any order: 26 g4dn.xlarge and 2 p2.8xlarge"
void add_priced_line(ReportDocument& document, const FleetReport& report, MicroUsd amount, const std::string& words,
                     Media media);

/// What it costs next to others, and why none is cheaper: the other fleets, strategies, the cost of one more task and
/// the proof.
void add_costs(ReportDocument& document, const FleetReport& report);

/// How much gets done per USD. One family.
Table rate_table(const study::FamilyRate& family);

}  // namespace bayplan::report
