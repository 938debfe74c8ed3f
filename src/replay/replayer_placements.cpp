// Each recorded placement: how it can be judged, and what the rules say of it.
#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/random.hpp"
#include "placement/model/strategies.hpp"
#include "replay/replayer.hpp"

namespace bayplan::replay {
namespace {

constexpr Milliseconds kBurst = 60'000;
/// Placements of one time are tried in all orders up to this number, else in this number of drawn orders, until so many
/// rulings were spent on orders; after that a few orders must do.
constexpr std::size_t kMostPermuted = 6;
constexpr std::size_t kDrawnOrders = 1'000;
constexpr std::size_t kFewOrders = 24;
constexpr std::size_t kOrderBudget = 200'000;
constexpr std::size_t kExpectedNames = 5;

std::string_view id_part(std::string_view arn) {
  return arn.substr(arn.rfind('/') + 1);
}

bool draws_at_random(const std::vector<Strategy>& strategies) {
  return std::any_of(strategies.begin(), strategies.end(),
                     [](const Strategy& strategy) { return strategy.type == StrategyType::kRandom; });
}

/// Whether a placement depends on which tasks run where, and not only on what they take.
bool counts_tasks(const PlacementClass& what) {
  const auto& strategies = what.strategies;
  if (std::any_of(strategies.begin(), strategies.end(),
                  [](const Strategy& strategy) { return strategy.type == StrategyType::kSpread; }))
    return true;
  return std::any_of(what.workload.constraints.begin(), what.workload.constraints.end(), [](const Constraint& one) {
    return one.type == ConstraintType::kDistinctInstance || (one.expression && one.expression->depends_on_tasks());
  });
}

std::vector<std::string> gpu_ids(std::string_view text) {
  std::vector<std::string> ids;
  for (const auto part : split(text, ',')) {
    if (!part.empty()) ids.emplace_back(part);
  }
  return ids;
}

}  // namespace

std::string strategy_words(const std::vector<Strategy>& strategies) {
  std::vector<std::string> parts;
  for (const auto& strategy : strategies) parts.push_back(strategy_text(strategy));
  return parts.empty() ? "random" : join(parts, ", ");
}

std::optional<std::uint32_t> Replayer::terms_of_call(std::uint32_t call) {
  const NameId request = history_.calls[call].request;
  const auto [known, is_new] = call_terms_.try_emplace(request, 0);
  if (is_new) known->second = add_terms(terms_of_request(history_.names.text(request), WorkloadKind::kTasks));
  return known->second;
}

std::optional<std::uint32_t> Replayer::terms_of(const RecordedTask& task) {
  const auto group = history_.names.text(task.group);
  if (group.starts_with("service:")) {
    const auto known = service_terms_.find(group.substr(group.find(':') + 1));
    if (known != service_terms_.end()) return known->second;
  } else if (task.call != kNoIndex) {
    return terms_of_call(task.call);
  }
  return stated_terms_;
}

void Replayer::apply_terms(std::uint32_t service) {
  const auto& recorded = history_.services[service];
  const auto name = history_.names.text(recorded.name);
  const auto known = service_terms_.find(name);
  const PlacementTerms* before =
      known == service_terms_.end() || !recorded.is_update ? nullptr : &terms_[known->second];
  if (before == nullptr && recorded.is_update) return;  // what the update leaves as it is, is unknown
  auto terms = terms_of_request(history_.names.text(recorded.request), WorkloadKind::kService, before);
  service_terms_[std::string(name)] = add_terms(std::move(terms));
}

std::optional<std::uint32_t> Replayer::definition_named(std::string_view name) const {
  return cluster_->definition_named(name);
}

/// What the task takes: its definition, with the sizes that its records state, which hold overrides.
std::uint32_t Replayer::held_of(const RecordedTask& task) {
  const auto [known, is_new] =
      held_numbers_.try_emplace(std::tuple(task.definition, task.size.cpu, task.size.memory, task.group),
                                static_cast<std::uint32_t>(held_.size()));
  if (!is_new) return known->second;
  HeldResources held;
  if (const auto definition = definition_named(history_.names.text(task.definition)))
    held.requirement = cluster_->scenario().task_definitions[*definition].requirement;
  if (task.size.cpu >= 0) held.requirement.cpu = task.size.cpu;
  if (task.size.memory > 0) held.requirement.memory = task.size.memory;
  held.group = cluster_->groups().number(history_.names.text(task.group));
  held_.push_back(std::move(held));
  return known->second;
}

std::uint32_t Replayer::class_of(std::uint32_t held, std::uint32_t definition, std::uint32_t terms, std::string group) {
  const auto [known, is_new] = class_numbers_.try_emplace(std::tuple(held, terms, group), 0);
  if (!is_new) return known->second;
  const auto& described = cluster_->scenario().task_definitions[definition];
  const auto& own = terms_[terms];
  Workload workload;
  workload.kind = own.kind;
  workload.name = group.starts_with("service:") ? group.substr(group.find(':') + 1) : described.family;
  workload.task_definition = definition;
  workload.group = std::move(group);
  workload.requirement = held_[held].requirement;
  workload.strategies = own.strategies;
  workload.constraints = described.constraints;
  workload.constraints.insert(workload.constraints.end(), own.constraints.begin(), own.constraints.end());
  if (workload.requirement.network_interfaces > 0)
    workload.availability_zones = own.availability_zones ? own.availability_zones : zones_of(own.subnets);
  known->second = cluster_->add_class(std::move(workload));
  return known->second;
}

/// Zones of the subnets as far as instances are in them; nothing if one is unknown.
std::optional<std::vector<std::string>> Replayer::zones_of(const std::vector<std::string>& subnets) const {
  std::set<std::string> zones;
  for (const auto& subnet : subnets) {
    bool is_known = false;
    for (std::uint32_t i = 0; i < cluster_->size() && !is_known; ++i) {
      const auto& profile = cluster_->profile(i);
      is_known = profile.subnet_id == subnet && !profile.availability_zone.empty();
      if (is_known) zones.insert(profile.availability_zone);
    }
    if (!is_known) return std::nullopt;
  }
  if (zones.empty()) return std::nullopt;
  return std::vector<std::string>(zones.begin(), zones.end());
}

Replayer::Question Replayer::question_of(const RecordedTask& task) {
  Question question;
  const auto blocked = [&](NotJudged why) {
    question.obstacle = why;
    return question;
  };
  const auto& names = history_.names;
  if (names.text(task.launch_type) == "MANAGED_INSTANCES") return blocked(NotJudged::kManagedInstances);
  if (task.is_started_on) return blocked(NotJudged::kNotADecision);
  const auto terms = terms_of(task);
  if (!terms || !terms_[*terms].unreadable.empty()) return blocked(NotJudged::kStrategyUnknown);
  if (terms_[*terms].kind == WorkloadKind::kDaemon) return blocked(NotJudged::kNotADecision);
  const auto definition = definition_named(names.text(task.definition));
  if (!definition) return blocked(NotJudged::kNoTaskDefinition);
  const auto instance = cluster_->find(names.text(task.instance));
  if (!instance) return blocked(NotJudged::kInstanceUnknown);
  question.instance = *instance;
  question.provider = names.text(task.provider);
  question.task_class = class_of(held_of(task), *definition, *terms, std::string(names.text(task.group)));
  if (decision_time(task) < all_known_at_) return blocked(NotJudged::kNoStateYet);
  if (unknown_tasks_ > 0 && counts_tasks(cluster_->placement_class(question.task_class)))
    return blocked(NotJudged::kNoStateYet);
  return question;
}

void Replayer::count_not_judged(std::uint32_t task, NotJudged why) {
  auto& count = result_.not_judged[static_cast<std::size_t>(why)];
  if (count.count++ > 0) return;
  count.example = std::string(id_part(history_.names.text(history_.tasks[task].arn)));
  count.place = history_.tasks[task].place;
}

void Replayer::take(std::uint32_t index) {
  const auto& task = history_.tasks[index];
  auto& state = tasks_[index];
  if (state.is_held) return;
  const auto instance = cluster_->find(history_.names.text(task.instance));
  if (!instance) return;  // counted when it is described
  state = {held_of(task), *instance, true, true};
  auto gpus = cluster_->take(*instance, held_[state.held], gpu_ids(history_.names.text(task.gpus)));
  if (!gpus.empty()) devices_[index] = std::move(gpus);
  ties_->use(*instance, decision_time(task));
  if (!is_open_[index]) return;
  open_tasks_.push_back(index);
  ++doubts_[*instance];
}

void Replayer::stop_counting(std::uint32_t index) {
  auto& state = tasks_[index];
  if (!state.is_held || !state.counts) return;
  state.counts = false;
  const std::uint32_t group = held_[state.held].group;
  cluster_->leave_group(state.instance, group);
  stopping_[state.instance].push_back({group, 1});
}

void Replayer::release(std::uint32_t index) {
  stop_counting(index);
  auto& state = tasks_[index];
  if (!state.is_held) return;
  state.is_held = false;
  if (is_open_[index] && std::erase(open_tasks_, index) > 0) --doubts_[state.instance];
  auto& stopping = stopping_[state.instance];
  const std::uint32_t group = held_[state.held].group;
  const auto own = std::find_if(stopping.begin(), stopping.end(), [&](const auto& one) { return one.group == group; });
  if (own != stopping.end()) stopping.erase(own);
  const auto gpus = devices_.find(index);
  cluster_->release(state.instance, held_[state.held],
                    gpus == devices_.end() ? std::vector<std::uint32_t>() : gpus->second);
  if (gpus != devices_.end()) devices_.erase(gpus);
}

/// Decisions that depend on each other: those of one call, or of one deployment in the same minute.
std::uint32_t Replayer::cluster_of_trials(const RecordedTask& task, std::uint32_t index) {
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

AgreementPart& Replayer::part_of(std::map<std::string, AgreementPart>& parts, const std::string& name,
                                 const PlacementClass& what) {
  auto& part = parts[name];
  if (!part.name.empty()) return part;
  part.name = name;
  for (const auto& strategy : what.strategies) part.sums.levels.push_back({strategy_text(strategy), 0, 0, 0});
  return part;
}

void Replayer::record(std::uint32_t index, const Question& question, const Ruling& ruling, double chance,
                      const std::vector<std::uint32_t>& best, bool is_now) {
  const auto& what = cluster_->placement_class(question.task_class);
  const std::uint32_t cluster = cluster_of_trials(history_.tasks[index], index);
  result_.all.add(ruling, chance, cluster);
  part_of(by_strategy_, strategy_words(what.strategies), what).sums.add(ruling, chance, cluster);
  auto& group = part_of(by_group_, what.workload.group, what).sums;
  group.levels.clear();  // a service may change its strategies
  group.add(ruling, chance, cluster);
  if (ruling.verdict == Verdict::kOut) {
    ++result_.not_eligible;
    for (const auto check : ruling.failed.list())
      ++result_.failed_checks[reason_text(check, cluster_->profile(question.instance).status)];
  }
  if (ruling.verdict != Verdict::kHit) note_disagreement(index, question, ruling, best, is_now);
  if (draws_at_random(what.strategies) || ruling.verdict == Verdict::kOut || !is_now) return;
  if (ruling.verdict == Verdict::kHit && ruling.best > 1) {
    ++result_.ties;
    ties_->add(best, question.instance);
  }
  compare_choices(question, ruling);
}

void Replayer::note_disagreement(std::uint32_t index, const Question& question, const Ruling& ruling,
                                 const std::vector<std::uint32_t>& best, bool is_now) {
  ++result_.disagreement_count;
  const auto id = id_part(history_.names.text(history_.tasks[index].arn));
  if (request_.donates && is_now && !result_.donated && id.starts_with(*request_.donates))
    result_.donated = make_donated_case(*cluster_, question.task_class, question.provider, question.instance, ruling);
  if (result_.disagreements.size() >= kMostListed) return;
  const auto& task = history_.tasks[index];
  const auto& names = history_.names;
  const auto& what = cluster_->placement_class(question.task_class);
  Disagreement one;
  one.task = index;
  one.task_id = std::string(id_part(names.text(task.arn)));
  one.group = what.workload.group;
  one.definition = std::string(names.text(task.definition));
  one.instance = cluster_->scenario().instances[question.instance].id;
  one.zone = cluster_->profile(question.instance).availability_zone;
  one.at = decision_time(task);
  one.verdict = ruling.verdict;
  one.eligible = ruling.eligible;
  one.best = ruling.best;
  one.rank = ruling.better + 1;
  one.regret = ruling.regret;
  if (ruling.missed_level >= 0)
    one.strategy = strategy_text(what.strategies[static_cast<std::size_t>(ruling.missed_level)]);
  for (const auto check : ruling.failed.list())
    one.failed.push_back(reason_text(check, cluster_->profile(question.instance).status));
  for (const auto instance : best) {
    if (one.expected.size() < kExpectedNames) one.expected.push_back(cluster_->scenario().instances[instance].id);
  }
  one.place = task.place;
  result_.disagreements.push_back(std::move(one));
}

/// Where another choice that AWS does not document gives other best instances, which of the two does the record fit?
void Replayer::compare_choices(const Question& question, const Ruling& ruling) {
  const auto& what = cluster_->placement_class(question.task_class);
  const auto compare_with = [&](Variation variation) {
    const auto best = judge_->best_under(question.task_class, variation);
    if (best == judge_->best() || best.empty()) return;
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
  for (std::uint32_t i = 0; i < cluster_->size(); ++i) {
    if (cluster_->profile(i).status == InstanceStatus::kDraining && cluster_->states()[i].tasks_of(what.group) > 0)
      drains = true;
    for (const auto& own : stopping_[i]) stops = stops || own.group == what.group;
  }
  if (drains) compare_with(Variation::kDrainingTasksIgnored);
  if (stops) compare_with(Variation::kStoppingTasksCounted);
}

void Replayer::note_run(std::uint32_t index, const Question& question) {
  const auto& task = history_.tasks[index];
  if (question.task_class == kNoIndex) {
    ++result_.unknown_runs;
  } else {
    result_.runs.push_back({decision_time(task), task.stopped, question.task_class});
  }
}

void Replayer::decide(std::uint32_t index) {
  const auto& task = history_.tasks[index];
  const Question question = question_of(task);
  note_run(index, question);
  if (question.obstacle) {
    count_not_judged(index, *question.obstacle);
    return take(index);
  }
  const Ruling ruling = judge_->judge(question.task_class, question.provider, question.instance);
  // It was placed at some time while it waited: the rules must say the same at both ends.
  const auto probe = probes_.find(index);
  const bool is_timed = !task.was_provisioning || (probe != probes_.end() && probe->second.first == ruling.verdict &&
                                                   probe->second.second == ruling.is_informative());
  if (is_in_doubt(question)) {
    count_not_judged(index, NotJudged::kEndUnknown);
  } else if (is_timed) {
    record(index, question, ruling, ruling.chance(), judge_->best(), true);
  } else {
    count_not_judged(index, NotJudged::kTimeUnknown);
  }
  take(index);
}

/// Placements, and ends of tasks, of one time: ECS does not say in which order. A verdict that some orders give and
/// others do not is none.
void Replayer::decide_block(const std::vector<TimelineItem>& block) {
  struct Step {
    TimelineItem item;
    Question question;
    std::int64_t hits = 0, misses = 0, outs = 0;
    double chances = 0;
  };
  std::vector<Step> steps;
  for (const auto& item : block) {
    if (item.kind == Kind::kProbe) continue;
    Step step{item, {}, 0, 0, 0, 0};
    if (item.kind == Kind::kDecision) step.question = question_of(history_.tasks[item.index]);
    if (item.kind != Kind::kDecision && !tasks_[item.index].is_held) continue;
    steps.push_back(step);
  }
  const auto is_judged = [](const Step& step) { return step.item.kind == Kind::kDecision && !step.question.obstacle; };
  const auto judged = static_cast<std::size_t>(std::count_if(steps.begin(), steps.end(), is_judged));
  /// Steps that are alike need no order among them.
  const auto likeness = [&](const Step& step) {
    if (is_judged(step)) return std::tuple(0u, step.question.task_class, step.question.instance, 0u);
    if (step.item.kind == Kind::kDecision) return std::tuple(1u, 0u, 0u, step.item.index);
    const auto& own = tasks_[step.item.index];
    return std::tuple(2u + static_cast<std::uint32_t>(step.item.kind), own.held, own.instance, 0u);
  };
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), 0);
  std::set<decltype(likeness(steps.front()))> kinds;
  for (const auto& step : steps) kinds.insert(likeness(step));
  const bool is_ordered = judged == 0 || kinds.size() < 2;

  std::map<std::uint32_t, InstanceState> before;
  const auto keep = [&](std::uint32_t instance) { before.try_emplace(instance, cluster_->states()[instance]); };
  for (const auto& step : steps) {
    const auto found = cluster_->find(history_.names.text(history_.tasks[step.item.index].instance));
    if (found) keep(*found);
  }
  const auto try_order = [&] {
    for (const auto number : order) {
      auto& step = steps[number];
      const std::uint32_t index = step.item.index;
      const auto& task = history_.tasks[index];
      if (step.item.kind == Kind::kDecision) {
        if (is_judged(step)) {
          const auto ruling = judge_->judge(step.question.task_class, step.question.provider, step.question.instance);
          (ruling.verdict == Verdict::kHit    ? step.hits
           : ruling.verdict == Verdict::kMiss ? step.misses
                                              : step.outs) += 1;
          step.chances += ruling.chance();
        }
        if (const auto instance = cluster_->find(history_.names.text(task.instance)))
          cluster_->take(*instance, held_[held_of(task)], {});
      } else {
        const auto& own = tasks_[index];
        if (step.item.kind == Kind::kStopping) {
          if (own.counts) cluster_->leave_group(own.instance, held_[own.held].group);
        } else {
          cluster_->release(own.instance, held_[own.held], {});
        }
      }
    }
    for (const auto& [instance, state] : before) cluster_->restore(instance, state);
  };
  std::size_t orders = 0;
  if (!is_ordered) {
    const bool is_cheap = order_rulings_ < kOrderBudget;
    if (steps.size() <= (is_cheap ? kMostPermuted : std::size_t{4})) {
      do {
        try_order();
        ++orders;
      } while (std::next_permutation(order.begin(), order.end()));
    } else {
      std::mt19937_64 generator(1);
      for (orders = 0; orders < (is_cheap ? kDrawnOrders : kFewOrders); ++orders) {
        try_order();
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw(generator, i)]);
      }
    }
    order_rulings_ += orders * judged;
  }
  for (const auto& step : steps) {
    const std::uint32_t index = step.item.index;
    if (step.item.kind == Kind::kStopped) {
      release(index);
    } else if (step.item.kind == Kind::kStopping) {
      stop_counting(index);
    } else if (!is_judged(step) || orders == 0) {
      decide(index);
    } else {
      const auto total = static_cast<std::int64_t>(orders);
      note_run(index, step.question);
      const bool is_sure = step.hits == total || step.misses == total || step.outs == total;
      const auto ruling = judge_->judge(step.question.task_class, step.question.provider, step.question.instance);
      const double count = static_cast<double>(total);
      if (history_.tasks[index].was_provisioning) {
        count_not_judged(index, NotJudged::kTimeUnknown);
      } else if (is_in_doubt(step.question)) {
        count_not_judged(index, NotJudged::kEndUnknown);
      } else if (is_sure) {
        record(index, step.question, ruling, step.chances / count, judge_->best(), true);
      } else {
        ordered_.push_back({index, step.question, ruling, judge_->best(), static_cast<double>(step.hits) / count,
                            step.chances / count});
      }
      take(index);
    }
  }
}

