#include "replay/tally.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/strategies.hpp"
#include "replay/timeline.hpp"

namespace bayplan::replay {
namespace {

constexpr Milliseconds kBurst = 60'000;
constexpr std::size_t kExpectedNames = 5;

std::string_view id_part(std::string_view arn) {
  return arn.substr(arn.rfind('/') + 1);
}

bool draws_at_random(const std::vector<Strategy>& strategies) {
  return std::any_of(strategies.begin(), strategies.end(),
                     [](const Strategy& strategy) { return strategy.type == StrategyType::kRandom; });
}

AgreementPart& part_of(std::map<std::string, AgreementPart>& parts, const std::string& name,
                       const PlacementClass& what) {
  auto& part = parts[name];
  if (!part.name.empty()) return part;
  part.name = name;
  for (const auto& strategy : what.strategies) part.sums.levels.push_back({strategy_text(strategy), 0, 0, 0});
  return part;
}

}  // namespace

std::string strategy_words(const std::vector<Strategy>& strategies) {
  std::vector<std::string> parts;
  for (const auto& strategy : strategies) parts.push_back(strategy_text(strategy));
  return parts.empty() ? "random" : join(parts, ", ");
}

/// Decisions that depend on each other: those of one call, or of one deployment in the same minute.
std::uint32_t Tally::cluster_of_trials(const RecordedTask& task, std::uint32_t index) {
  std::string key;
  if (task.call != kNoIndex) {
    key = fmt::format("call {}", task.call);
  } else if (task.started_by != kNoName) {
    key = fmt::format("{} {} {}", task.started_by, task.group, decision_time(task) / kBurst);
  } else {
    key = fmt::format("task {}", index);
  }
  return trial_clusters_.try_emplace(std::move(key), static_cast<std::uint32_t>(trial_clusters_.size())).first->second;
}

void Tally::count_not_judged(std::uint32_t task, NotJudged why) {
  auto& count = result_.not_judged[static_cast<std::size_t>(why)];
  if (count.count++ > 0) return;
  count.example = std::string(id_part(history_.names.text(history_.tasks[task].arn)));
  count.place = history_.tasks[task].place;
}

void Tally::count_ambiguous(std::uint32_t task, const Question& question) {
  ++result_.all.ambiguous;
  const auto& what = cluster_.placement_class(question.task_class);
  ++part_of(by_strategy_, strategy_words(what.strategies), what).sums.ambiguous;
  count_not_judged(task, NotJudged::kOrderAmbiguous);
}

void Tally::record(std::uint32_t index, const Question& question, const Ruling& ruling, double chance,
                   const std::vector<std::uint32_t>& best, bool is_now) {
  const auto& what = cluster_.placement_class(question.task_class);
  const std::uint32_t cluster = cluster_of_trials(history_.tasks[index], index);
  result_.all.add(ruling, chance, cluster);
  part_of(by_strategy_, strategy_words(what.strategies), what).sums.add(ruling, chance, cluster);
  auto& group = part_of(by_group_, what.workload.group, what).sums;
  group.levels.clear();  // a service may change its strategies
  group.add(ruling, chance, cluster);
  if (ruling.verdict == Verdict::kOut) {
    ++result_.not_eligible;
    for (const auto check : ruling.failed.list())
      ++result_.failed_checks[reason_text(check, cluster_.profile(question.instance).status)];
  }
  if (ruling.verdict != Verdict::kHit) note_disagreement(index, question, ruling, best, is_now);
  if (draws_at_random(what.strategies) || ruling.verdict == Verdict::kOut || !is_now) return;
  if (ruling.verdict == Verdict::kHit && ruling.best > 1) {
    ++result_.ties;
    ties_.add(best, question.instance);
  }
  compare_choices(question, ruling);
}

void Tally::note_disagreement(std::uint32_t index, const Question& question, const Ruling& ruling,
                              const std::vector<std::uint32_t>& best, bool is_now) {
  ++result_.disagreement_count;
  const auto id = id_part(history_.names.text(history_.tasks[index].arn));
  if (donates_ && is_now && !result_.donated && id.starts_with(*donates_))
    result_.donated = make_donated_case(cluster_, question.task_class, question.provider, question.instance, ruling);
  if (result_.disagreements.size() >= kMostListed) return;
  const auto& task = history_.tasks[index];
  const auto& names = history_.names;
  const auto& what = cluster_.placement_class(question.task_class);
  Disagreement one;
  one.task = index;
  one.task_id = std::string(id_part(names.text(task.arn)));
  one.group = what.workload.group;
  one.definition = std::string(names.text(task.definition));
  one.instance = cluster_.scenario().instances[question.instance].id;
  one.zone = cluster_.profile(question.instance).availability_zone;
  one.at = decision_time(task);
  one.verdict = ruling.verdict;
  one.eligible = ruling.eligible;
  one.best = ruling.best;
  one.rank = ruling.better + 1;
  one.regret = ruling.regret;
  if (ruling.missed_level >= 0)
    one.strategy = strategy_text(what.strategies[static_cast<std::size_t>(ruling.missed_level)]);
  for (const auto check : ruling.failed.list())
    one.failed.push_back(reason_text(check, cluster_.profile(question.instance).status));
  for (const auto instance : best) {
    if (one.expected.size() < kExpectedNames) one.expected.push_back(cluster_.scenario().instances[instance].id);
  }
  one.place = task.place;
  result_.disagreements.push_back(std::move(one));
}

/// Where another choice that AWS does not document gives other best instances, which of the two does the record fit?
void Tally::compare_choices(const Question& question, const Ruling& ruling) {
  const auto& what = cluster_.placement_class(question.task_class);
  const auto compare_with = [&](Variation variation) {
    const auto best = judge_.best_under(question.task_class, variation);
    if (best == judge_.best() || best.empty()) return;
    auto& fit = choices_[variation];
    fit.variation = variation;
    ++fit.decisions;
    fit.hits += ruling.verdict == Verdict::kHit ? 1 : 0;
    fit.other_hits += std::binary_search(best.begin(), best.end(), question.instance) ? 1 : 0;
    fit.chance += ruling.chance();
    fit.other_chance += static_cast<double>(best.size()) / ruling.eligible;
  };
  if (gets_second_key(what.workload)) compare_with(Variation::kNoSecondKey);
  const bool spreads = std::any_of(what.strategies.begin(), what.strategies.end(),
                                   [](const Strategy& one) { return one.type == StrategyType::kSpread; });
  if (!spreads || ruling.eligible < 2) return;
  bool drains = false, stops = false;
  for (std::uint32_t i = 0; i < cluster_.size(); ++i) {
    if (cluster_.profile(i).status == InstanceStatus::kDraining && cluster_.states()[i].tasks_of(what.group) > 0)
      drains = true;
    for (const auto& own : tasks_.stopping()[i]) stops = stops || own.group == what.group;
  }
  if (drains) compare_with(Variation::kDrainingTasksIgnored);
  if (stops) compare_with(Variation::kStoppingTasksCounted);
}

void Tally::finish() {
  for (auto& [name, part] : by_strategy_) result_.by_strategy.push_back(std::move(part));
  for (auto& [name, part] : by_group_) result_.by_group.push_back(std::move(part));
  const auto more_judged = [](const auto& a, const auto& b) { return a.sums.judged > b.sums.judged; };
  std::stable_sort(result_.by_strategy.begin(), result_.by_strategy.end(), more_judged);
  std::stable_sort(result_.by_group.begin(), result_.by_group.end(), more_judged);
  result_.tie_rules = ties_.fits();
  for (const auto& [variation, fit] : choices_) result_.choices.push_back(fit);
}

}  // namespace bayplan::replay
