#include "study/fleet/throughput.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/memory_files.hpp"
#include "base/strings.hpp"
#include "shape/sources.hpp"

namespace bayplan::study {

using placement::Scenario;

namespace {

/// Far above what any instance gets done; times all tasks of a scenario, it is still a number that a report can print.
constexpr double kMaxRate = 1e12;

constexpr std::string_view kUnit = "unit";

void read_type(const catalog::Catalog& catalog, shape::Sources& sources, text::Value type, Throughput& throughput) {
  if (catalog.find(type.key()) == nullptr)
    return sources.fail(type, fmt::format("no instance type is called '{}'", type.key()), catalog.hint_for(type.key()));
  for (const auto rate : type.children()) {
    const auto gpus = to_integer(rate.key());
    const auto value = to_number(rate.text());
    if (!gpus || *gpus < 1) {
      sources.fail(rate, fmt::format("'{}' is not a number of GPUs per task", rate.key()),
                   "write 4: 1297.4 for a task of four GPUs");
    } else if (!value || *value <= 0) {
      sources.fail(rate, fmt::format("'{}' is not a rate above 0", rate.text()));
    } else if (*value > kMaxRate) {
      sources.fail(rate, fmt::format("the rate '{}' is too large", rate.text()), "state it in a larger unit");
    } else {
      throughput.rates.push_back({std::string(type.key()), *gpus, *value});
    }
  }
}

Throughput read_throughput(const catalog::Catalog& catalog, shape::Sources& sources, text::Value family) {
  Throughput throughput{std::string(family.key()), "", {}};
  for (const auto member : family.children()) {
    if (member.key() == kUnit) {
      throughput.unit = member.text();
    } else {
      read_type(catalog, sources, member, throughput);
    }
  }
  return throughput;
}

RateOfInstance of_instance(const Rate& rate, const catalog::InstanceType& type, std::string_view region) {
  RateOfInstance row{rate.instance_type, rate.gpus, 0, 0, {}, {}};
  row.tasks = type.gpu ? type.gpu->count / rate.gpus : 0;
  row.rate = rate.rate * static_cast<double>(row.tasks);
  if (const auto price = type.price_in(region)) row.hourly_price = price->hourly;
  if (row.hourly_price && *row.hourly_price > 0)
    row.rate_per_usd = row.rate * static_cast<double>(kMicroUsdPerUsd) / static_cast<double>(*row.hourly_price);
  return row;
}

std::optional<double> find_rate(const Throughput& throughput, std::string_view type, std::int64_t gpus) {
  const auto found = std::find_if(throughput.rates.begin(), throughput.rates.end(),
                                  [&](const Rate& rate) { return rate.gpus == gpus && rate.instance_type == type; });
  return found == throughput.rates.end() ? std::nullopt : std::optional(found->rate);
}

void add_placed(FamilyRate& family, const Scenario& scenario, const std::vector<PlacedTasks>& placed) {
  double sum = 0;
  bool is_known = true;
  for (const auto& tasks : placed) {
    const auto& workload = scenario.workloads[tasks.workload];
    if (scenario.task_definitions[workload.task_definition].family != family.throughput.family) continue;
    const auto rate = find_rate(family.throughput, tasks.instance_type, workload.requirement.gpu_count);
    family.placed_tasks += tasks.count;
    is_known = is_known && rate;
    sum += rate.value_or(0) * static_cast<double>(tasks.count);
  }
  if (is_known && family.placed_tasks > 0) family.placed = sum;
}

}  // namespace

LoadedThroughput load_throughput(const Scenario& scenario, const catalog::Catalog& catalog) {
  LoadedThroughput loaded;
  if (!scenario.document) return loaded;
  const auto written = scenario.document->root().find("throughput");
  if (!written) return loaded;
  const MemoryFiles nothing;
  shape::Sources sources(nothing, {});
  sources.add(scenario.document, scenario.file, 1);
  for (const auto family : written.children()) loaded.list.push_back(read_throughput(catalog, sources, family));
  loaded.errors = std::move(sources).take_errors();
  return loaded;
}

std::vector<FamilyRate> compute_rates(const std::vector<Throughput>& throughput, const Scenario& scenario,
                                      const std::vector<PlacedTasks>& placed, const catalog::Catalog& catalog) {
  std::vector<FamilyRate> families;
  for (const auto& one : throughput) {
    FamilyRate& family = families.emplace_back(FamilyRate{one, {}, {}, 0});
    for (const auto& rate : one.rates) {
      auto row = of_instance(rate, *catalog.find(rate.instance_type), scenario.region);
      if (row.tasks > 0) family.instances.push_back(std::move(row));
    }
    std::stable_sort(family.instances.begin(), family.instances.end(),
                     [](const RateOfInstance& a, const RateOfInstance& b) { return a.rate_per_usd > b.rate_per_usd; });
    add_placed(family, scenario, placed);
  }
  return families;
}

}  // namespace bayplan::study