/// Verdicts that depend on an order count if the order of the records proves to be that of the placements: if it gives
/// more hits than other orders, by more than chance. AWS documents no order of the tasks in an answer of RunTask.
void Replayer::settle_orders() {
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
      record(one.task, one.question, one.ruling, one.chance, one.best, false);
      continue;
    }
    ++result_.all.ambiguous;
    const auto& what = cluster_->placement_class(one.question.task_class);
    ++part_of(by_strategy_, strategy_words(what.strategies), what).sums.ambiguous;
    count_not_judged(one.task, NotJudged::kOrderAmbiguous);
  }
}

void Replayer::begin_unseen(std::uint32_t task) {
  const auto instance = cluster_->find_ec2(history_.names.text(history_.tasks[task].reported_by));
  if (!instance) return;  // of another cluster, or not described
  tasks_[task].instance = *instance;
  unseen_tasks_.push_back(task);
  ++doubts_[*instance];
  ++result_.unseen_tasks;
}

void Replayer::end_unseen(std::uint32_t task) {
  if (std::erase(unseen_tasks_, task) > 0) --doubts_[tasks_[task].instance];
}

/// Whether a missing record decides. An instance on which a task may or may not run is out of the question, chosen or
/// not: so what is judged does not depend on what ECS chose, and the share of hits stays what it is.
bool Replayer::is_in_doubt(const Question& question) {
  if (open_tasks_.empty() && unseen_tasks_.empty()) return false;
  return doubts_[question.instance] > 0 || !is_best_set_sure(question);
}

