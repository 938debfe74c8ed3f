#include "report/place_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "placement/ecs_words.hpp"
#include "report/assumptions.hpp"
#include "report/figures.hpp"
#include "report/gpu_text.hpp"
#include "report/place_table.hpp"
#include "report/place_words.hpp"
#include "report/table.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kShownFailures = 10;
constexpr std::size_t kRowsOfInterest = 10;

/// Text of the report without the failures that say the same as another.
std::vector<const Failure*> told_failures(const Outcome& outcome) {
  std::vector<const Failure*> told;
  for (const auto& failure : outcome.failures) {
    if (!failure.same_as) told.push_back(&failure);
  }
  return told;
}

/// The closest misses, and instances whose GPUs nobody can use.
std::vector<std::uint32_t> rows_of_interest(const PlaceReport& report) {
  std::set<std::uint32_t> rows;
  for (const auto* failure : told_failures(report.outcome)) {
    if (failure->closest && rows.size() < kRowsOfInterest) rows.insert(*failure->closest);
  }
  return {rows.begin(), rows.end()};
}

void write_cluster(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  const std::size_t count = report.scenario.instances.size();
  if (count == 0) return;
  if (options.verbose || count <= kShownInstances) {
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    return write_instance_table(out, report, all, options);
  }
  write_type_table(out, report, options);
  const auto rows = rows_of_interest(report);
  if (rows.empty()) return;
  out << "closest misses\n";
  write_instance_table(out, report, rows, options);
}

void write_totals(std::ostream& out, const PlaceReport& report, const Style& style) {
  const auto& summary = report.summary;
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name, const Share& part) {
    if (part.registered > 0) parts.push_back(fmt::format("{} {}%", name, part.reserved * 100 / part.registered));
  };
  if (summary.hourly_cost) {
    parts.push_back(fmt::format("${}/h ({})", usd(*summary.hourly_cost), report.scenario.region));
  }
  add("CPU", summary.cpu);
  add("MEM", summary.memory);
  if (summary.gpu.total > 0) {
    std::string gpus = fmt::format("GPU {} of {} in use", summary.gpu_devices.reserved, summary.gpu.total);
    if (summary.gpu.stranded > 0) gpus += fmt::format(", {} stranded", summary.gpu.stranded);
    parts.push_back(std::move(gpus));
  }
  parts.push_back(fmt::format("seed {}", report.scenario.seed));
  out << style.dim(count_of(summary.instances, "instance") + ": " + join(parts, ", ")) << '\n';
}

void write_failure(std::ostream& out, const PlaceReport& report, const Failure& failure, const Style& style) {
  const auto& workload = report.scenario.workloads[failure.turn.workload];
  std::vector<Turn> alike;
  for (const auto& other : report.outcome.failures) {
    if (&explained(report.outcome, other) == &failure) alike.push_back(other.turn);
  }
  const auto names = join(task_ranges(report.scenario, alike), " ");
  out << "  " << style.bold(printable(names)) << "  " << describe(workload.requirement) << '\n';
  if (failure.closest) {
    const Rejection* closest = rejection_of(failure, *failure.closest);
    const auto& instance = report.scenario.instances[*failure.closest];
    const auto lacking = closest == nullptr ? std::string{} : shortfall_text(report.scenario, failure, *closest);
    out << "    closest: " << printable(instance.id) << ", " << failure_reason(report.scenario, failure)
        << (lacking.empty() ? "" : " (" + printable(lacking) + ")") << '\n';
  }
  const auto counts = reason_counts(report.scenario, failure);
  if (!counts.empty()) out << "    rejected: " << counts << '\n';
  if (workload.kind != WorkloadKind::kTasks) {
    out << style.dim("    event: " + printable(failure_message(report.scenario, failure))) << '\n';
  }
}

void write_failures(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  const auto told = told_failures(report.outcome);
  if (told.empty()) return;
  out << "\nnot placed\n";
  const std::size_t shown = options.verbose ? told.size() : std::min(kShownFailures, told.size());
  for (std::size_t i = 0; i < shown; ++i) write_failure(out, report, *told[i], options.style);
  if (shown < told.size()) out << fmt::format("  and {} more (-v)\n", told.size() - shown);
}

void write_remedy(std::ostream& out, const PlaceReport& report) {
  if (!report.remedy) return;
  const auto& remedy = *report.remedy;
  out << "what would help: one more " << printable(remedy.instance_type);
  if (!remedy.availability_zone.empty()) out << " in " << printable(remedy.availability_zone);
  if (remedy.hourly_price) out << " (+$" << usd(*remedy.hourly_price) << "/h)";
  out << '\n';
}

void write_findings(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  if (!report.cluster_findings.empty()) out << '\n';
  for (const auto& finding : report.cluster_findings) {
    out << options.style.yellow("note") << " " << finding.id << " (" << printable(finding.subject)
        << "): " << printable(finding.text) << '\n';
  }
}

}  // namespace

void write_place_text(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  const auto& style = options.style;
  const std::string text = printable(headline(report));
  const std::string answer = text.substr(0, 3);
  out << style.bold(report.summary.unplaced == 0 ? style.green(answer) : style.red(answer)) << text.substr(3) << '\n';
  if (options.quiet) return;
  write_cluster(out, report, options);
  write_totals(out, report, style);
  write_failures(out, report, options);
  write_remedy(out, report);
  write_free_gpus(out, report, options);
  write_gpu_ids(out, report, options);
  write_findings(out, report, options);
  if (!report.assumptions.empty()) out << '\n';
  write_assumptions_text(out, report.assumptions, options.verbose, style);
}

}  // namespace bayplan::report
