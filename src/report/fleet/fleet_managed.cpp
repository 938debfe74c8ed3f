#include "report/fleet/fleet_managed.hpp"

#include <numeric>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"

namespace bayplan::report {

using study::ManagedFleet;
using study::ManagedInstances;

namespace {

/// "2 train and 1 web": tasks that no instance of their provider holds.
std::string unplaced_words(const ManagedFleet& fleet) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : fleet.unplaced) parts.push_back(fmt::format("{} {}", with_separators(count), name));
  return join(parts, ", ");
}

/// "Capacity provider managed launches 3 m6g.large", one for each provider.
std::string launch_words(const ManagedFleet& fleet) {
  std::vector<std::string> sentences;
  std::string provider;
  for (const auto& one : fleet.instances) {
    const auto instances = fmt::format("{} {}", with_separators(one.count), one.instance_type);
    if (one.capacity_provider == provider) {
      sentences.back() += ", " + instances;
    } else {
      provider = one.capacity_provider;
      sentences.push_back(fmt::format("{} launches {}", provider, instances));
    }
  }
  return (sentences.size() == 1 ? "Capacity provider " : "Capacity providers: ") + join(sentences, "; ");
}

std::string zone_words(const ManagedInstances& instances) {
  std::vector<std::string> zones;
  for (const auto& [zone, count] : instances.zones) {
    if (!zone.empty()) zones.push_back(fmt::format("{} {}", zone.substr(zone.rfind('-') + 1), count));
  }
  return join(zones, ", ");
}

Table managed_table(const ManagedFleet& fleet) {
  Table table({"type", number_column("count"), number_column("$/h each"), number_column("$/h"), month_column(), "zones",
               "capacity provider"});
  const auto add = [&](std::string type, std::int64_t count, std::string each, MicroUsd cost, std::string zones,
                       std::string provider) {
    table.add({std::move(type), with_separators(count), std::move(each), usd(cost), monthly_cell(cost),
               std::move(zones), std::move(provider)});
  };
  std::int64_t instances = 0;
  for (const auto& one : fleet.instances) {
    instances += one.count;
    add(one.instance_type, one.count, usd(one.hourly_price), one.count * one.hourly_price, zone_words(one),
        one.capacity_provider);
  }
  if (fleet.instances.size() > 1) add("all", instances, "", fleet.hourly_cost(), "", "");
  table.drop_empty_columns();
  return table;
}

}  // namespace

std::string managed_headline(const FleetReport& report) {
  if (report.managed == nullptr || report.managed->tasks == 0) return {};
  const auto& fleet = *report.managed;
  std::string text;
  if (!fleet.unplaced.empty()) {
    text = fmt::format("NO  no type that their capacity provider of Managed Instances may launch holds {}.",
                       unplaced_words(fleet));
  }
  if (fleet.instances.empty()) return text.empty() ? "No other Managed Instances are launched." : text;
  return fmt::format("{}{}{}: {} (simulated; ECS chooses them).", text, text.empty() ? "" : " ", launch_words(fleet),
                     hourly_and_monthly(fleet.hourly_cost()));
}

void add_managed(ReportDocument& document, const FleetReport& report) {
  if (report.managed == nullptr || report.managed->instances.empty()) return;
  document.section("managed", "Managed Instances", Medium::kPage);
  if (report.plan.tasks > 0) {
    document.gap();
    document.line(0, "Managed Instances");
  }
  document.table(managed_table(*report.managed));
}

void write_managed_json(JsonWriter& json, const FleetReport& report) {
  if (report.managed == nullptr) return;
  const auto& fleet = *report.managed;
  json.key("managedInstances").begin_object().member("answer", managed_headline(report));
  json.member("tasks", fleet.tasks).member("hourlyCost", usd_number(fleet.hourly_cost()));
  json.key("instances").begin_array();
  for (const auto& one : fleet.instances) {
    json.begin_object(JsonWriter::Layout::kLine).member("capacityProvider", one.capacity_provider);
    json.member("instanceType", one.instance_type).member("count", one.count);
    json.member("hourlyPrice", usd_number(one.hourly_price));
    json.key("availabilityZones").begin_object(JsonWriter::Layout::kLine);
    for (const auto& [zone, count] : one.zones) json.member(zone, count);
    json.end_object().end_object();
  }
  json.end_array().key("unplaced").begin_object(JsonWriter::Layout::kLine);
  for (const auto& [name, count] : fleet.unplaced) json.member(name, count);
  json.end_object().end_object();
}

void write_managed_csv(CsvWriter& csv, const FleetReport& report) {
  if (report.managed == nullptr) return;
  for (const auto& one : report.managed->instances) {
    for (const auto& [zone, count] : one.zones) {
      const MicroUsd cost = count * one.hourly_price;
      csv.text("managed").nothing().nothing().nothing();
      csv.text(one.instance_type).text(zone).number(count).usd(one.hourly_price).usd(cost).usd(cost * kHoursPerMonth);
      csv.flag(false).nothing().end_row();
    }
  }
}

}  // namespace bayplan::report
