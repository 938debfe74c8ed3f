#include <array>
#include <string_view>

#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"
#include "report/sweep/sweep_report.hpp"

namespace bayplan::report {

using study::Measure;
using Layout = JsonWriter::Layout;

namespace {

struct MeasureMember {
  Measure measure;
  std::string_view name;
};

constexpr std::array<MeasureMember, study::kMeasures> kMeasureMembers = {{
    {Measure::kUnplaced, "unplaced"},
    {Measure::kInstancesUsed, "instancesUsed"},
    {Measure::kHourlyCost, "hourlyCost"},
    {Measure::kFreeGpus, "freeGpus"},
    {Measure::kLargestFreeBlock, "largestFreeBlock"},
}};

void write_amount(JsonWriter& json, std::string_view name, Measure measure, std::int64_t amount) {
  measure == Measure::kHourlyCost ? write_usd(json, name, amount) : static_cast<void>(json.member(name, amount));
}

void write_point_name(JsonWriter& json, std::string_view key, const study::PointName& name) {
  json.key(key);
  std::visit([&](const auto& value) { json.value(value); }, name);
}

/// `axes`: of a choice, only those that are chosen from.
void write_best(JsonWriter& json, const SweepReport& report, const study::BestScenario& best, std::size_t axes) {
  json.begin_object(Layout::kLine).member("index", best.index);
  json.key("point").begin_object(Layout::kLine);
  for (std::size_t i = 0; i < axes; ++i) {
    const auto& axis = report.grid.axes[i];
    write_point_name(json, axis.name, point_name(axis, report.summary.position(best.index, i)));
  }
  json.end_object();
  for (const auto& [measure, name] : kMeasureMembers) {
    if (const auto amount = best.figures.of(measure)) write_amount(json, name, measure, *amount);
  }
  json.member("equals", best.equals).end_object();
}

void write_choices(JsonWriter& json, const SweepReport& report) {
  const auto& choices = report.summary.choices();
  json.key("combinations");
  if (!choices || !choices->best) {
    json.null();
    return;
  }
  json.begin_object().member("count", choices->count).member("cases", choices->cases);
  json.member("placedAll", choices->placed_all).key("best");
  write_best(json, report, *choices->best, choices->axes);
  json.end_object();
}

void write_row(JsonWriter& json, const study::WrittenAxis& axis, const study::SummaryRow& row) {
  json.begin_object(Layout::kLine);
  write_point_name(json, "first", point_name(axis, row.first));
  write_point_name(json, "last", point_name(axis, row.last));
  json.member("scenarios", row.scenarios).member("placedAll", row.placed_all);
  for (const auto& [measure, name] : kMeasureMembers) {
    const auto& tally = row.of(measure);
    if (tally.count() == 0) continue;
    json.key(name).begin_object(Layout::kLine);
    write_amount(json, "min", measure, tally.smallest());
    write_amount(json, "median", measure, tally.median());
    write_amount(json, "max", measure, tally.largest());
    json.member("exact", tally.is_exact()).end_object();
  }
  json.end_object();
}

void write_axis(JsonWriter& json, const SweepReport& report, std::size_t number) {
  const auto& axis = report.grid.axes[number];
  json.begin_object().member("name", axis.name).key("influence").begin_object(Layout::kLine);
  for (const auto& [measure, name] : kMeasureMembers) {
    if (const auto share = report.summary.share(number, measure)) json.member(name, *share);
  }
  json.end_object().key("rows").begin_array();
  for (const auto& row : report.summary.rows(number)) {
    if (row.scenarios > 0) write_row(json, axis, row);
  }
  json.end_array().end_object();
}

}  // namespace

void write_sweep_json(std::ostream& out, const SweepReport& report) {
  const auto& summary = report.summary;
  JsonWriter json(out);
  begin_report(json, "sweep-summary-report", sweep_headline(report));
  json.key("shard").begin_object(Layout::kLine);
  json.member("number", report.shard.number).member("count", report.shard.count).end_object();
  if (!report.policies.empty()) {
    json.key("policies").begin_array(Layout::kLine);
    for (const auto policy : report.policies) json.value(placement::name_of(policy));
    json.end_array();
  }
  write_prices_json(json, report.prices);
  write_assumptions_json(json, report.assumptions);
  json.member("scenarios", summary.scenarios()).member("placedAll", summary.placed_all());
  json.key("best");
  if (summary.best()) {
    write_best(json, report, *summary.best(), report.grid.axes.size());
  } else {
    json.null();
  }
  write_choices(json, report);
  json.key("axes").begin_array();
  for (std::size_t i = 0; i < report.grid.axes.size(); ++i) write_axis(json, report, i);
  json.end_array().end_object().finish();
}

}  // namespace bayplan::report
