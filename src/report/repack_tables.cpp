#include "report/repack_tables.hpp"

#include <algorithm>

#include "report/figures.hpp"
#include "report/repack_words.hpp"
#include "report/zones.hpp"

namespace bayplan::report {

using study::RepackPlan;
using study::RepackStep;

namespace {

/// Some id does not say the type.
bool wants_types(const RepackPlan& plan) {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const RepackStep& step) {
    return std::any_of(step.instances.begin(), step.instances.end(), [&](std::uint32_t instance) {
      const auto& own = plan.scenario->instances[instance];
      return !own.id.starts_with(plan.scenario->profiles[own.profile].instance_type + "#");
    });
  });
}

class StepsTable {
 public:
  explicit StepsTable(const RepackPlan& plan)
      : plan_(plan), has_types_(wants_types(plan)), zones_(short_zones(*plan.scenario)) {}

  RepackTable make(std::size_t& moves_column) {
    column("step", true);
    column("drain", false);
    if (has_types_) column("type", false);
    if (!zones_.empty()) column("zone", false);
    moves_column = table_.headings.size();
    column("moves", false);
    column("$/h", true);
    column("so far", true);
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) add(i);
    return std::move(table_);
  }

 private:
  void column(const char* heading, bool is_number) {
    table_.headings.emplace_back(heading);
    table_.is_number.push_back(is_number);
  }

  void add(std::size_t index) {
    const auto& step = plan_.steps[index];
    for (const std::uint32_t instance : step.instances) {
      const bool is_first = instance == step.instances.front();
      const bool is_last = instance == step.instances.back();
      const auto& own = plan_.scenario->instances[instance];
      const auto& profile = plan_.scenario->profiles[own.profile];
      so_far_ += profile.hourly_price.value_or(0);
      std::vector<std::string> row{is_first ? std::to_string(index + 1) : "", own.id};
      if (has_types_) row.push_back(profile.instance_type);
      if (!zones_.empty()) {
        const auto zone = zones_.find(profile.availability_zone);
        row.push_back(zone == zones_.end() ? "-" : zone->second);
      }
      row.push_back(is_first ? step_words(plan_, step) : "");
      row.push_back(profile.hourly_price ? usd(*profile.hourly_price) : "?");
      row.push_back(is_last ? usd(so_far_) : "");
      table_.rows.push_back(std::move(row));
    }
  }

  const RepackPlan& plan_;
  const bool has_types_;
  const std::map<std::string, std::string> zones_;
  MicroUsd so_far_ = 0;
  RepackTable table_;
};

}  // namespace

RepackTable steps_table(const RepackPlan& plan, std::size_t& moves_column) {
  return StepsTable(plan).make(moves_column);
}

RepackTable services_table(const RepackPlan& plan, bool all) {
  RepackTable table{{"service", "desired", "moves", "must run", "fewest"}, {false, true, true, true, true}, {}};
  const bool has_zones =
      std::any_of(plan.names.begin(), plan.names.end(), [](const auto& name) { return !name.zones_before.empty(); });
  if (has_zones) {
    table.headings.emplace_back("zones");
    table.is_number.push_back(false);
  }
  for (const auto& name : plan.names) {
    if (!name.is_service || (name.moves == 0 && !all)) continue;
    std::vector<std::string> row{name.name, std::to_string(name.desired), std::to_string(name.moves),
                                 std::to_string(name.must_run), std::to_string(name.fewest)};
    if (has_zones) row.push_back(zone_words(plan, name));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace bayplan::report
