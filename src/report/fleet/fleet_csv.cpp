#include "report/document/csv.hpp"
#include "report/document/figures.hpp"
#include "report/fleet/fleet_report.hpp"

namespace bayplan::report {

using fleet::Purchases;
using study::AlternativeKind;

namespace {

class FleetCsv {
 public:
  FleetCsv(std::ostream& out, const FleetReport& report) : csv_(out), report_(report) {}

  void write() {
    csv_.header({"fleet", "without", "strategy", "filledByEcs", "instanceType", "availabilityZone", "count",
                 "hourlyPrice", "hourlyCost", "owned"});
    const auto& plan = report_.plan;
    if (plan.tasks == 0 || plan.left_over() > 0) return;
    if (plan.fill.recommended) {
      const auto& filled = *plan.fill.recommended;
      rows({"recommended", "", filled.policy.name, true}, filled.purchases);
    }
    rows({"ideal", "", "", std::nullopt}, plan.ideal);
    for (const auto& one : plan.alternatives.list) {
      const bool is_single = one.kind == AlternativeKind::kSingleType;
      rows({is_single ? "single-type" : "without-type", is_single ? "" : one.instance_type, "", one.filled},
           one.purchases);
    }
  }

 private:
  struct Fleet {
    std::string_view kind;
    std::string_view without;
    std::string_view strategy;
    std::optional<bool> filled;
  };

  void rows(const Fleet& fleet, const Purchases& purchases) {
    for (const auto& one : purchases) {
      const auto& offer = report_.market.offers[one.offer];
      csv_.text(fleet.kind).text(fleet.without).text(fleet.strategy);
      fleet.filled ? csv_.flag(*fleet.filled) : csv_.nothing();
      csv_.text(offer.profile.instance_type).text(one.availability_zone).number(one.count);
      csv_.usd(offer.hourly_price).usd(offer.hourly_price * one.count).flag(offer.is_owned).end_row();
    }
  }

  CsvWriter csv_;
  const FleetReport& report_;
};

}  // namespace

void write_fleet_csv(std::ostream& out, const FleetReport& report) {
  FleetCsv(out, report).write();
}

}  // namespace bayplan::report
