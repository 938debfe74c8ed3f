#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "fleet/offers/price_dates.hpp"
#include "packing/money.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/prices.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_words.hpp"

namespace bayplan::report {

using fleet::FilledFleet;

std::vector<const FilledFleet*> compared_strategies(const FleetReport& report) {
  std::vector<const FilledFleet*> compared;
  for (const auto& one : report.plan.fill.by_policy) {
    const bool is_there = std::any_of(compared.begin(), compared.end(), [&](const auto* other) {
      return other->policy.order == one.policy.order && other->hourly_cost == one.hourly_cost;
    });
    if (!is_there) compared.push_back(&one);
  }
  if (compared.size() < 2) compared.clear();
  return compared;
}

std::string strategies_heading(const FleetReport& report) {
  return std::string("Cost by placement strategy") +
         (report.request.deployable ? ", without room for deployments" : "");
}

std::string strategy_words(const fleet::Policy& policy) {
  const auto name = policy.is_as_written ? "as written" : policy.name;
  return name + (policy.order == placement::TaskOrder::kLargestFirst ? ", largest tasks first" : ", in any order");
}

Table strategies_table(const FleetReport& report) {
  Table table({"strategy", number_column(report.market.counts_vcpus ? "vCPU" : "$/h"), month_column(), "cheapest fleet",
               number_column("launch orders simulated")});
  for (const auto* one : compared_strategies(report)) {
    table.add({strategy_words(one->policy),
               report.market.counts_vcpus ? from_millionths(one->hourly_cost) : usd(one->hourly_cost),
               report.market.counts_vcpus ? "" : monthly_cell(one->hourly_cost),
               fleet_words(report.market, one->purchases, " + "), std::to_string(one->orders + one->confirmed)});
  }
  table.drop_empty_columns();
  return table;
}

namespace {

/// "$0.131/h ($96/month)"; quotas count vCPUs, which have no month.
std::string cost_of_one(const FleetReport& report, MicroUsd amount) {
  const auto hour = hourly(report.market, amount);
  return report.market.counts_vcpus ? hour : fmt::format("{} ({}/month)", hour, monthly(amount));
}

}  // namespace

std::vector<std::pair<std::string, MicroUsd>> marginal_amounts(const FleetReport& report) {
  std::vector<std::pair<std::string, MicroUsd>> costs;
  if (report.plan.has_no_bound()) return costs;
  const auto names = shape_names(report.scenario, report.plan.question);
  const auto& worth = report.plan.bounded.solution.certificate.duals.worth;
  for (std::size_t i = 0; i < std::min(names.size(), worth.size()); ++i) {
    const auto micro_usd = (worth[i] + packing::kNanoUsdPerMicroUsd / 2) / packing::kNanoUsdPerMicroUsd;
    costs.emplace_back(names[i], micro_usd);
  }
  return costs;
}

std::vector<std::pair<std::string, std::string>> marginal_costs(const FleetReport& report) {
  std::vector<std::pair<std::string, std::string>> costs;
  for (const auto& [name, amount] : marginal_amounts(report)) costs.emplace_back(name, cost_of_one(report, amount));
  return costs;
}

std::vector<std::string> resource_price_words(const FleetReport& report) {
  std::vector<std::string> parts;
  for (const auto& [resource, usd] : report.plan.resource_prices) {
    const auto amount = static_cast<MicroUsd>(std::llround(usd * kMicroUsdPerUsd));
    const auto unit = resource == "CPU" ? "vCPU" : resource == "MEMORY" ? "GiB" : "GPU";
    if (amount > 0) parts.push_back(fmt::format("{} per {}", cost_of_one(report, amount), unit));
  }
  return parts;
}

std::string zone_loss_words(const FleetReport& report) {
  if (report.plan.review.zone_losses.empty()) return {};
  std::vector<std::string> parts;
  for (const auto& loss : report.plan.review.zone_losses) {
    if (loss.without_place > 0) parts.push_back(fmt::format("{} {}", loss.availability_zone, loss.without_place));
  }
  return parts.empty()
             ? "Losing any one zone leaves no task unplaced"
             : "Tasks unplaced if a zone is lost: " + join(parts, ", ") + " (--survive-zone-loss plans for it)";
}

std::string fleet_price_words(const FleetReport& report) {
  const auto days = price_dates(report.market, report.plan.purchases());
  std::string text = "Prices: " + report.market.region;
  if (!days.newest.empty()) text += ", " + price_days(days.oldest, days.newest);
  return text + ", " + price_source(report) + (report.prices_file.empty() ? old_price_words(days.old, days.dated) : "");
}

}  // namespace bayplan::report
