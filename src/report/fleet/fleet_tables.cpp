#include "report/fleet/fleet_words.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"

namespace bayplan::report {

using fleet::Market;
using fleet::Offer;
using fleet::Purchase;
using fleet::Purchases;
using placement::Share;
using study::Alternative;
using study::AlternativeKind;
using study::Use;

namespace {

std::string share_cell(const Share& share) {
  return percent(share.reserved, share.registered);
}

std::string plain_price(const Market& market, MicroUsd amount) {
  return market.counts_vcpus ? from_millionths(amount) : usd(amount);
}

/// Quotas count vCPUs, which have no month.
std::string plain_month(const Market& market, MicroUsd amount) {
  return market.counts_vcpus ? std::string() : monthly_cell(amount);
}

/// One row of the fleet: an offer, in all its zones.
struct OfferRow {
  std::uint32_t offer = 0;
  std::int64_t count = 0;
  std::vector<std::string> zones;  ///< "2a 3"
};

std::vector<OfferRow> make_rows(const Purchases& purchases) {
  std::vector<OfferRow> rows;
  for (const Purchase& one : purchases) {
    if (rows.empty() || rows.back().offer != one.offer) rows.push_back({one.offer, 0, {}});
    rows.back().count += one.count;
    const auto& zone = one.availability_zone;
    if (!zone.empty()) rows.back().zones.push_back(fmt::format("{} {}", zone.substr(zone.rfind('-') + 1), one.count));
  }
  return rows;
}

const Use* use_of(const study::FleetUse& use, std::uint32_t offer) {
  const auto found =
      std::find_if(use.offers.begin(), use.offers.end(), [&](const auto& one) { return one.offer == offer; });
  return found == use.offers.end() ? nullptr : &found->use;
}

std::string note_of(const Offer& offer) {
  std::vector<std::string> notes;
  if (offer.is_owned) notes.emplace_back("owned");
  if (!offer.price_basis.empty()) notes.push_back("priced as " + offer.price_basis);
  if (!offer.profile.capacity_provider_name.empty()) notes.push_back(offer.profile.capacity_provider_name);
  if (const auto words = generation_words(offer); !words.empty()) notes.push_back(words);
  return join(notes, ", ");
}

std::string price_heading(const FleetReport& report) {
  return report.market.counts_vcpus ? "vCPU" : "$/h";
}

std::vector<std::string> shares(const Use& use) {
  return {share_cell(use.cpu), share_cell(use.memory), share_cell(use.gpu), share_cell(use.neuron)};
}

void append(std::vector<Cell>& row, std::vector<std::string> cells) {
  for (auto& cell : cells) row.emplace_back(std::move(cell));
}

bool is_retired(const Offer& offer) {
  return offer.profile.type != nullptr && offer.profile.type->is_retired();
}

std::string quota_words(const Market& market, const Alternative& one) {
  std::vector<std::string> parts;
  for (const auto& [quota, vcpus] : study::vcpus_by_quota(market, one.purchases)) {
    if (!quota.empty()) parts.push_back(fmt::format("{} {}", quota, vcpus));
  }
  return join(parts, ", ");
}

std::string alternative_notes(const Market& market, const Alternative& one) {
  std::vector<std::string> notes;
  if (one.filled == false) notes.emplace_back("simulated ECS placement does not fill it");
  const bool retired = std::any_of(one.purchases.begin(), one.purchases.end(),
                                   [&](const Purchase& purchase) { return is_retired(market.offers[purchase.offer]); });
  if (retired) notes.emplace_back("no longer sold");
  return join(notes, ", ");
}

bool is_reported(const FleetReport& report, const Alternative& one) {
  return fleet_words(report.market, one.purchases) != fleet_words(report.market, report.plan.purchases());
}

}  // namespace

Table fleet_table(const FleetReport& report) {
  const auto& plan = report.plan;
  const Purchases& purchases = plan.purchases();
  const auto& use = plan.use();
  const auto price = price_heading(report);
  const bool has_credits = reported_credits(report) > 0;
  Table table({"type", number_column("count"), number_column(price + " each"), number_column("credits"),
               number_column(price), month_column(), number_column("CPU"), number_column("MEM"), number_column("GPU"),
               number_column("Neuron"), "zones", "note"});
  for (const auto& row : make_rows(purchases)) {
    const Offer& offer = report.market.offers[row.offer];
    const Use* own = use_of(use, row.offer);
    const MicroUsd credits = own != nullptr ? own->credits : 0;
    const MicroUsd cost = offer.hourly_price * row.count + credits;
    std::vector<Cell> cells{offer.profile.instance_type,
                            std::to_string(row.count),
                            plain_price(report.market, offer.hourly_price),
                            has_credits ? plain_price(report.market, credits) : "",
                            plain_price(report.market, cost),
                            plain_month(report.market, cost)};
    append(cells, own != nullptr ? shares(*own) : std::vector<std::string>{"-", "-", "-", ""});
    append(cells, {join(row.zones, ", "), note_of(offer)});
    table.add(std::move(cells));
  }
  if (table.rows.size() > 1) {
    const auto cost = report.plan.hourly_cost();
    std::vector<Cell> sums{"all",
                           std::to_string(fleet::instances_of(purchases)),
                           "",
                           has_credits ? plain_price(report.market, reported_credits(report)) : "",
                           plain_price(report.market, cost),
                           plain_month(report.market, cost)};
    append(sums, shares(use.all));
    append(sums, {"", ""});
    table.add(std::move(sums));
  }
  table.drop_empty_columns();
  return table;
}

Table single_type_table(const FleetReport& report) {
  Table table({"single-type fleets", number_column(price_heading(report)), month_column(), number_column("CPU"),
               number_column("MEM"), number_column("GPU"), number_column("Neuron"), "limited by", "vCPU quota",
               "note"});
  for (const auto& one : report.plan.alternatives.list) {
    if (one.kind != AlternativeKind::kSingleType || !is_reported(report, one)) continue;
    std::vector<Cell> cells{fleet_words(report.market, one.purchases, " + "),
                            plain_price(report.market, one.hourly_cost), plain_month(report.market, one.hourly_cost)};
    append(cells, shares(one.use.all));
    append(cells, {std::string(one.use.binding_resource()), quota_words(report.market, one),
                   alternative_notes(report.market, one)});
    table.add(std::move(cells));
  }
  table.drop_empty_columns();
  return table;
}

Table without_type_table(const FleetReport& report) {
  Table table({"if unavailable", number_column(price_heading(report)), month_column(), "cheapest fleet", "note"});
  for (const auto& one : report.plan.alternatives.list) {
    if (one.kind != AlternativeKind::kWithoutType || !is_reported(report, one)) continue;
    table.add({one.instance_type, plain_price(report.market, one.hourly_cost),
               plain_month(report.market, one.hourly_cost), fleet_words(report.market, one.purchases, " + "),
               alternative_notes(report.market, one)});
  }
  table.drop_empty_columns();
  return table;
}

Table rate_table(const study::FamilyRate& family) {
  const auto& unit = family.throughput.unit.empty() ? std::string("rate") : family.throughput.unit;
  Table table({"instance", number_column("tasks"), number_column("GPUs per task"), number_column(unit),
               number_column("$/h"), month_column(), number_column(unit + " per $/h")});
  for (const auto& row : family.instances) {
    table.add({row.instance_type, std::to_string(row.tasks), std::to_string(row.gpus), fmt::format("{:.1f}", row.rate),
               row.hourly_price ? usd(*row.hourly_price) : "-",
               row.hourly_price ? monthly_cell(*row.hourly_price) : "-",
               row.rate_per_usd ? fmt::format("{:.1f}", *row.rate_per_usd) : "-"});
  }
  return table;
}

}  // namespace bayplan::report
