#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/model/strategies.hpp"
#include "report/document/prices.hpp"
#include "report/place/place_words.hpp"
#include "report/why/why_report.hpp"

namespace bayplan::report {

using study::Why;

namespace {

constexpr std::size_t kStepsOfReport = 40;
constexpr std::size_t kMissesOfComment = 100;
constexpr std::size_t kRemediesOfComment = 10;

/// "i-01, i-02, i-03 and 3 more"
std::string removed_instances(const Why& why, const study::FunnelStep& step, std::size_t most) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, step.instances.size()); ++i)
    names.push_back(scenario_of(why).instances[step.instances[i]].id);
  const auto more = step.removed - static_cast<std::int64_t>(names.size());
  return join(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

void add_ranking(ReportDocument& document, const Why& why) {
  document.section("ranking", "Placement choice");
  Table table({"strategy", number_column("candidates"), number_column("remaining"), "best"});
  for (const auto& narrowing : why.ranking.narrowings) {
    table.add({strategy_text(narrowing.strategy), std::to_string(narrowing.before), std::to_string(narrowing.after),
               ranked_by(why, narrowing)});
  }
  document.table(std::move(table), document.is_page() ? kEveryRow : kStepsOfReport);
  if (why.ranking.best.size() < 2) return;
  document.paragraph(fmt::format(
      "{} instances tie after the last strategy. bayplan uses the first in file order; ECS does not document its "
      "choice.",
      why.ranking.best.size()));
}

/// Each fix with what it costs, and the flag of `whatif` that makes it.
Table remedies_table(const Why& why) {
  Table table({"cost", "fix", "flag of whatif"});
  table.holds_sentences = true;
  for (const auto& remedy : why.remedies.list) {
    const auto flag = added_flags(remedy.added);
    table.add(
        {remedy_cost(remedy), remedy_text(why, remedy), flag.empty() ? RichText("") : RichText(in_command(flag))});
  }
  table.drop_empty_columns();
  return table;
}

void add_remedies(ReportDocument& document, const Why& why) {
  const auto& remedies = why.remedies;
  document.section("remedies", "Fixes");
  if (remedies.list.empty())
    return document.paragraph(fmt::format("No fix found ({} simulated).", count_of(remedies.tried, "change")));
  if (document.is_page()) {
    document.paragraph(fmt::format("Cheapest first; {} simulated.", count_of(remedies.tried, "change")));
    return document.table(remedies_table(why));
  }
  document.paragraph({in_bold("Fixes"), {fmt::format(", cheapest first ({} simulated):", remedies.tried)}});
  const std::size_t shown = std::min(kRemediesOfComment, remedies.list.size());
  std::vector<RichText> items;
  for (std::size_t i = 0; i < shown; ++i)
    items.push_back({in_code(remedy_cost(remedies.list[i])), {" " + remedy_text(why, remedies.list[i])}});
  if (shown < remedies.list.size()) items.emplace_back(fmt::format("and {} more", remedies.list.size() - shown));
  document.list(std::move(items));
}

void add_failure(ReportDocument& document, const Why& why) {
  if (const auto miss = closest_match(why); !miss.empty())
    document.paragraph({in_bold("Closest match:"), {" " + miss}});
  add_remedies(document, why);
  document.paragraph({in_bold("ECS message:"), {" " + failure_message(scenario_of(why), *why.failure)}});
}

void add_misses(ReportDocument& document, const Why& why) {
  const auto shown = rejections_to_show(why, false, true);
  if (shown.empty()) return;
  Table table({"instance", "reason"});
  for (const auto* rejection : shown)
    table.add({scenario_of(why).instances[rejection->instance].id, why_rejected(why, *rejection)});
  const auto most = document.is_page() ? kEveryRow : kMissesOfComment;
  document.folded("Instances, closest match first", {block::ShownTable{std::move(table), most}});
}

}  // namespace

Table funnel_table(const Why& why, bool says_wanted, std::size_t most_names) {
  Table table({"check"});
  if (says_wanted) table.columns.emplace_back("needs");
  table.columns.insert(table.columns.end(), {number_column("rejects"), number_column("remaining"), "instances"});
  const auto add = [&](std::string check, std::string wanted, std::string removed, std::int64_t left,
                       std::string which) {
    std::vector<Cell> cells{std::move(check)};
    if (says_wanted) cells.emplace_back(std::move(wanted));
    cells.insert(cells.end(), {std::move(removed), std::to_string(left), std::move(which)});
    table.add(std::move(cells));
  };
  const auto& funnel = why.trace->funnel();
  add("", "", "", funnel.instances, "all instances of the cluster");
  for (const auto& step : funnel.steps) {
    add(check_name(step.check, step.status), wanted_by(why, step), std::to_string(step.removed), step.left,
        removed_instances(why, step, most_names));
  }
  return table;
}

ReportDocument why_document(const Why& why, Medium medium) {
  ReportDocument document(medium, "why");
  document.answer(scenario_of(why).file, why_headline(why), why.instance.has_value());
  if (document.is_page()) document.prices = price_words(find_price_range(scenario_of(why)));
  document.paragraph(asked_for(why));
  document.section("funnel", "Checks");
  document.table(funnel_table(why, true, kEveryRow), document.is_page() ? kEveryRow : kStepsOfReport);
  if (why.instance) {
    add_ranking(document, why);
  } else {
    add_failure(document, why);
  }
  add_misses(document, why);
  document.add(block::ClusterFindings{scenario_of(why).findings});
  document.add(block::Assumptions{collect_assumptions(why)});
  if (!document.is_page()) return document;
  std::ostringstream text;
  write_why_text(text, why, {.verbose = true});
  document.as_text("the report as a terminal shows it with -v", text.str());
  return document;
}

}  // namespace bayplan::report
