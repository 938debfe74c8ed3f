#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.hpp"
#include "placement/explain/result_summary.hpp"
#include "placement/model/scenario.hpp"
#include "report/place/place_report.hpp"
#include "scenario/arguments.hpp"

/// Sentences of the text report of `place`.
namespace bayplan::report {

/// "train#1-3,5 web#2": numbers of one name drawn together. The order is that of the first task of each name.
std::vector<std::string> task_ranges(const placement::Scenario& scenario,
                                     const std::vector<placement::PlacementAttempt>& attempts);

/// "1-3,5"; ascending numbers.
std::string number_ranges(const std::vector<std::int64_t>& numbers);

/// "0 of 2 instances have 8 free GPUs (free 4 in total, largest block 4)", or the reasons where no single one
/// explains the failure.
std::string why_not(const placement::Scenario& scenario, const placement::Failure& explained);

/// "4 GPUs short", "TCP port 80 is taken"; empty where the reason says all.
std::string shortfall_text(const placement::Scenario& scenario, const placement::Failure& explained,
                           const placement::Rejection& rejection);

/// "p3.16xlarge#1, RESOURCE:GPU (4 GPUs short)"; empty where no instance comes closest.
std::string closest_words(const placement::Scenario& scenario, const placement::Failure& explained);

/// "RESOURCE:GPU 2 of 2, RESOURCE:MEMORY 1 of 2"
std::string reason_counts(const placement::Scenario& scenario, const placement::Failure& explained);

/// "train: 14 fit; the 15th fails: RESOURCE:GPU"
std::string limit_words(const PlaceReport& report, const FitLimit& limit);

/// "add 1 p3.16xlarge in us-east-2a (+$24.48/h, +$17,870/month)"
std::string remedy_words(const study::Remedy& remedy);
/// "1 p3.16xlarge in us-east-2a with pool=a": instances that a fix adds.
std::string added_words(const std::vector<scenario::InstancesArgument>& added);
/// "--add p3.16xlarge=1@us-east-2a,pool=a": the flags of `whatif` that add them; empty for none.
std::string added_flags(const std::vector<scenario::InstancesArgument>& added);
/// "events" as a scenario file has them, and "flags"; nothing where none are added.
void write_added_events(JsonWriter& json, const std::vector<scenario::InstancesArgument>& added);
/// "--add m5.large=2@us-east-1a": the flags of `whatif` with which it is tried; empty where there are none.
std::string remedy_flag(const study::Remedy& remedy);

/// What to type where tasks are not placed and no single instance is a fix: the commands that explain a task and that
/// plan instances. Empty when everything is placed, and of many tie orders.
std::string next_step_words(const PlaceReport& report);

/// The flag of `whatif` that makes the same change: "--add p3.16xlarge=1@us-east-2a". Empty where no flag does: the
/// instance belongs to a capacity provider, or has attributes or a size of its own.
std::string add_flag(const placement::AddInstances& change);

/// "YES 12 of 12 tasks placed on 4 of 6 instances", "NO  t8#2 not placed: ...", "NO  fits in 3 of 21 tie orders; ...".
/// YES only if every tie order that was tried fits.
std::string headline(const PlaceReport& report);

/// The headline of the worst of many runs.
std::string worst_run(const PlaceReport& report);

/// Which tie order is shown, what the others do, or that they were not tried; empty when none differs.
std::string tie_orders_words(const PlaceReport& report);

/// "4 instances: $26.40/h, about $19,272/month at 730 h (us-east-2), CPU 12%, MEM 4%, GPU 8 of 16 in use, 2 stranded"
/// What to call the devices of the instances: those of one kind by their name.
struct DeviceWords {
  std::string_view heading;   ///< "GPU", "Neuron", "devices"
  std::string_view singular;  ///< "GPU", "Neuron device", "device"
  std::string_view plural;
};
DeviceWords device_words(const placement::Scenario& scenario);

std::string cluster_totals(const placement::Scenario& scenario, const placement::Summary& summary);
/// The same for a page, each with its name.
std::vector<std::pair<std::string, std::string>> cluster_figures(const placement::Summary& summary);

/// "DRAINING", "agent not connected"; empty for an instance that takes tasks.
std::string_view instance_state_words(const placement::InstanceProfile& profile);

/// Network interfaces for tasks; nothing if their number is unknown.
std::optional<std::int64_t> stated_interfaces(const placement::InstanceProfile& profile);

/// "us-east-2a" as "2a", where no two zones of the cluster would look alike; by zone.
std::map<std::string, std::string> short_zones(const placement::Scenario& scenario);

}  // namespace bayplan::report