/// Whether the best instances are the same for every task that may or may not run: a spread over zones counts it.
bool Replayer::is_best_set_sure(const Question& question) {
  const auto& what = cluster_->placement_class(question.task_class);
  const bool sums = std::any_of(what.strategies.begin(), what.strategies.end(),
                                [](const Strategy& strategy) { return !strategy.attribute().empty(); });
  if (!sums) return true;
  struct Change {
    std::uint32_t instance;
    bool leaves;
  };
  std::vector<Change> changes;
  for (const auto task : open_tasks_) {
    const auto& own = tasks_[task];
    if (own.counts && held_[own.held].group == what.group) changes.push_back({own.instance, true});
  }
  for (const auto task : unseen_tasks_) changes.push_back({tasks_[task].instance, false});
  const auto best = judge_->best();
  std::map<std::uint32_t, InstanceState> before;
  for (const auto& change : changes) before.try_emplace(change.instance, cluster_->states()[change.instance]);
  const auto apply = [&](const Change& change) {
    if (change.leaves) {
      cluster_->leave_group(change.instance, what.group);
    } else {
      cluster_->enter_group(change.instance, what.group);
    }
  };
  const auto restore = [&] {
    for (const auto& [instance, state] : before) cluster_->restore(instance, state);
  };
  const auto differs = [&] {
    judge_->judge(question.task_class, question.provider, question.instance);
    return judge_->best() != best;
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
  judge_->judge(question.task_class, question.provider, question.instance);
  return is_sure;
}

std::optional<std::uint32_t> Replayer::class_of_failure(std::uint32_t terms, const std::string& name,
                                                        const std::string& group) {
  if (!terms_[terms].unreadable.empty()) return std::nullopt;
  const auto definition = definition_named(name);
  if (!definition) return std::nullopt;
  RecordedTask task;  // of the size that the definition states
  task.definition = history_.names.id(name);
  task.group = history_.names.id(group);
  return class_of(held_of(task), *definition, terms, group);
}

void Replayer::judge_failure_of(JudgedFailure judged, std::optional<std::uint32_t> task_class,
                                const std::vector<std::uint32_t>& instances) {
  judged.is_known = task_class.has_value();
  if (task_class) {
    judged.fails = !judge_->is_placeable(*task_class, {});
    std::set<std::string> reasons;
    std::vector<std::uint32_t> asked = instances;
    if (asked.empty()) {
      asked.resize(cluster_->size());
      std::iota(asked.begin(), asked.end(), 0);
    }
    for (const auto instance : asked) {
      const auto failed = cluster_->filter(*task_class).failing(instance, cluster_->states()[instance], {});
      for (const auto check : failed.list()) reasons.insert(reason_text(check, cluster_->profile(instance).status));
    }
    judged.has_reason = reasons.contains(judged.reason);
    judged.simulated.assign(reasons.begin(), reasons.end());
    ++result_.failures_known;
    result_.failures_agreeing += judged.fails ? 1 : 0;
    result_.failures_with_reason += judged.has_reason ? 1 : 0;
  }
  if (result_.failures.size() < kMostListed) result_.failures.push_back(std::move(judged));
}

void Replayer::judge_failure(const RecordedFailure& failure) {
  const std::string name(history_.names.text(failure.service));
  JudgedFailure judged;
  judged.name = name;
  judged.reason = std::string(history_.names.text(failure.reason));
  judged.at = failure.at;
  judged.place = failure.place;
  std::vector<std::uint32_t> instances;
  for (const auto arn : failure.instances) {
    if (const auto instance = cluster_->find(history_.names.text(arn))) instances.push_back(*instance);
  }
  if (instances.size() == 1) judged.instance = cluster_->scenario().instances[instances.front()].id;
  std::optional<std::uint32_t> task_class;
  if (const auto terms = service_terms_.find(name); terms != service_terms_.end())
    task_class = class_of_failure(terms->second, terms_[terms->second].task_definition, "service:" + name);
  judge_failure_of(std::move(judged), task_class, instances);
}

void Replayer::judge_call_failures(const RecordedCall& call) {
  const auto number = static_cast<std::uint32_t>(&call - history_.calls.data());
  const auto terms = *terms_of_call(number);
  std::string name = terms_[terms].task_definition;
  std::string group = "family:" + name.substr(0, name.find(':'));
  if (!call.tasks.empty()) {
    const auto& task = history_.tasks[call.tasks.front()];
    name = std::string(history_.names.text(task.definition));
    group = std::string(history_.names.text(task.group));
  }
  const auto task_class = class_of_failure(terms, name, group);
  for (const auto& [arn, reason] : call.failures) {
    JudgedFailure judged;
    judged.name = name;
    judged.reason = std::string(history_.names.text(reason));
    judged.at = call.at;
    judged.place = call.place;
    std::vector<std::uint32_t> instances;
    if (const auto instance = cluster_->find(history_.names.text(arn))) {
      instances.push_back(*instance);
      judged.instance = cluster_->scenario().instances[*instance].id;
    }
    judge_failure_of(std::move(judged), task_class, instances);
  }
}

}  // namespace bayplan::replay
