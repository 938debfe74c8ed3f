#include "report/repack/repack_report.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/place/place_words.hpp"

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

Column saved_month_column() {
  auto column = month_column();
  column.heading = "saved $/month";
  return column;
}

/// "1.8": two digits are enough to compare steps; "-" where no task moves.
std::string ratio_cell(const RepackPlan& plan, const RepackStep& step) {
  const auto shares = study::shares_of(plan, step);
  const auto ratio = shares ? shares->ratio() : std::nullopt;
  return ratio ? fmt::format("{:.2g}", *ratio) : std::string("-");
}

}  // namespace

Table steps_table(const RepackPlan& plan) {
  const bool has_types = wants_types(plan);
  const auto zones = short_zones(*plan.scenario);
  Table table({number_column("step"), "drain"});
  if (has_types) table.columns.emplace_back("type");
  if (!zones.empty()) table.columns.emplace_back("zone");
  Column moves{"moves"};
  moves.cut_from = 12;
  table.columns.insert(table.columns.end(), {moves, number_column("$/h"), number_column("saved $/h"),
                                             saved_month_column(), number_column("ratio")});
  MicroUsd so_far = 0;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto& step = plan.steps[i];
    for (const std::uint32_t instance : step.instances) {
      const bool is_first = instance == step.instances.front();
      const bool is_last = instance == step.instances.back();
      const auto& own = plan.scenario->instances[instance];
      const auto& profile = plan.scenario->profiles[own.profile];
      so_far += profile.hourly_price.value_or(0);
      std::vector<Cell> row{is_first ? std::to_string(i + 1) : std::string(), own.id};
      if (has_types) row.emplace_back(profile.instance_type);
      if (!zones.empty()) {
        const auto zone = zones.find(profile.availability_zone);
        row.emplace_back(zone == zones.end() ? std::string("-") : zone->second);
      }
      row.emplace_back(is_first ? step_words(plan, step) : std::string());
      row.emplace_back(profile.hourly_price ? usd(*profile.hourly_price) : std::string("?"));
      row.emplace_back(is_last ? usd(so_far) : std::string());
      row.emplace_back(is_last ? monthly_cell(so_far) : std::string());
      row.emplace_back(is_last ? ratio_cell(plan, step) : std::string());
      table.add(std::move(row));
    }
  }
  return table;
}

Table services_table(const RepackPlan& plan) {
  Table table({"service", number_column("desired"), number_column("moves"), number_column("min healthy"),
               number_column("lowest")});
  const bool has_zones =
      std::any_of(plan.names.begin(), plan.names.end(), [](const auto& name) { return !name.zones_before.empty(); });
  if (has_zones) table.columns.emplace_back("zones");
  for (const auto& name : plan.names) {
    if (!name.is_service) continue;
    std::vector<Cell> row{name.name, std::to_string(name.desired), std::to_string(name.moves),
                          std::to_string(name.must_run), std::to_string(name.fewest)};
    if (has_zones) row.emplace_back(zone_words(plan, name));
    table.add(std::move(row), name.moves > 0 ? kEveryMedium : Medium::kFullText | Medium::kPage);
  }
  return table;
}

Table staying_table(const RepackPlan& plan) {
  Column ids = column_for(kNotFirstScreen, "container instances");
  ids.is_below = true;
  Table table({number_column("instances"), "reason", ids});
  for (const auto& staying : plan.staying) {
    std::vector<std::string> names;
    for (const auto instance : staying.instances) names.push_back(plan.scenario->instances[instance].id);
    table.add({std::to_string(names.size()), staying_words(plan, staying), join(names, ", ")});
  }
  return table;
}

}  // namespace bayplan::report
