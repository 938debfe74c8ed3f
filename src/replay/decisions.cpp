#include "replay/decisions.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/random.hpp"
#include "placement/model/strategies.hpp"

namespace bayplan::replay {
namespace {

/// Placements of one time are tried in all orders up to this number, else in this number of drawn ones, until this many
/// rulings were spent on orders; after that a few orders must do.
constexpr std::size_t kMostPermuted = 6;
constexpr std::size_t kMostPermutedLate = 4;
constexpr std::size_t kDrawnOrders = 1'000;
constexpr std::size_t kFewOrders = 24;
constexpr std::size_t kOrderBudget = 200'000;

/// Whether a placement depends on which tasks run where, and not only on what they take.
bool counts_tasks(const PlacementClass& what) {
  const auto& strategies = what.strategies;
  if (std::any_of(strategies.begin(), strategies.end(),
                  [](const Strategy& strategy) { return strategy.type == StrategyType::kSpread; }))
    return true;
  return std::any_of(what.workload.constraints.begin(), what.workload.constraints.end(), [](const Constraint& one) {
    return one.type == ConstraintType::kDistinctInstance || one.depends_on_tasks();
  });
}

constexpr Milliseconds kBurst = 60'000;
constexpr std::size_t kExpectedNames = 5;

std::string_view id_part(std::string_view arn) {
  return arn.substr(arn.rfind('/') + 1);
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
  const bool is_random = std::any_of(what.strategies.begin(), what.strategies.end(),
                                     [](const Strategy& strategy) { return strategy.type == StrategyType::kRandom; });
  if (is_random || ruling.verdict == Verdict::kOut || !is_now) return;
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

Question Decisions::question_of(const RecordedTask& task) {
  Question question;
  const auto blocked = [&](NotJudged why) {
    question.obstacle = why;
    return question;
  };
  const auto& names = history_.names;
  if (names.text(task.launch_type) == "MANAGED_INSTANCES") return blocked(NotJudged::kManagedInstances);
  if (task.is_started_on) return blocked(NotJudged::kNotADecision);
  const auto terms = requests_.terms_of(task);
  if (!terms || !requests_.terms(*terms).unreadable.empty()) return blocked(NotJudged::kStrategyUnknown);
  if (requests_.terms(*terms).kind == WorkloadKind::kDaemon) return blocked(NotJudged::kNotADecision);
  const auto definition = cluster_.definition_named(names.text(task.definition));
  if (!definition) return blocked(NotJudged::kNoTaskDefinition);
  const auto instance = cluster_.find(names.text(task.instance));
  if (!instance) return blocked(NotJudged::kInstanceUnknown);
  question.instance = *instance;
  question.provider = names.text(task.provider);
  question.task_class = requests_.class_of(task, *definition, *terms);
  if (!instances_.is_known_at(decision_time(task))) return blocked(NotJudged::kNoStateYet);
  if (instances_.unknown_tasks() > 0 && counts_tasks(cluster_.placement_class(question.task_class)))
    return blocked(NotJudged::kNoStateYet);
  return question;
}

void Decisions::note_run(std::uint32_t index, const Question& question) {
  const auto& task = history_.tasks[index];
  if (question.task_class == kNoIndex) {
    ++result_.unknown_runs;
  } else {
    result_.runs.push_back({decision_time(task), task.stopped, question.task_class});
  }
}

void Decisions::take(std::uint32_t task) {
  if (const auto instance = tasks_.take(task)) ties_.use(*instance, decision_time(history_.tasks[task]));
}

void Decisions::run(std::span<const TimelineItem> block) {
  std::size_t decisions = 0;
  for (const auto& item : block) {
    decisions += item.kind == Kind::kDecision ? 1 : 0;
    if (item.kind == Kind::kProbe) probe(item.index);
  }
  if (decisions > 0 && block.size() > 1) return decide_block(block);
  for (const auto& item : block) {
    if (item.kind == Kind::kStopped) tasks_.release(item.index);
    if (item.kind == Kind::kStopping) tasks_.stop_counting(item.index);
    if (item.kind == Kind::kDecision) decide(item.index);
  }
}

void Decisions::probe(std::uint32_t task) {
  const Question question = question_of(history_.tasks[task]);
  if (question.obstacle) return;
  const auto ruling = judge_.judge(question.task_class, question.provider, question.instance);
  probes_[task] = {ruling.verdict, ruling.is_informative()};
}

void Decisions::decide(std::uint32_t index) {
  const auto& task = history_.tasks[index];
  const Question question = question_of(task);
  note_run(index, question);
  if (question.obstacle) {
    tally_.count_not_judged(index, *question.obstacle);
    return take(index);
  }
  const Ruling ruling = judge_.judge(question.task_class, question.provider, question.instance);
  // It was placed at some time while it waited: the rules must say the same at both ends.
  const auto probe = probes_.find(index);
  const bool is_timed = !task.was_provisioning || (probe != probes_.end() && probe->second.first == ruling.verdict &&
                                                   probe->second.second == ruling.is_informative());
  if (is_in_doubt(question)) {
    tally_.count_not_judged(index, NotJudged::kEndUnknown);
  } else if (is_timed) {
    tally_.record(index, question, ruling, ruling.chance(), judge_.best(), true);
  } else {
    tally_.count_not_judged(index, NotJudged::kTimeUnknown);
  }
  take(index);
}

std::vector<Decisions::Step> Decisions::steps_of(std::span<const TimelineItem> block) {
  std::vector<Step> steps;
  for (const auto& item : block) {
    if (item.kind == Kind::kProbe) continue;
    if (item.kind != Kind::kDecision && !tasks_[item.index].is_held) continue;
    Step step{item, {}, 0, 0, 0, 0};
    if (item.kind == Kind::kDecision) step.question = question_of(history_.tasks[item.index]);
    steps.push_back(step);
  }
  return steps;
}

/// Steps that are alike need no order among them.
bool Decisions::are_alike(const std::vector<Step>& steps) const {
  const auto likeness = [&](const Step& step) {
    if (step.is_judged()) return std::tuple(0u, step.question.task_class, step.question.instance, 0u);
    if (step.item.kind == Kind::kDecision) return std::tuple(1u, 0u, 0u, step.item.index);
    const auto& own = tasks_[step.item.index];
    return std::tuple(2u + static_cast<std::uint32_t>(step.item.kind), own.held, own.instance, 0u);
  };
  return std::all_of(steps.begin(), steps.end(),
                     [&](const Step& step) { return likeness(step) == likeness(steps.front()); });
}

/// What a step does to the cluster, and what is ruled of it just before.
void Decisions::apply(Step& step) {
  const auto& task = history_.tasks[step.item.index];
  const auto& own = tasks_[step.item.index];
  if (step.item.kind == Kind::kStopping) {
    if (own.counts) cluster_.leave_group(own.instance, requests_.held(own.held).group);
    return;
  }
  if (step.item.kind == Kind::kStopped) return cluster_.release(own.instance, requests_.held(own.held), {});
  if (step.is_judged()) {
    const auto ruling = judge_.judge(step.question.task_class, step.question.provider, step.question.instance);
    (ruling.verdict == Verdict::kHit ? step.hits : ruling.verdict == Verdict::kMiss ? step.misses : step.outs) += 1;
    step.chances += ruling.chance();
  }
  if (const auto instance = cluster_.find(history_.names.text(task.instance)))
    cluster_.take(*instance, requests_.held(requests_.held_of(task)), {});
}

/// Rules of every step in orders of all of them. Returns the number of orders: 0 if none is needed.
std::size_t Decisions::try_orders(std::vector<Step>& steps) {
  const auto judged = static_cast<std::size_t>(
      std::count_if(steps.begin(), steps.end(), [](const Step& step) { return step.is_judged(); }));
  if (judged == 0 || are_alike(steps)) return 0;
  std::map<std::uint32_t, InstanceState> before;
  for (const auto& step : steps) {
    const auto instance = cluster_.find(history_.names.text(history_.tasks[step.item.index].instance));
    if (instance) before.try_emplace(*instance, cluster_.states()[*instance]);
  }
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), 0);
  std::size_t orders = 0;
  const auto try_order = [&] {
    for (const auto number : order) apply(steps[number]);
    for (const auto& [instance, state] : before) cluster_.restore(instance, state);
    ++orders;
  };
  const bool is_cheap = order_rulings_ < kOrderBudget;
  if (steps.size() <= (is_cheap ? kMostPermuted : kMostPermutedLate)) {
    do {
      try_order();
    } while (std::next_permutation(order.begin(), order.end()));
  } else {
    std::mt19937_64 generator(1);
    while (orders < (is_cheap ? kDrawnOrders : kFewOrders)) {
      try_order();
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw(generator, i)]);
    }
  }
  order_rulings_ += orders * judged;
  return orders;
}

