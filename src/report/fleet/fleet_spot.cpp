#include "report/fleet/fleet_spot.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/fleet/fleet_words.hpp"

namespace bayplan::report {

using study::SpotPlan;
using study::SpotPool;
using study::SpotTasks;

namespace {

std::int64_t all_tasks(const SpotPlan& spot) {
  std::int64_t count = spot.spot_tasks();
  for (const auto& one : spot.tasks) count += one.on_demand;
  return count;
}

MicroUsd on_demand_cost(const FleetReport& report) {
  return report.plan.hourly_cost();
}

MicroUsd total_cost(const FleetReport& report) {
  return report.spot->hourly_cost + on_demand_cost(report);
}

std::string bound_words(const SpotPlan& spot) {
  if (!spot.lower_bound) return "No lower bound is known.";
  if (spot.hourly_cost <= *spot.lower_bound) return "Proven optimal for equal shares.";
  return fmt::format("Lower bound for equal shares: ${}/h (gap {}).", usd(*spot.lower_bound),
                     percent_more(*spot.lower_bound, spot.hourly_cost));
}

/// What the loss of the worst pool does.
std::string loss_words(const SpotPlan& spot) {
  const auto lost = spot.most_lost();
  std::string text = fmt::format("The loss of one pool stops at most {} ({})", count_of(lost, "task"),
                                 percent(static_cast<double>(lost), static_cast<double>(all_tasks(spot))));
  if (!spot.is_loss_simulated) return text + ".";
  std::int64_t displaced = 0;
  for (const auto& pool : spot.pools) displaced = std::max(displaced, pool.displaced);
  if (displaced == 0) return text + ", which fit on the rest of the fleet.";
  return text + fmt::format("; up to {} of these must wait for new Spot Instances.", with_separators(displaced));
}

bool is_filled(const SpotPlan& spot) {
  return std::all_of(spot.pools.begin(), spot.pools.end(), [](const SpotPool& pool) { return pool.orders > 0; });
}

std::string provider_words(std::size_t pool) {
  return fmt::format("spot-{}", pool + 1);
}

}  // namespace

std::string spot_headline(const FleetReport& report) {
  if (report.spot == nullptr) return {};
  const auto& spot = *report.spot;
  std::string text =
      fmt::format("Run {} of {} on Spot Instances in {}: ", with_separators(spot.spot_tasks()),
                  count_of(all_tasks(spot), "task"), count_of(static_cast<std::int64_t>(spot.pools.size()), "pool"));
  if (report.plan.tasks > 0) text += fmt::format("${}/h; with the On-Demand part ", usd(spot.hourly_cost));
  text += hourly_and_monthly(total_cost(report));
  if (spot.all_on_demand && *spot.all_on_demand > total_cost(report))
    text += fmt::format(", {} less than On-Demand alone", percent_more(total_cost(report), *spot.all_on_demand));
  text += ". " + bound_words(spot) + " " + loss_words(spot);
  if (!is_filled(spot)) text += " Simulated ECS placement does not fill every pool.";
  return text;
}

namespace {

/// What to buy, a row a pool, and the sums of both parts.
Table spot_table(const FleetReport& report) {
  Table table({"Spot pool", number_column("count"), useful_column(number_column("$/h each")), number_column("$/h"),
               month_column(), number_column("tasks"), useful_column("price of")});
  const auto& spot = *report.spot;
  std::int64_t instances = 0;
  for (const auto& pool : spot.pools) {
    table.add({pool.instance_type + "@" + pool.availability_zone, with_separators(pool.instances),
               usd(pool.hourly_price), usd(pool.hourly_cost), monthly_cell(pool.hourly_cost),
               with_separators(pool.tasks), pool.date});
    instances += pool.instances;
  }
  table.add({"all Spot", with_separators(instances), "", usd(spot.hourly_cost), monthly_cell(spot.hourly_cost),
             with_separators(spot.spot_tasks()), ""});
  if (report.plan.tasks == 0) return table;
  table.add({"On-Demand", with_separators(fleet::instances_of(report.plan.purchases())), "",
             usd(on_demand_cost(report)), monthly_cell(on_demand_cost(report)), with_separators(report.plan.tasks),
             ""});
  table.drop_empty_columns();
  return table;
}

/// Capacity provider strategies that deal the tasks to the parts: "web: capacityProvider=on-demand,base=12,weight=0
/// capacityProvider=spot-1,weight=1 ...".
std::vector<RichText> spot_strategies(const FleetReport& report) {
  std::vector<RichText> lines;
  for (const auto& one : report.spot->tasks) {
    std::vector<std::string> parts;
    if (one.spot == 0) {
      parts.emplace_back("capacityProvider=on-demand,weight=1");
    } else if (one.on_demand > 0) {
      parts.push_back(fmt::format("capacityProvider=on-demand,base={},weight=0", one.on_demand));
    }
    for (std::size_t i = 0; one.spot > 0 && i < report.spot->pools.size(); ++i)
      parts.push_back(fmt::format("capacityProvider={},weight=1", provider_words(i)));
    lines.push_back({in_bold(report.scenario.workloads[one.workload].name), {": "}, in_command(join(parts, " "))});
  }
  return lines;
}

}  // namespace

void add_spot(ReportDocument& document, const FleetReport& report) {
  if (report.spot == nullptr) return;
  document.section("spot", "Spot Instances", Medium::kPage);
  document.table(spot_table(report));
  document.paragraph({.text = "A capacity provider per pool, spot-1 and so on in this order; capacity provider "
                              "strategies that deal the tasks:",
                      .hanging = 2},
                     kNotFirstScreen);
  document.list(spot_strategies(report), kNotFirstScreen);
  if (report.plan.tasks == 0) return;
  document.gap();
  document.line(0, "On-Demand");
}

namespace {

using Lines = JsonWriter::Layout;

void write_pool(JsonWriter& json, const SpotPool& pool, std::size_t number, bool is_loss_simulated) {
  json.begin_object(Lines::kLine).member("capacityProvider", provider_words(number));
  json.member("instanceType", pool.instance_type).member("availabilityZone", pool.availability_zone);
  json.member("count", pool.instances).member("hourlyPrice", usd_number(pool.hourly_price));
  json.member_or_null("priceDate", pool.date);
  json.member("hourlyCost", usd_number(pool.hourly_cost)).member("tasks", pool.tasks);
  json.member("launchOrders", pool.orders).key("displacedTasks");
  is_loss_simulated ? json.value(pool.displaced) : json.null();
  json.end_object();
}

void write_tasks(JsonWriter& json, const FleetReport& report, const SpotTasks& one) {
  json.begin_object(Lines::kLine).member("name", report.scenario.workloads[one.workload].name);
  json.member("onDemand", one.on_demand).member("spot", one.spot).key("capacityProviderStrategy").begin_array();
  if (one.on_demand > 0 || one.spot == 0) {
    json.begin_object().member("capacityProvider", "on-demand");
    json.member("base", one.spot == 0 ? 0 : one.on_demand).member("weight", one.spot == 0 ? 1 : 0).end_object();
  }
  for (std::size_t i = 0; one.spot > 0 && i < report.spot->pools.size(); ++i)
    json.begin_object()
        .member("capacityProvider", provider_words(i))
        .member("base", 0)
        .member("weight", 1)
        .end_object();
  json.end_array().end_object();
}

}  // namespace

void write_spot_json(JsonWriter& json, const FleetReport& report) {
  if (report.spot == nullptr) return;
  const auto& spot = *report.spot;
  json.key("spot").begin_object().member("answer", spot_headline(report)).key("percent");
  json.value(static_cast<double>(spot.request.percent.hundredths) / 100);
  json.member("hourlyCost", usd_number(spot.hourly_cost)).key("lowerBound");
  spot.lower_bound ? json.value(usd_number(*spot.lower_bound)) : json.null();
  json.member("totalHourlyCost", usd_number(total_cost(report)));
  json.member("totalMonthlyCost", usd_number(total_cost(report) * kHoursPerMonth)).key("onDemandAloneHourlyCost");
  spot.all_on_demand ? json.value(usd_number(*spot.all_on_demand)) : json.null();
  json.key("pools").begin_array();
  for (std::size_t i = 0; i < spot.pools.size(); ++i) write_pool(json, spot.pools[i], i, spot.is_loss_simulated);
  json.end_array().key("tasks").begin_array();
  for (const auto& one : spot.tasks) write_tasks(json, report, one);
  json.end_array().end_object();
}

void write_spot_csv(CsvWriter& csv, const FleetReport& report) {
  if (report.spot == nullptr) return;
  for (const auto& pool : report.spot->pools) {
    csv.text("spot").text("").text("").flag(pool.orders > 0).text(pool.instance_type).text(pool.availability_zone);
    csv.number(pool.instances).usd(pool.hourly_price).usd(pool.hourly_cost);
    csv.usd(pool.hourly_cost * kHoursPerMonth).flag(false);
    csv.usd(pool.hourly_cost - pool.hourly_price * pool.instances).end_row();
  }
}

}  // namespace bayplan::report
