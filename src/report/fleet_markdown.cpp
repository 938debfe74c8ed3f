#include <fmt/format.h>

#include <sstream>

#include "report/assumptions.hpp"
#include "report/fleet_report.hpp"
#include "report/fleet_tables.hpp"
#include "report/fleet_words.hpp"
#include "report/markdown.hpp"
#include "report/markdown_page.hpp"

namespace bayplan::report {
namespace {

constexpr std::size_t kNamedInConstraint = 20;

}  // namespace

void write_fleet_markdown(std::ostream& to, const FleetReport& report) {
  std::ostringstream out;
  out << "### bayplan fleet: " << markdown_text(fleet_headline(report)) << '\n';
  for (const auto& note : launch_type_notes(report.scenario.assumptions))
    out << "\n**Note**: " << markdown_text(note) << '\n';
  const auto& plan = report.plan;
  if (plan.tasks > 0 && plan.left_over() == 0) {
    write_markdown_table(out, fleet_table(report));
    if (const auto& filled = plan.fill.recommended; filled && keeps_apart(report, filled->policy)) {
      out << "\nPlacement constraints to write:\n\n";
      for (const auto& words : constraint_words(report, filled->policy, kNamedInConstraint))
        out << "- " << markdown_text(words) << '\n';
    }
    if (const auto doubt = memory_doubt_words(report); !doubt.empty())
      out << "\n**Memory in doubt**: " << markdown_text(doubt) << '\n';
    for (const auto& table : {single_type_table(report), without_type_table(report)}) {
      if (!table.rows.empty()) write_markdown_table(out, table);
    }
  }
  for (const auto& one : plan.question.unplaceable) {
    const auto& workload = report.scenario.workloads[one.workload];
    out << "\n**" << markdown_text(fmt::format("{} {}", one.count, workload.name))
        << "** fits no instance that may be bought";
    if (!one.contradiction.empty()) out << ": " << markdown_text(one.contradiction);
    out << '\n';
    for (const auto& rejection : one.rejections) {
      out << (&rejection == &one.rejections.front() ? "\n- " : "- ") << markdown_text(rejection.instance_type) << ": "
          << markdown_text(rejection_words(rejection)) << '\n';
      if (&rejection - one.rejections.data() >= 4) break;
    }
  }
  for (const auto& family : report.rates) {
    out << "\nWhat " << markdown_text(family.throughput.family) << " gets done:\n";
    write_markdown_table(out, rate_table(family));
  }
  write_cluster_findings_markdown(out, report.scenario.findings);
  to << cut_to_comment(out.str());
}

}  // namespace bayplan::report