/// Placements, and ends of tasks, of one time: ECS does not say in which order. A verdict that some orders give and
/// others do not is none.
void Decisions::decide_block(std::span<const TimelineItem> block) {
  auto steps = steps_of(block);
  const std::size_t orders = try_orders(steps);
  for (const auto& step : steps) {
    if (step.item.kind == Kind::kStopped) {
      tasks_.release(step.item.index);
    } else if (step.item.kind == Kind::kStopping) {
      tasks_.stop_counting(step.item.index);
    } else if (!step.is_judged() || orders == 0) {
      decide(step.item.index);
    } else {
      conclude(step, orders);
    }
  }
}

/// A decision that was ruled in several orders.
void Decisions::conclude(const Step& step, std::size_t orders) {
  const std::uint32_t index = step.item.index;
  const auto& question = step.question;
  note_run(index, question);
  const auto total = static_cast<std::int64_t>(orders);
  const double count = static_cast<double>(orders);
  const bool is_sure = step.hits == total || step.misses == total || step.outs == total;
  const auto ruling = judge_.judge(question.task_class, question.provider, question.instance);
  if (history_.tasks[index].was_provisioning) {
    tally_.count_not_judged(index, NotJudged::kTimeUnknown);
  } else if (is_in_doubt(question)) {
    tally_.count_not_judged(index, NotJudged::kEndUnknown);
  } else if (is_sure) {
    tally_.record(index, question, ruling, step.chances / count, judge_.best(), true);
  } else {
    ordered_.push_back(
        {index, question, ruling, judge_.best(), static_cast<double>(step.hits) / count, step.chances / count});
  }
  take(index);
}

