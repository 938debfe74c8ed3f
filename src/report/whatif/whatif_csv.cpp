#include "report/whatif/whatif_report.hpp"

#include "report/document/csv.hpp"
#include "report/whatif/whatif_over_time.hpp"
#include "report/whatif/whatif_words.hpp"

namespace bayplan::report {

using study::AskedVariant;
using study::ComparedRun;
using study::ComparedVariant;
using study::Comparison;
using study::EachOf;
using study::VariantResult;

namespace {

/// The variant, and what a single failure loses; null: the baseline.
void write_name_cells(CsvWriter& csv, const AskedVariant* asked) {
  if (asked == nullptr) {
    csv.text("baseline").nothing().nothing();
    return;
  }
  const std::string_view each = asked->each == EachOf::kNoFailure ? ""
                                : asked->each == EachOf::kZone    ? "availabilityZone"
                                                                  : "containerInstance";
  csv.text(asked->variant.name).text(each).text(asked->lost);
}

void write_figure_cells(CsvWriter& csv, const VariantResult& result) {
  const auto& summary = result.summary;
  csv.number(result.unplaced()).number(result.held()).number(result.moves);
  csv.number(summary.instances).number(summary.instances_used);
  csv.number(summary.gpu.total).number(summary.gpu.free).number(summary.gpu.largest_free_block);
  csv.number(summary.gpu.stranded).usd(summary.hourly_cost);
}

void write_variant_row(CsvWriter& csv, const Comparison& comparison, const ComparedVariant& variant) {
  write_name_cells(csv, &variant.asked);
  csv.flag(comparison.excess(variant) > 0).flag(variant.finishes());
  write_figure_cells(csv, variant.result);
  csv.text(lacking_words(comparison, variant));
  if (variant.remedies.list.empty()) {
    csv.nothing().nothing().end_row();
    return;
  }
  const auto& remedy = variant.remedies.list.front();
  csv.text(std::get<study::AppendFlags>(remedy.change).flags).usd(remedy.hourly_cost).end_row();
}

void write_run_row(CsvWriter& csv, const AskedVariant* asked, const ComparedRun& one, bool leaves_more) {
  const auto& figures = one.figures;
  write_name_cells(csv, asked);
  csv.number(one.at).flag(leaves_more);
  csv.number(figures.left()).number(figures.tasks.failed + figures.tasks.waiting).number(figures.interrupted_tasks);
  csv.number(figures.unfinished).number(figures.held_drains);
  const auto& wait = figures.tasks.to_place;
  for (const auto which : {&timeline::Delay::p50, &timeline::Delay::p95, &timeline::Delay::worst})
    wait ? csv.number((*wait).*which) : csv.nothing();
  csv.number(figures.gpu_paid).number(figures.gpu_used);
  csv.usd(figures.unpriced == 0 ? std::optional(figures.cost) : std::nullopt).number(figures.end).end_row();
}

}  // namespace

void write_whatif_csv(std::ostream& out, const WhatIfReport& report) {
  const auto& comparison = report.comparison;
  if (comparison.is_over_time()) return write_runs_csv(out, comparison);
  CsvWriter csv(out);
  csv.header({"variant", "each", "lost", "leavesMore", "deploymentsFinish", "unplaced", "held", "moves", "instances",
              "instancesUsed", "gpus", "freeGpus", "largestFreeBlock", "strandedGpus", "hourlyCost", "lacking",
              "remedy", "remedyHourlyCost"});
  write_name_cells(csv, nullptr);
  csv.flag(false).flag(true);
  write_figure_cells(csv, comparison.baseline);
  csv.nothing().nothing().nothing().end_row();
  for (const auto& variant : comparison.variants) write_variant_row(csv, comparison, variant);
}

void write_runs_csv(std::ostream& out, const Comparison& comparison) {
  CsvWriter csv(out);
  csv.header({"variant", "each", "lost", "at", "leavesMore", "tasksLeft", "withoutPlace", "cutOff",
              "unfinishedDeployments", "heldDrains", "waitP50", "waitP95", "waitWorst", "gpuSecondsPaid",
              "gpuSecondsUsed", "totalCost", "end"});
  write_run_row(csv, nullptr, *comparison.baseline_over_time, false);
  for (const auto& one : comparison.variants) write_run_row(csv, &one.asked, *one.over_time, comparison.is_worse(one));
}

}  // namespace bayplan::report
