#include "report/why/why_report.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/model/strategies.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/fitting_costs.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_words.hpp"
#include "report/place/placement_assumptions.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else
using study::Why;

namespace {

constexpr std::size_t kShownInstanceIds = 3;
constexpr std::size_t kShownWhyRemedies = 5;

std::string printable_id(const Why& why, std::uint32_t instance) {
  return printable(scenario_of(why).instances[instance].id);
}

/// What the checks of the funnel wanted, where the heading of the report does not say it already.
void write_constraints(std::ostream& out, const Why& why) {
  for (const auto& step : why.trace->funnel().steps) {
    if (step.check != Check::kMemberOf && step.check != Check::kAttribute && step.check != Check::kLocation) continue;
    const auto wanted = printable(wanted_by(why, step));
    if (!wanted.empty()) out << "  " << wrapped(check_name(step.check, step.status) + ": " + wanted, 4) << '\n';
  }
}

void write_instances(std::ostream& out, const Why& why, const TextOptions& options) {
  const auto shown = rejections_to_show(why, !options.verbose, true);
  if (shown.empty()) return;
  const auto all = why.trace->rejections().size();
  out << '\n' << (shown.size() < all ? "Closest matches" : "Instances, closest match first") << '\n';
  std::size_t width = 0;
  for (const auto* rejection : shown) width = std::max(width, display_width(printable_id(why, rejection->instance)));
  for (const auto* rejection : shown) {
    const auto id = printable_id(why, rejection->instance);
    out << "  " << id << std::string(width - display_width(id) + 2, ' ')
        << wrapped(printable(why_rejected(why, *rejection)), width + 4) << '\n';
  }
  print_left_out(out, all - shown.size());
}

void write_ranking(std::ostream& out, const Why& why) {
  out << "\nHow the strategies narrowed the candidates\n";
  if (why.ranking.narrowings.empty()) {
    out << "  only one instance qualifies: the strategies had no choice\n";
    return;
  }
  std::size_t width = 0;
  std::vector<std::string> steps;
  for (const auto& narrowing : why.ranking.narrowings) {
    steps.push_back(fmt::format("{} -> {}", narrowing.before, narrowing.after));
    width = std::max(width, steps.back().size());
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& narrowing = why.ranking.narrowings[i];
    const auto text = strategy_text(narrowing.strategy) + ": " + ranked_by(why, narrowing);
    out << "  " << std::string(width - steps[i].size(), ' ') << steps[i] << "  " << wrapped(printable(text), width + 4)
        << '\n';
  }
  const auto tied = why.ranking.best.size();
  if (tied < 2) return;
  std::vector<std::string> others;
  for (std::size_t i = 1; i < tied && others.size() < kShownInstanceIds; ++i)
    others.push_back(printable_id(why, why.ranking.best[i]));
  const auto more = tied - 1 - others.size();
  out << "  "
      << wrapped(fmt::format("{} tie after the last strategy: {} is first in file order, then {}{}; ECS does not "
                             "document its choice",
                             count_of(static_cast<std::int64_t>(tied), "instance"),
                             printable_id(why, why.ranking.best.front()), join(others, ", "),
                             more > 0 ? fmt::format(" and {} more", more) : ""),
                 2)
      << '\n';
}

std::string flags_of(const study::Remedy& remedy) {
  const auto flags = added_flags(remedy.added);
  return flags.empty() ? flags : ": " + flags;
}

void write_remedies(std::ostream& out, const Why& why, const TextOptions& options) {
  const auto& remedies = why.remedies;
  if (remedies.list.empty()) {
    out << "\nNo fix found (" << count_of(remedies.tried, "change") << " simulated)\n";
    return;
  }
  out << fmt::format("\nFixes, cheapest first ({} simulated)\n", remedies.tried);
  const std::size_t shown = options.verbose ? remedies.list.size() : std::min(kShownWhyRemedies, remedies.list.size());
  std::vector<std::string> costs;
  for (std::size_t i = 0; i < shown; ++i) costs.push_back(remedy_cost(remedies.list[i]));
  costs = fitting_costs(std::move(costs), 2);
  std::size_t width = 0;
  for (const auto& cost : costs) width = std::max(width, cost.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& cost = costs[i];
    out << "  " << std::string(width - cost.size(), ' ') << options.style.bold(cost) << "  "
        << wrapped(printable(remedy_text(why, remedies.list[i]) + flags_of(remedies.list[i])), width + 4) << '\n';
  }
  print_left_out(out, remedies.list.size() - shown);
}

void write_failure(std::ostream& out, const Why& why, const TextOptions& options) {
  if (const auto miss = closest_match(why); !miss.empty())
    out << '\n' << options.style.bold("Closest match: ") << wrapped(printable(miss), 15) << '\n';
  write_remedies(out, why, options);
  if (options.verbose) write_instances(out, why, options);
  out << '\n'
      << options.style.dim("ECS message: " +
                           wrapped(printable(failure_message(why.trace->scenario(), *why.failure)), 13))
      << '\n';
}

}  // namespace

std::vector<Assumption> collect_assumptions(const Why& why) {
  auto assumptions = why.trace->scenario().assumptions;
  using Kind = placement::PlacementFact::Kind;
  auto facts = why.trace->outcome().facts;
  if (why.instance) {  // failures of other tasks
    std::erase_if(facts, [](const auto& fact) {
      return fact.kind == Kind::kClosestInstance || fact.kind == Kind::kGpuEventText;
    });
  }
  const auto own = placement_assumptions(facts);
  assumptions.insert(assumptions.end(), own.begin(), own.end());
  assumptions.insert(assumptions.end(), why.assumptions.begin(), why.assumptions.end());
  return assumptions;
}

namespace {

void write_body(std::ostream& out, const Why& why, const TextOptions& options) {
  const auto& style = options.style;
  out << style.answer(wrapped(printable(why_headline(why)), 0)) << '\n';
  if (options.quiet) return;
  out << "    " << wrapped(printable(asked_for(why)), 4) << "\n\n";
  print_table(out, funnel_table(why, false, kShownInstanceIds), style);
  if (options.verbose) write_constraints(out, why);
  if (why.instance) {
    write_ranking(out, why);
    if (options.verbose) write_instances(out, why, options);
  } else {
    write_failure(out, why, options);
  }
}

/// What holds for the whole report.
void write_footer(std::ostream& out, const Why& why, const TextOptions& options) {
  const auto assumptions = collect_assumptions(why);
  if (!assumptions.empty() || !scenario_of(why).findings.empty()) out << '\n';
  write_cluster_findings_text(out, scenario_of(why).findings, options.verbose, options.style);
  write_assumptions_text(out, assumptions, options.verbose, options.style);
}

}  // namespace

void write_why_text(std::ostream& out, const Why& why, const TextOptions& options) {
  std::ostringstream body;
  std::ostringstream footer;
  write_body(body, why, options);
  if (!options.quiet) write_footer(footer, why, options);
  write_first_screen(out, body.str(), footer.str(), options.verbose);
}

}  // namespace bayplan::report