/// Verdicts that depend on an order count if the order of the records proves to be that of the placements: if it gives
/// more hits than other orders, by more than chance. AWS documents no order of the tasks in an answer of RunTask.
void Decisions::settle_orders() {
  constexpr double kSignificant = 0.01;
  std::vector<double> chances;
  std::int64_t hits = 0;
  for (const auto& one : ordered_) {
    chances.push_back(one.hits);
    hits += one.ruling.verdict == Verdict::kHit ? 1 : 0;
  }
  const bool is_shown = chance_of_at_least(chances, hits) < kSignificant;
  if (is_shown) result_.ordered = static_cast<std::int64_t>(ordered_.size());
  for (const auto& one : ordered_) {
    if (is_shown) {
      tally_.record(one.task, one.question, one.ruling, one.chance, one.best, false);
      continue;
    }
    tally_.count_ambiguous(one.task, one.question);
  }
}

/// Whether a missing record decides. An instance on which a task may or may not run is out of the question, chosen or
/// not: so what is judged does not depend on what ECS chose, and the share of hits stays what it is.
bool Decisions::is_in_doubt(const Question& question) {
  if (tasks_.open().empty() && tasks_.unseen().empty()) return false;
  return tasks_.doubts()[question.instance] > 0 || !is_best_set_sure(question);
}

/// Whether the best instances are the same for every task that may or may not run: a spread over zones counts it.
bool Decisions::is_best_set_sure(const Question& question) {
  const auto& what = cluster_.placement_class(question.task_class);
  const bool sums = std::any_of(what.strategies.begin(), what.strategies.end(),
                                [](const Strategy& strategy) { return !strategy.attribute().empty(); });
  if (!sums) return true;
  struct Change {
    std::uint32_t instance;
    bool leaves;
  };
  std::vector<Change> changes;
  for (const auto task : tasks_.open()) {
    const auto& own = tasks_[task];
    if (own.counts && requests_.held(own.held).group == what.group) changes.push_back({own.instance, true});
  }
  for (const auto task : tasks_.unseen()) changes.push_back({tasks_[task].instance, false});
  const auto best = judge_.best();
  std::map<std::uint32_t, InstanceState> before;
  for (const auto& change : changes) before.try_emplace(change.instance, cluster_.states()[change.instance]);
  const auto apply = [&](const Change& change) {
    if (change.leaves) {
      cluster_.leave_group(change.instance, what.group);
    } else {
      cluster_.enter_group(change.instance, what.group);
    }
  };
  const auto restore = [&] {
    for (const auto& [instance, state] : before) cluster_.restore(instance, state);
  };
  const auto differs = [&] {
    judge_.judge(question.task_class, question.provider, question.instance);
    return judge_.best() != best;
  };
  bool is_sure = true;
  for (const auto& change : changes) {
    apply(change);
    is_sure = is_sure && !differs();
    restore();
  }
  for (const auto& change : changes) apply(change);
  is_sure = is_sure && !differs();
  restore();
  judge_.judge(question.task_class, question.provider, question.instance);
  return is_sure;
}

}  // namespace bayplan::replay
