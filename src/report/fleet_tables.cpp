#include "report/fleet_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/figures.hpp"
#include "report/fleet_words.hpp"
#include "report/markdown.hpp"
#include "report/table.hpp"

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

/// Whole per cent, never 0 or 100 where that is not true.
std::string percent(const Share& share) {
  if (share.registered <= 0) return "-";
  if (share.reserved <= 0) return "0%";
  const auto percent = (share.reserved * 100 + share.registered / 2) / share.registered;
  if (share.reserved >= share.registered) return "100%";
  return fmt::format("{}%", std::clamp<std::int64_t>(percent, 1, 99));
}

std::string plain_price(const Market& market, MicroUsd amount) {
  return market.counts_vcpus ? from_millionths(amount) : usd(amount);
}

/// One row of the fleet: an offer, in all its zones.
struct OfferRow {
  std::uint32_t offer = 0;
  std::int64_t count = 0;
  std::vector<std::string> zones;  ///< "2a 3"
};

std::vector<OfferRow> rows_of(const Purchases& purchases) {
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
  if (!offer.price_basis.empty()) notes.push_back("price of " + offer.price_basis);
  if (!offer.profile.capacity_provider_name.empty()) notes.push_back(offer.profile.capacity_provider_name);
  if (const auto words = generation_words(offer); !words.empty()) notes.push_back(words);
  return join(notes, ", ");
}

/// Columns with nothing in them go; the first stays.
void drop_empty_columns(FleetTable& table) {
  for (std::size_t column = table.headings.size(); column-- > 1;) {
    const bool is_empty = std::all_of(table.rows.begin(), table.rows.end(),
                                      [&](const auto& row) { return row[column].empty() || row[column] == "-"; });
    if (!is_empty) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.headings.erase(table.headings.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
    if (column < table.left_from) --table.left_from;
  }
}

std::string price_heading(const FleetReport& report) {
  return report.market.counts_vcpus ? "vCPU" : "$/h";
}

std::vector<std::string> shares(const Use& use) {
  return {percent(use.cpu), percent(use.memory), percent(use.gpu)};
}

void append(std::vector<std::string>& row, std::vector<std::string> cells) {
  std::move(cells.begin(), cells.end(), std::back_inserter(row));
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
  if (one.filled == false) notes.emplace_back("ECS does not fill it");
  const bool retired = std::any_of(one.purchases.begin(), one.purchases.end(),
                                   [&](const Purchase& purchase) { return is_retired(market.offers[purchase.offer]); });
  if (retired) notes.emplace_back("no longer sold");
  return join(notes, ", ");
}

bool is_told(const FleetReport& report, const Alternative& one) {
  const auto& filled = report.plan.fill.recommended;
  return fleet_words(report.market, one.purchases) !=
         fleet_words(report.market, filled ? filled->purchases : report.plan.ideal);
}

}  // namespace

FleetTable fleet_table(const FleetReport& report) {
  const auto& plan = report.plan;
  const auto& filled = plan.fill.recommended;
  const Purchases& purchases = filled ? filled->purchases : plan.ideal;
  const auto& use = filled && plan.use ? *plan.use : plan.ideal_use;
  const auto price = price_heading(report);
  FleetTable table{{"type", "count", price + " each", price, "CPU", "MEM", "GPU", "zones", "note"}, {}, 7};
  for (const auto& row : rows_of(purchases)) {
    const Offer& offer = report.market.offers[row.offer];
    const Use* own = use_of(use, row.offer);
    std::vector<std::string> cells{offer.profile.instance_type, std::to_string(row.count),
                                   plain_price(report.market, offer.hourly_price),
                                   plain_price(report.market, offer.hourly_price * row.count)};
    append(cells, own != nullptr ? shares(*own) : std::vector<std::string>(3, "-"));
    append(cells, {join(row.zones, ", "), note_of(offer)});
    table.rows.push_back(std::move(cells));
  }
  if (table.rows.size() > 1) {
    std::vector<std::string> sums{"all", std::to_string(fleet::instances_of(purchases)), "",
                                  plain_price(report.market, fleet::hourly_cost(report.market, purchases))};
    append(sums, shares(use.all));
    append(sums, {"", ""});
    table.rows.push_back(std::move(sums));
  }
  drop_empty_columns(table);
  return table;
}

FleetTable single_type_table(const FleetReport& report) {
  FleetTable table{
      {"of one type", price_heading(report), "CPU", "MEM", "GPU", "bound by", "vCPU quota", "note"}, {}, 5};
  for (const auto& one : report.plan.alternatives.list) {
    if (one.kind != AlternativeKind::kSingleType || !is_told(report, one)) continue;
    std::vector<std::string> cells{fleet_words(report.market, one.purchases, " + "),
                                   plain_price(report.market, one.hourly_cost)};
    append(cells, shares(one.use.all));
    append(cells, {std::string(one.use.binding_resource()), quota_words(report.market, one),
                   alternative_notes(report.market, one)});
    table.rows.push_back(std::move(cells));
  }
  drop_empty_columns(table);
  return table;
}

FleetTable without_type_table(const FleetReport& report) {
  FleetTable table{{"without", price_heading(report), "the cheapest is", "note"}, {}, 2};
  for (const auto& one : report.plan.alternatives.list) {
    if (one.kind != AlternativeKind::kWithoutType || !is_told(report, one)) continue;
    table.rows.push_back({one.instance_type, plain_price(report.market, one.hourly_cost),
                          fleet_words(report.market, one.purchases, " + "), alternative_notes(report.market, one)});
  }
  drop_empty_columns(table);
  return table;
}

FleetTable rate_table(const study::FamilyRate& family) {
  const auto& unit = family.throughput.unit.empty() ? std::string("rate") : family.throughput.unit;
  FleetTable table{{"instance", "tasks on it", "GPUs of a task", unit, "$/h", unit + " per $/h"}, {}, 6};
  for (const auto& row : family.instances) {
    table.rows.push_back({row.instance_type, std::to_string(row.tasks), std::to_string(row.gpus),
                          fmt::format("{:.1f}", row.rate), row.hourly_price ? usd(*row.hourly_price) : "-",
                          row.rate_per_usd ? fmt::format("{:.1f}", *row.rate_per_usd) : "-"});
  }
  return table;
}

void print_table(std::ostream& out, const FleetTable& content, const Style& style) {
  Table table;
  for (std::size_t i = 0; i < content.headings.size(); ++i)
    table.column(content.headings[i], i == 0 || i >= content.left_from ? Align::kLeft : Align::kRight);
  for (const auto& row : content.rows) {
    std::vector<std::string> shown;
    for (const auto& cell : row) shown.push_back(printable(cell));
    table.row(std::move(shown));
  }
  table.print(out, [&](std::string_view heading) { return style.dim(heading); });
}

void write_markdown_table(std::ostream& out, const FleetTable& table) {
  out << "\n|";
  for (const auto& heading : table.headings) out << ' ' << markdown_text(heading) << " |";
  out << "\n|";
  for (std::size_t i = 0; i < table.headings.size(); ++i)
    out << (i == 0 || i >= table.left_from ? " --- |" : " ---: |");
  out << '\n';
  for (const auto& row : table.rows) {
    out << '|';
    for (const auto& cell : row) out << ' ' << markdown_text(cell) << " |";
    out << '\n';
  }
}

}  // namespace bayplan::report
