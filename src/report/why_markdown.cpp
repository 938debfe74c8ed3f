#include "report/why_markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "placement/ecs_words.hpp"
#include "report/markdown_page.hpp"
#include "report/why_text.hpp"
#include "report/why_words.hpp"

namespace bayplan::report {

using study::Why;

namespace {

constexpr std::size_t kStepsOfPage = 40;
constexpr std::size_t kMissesOfPage = 100;
constexpr std::size_t kRemediesOfPage = 10;

std::string which_instances(const Why& why, const study::FunnelStep& step) {
  std::vector<std::string> names;
  for (const auto instance : step.instances) names.push_back(scenario_of(why).instances[instance].id);
  const auto more = step.removed - static_cast<std::int64_t>(names.size());
  return join(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

void add_funnel(MarkdownPage& page, const Why& why) {
  const auto& funnel = why.inquiry->funnel();
  MarkdownPage::Table table{{"check", "wants", "removes", "leaves", "which"}, {false, false, true, true, false}, {}};
  table.rows.push_back({"", "", "", std::to_string(funnel.instances), "every instance of the cluster"});
  for (const auto& step : funnel.steps) {
    table.rows.push_back({check_name(step.check, step.status), wanted_by(why, step), std::to_string(step.removed),
                          std::to_string(step.left), which_instances(why, step)});
  }
  page.table(table, kStepsOfPage);
}

void add_ranking(MarkdownPage& page, const Why& why) {
  MarkdownPage::Table table{{"strategy", "candidates", "leaves", "best"}, {false, true, true, false}, {}};
  for (const auto& narrowing : why.ranking.narrowings) {
    table.rows.push_back({strategy_text(narrowing.strategy), std::to_string(narrowing.before),
                          std::to_string(narrowing.after), ranked_by(why, narrowing)});
  }
  page.table(table, kStepsOfPage);
  if (why.ranking.best.size() < 2) return;
  page.line(
      fmt::format("{} instances are equal after the last strategy; the first in file order is taken, ECS does not "
                  "say which it takes.",
                  why.ranking.best.size()));
}

void add_remedies(MarkdownPage& page, const Why& why) {
  const auto& remedies = why.remedies;
  if (remedies.list.empty()) {
    page.line(fmt::format("Nothing that was tried would help ({} simulated).", count_of(remedies.tried, "change")));
    return;
  }
  page.line("What would help",
            fmt::format("(each simulated, the cheapest first; {} tried):", count_of(remedies.tried, "change")));
  const std::size_t shown = std::min(kRemediesOfPage, remedies.list.size());
  for (std::size_t i = 0; i < shown; ++i) page.item(remedy_cost(remedies.list[i]), remedy_text(why, remedies.list[i]));
  if (shown < remedies.list.size()) page.item("", fmt::format("and {} more", remedies.list.size() - shown));
  page.end_items();
}

void add_misses(MarkdownPage& page, const Why& why) {
  const auto shown = rejections_to_show(why, false, true);
  if (shown.empty()) return;
  MarkdownPage::Table table{{"instance", "why not"}, {false, false}, {}};
  for (const auto* rejection : shown)
    table.rows.push_back({scenario_of(why).instances[rejection->instance].id, why_rejected(why, *rejection)});
  page.open_details("instance by instance, the nearest first");
  page.table(table, kMissesOfPage);
  page.close_details();
}

}  // namespace

void write_why_markdown(std::ostream& out, const Why& why) {
  MarkdownPage page;
  page.heading("bayplan why: " + why_headline(why));
  page.line(asked_for(why));
  add_funnel(page, why);
  if (why.instance) {
    add_ranking(page, why);
  } else {
    if (const auto miss = nearest_miss(why); !miss.empty()) page.line("Nearest miss:", miss);
    add_remedies(page, why);
    page.line("ECS would say:", failure_message(scenario_of(why), *why.failure));
  }
  add_misses(page, why);
  page.findings(scenario_of(why).findings);
  page.assumptions(assumptions_of(why));
  page.write(out);
}

}  // namespace bayplan::report
