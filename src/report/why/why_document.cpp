#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/model/strategies.hpp"
#include "report/document/prices.hpp"
#include "report/place/place_words.hpp"
#include "report/place/placement_assumptions.hpp"
#include "report/why/why_report.hpp"

namespace bayplan::report {

using placement::Check;
using study::Why;

namespace {

constexpr std::size_t kStepsOfComment = 40;

/// "i-01, i-02, i-03 and 3 more"
std::string removed_instances(const Why& why, const study::FunnelStep& step, std::size_t most) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, step.instances.size()); ++i)
    names.push_back(scenario_of(why).instances[step.instances[i]].id);
  const auto more = step.removed - static_cast<std::int64_t>(names.size());
  return join(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

/// A row a check that rejects any instance. A terminal shows the first of them; what constraints need is a line below
/// its table.
Table funnel_table(const Why& why) {
  constexpr std::size_t kNamesOfTerminal = 3;
  Table table({"check", column_for(kCommentAndPage, "needs"), number_column("rejects"), number_column("remaining"),
               column_for(kTerminal, "instances"), column_for(kCommentAndPage, "instances")});
  const auto& funnel = why.trace->funnel();
  const std::string_view all = "all instances of the cluster";
  table.add({"", "", "", std::to_string(funnel.instances), all, all});
  for (const auto& step : funnel.steps) {
    table.add({check_name(step.check, step.status), wanted_by(why, step), std::to_string(step.removed),
               std::to_string(step.left), removed_instances(why, step, kNamesOfTerminal),
               removed_instances(why, step, study::kFunnelNames)});
  }
  return table;
}

/// "3 instances tie after the last strategy: i-1 is first in file order, then i-2, i-3; ECS does not ..."
std::string tie_words(const Why& why) {
  constexpr std::size_t kShown = 3;
  const auto& tied = why.ranking.best;
  if (tied.size() < 2) return {};
  const auto id = [&](std::size_t i) { return scenario_of(why).instances[tied[i]].id; };
  std::vector<std::string> others;
  for (std::size_t i = 1; i < tied.size() && others.size() < kShown; ++i) others.push_back(id(i));
  const auto more = tied.size() - 1 - others.size();
  return fmt::format(
      "{} tie after the last strategy: {} is first in file order, then {}{}; ECS does not document its choice",
      count_of(static_cast<std::int64_t>(tied.size()), "instance"), id(0), join(others, ", "),
      more > 0 ? fmt::format(" and {} more", more) : "");
}

void add_ranking(ReportDocument& document, const Why& why) {
  document.section("ranking", "Placement choice");
  document.paragraph("How the strategies narrowed the candidates");
  Table table({number_column("candidates"), "strategy"});
  for (const auto& narrowing : why.ranking.narrowings) {
    table.add({fmt::format("{} -> {}", narrowing.before, narrowing.after),
               strategy_text(narrowing.strategy) + ": " + ranked_by(why, narrowing)});
  }
  if (table.rows.empty())
    document.paragraph({.text = "only one instance qualifies: the strategies had no choice", .indent = 2});
  document.add(block::ShownTable{.table = std::move(table), .rows = {.comment = kStepsOfComment}, .is_list = true});
  document.paragraph({.text = tie_words(why), .indent = 2});
}

/// Each fix with what it costs, and the flag of `whatif` that makes it.
void add_remedies(ReportDocument& document, const Why& why) {
  const auto& remedies = why.remedies;
  document.section("remedies", "Fixes");
  if (remedies.list.empty())
    return document.paragraph(fmt::format("No fix found ({} simulated)", count_of(remedies.tried, "change")));
  document.paragraph(fmt::format("Fixes, cheapest first ({} simulated)", remedies.tried), kTerminal | Medium::kComment);
  document.paragraph(fmt::format("Cheapest first, of {} simulated", remedies.tried), Medium::kPage);
  Column cost = number_column("cost");
  cost.optional = ", ";
  const auto own_cost = column_for(kTerminal | Medium::kComment, cost);
  Table table({own_cost, column_for(kTerminal, "fix"), column_for(kCommentAndPage, "fix"),
               column_for(kCommentAndPage, "flag of whatif"), column_for(Medium::kPage, "cost")});
  table.holds_sentences = true;
  table.omits_empty = true;
  for (const auto& remedy : remedies.list) {
    const auto words = remedy_text(why, remedy);
    const auto flags = added_flags(remedy.added);
    table.add({Cell(remedy_cost(remedy), Tone::kStrong), flags.empty() ? words : words + ": " + flags, words,
               flags.empty() ? RichText("") : RichText(in_command(flags)), remedy_cost(remedy)});
    table.rows.back().is_best = table.rows.size() == 1;
  }
  document.add(block::ShownTable{.table = std::move(table), .rows = {.text = 5, .comment = 10}, .is_list = true});
}

void add_rejections(ReportDocument& document, const Why& why) {
  if (why.trace->rejections().empty()) return;
  const auto make = [&why](const Screen&) -> Blocks {
    Table table({"instance", "reason"});
    for (const auto* rejection : rejections_to_show(why, false, true))
      table.add({scenario_of(why).instances[rejection->instance].id, why_rejected(why, *rejection)});
    return {block::Details{"Instances, closest match first",
                           {block::ShownTable{.table = std::move(table), .rows = {.comment = 100}, .is_list = true}}}};
  };
  document.add(block::Later{make}, kNotFirstScreen);
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

ReportDocument why_document(const Why& why) {
  const auto& scenario = scenario_of(why);
  ReportDocument document("why");
  document.answer(scenario.file, why_headline(why), why.instance.has_value());
  document.prices = price_words(find_price_range(scenario));
  document.paragraph({.text = asked_for(why), .indent = 4});
  document.section("funnel", "Checks");
  document.table(funnel_table(why), {.comment = kStepsOfComment});
  for (const auto& step : why.trace->funnel().steps) {
    if (step.check != Check::kMemberOf && step.check != Check::kAttribute && step.check != Check::kLocation) continue;
    if (const auto wanted = wanted_by(why, step); !wanted.empty())
      document.paragraph({.text = check_name(step.check, step.status) + ": " + wanted, .indent = 2, .hanging = 2},
                         Medium::kFullText);
  }
  if (why.instance) {
    add_ranking(document, why);
    add_rejections(document, why);
  } else {
    document.gap();
    document.paragraph({.text = closest_match(why), .lead = "Closest match:"});
    add_remedies(document, why);
    add_rejections(document, why);
    document.gap();
    document.paragraph({.text = failure_message(scenario, *why.failure), .tone = Tone::kFaint, .lead = "ECS message:"});
  }
  document.footer.emplace_back(block::Gap{});
  document.footer.emplace_back(block::ClusterFindings{scenario.findings});
  document.footer.emplace_back(block::Assumptions{collect_assumptions(why)});
  document.has_text = true;
  return document;
}

}  // namespace bayplan::report
