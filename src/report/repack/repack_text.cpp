#include "report/repack/repack_report.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/escape.hpp"
#include "report/document/figures.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/report_document.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

using study::RepackPlan;

namespace {

constexpr std::size_t kNarrowestMoves = 12;
constexpr std::size_t kShownSteps = 12;
constexpr std::size_t kShownServices = 6;
constexpr std::size_t kShownReasons = 4;

void write_answer(std::ostream& out, const RepackReport& report, const Style& style) {
  const auto text = wrapped(printable(repack_headline(report)), 0);
  out << (report.is_worth_it() ? style.bold(text) : text) << '\n';
}

/// The moves are cut so that the table fits.
void write_steps(std::ostream& out, const RepackPlan& plan, const TextOptions& options) {
  if (plan.steps.empty()) return;
  std::size_t moves = 0;
  auto table = steps_table(plan, moves);
  const auto left_out = options.verbose ? 0 : table.keep_rows(kShownSteps);
  if (!options.verbose) {
    const auto room = table.room_for(moves, kNarrowestMoves);
    for (auto& row : table.rows) row.cells[moves].text = cut(row.cells[moves].text.plain(), room, options.glyphs);
  }
  print_table(out, table, options.style);
  print_left_out(out, left_out);
}

void write_services(std::ostream& out, const RepackPlan& plan, const TextOptions& options) {
  auto table = services_table(plan, options.verbose);
  if (table.rows.empty()) return;
  out << '\n';
  const auto left_out = options.verbose ? 0 : table.keep_rows(kShownServices);
  print_table(out, table, options.style);
  print_left_out(out, left_out);
  if (const auto words = fewer_zones_words(plan); !words.empty()) out << wrapped(printable(words), 0) << '\n';
}

void write_lost_deployments(std::ostream& out, const RepackPlan& plan, const Style& style) {
  const auto words = no_deployment_words(plan);
  if (!words.empty()) out << '\n' << style.red(wrapped(printable(words), 0)) << '\n';
}

std::string list_ids(const RepackPlan& plan, const study::StayingInstances& staying) {
  std::vector<std::string> ids;
  for (const auto instance : staying.instances) ids.push_back(plan.scenario->instances[instance].id);
  return printable(join(ids, ", "));
}

void write_staying(std::ostream& out, const RepackPlan& plan, const TextOptions& options) {
  const auto& all = plan.staying;
  if (all.empty()) return;
  std::size_t instances = 0, width = 0;
  for (const auto& one : all) {
    instances += one.instances.size();
    width = std::max(width, std::to_string(one.instances.size()).size());
  }
  const auto cluster = count_of(plan.before.instances, "instance");
  out << '\n'
      << options.style.dim(fmt::format("{} of {} stay{}", instances, cluster, instances == 1 ? "s" : "")) << '\n';
  const auto shown = options.verbose ? all.size() : std::min(kShownReasons, all.size());
  for (std::size_t i = 0; i < shown; ++i) {
    out << fmt::format("  {:>{}}  {}\n", all[i].instances.size(), width,
                       wrapped(printable(staying_words(plan, all[i])), width + 4));
    if (options.verbose) out << std::string(width + 4, ' ') << wrapped(list_ids(plan, all[i]), width + 4) << '\n';
  }
  if (shown < all.size()) out << fmt::format("  and {} more reasons (-v)\n", all.size() - shown);
}

void write_tasks_without_place(std::ostream& out, const RepackPlan& plan) {
  const auto words = unplaced_words(plan);
  if (words.empty()) return;
  out << '\n' << wrapped(words, 0) << '\n';
}

void write_body(std::ostream& out, const RepackReport& report, const TextOptions& options) {
  const auto& plan = report.plan;
  write_answer(out, report, options.style);
  if (options.quiet) return;
  write_steps(out, plan, options);
  write_services(out, plan, options);
  write_lost_deployments(out, plan, options.style);
  write_staying(out, plan, options);
  if (const auto words = limit_words(plan); !words.empty()) out << '\n' << wrapped(words, 0) << '\n';
  write_tasks_without_place(out, plan);
}

/// What holds for the whole report.
void write_footer(std::ostream& out, const RepackPlan& plan, const TextOptions& options) {
  const auto assumptions = collect_assumptions(plan);
  if (!assumptions.empty() || !plan.scenario->findings.empty()) out << '\n';
  write_cluster_findings_text(out, plan.scenario->findings, options.verbose, options.style);
  write_assumptions_text(out, assumptions, options.verbose, options.style);
}

}  // namespace

void write_repack_text(std::ostream& out, const RepackReport& report, const TextOptions& options) {
  std::ostringstream body;
  std::ostringstream footer;
  write_body(body, report, options);
  if (!options.quiet) write_footer(footer, report.plan, options);
  write_first_screen(out, body.str(), footer.str(), options.verbose);
}

}  // namespace bayplan::report
