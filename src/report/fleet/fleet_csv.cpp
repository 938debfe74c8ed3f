#include "report/document/amounts.hpp"
#include "report/document/csv.hpp"
#include "report/document/figures.hpp"
#include "report/fleet/fleet_managed.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_spot.hpp"

namespace bayplan::report {

using fleet::Purchases;
using study::AlternativeKind;

namespace {

/// Which fleet a row is of.
struct NamedFleet {
  std::string_view kind;
  std::string_view without;
  std::string_view strategy;
  std::optional<bool> filled;
};

void write_rows(CsvWriter& csv, const fleet::Market& market, const NamedFleet& fleet, const Purchases& purchases,
                const study::FleetUse& use) {
  for (const auto& one : purchases) {
    const auto& offer = market.offers[one.offer];
    csv.text(fleet.kind).text(fleet.without).text(fleet.strategy);
    fleet.filled ? csv.flag(*fleet.filled) : csv.nothing();
    csv.text(offer.profile.instance_type).text(one.availability_zone).number(one.count);
    const MicroUsd credits = use.credits_of(one);
    const MicroUsd cost = offer.hourly_price * one.count + credits;
    csv.usd(offer.hourly_price).usd(cost);
    market.counts_vcpus ? csv.nothing() : csv.usd(cost * kHoursPerMonth);
    csv.flag(offer.is_owned);
    market.counts_vcpus ? csv.nothing() : csv.usd(credits);
    csv.end_row();
  }
}

}  // namespace

void write_fleet_csv(std::ostream& out, const FleetReport& report) {
  CsvWriter csv(out);
  csv.header({"fleet", "without", "strategy", "filledByEcs", "instanceType", "availabilityZone", "count", "hourlyPrice",
              "hourlyCost", "monthlyCost", "owned", "cpuCredits"});
  const auto& plan = report.plan;
  write_spot_csv(csv, report);
  write_managed_csv(csv, report);
  if (plan.tasks == 0 || plan.left_over() > 0) return;
  if (const auto& filled = plan.fill.recommended)
    write_rows(csv, report.market, {"recommended", "", filled->policy.name, true}, filled->purchases,
               plan.review.use ? *plan.review.use : study::FleetUse());
  write_rows(csv, report.market, {"ideal", "", "", std::nullopt}, plan.ideal.purchases, plan.ideal.use);
  for (const auto& one : plan.alternatives.list) {
    const bool is_single = one.kind == AlternativeKind::kSingleType;
    const NamedFleet fleet{is_single ? "single-type" : "without-type",
                           is_single ? std::string_view() : one.instance_type, "", one.filled};
    write_rows(csv, report.market, fleet, one.purchases, one.use);
  }
}

}  // namespace bayplan::report
