#include "placement/verify/verify.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/compute_aside.hpp"
#include "placement/engine/checks.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "placement/verify/resource_usage.hpp"

namespace bayplan::placement {

namespace {

GpuState state_of(const GpuAccount& gpu) {
  if (gpu.untouched()) return GpuState::kIdle;
  return gpu.is_shared ? GpuState::kNvidiaMps : GpuState::kDedicated;
}

/// GPU memory that the shares of a fractional device leave, or the MPS tasks of a shared one.
MiB remaining_memory(const InstanceProfile& profile, const GpuAccount& gpu) {
  if (gpu.dedicated || profile.neuron_devices > 0) return 0;
  const std::int64_t share = profile.gpu_fraction_millionths - gpu.share_millionths;
  return profile.gpu_memory * share / profile.gpu_fraction_millionths - gpu.shared_memory;
}

bool adds_up(const InstanceProfile& profile, const InstanceAccount& account, const InstanceState& state) {
  const auto same_ports = [](const PortAccount& given, const std::vector<std::uint16_t>& taken) {
    return std::equal(given.begin(), given.end(), taken.begin(), taken.end());
  };
  if (state.cpu != profile.cpu - account.cpu || state.memory != profile.memory - account.memory) return false;
  if (state.network_interfaces != profile.network_interfaces - account.network_interfaces) return false;
  if (state.ebs_attachments != profile.ebs_attachments - account.ebs_volumes) return false;
  if (state.tasks != account.tasks || state.gpus.size() != account.gpus.size()) return false;
  if (!same_ports(account.tcp, state.tcp_ports) || !same_ports(account.udp, state.udp_ports)) return false;
  for (std::size_t gpu = 0; gpu < account.gpus.size(); ++gpu) {
    if (state.gpus[gpu].state != state_of(account.gpus[gpu])) return false;
    if (state.gpus[gpu].remaining_memory != remaining_memory(profile, account.gpus[gpu])) return false;
  }
  return true;
}

/// Instances of which what the result says is left is not what the accounting says after everything is booked.
std::vector<std::string> mistakes_in_remainder(const Scenario& scenario, const Outcome& outcome,
                                               const ResourceUsage& usage) {
  std::vector<std::string> mistakes;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    if (adds_up(usage.profile(i), usage.account(i), outcome.instances[i])) continue;
    mistakes.push_back(fmt::format("what remains of {} does not add up", scenario.instances[i].id));
  }
  return mistakes;
}

/// Tasks of each call of the workload, in the order of their attempts.
std::vector<std::ptrdiff_t> call_sizes(const Scenario& scenario, std::uint32_t workload, std::size_t tasks) {
  std::vector<std::ptrdiff_t> sizes;
  for (const auto& call : scenario.calls) {
    if (call.workload == workload) sizes.push_back(call.count);
  }
  if (sizes.empty()) sizes.push_back(static_cast<std::ptrdiff_t>(tasks));
  return sizes;
}

/// Keyed by step, whether the task was placed.
using Turns = std::map<std::int64_t, bool>;

bool is_whole(const Scenario& scenario, std::uint32_t workload, const Turns& attempts) {
  std::vector<char> placed;
  for (const auto& [step, is_placed] : attempts) placed.push_back(is_placed);
  auto task = placed.begin();
  for (const std::ptrdiff_t size : call_sizes(scenario, workload, placed.size())) {
    const auto end = task + std::min(size, placed.end() - task);
    if (std::adjacent_find(task, end, std::not_equal_to<>()) != end) return false;
    task = end;
  }
  return true;
}

/// A workload without a count ends with the one task that has no place.
void check_limits(const Scenario& scenario, const Outcome& outcome, std::vector<std::string>& mistakes) {
  struct End {
    std::int64_t limits = 0;
    std::int64_t step = -1;
    std::int64_t tasks = 0;
    std::int64_t last_task = -1;
  };
  std::vector<End> ends(scenario.workloads.size());
  for (const auto& limit : outcome.limits) {
    ++ends[limit.attempt.workload].limits;
    ends[limit.attempt.workload].step = limit.attempt.step;
  }
  const auto note = [&](const PlacementAttempt& attempt) {
    ++ends[attempt.workload].tasks;
    ends[attempt.workload].last_task = attempt.step;
  };
  for (const auto& placement : outcome.placements) note(placement.attempt);
  for (const auto& failure : outcome.failures) note(failure.attempt);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto& workload = scenario.workloads[i];
    const bool has_limit = workload.kind != WorkloadKind::kDaemon && !workload.count && ends[i].tasks < kMaxThatFit;
    if (ends[i].limits != (has_limit ? 1 : 0)) mistakes.push_back(workload.name + " has a wrong number of limits");
    if (has_limit && ends[i].last_task > ends[i].step) mistakes.push_back(workload.name + " goes on after its limit");
  }
}

/// Part of `verify`: calls that are placed as a whole or not at all, and are not; workloads without a count that end
/// for no reason.
std::vector<std::string> mistakes_in_calls(const Scenario& scenario, const Outcome& outcome) {
  std::map<std::uint32_t, Turns> wholes;
  const auto note = [&](const PlacementAttempt& attempt, bool is_placed) {
    if (scenario.workloads[attempt.workload].all_or_nothing) wholes[attempt.workload][attempt.step] = is_placed;
  };
  for (const auto& placement : outcome.placements) note(placement.attempt, true);
  for (const auto& failure : outcome.failures) note(failure.attempt, false);
  std::vector<std::string> mistakes;
  for (const auto& [workload, attempts] : wholes) {
    if (is_whole(scenario, workload, attempts)) continue;
    mistakes.push_back(scenario.workloads[workload].name + " is placed in part, against all or nothing");
  }
  check_limits(scenario, outcome, mistakes);
  return mistakes;
}

/// Which checks every instance fails for the tasks of one workload and capacity provider, read from the accounting and
/// kept from one failure to the next: only instances that changed since are looked at again. So `verify` looks at
/// failures in full whatever the size of the cluster.
class RejectionCache {
 public:
  RejectionCache(ResourceUsage& usage, std::size_t instances, std::uint32_t workload, std::string_view provider);

  /// Brings the book up to what is booked; returns how many instances were looked at.
  std::size_t catch_up();

  CheckSet failed(std::uint32_t instance) const { return failed_[instance]; }
  const RejectedCounts& counts() const { return counts_; }
  /// An instance that fails nothing.
  std::optional<std::uint32_t> that_fits() const;
  /// The first failed check that comes latest, of those that can be closest; nothing when none can.
  std::optional<Check> latest_first() const;

 private:
  void count(std::uint32_t instance, std::int64_t change);
  void look_at(std::uint32_t instance);

  ResourceUsage& usage_;
  std::uint32_t workload_;
  std::string_view provider_;
  std::vector<CheckSet> failed_;  ///< One entry per instance.
  RejectedCounts counts_;
  std::array<std::int64_t, kCheckCount> firsts_{};  ///< First failed checks of instances that can be closest.
  std::int64_t fitting_ = 0;
  std::size_t seen_ = 0;  ///< Number of changes applied.
  bool is_new_ = true;
};

/// Neither out of service nor of another capacity provider.
bool can_be_closest(CheckSet failed) {
  return !failed.has(Check::kStatus) && !failed.has(Check::kCapacityProvider);
}

RejectionCache::RejectionCache(ResourceUsage& usage, std::size_t instances, std::uint32_t workload,
                               std::string_view provider)
    : usage_(usage), workload_(workload), provider_(provider), failed_(instances) {}

void RejectionCache::count(std::uint32_t instance, std::int64_t change) {
  const CheckSet failed = failed_[instance];
  if (failed.empty()) {
    fitting_ += change;
    return;
  }
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    if (failed.has(static_cast<Check>(i))) counts_.by_check[i] += change;
  }
  if (failed.has(Check::kStatus)) {
    counts_.by_status[static_cast<std::size_t>(usage_.profile(instance).status)] += change;
  }
  if (can_be_closest(failed)) firsts_[static_cast<std::size_t>(failed.first())] += change;
}

void RejectionCache::look_at(std::uint32_t instance) {
  const CheckSet failed = usage_.failing(workload_, instance, provider_);
  if (failed == failed_[instance]) return;
  count(instance, -1);
  failed_[instance] = failed;
  count(instance, 1);
}

std::size_t RejectionCache::catch_up() {
  const auto& changes = usage_.changes();
  const std::size_t fresh = changes.size() - seen_;
  const bool all = is_new_ || fresh > failed_.size() / 4;  // one pass in order is faster than many leaps
  if (is_new_) fitting_ = static_cast<std::int64_t>(failed_.size());
  is_new_ = false;
  for (std::uint32_t instance = 0; all && instance < failed_.size(); ++instance) look_at(instance);
  for (std::size_t i = seen_; !all && i < changes.size(); ++i) look_at(changes[i]);
  seen_ = changes.size();
  return all ? failed_.size() : fresh;
}

std::optional<std::uint32_t> RejectionCache::that_fits() const {
  if (fitting_ == 0) return std::nullopt;
  const auto found = std::find_if(failed_.begin(), failed_.end(), [](CheckSet failed) { return failed.empty(); });
  return static_cast<std::uint32_t>(found - failed_.begin());
}

std::optional<Check> RejectionCache::latest_first() const {
  for (std::size_t i = kCheckCount; i-- > 0;) {
    if (firsts_[i] > 0) return static_cast<Check>(i);
  }
  return std::nullopt;
}

/// Comparing every placement with every candidate costs as much as the plainest of engines. Up to this product of
/// placements and instances all are compared, above it every n-th, so that the smaller product is reached.
constexpr std::size_t kRankingBudget = 20'000'000;
constexpr std::size_t kRankingSample = 5'000'000;
/// Instances looked at to check failures in full; past it only what failures list is checked.
constexpr std::size_t kExaminationBudget = 50'000'000;
/// Limit on the instances in all rejection caches together; when it is exceeded, the caches are cleared.
constexpr std::size_t kMaxCached = 50'000'000;
constexpr std::size_t kMaxMistakes = 20;

class Verifier {
 public:
  explicit Verifier(const Scenario& scenario) : scenario_(scenario), usage_(scenario) {
    for (const auto& workload : scenario.workloads) wanted_ += static_cast<std::size_t>(workload.count.value_or(0));
    attempts_.resize(scenario.workloads.size());
    rankings_.resize(scenario.workloads.size());
    for (const auto& workload : scenario.workloads) number_of_.push_back(&numbers_[workload.name]);
    for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
      if (scenario.workloads[i].kind == WorkloadKind::kDaemon) daemons_.push_back(i);
    }
  }

  /// Placements, failures and limits merged by attempt, from the first that has not been checked.
  void follow(const OutcomeSoFar& outcome) {
    outcome_ = outcome;
    for (; !is_incomplete_ && step_ < outcome.attempts(); ++step_) {
      const auto is_next = [&](const auto& list, std::size_t at) {
        return at < list.size() && list[at].attempt.step == static_cast<std::int64_t>(step_);
      };
      if (is_next(outcome.placements, placements_)) {
        check_placement(outcome.placements[placements_++]);
      } else if (is_next(outcome.failures, failures_)) {
        check_failure(outcome.failures[failures_++]);
      } else if (is_next(outcome.limits, limits_)) {
        check_limit(outcome.limits[limits_++]);
      } else {
        is_incomplete_ = true;
        mistake(fmt::format("turn {} is missing", step_));
      }
    }
  }

  std::vector<std::string> finish(const Outcome& outcome) {
    follow(OutcomeSoFar(outcome));
    finish_daemons();
    check_counts();
    for (auto& text : mistakes_in_calls(scenario_, outcome)) mistake(std::move(text));
    if (!mistakes_.empty()) return std::move(mistakes_);
    for (auto& text : mistakes_in_remainder(scenario_, outcome, usage_)) mistake(std::move(text));
    return std::move(mistakes_);
  }

 private:
  /// One of this many placements is compared with every candidate. Nothing says how many placements will follow of
  /// workloads without a count.
  std::size_t ranking_step() const {
    const std::size_t comparisons = std::max(wanted_, checked_) * scenario_.instances.size();
    return comparisons <= kRankingBudget ? 1 : comparisons / kRankingSample + 1;
  }

  void mistake(std::string text) {
    if (mistakes_.size() < kMaxMistakes) mistakes_.push_back(std::move(text));
  }

  void check_attempt(const PlacementAttempt& attempt) {
    const auto& workload = scenario_.workloads[attempt.workload];
    ++attempts_[attempt.workload];
    if (attempt.number != ++*number_of_[attempt.workload]) mistake(name(attempt) + " is numbered out of turn");
    const auto& shares = workload.capacity_providers;
    const bool known = attempt.capacity_provider && *attempt.capacity_provider < shares.size();
    if (shares.empty() ? attempt.capacity_provider.has_value() : !known)
      mistake(name(attempt) + " has a foreign capacity provider");
  }

  /// A daemon is attempted on every instance that qualifies, in file order, before any other task.
  void check_daemon_attempt(const PlacementAttempt& attempt, std::uint32_t instance) {
    if (scenario_.workloads[attempt.workload].kind != WorkloadKind::kDaemon) return finish_daemons();
    while (daemon_ < daemons_.size() && daemons_[daemon_] != attempt.workload) finish_daemon();
    if (daemon_ == daemons_.size() || instance < next_daemon_instance_) {
      return mistake(name(attempt) + " comes out of turn");
    }
    pass_over_instances(instance);
    next_daemon_instance_ = instance + 1;
  }

  /// None of the instances up to `end` may qualify, as things are now.
  void pass_over_instances(std::uint32_t end) {
    const auto workload = daemons_[daemon_];
    for (std::uint32_t i = next_daemon_instance_; i < end; ++i) {
      const CheckSet failed = usage_.failing(workload, i, {});
      const bool runs_already = usage_.account(i).tasks_of(usage_.group_of(workload)) > 0;
      const bool qualifies = !failed.has(Check::kStatus) && !failed.has(Check::kLocation) &&
                             !failed.has(Check::kMemberOf) && !runs_already;
      if (!qualifies) continue;
      mistake(fmt::format("{} omits {}", scenario_.workloads[workload].name, scenario_.instances[i].id));
    }
  }

  void finish_daemon() {
    pass_over_instances(static_cast<std::uint32_t>(scenario_.instances.size()));
    next_daemon_instance_ = 0;
    ++daemon_;
  }

  void finish_daemons() {
    while (daemon_ < daemons_.size()) finish_daemon();
  }

  void check_placement(const Placement& placement) {
    check_attempt(placement.attempt);
    check_daemon_attempt(placement.attempt, placement.instance);
    check_stand(placement);
    last_placement_ = placement.attempt.step;
  }

  void check_stand(const Placement& placement) {
    const auto& attempt = placement.attempt;
    const auto& instance = scenario_.instances[placement.instance].id;
    const CheckSet failing =
        usage_.failing(attempt.workload, placement.instance, capacity_provider_of(scenario_, attempt));
    for (const Check check : failing.list()) {
      mistake(fmt::format("{} is on {} contrary to {}", name(attempt), instance,
                          reason_text(check, usage_.profile(placement.instance).status)));
    }
    if (checked_++ % ranking_step() == 0 && failing.empty()) check_ranking(placement);
    const auto gpu_mistake = usage_.book(attempt.workload, placement.instance, placement.gpus);
    if (!gpu_mistake.empty()) mistake(fmt::format("{} on {} {}", name(attempt), instance, gpu_mistake));
  }

  /// The amount that one key of an instance counts.
  enum class Counted : std::uint8_t { kFreeCpu, kFreeMemory, kTasksOfGroup, kTasksAlike };
  struct RankingKey {
    Counted counted = Counted::kTasksOfGroup;
    AttributeValues values = {};           ///< Only kTasksAlike has them.
    std::vector<std::int64_t> tasks = {};  ///< Tasks of the group by value, for the placement that is being checked.
  };
  struct Ranking {
    std::vector<RankingKey> keys;
    bool draws = false;  ///< The last choice is random.
  };

  RankingKey key_of_attribute(std::string_view attribute) const {
    return {Counted::kTasksAlike, usage_.values_of(attribute)};
  }

  RankingKey ranking_key(const Strategy& strategy) const {
    if (strategy.type == StrategyType::kBinpack)
      return {strategy.field == "cpu" ? Counted::kFreeCpu : Counted::kFreeMemory};
    if (strategy.field == "instanceId") return {Counted::kTasksOfGroup};
    return key_of_attribute(std::string_view(strategy.field).substr(strategy.field.find(':') + 1));
  }

  /// The strategies up to the first that draws, decoded.
  Ranking decode_ranking(const Workload& workload) const {
    const auto& strategies = workload.strategies;
    const bool is_service = workload.kind == WorkloadKind::kService;
    Ranking ranking;
    if (strategies.empty() && is_service) ranking.keys.push_back(key_of_attribute("ecs.availability-zone"));
    const auto drawn = std::find_if(strategies.begin(), strategies.end(),
                                    [](const auto& strategy) { return strategy.type == StrategyType::kRandom; });
    for (auto strategy = strategies.begin(); strategy != drawn; ++strategy)
      ranking.keys.push_back(ranking_key(*strategy));
    ranking.draws = drawn != strategies.end() || (strategies.empty() && !is_service);
    const bool is_zone_only =
        is_service &&
        (strategies.empty() || (strategies.size() == 1 && strategies.front().type == StrategyType::kSpread &&
                                strategies.front().field == "attribute:ecs.availability-zone"));
    if (is_zone_only) ranking.keys.push_back({Counted::kTasksOfGroup});
    return ranking;
  }

  /// The ranking of the workload, with the tasks as they are now.
  const Ranking& ranking_of(std::uint32_t workload) {
    auto& ranking = rankings_[workload];
    if (!ranking) ranking = decode_ranking(scenario_.workloads[workload]);
    for (auto& key : ranking->keys) {
      if (key.counted == Counted::kTasksAlike) key.tasks = usage_.tasks_by_value(usage_.group_of(workload), key.values);
    }
    return *ranking;
  }

  std::int64_t amount_of(const RankingKey& key, std::uint32_t group, std::uint32_t instance) const {
    const auto& account = usage_.account(instance);
    switch (key.counted) {
      case Counted::kFreeCpu:
        return usage_.profile(instance).cpu - account.cpu;
      case Counted::kFreeMemory:
        return usage_.profile(instance).memory - account.memory;
      case Counted::kTasksOfGroup:
        return account.tasks_of(group);
      case Counted::kTasksAlike:
        return key.tasks[usage_.value_of(key.values, instance)];
    }
    return 0;
  }

  /// At most five strategies and a second key.
  using Amounts = std::array<std::int64_t, 6>;

  /// Negative if the instance ranks before one with the amounts `own`, positive if behind it: smaller ones come first.
  int compare(const Ranking& ranking, std::uint32_t group, std::uint32_t instance, const Amounts& own) const {
    for (std::size_t i = 0; i < ranking.keys.size(); ++i) {
      const auto amount = amount_of(ranking.keys[i], group, instance);
      if (amount != own[i]) return amount < own[i] ? -1 : 1;
    }
    return 0;
  }

  void check_ranking(const Placement& placement) {
    const auto& attempt = placement.attempt;
    const auto& workload = scenario_.workloads[attempt.workload];
    if (workload.kind == WorkloadKind::kDaemon) return;
    // A policy ranks by scores, which the tests compare with those of a plain search.
    const bool is_startable = workload.kind == WorkloadKind::kTasks && workload.capacity_providers.empty();
    if (scenario_.policy && (is_startable || !scenario_.policy_by_start_task)) return;
    const auto& ranking = ranking_of(attempt.workload);
    const bool draws = ranking.draws || scenario_.ties == TieOrder::kDrawn;
    const std::uint32_t group = usage_.group_of(attempt.workload);
    Amounts own{};
    for (std::size_t i = 0; i < ranking.keys.size(); ++i)
      own[i] = amount_of(ranking.keys[i], group, placement.instance);
    std::int64_t equals = 0;
    const auto provider = capacity_provider_of(scenario_, attempt);
    for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) {
      const auto order = compare(ranking, group, i, own);
      // One that ranks alike matters where it comes first, and as long as it is not known whether there is a tie.
      const bool matters = order < 0 || (order == 0 && !draws && (i < placement.instance || equals < 2));
      if (!matters || !usage_.failing(attempt.workload, i, provider).empty()) continue;
      if (order == 0) ++equals;
      if (order < 0 || i < placement.instance) {
        mistake(fmt::format("{} is on {} although {} ranks before it", name(attempt),
                            scenario_.instances[placement.instance].id, scenario_.instances[i].id));
        return;
      }
    }
    if (placement.tied != (!draws && equals > 1)) mistake(name(attempt) + " says the wrong thing about a tie");
  }

  void check_failure(const Failure& failure) {
    check_attempt(failure.attempt);
    if (failure.same_as) return check_same(failure);
    if (scenario_.workloads[failure.attempt.workload].kind == WorkloadKind::kDaemon)
      return check_daemon_failure(failure);
    finish_daemons();
    if (scenario_.workloads[failure.attempt.workload].all_or_nothing != failure.would_fit.has_value()) {
      mistake(name(failure.attempt) + " is of a whole, or not");
    }
    if (failure.would_fit.value_or(0) == 0) return check_explanation(failure);
    const auto before = book_withdrawn(failure);
    check_explanation(failure);
    for (auto saved = before.rbegin(); saved != before.rend(); ++saved) usage_.put_back(saved->first, saved->second);
  }

  /// The accounts as they were, in the order of the placements.
  std::vector<std::pair<std::uint32_t, InstanceAccount>> book_withdrawn(const Failure& failure) {
    std::vector<std::pair<std::uint32_t, InstanceAccount>> before;
    const auto index = static_cast<std::uint32_t>(&failure - outcome_.failures.data());
    const bool is_reported = withdrawn_ < outcome_.withdrawn.size() && outcome_.withdrawn[withdrawn_].failure == index;
    const auto* placements = is_reported ? &outcome_.withdrawn[withdrawn_++].placements : nullptr;
    if (placements == nullptr || static_cast<std::int64_t>(placements->size()) != *failure.would_fit) {
      mistake(name(failure.attempt) + " does not say what was placed before");
      return before;
    }
    for (const auto& placement : *placements) {
      if (placement.attempt.workload != failure.attempt.workload)
        mistake(name(placement.attempt) + " belongs to another call");
      before.emplace_back(placement.instance, usage_.account(placement.instance));
      check_stand(placement);
    }
    return before;
  }

  void check_limit(const Failure& limit) {
    check_attempt(limit.attempt);
    finish_daemons();
    check_explanation(limit);
  }

  void check_explanation(const Failure& failure) {
    check_length(failure, scenario_.instances.size());
    if (examinations_ <= kExaminationBudget) check_in_full(failure, cache_of(failure.attempt));
    check_rows(failure);
  }

  RejectionCache& cache_of(const PlacementAttempt& attempt) {
    if (caches_.size() * scenario_.instances.size() > kMaxCached) caches_.clear();
    auto& cache = caches_[{attempt.workload, attempt.capacity_provider}];
    if (!cache) {
      cache = std::make_unique<RejectionCache>(usage_, scenario_.instances.size(), attempt.workload,
                                               capacity_provider_of(scenario_, attempt));
    }
    examinations_ += cache->catch_up();
    return *cache;
  }

  /// No instance would have taken the task, and none is closer than the one named.
  void check_in_full(const Failure& failure, const RejectionCache& book) {
    if (const auto fits = book.that_fits()) {
      return mistake(fmt::format("{} would fit on {}", name(failure.attempt), scenario_.instances[*fits].id));
    }
    if (!(book.counts() == failure.rejected)) mistake(name(failure.attempt) + " counts its reasons wrongly");
    const auto latest = book.latest_first();
    if (!latest || (failure.closest && book.failed(*failure.closest).first() == *latest)) return;
    for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) {
      const CheckSet failed = book.failed(i);
      if (!can_be_closest(failed) || failed.first() != *latest) continue;
      return mistake(fmt::format("{} skips {}, which is closer", name(failure.attempt), scenario_.instances[i].id));
    }
  }

  void check_daemon_failure(const Failure& failure) {
    if (failure.instances.size() != 1) return mistake(name(failure.attempt) + " is a daemon of no one instance");
    const std::uint32_t instance = failure.instances.front().instance;
    check_daemon_attempt(failure.attempt, instance);
    RejectedCounts counts;
    const CheckSet failed = failing(failure, instance);
    for (std::size_t i = 0; i < kCheckCount; ++i) counts.by_check[i] = failed.has(static_cast<Check>(i)) ? 1 : 0;
    if (failed.has(Check::kStatus)) counts.by_status[static_cast<std::size_t>(usage_.profile(instance).status)] = 1;
    if (!(counts == failure.rejected)) mistake(name(failure.attempt) + " counts its reasons wrongly");
    ++rows_;
    check_rows(failure);
    if (!failed.empty() && can_be_closest(failed) && failure.closest != instance) {
      mistake(name(failure.attempt) + " skips its only instance");
    }
  }

  CheckSet failing(const Failure& failure, std::uint32_t instance) {
    return usage_.failing(failure.attempt.workload, instance, capacity_provider_of(scenario_, failure.attempt));
  }

  void check_length(const Failure& failure, std::size_t instances) {
    const bool in_full = instances <= kFullExplanationLimit && rows_ + instances <= kFullExplanationRows;
    if (failure.instances.size() != (in_full ? instances : std::min(instances, kNearMisses))) {
      mistake(name(failure.attempt) + " does not list every instance");
    }
    rows_ += failure.instances.size();
  }

  /// What is listed is true, the closest among it.
  void check_rows(const Failure& failure) {
    std::optional<CheckSet> closest;
    if (failure.closest) closest = failing(failure, *failure.closest);
    if (closest && (closest->empty() || !can_be_closest(*closest))) {
      return mistake(name(failure.attempt) + " names a closest that cannot be");
    }
    for (const auto& rejection : failure.instances) {
      const CheckSet own = failing(failure, rejection.instance);
      check_rejection(failure, rejection, own);
      if (own.empty() || !can_be_closest(own) || (closest && !(closest->first() < own.first()))) continue;
      mistake(fmt::format("{} skips {}, which is closer", name(failure.attempt),
                          scenario_.instances[rejection.instance].id));
    }
  }

  void check_rejection(const Failure& failure, const Rejection& rejection, CheckSet own) {
    const auto& id = scenario_.instances[rejection.instance].id;
    if (own.empty()) mistake(fmt::format("{} would fit on {}", name(failure.attempt), id));
    if (!(own == rejection.failed)) mistake(fmt::format("{} names wrong reasons for {}", name(failure.attempt), id));
    if (!(rejection.shortfall == usage_.shortfall(failure.attempt.workload, rejection.instance, own))) {
      mistake(fmt::format("{} states a wrong shortfall on {}", name(failure.attempt), id));
    }
  }

  void check_same(const Failure& failure) {
    const std::size_t index = *failure.same_as;
    if (index >= failures_) return mistake(name(failure.attempt) + " is the same as nothing");
    const auto& first = outcome_.failures[index];
    const bool alike = !first.same_as && first.attempt.workload == failure.attempt.workload &&
                       first.attempt.capacity_provider == failure.attempt.capacity_provider &&
                       first.attempt.step < failure.attempt.step;
    if (!alike || last_placement_ > first.attempt.step) {
      mistake(fmt::format("{} is not the same as {}", name(failure.attempt), name(first.attempt)));
    }
  }

  void check_counts() {
    for (std::uint32_t i = 0; i < scenario_.workloads.size(); ++i) {
      const auto& workload = scenario_.workloads[i];
      if (workload.kind == WorkloadKind::kDaemon || !workload.count) continue;
      if (attempts_[i] != *workload.count) {
        mistake(fmt::format("{} had {} turns instead of {}", workload.name, attempts_[i], *workload.count));
      }
    }
  }

  std::string name(const PlacementAttempt& attempt) const {
    return fmt::format("{}#{}", scenario_.workloads[attempt.workload].name, attempt.number);
  }

  const Scenario& scenario_;
  OutcomeSoFar outcome_;
  std::size_t step_ = 0;        ///< The next attempt.
  std::size_t placements_ = 0;  ///< Next index into the placements of the outcome, and so on.
  std::size_t failures_ = 0;
  std::size_t limits_ = 0;
  bool is_incomplete_ = false;  ///< An attempt was missing; what follows it cannot be checked.
  ResourceUsage usage_;
  std::size_t wanted_ = 0;                        ///< Tasks of workloads with a count.
  std::size_t checked_ = 0;                       ///< Number of placements so far, withdrawn ones included.
  std::vector<std::optional<Ranking>> rankings_;  ///< One entry per workload; empty until asked for.
  std::vector<std::uint32_t> daemons_;            ///< Workloads, in the order of their attempts.
  std::size_t daemon_ = 0;                        ///< Index into daemons_: the one that is placed now.
  std::uint32_t next_daemon_instance_ = 0;
  std::int64_t last_placement_ = -1;
  std::size_t rows_ = 0;                              ///< Rows of all failures so far.
  std::vector<std::int64_t> attempts_;                ///< The attempts of each workload.
  std::map<std::string_view, std::int64_t> numbers_;  ///< Keyed by name.
  std::vector<std::int64_t*> number_of_;              ///< One entry per workload, in `numbers_`.
  std::map<std::pair<std::uint32_t, OptionalIndex>, std::unique_ptr<RejectionCache>> caches_;
  std::size_t examinations_ = 0;  ///< Instances that the books looked at.
  std::size_t withdrawn_ = 0;     ///< Next index into Outcome::withdrawn.
  std::vector<std::string> mistakes_;
};

}  // namespace

std::vector<std::string> verify(const Scenario& scenario, const Outcome& outcome) {
  return Verifier(scenario).finish(outcome);
}

ConcurrentVerification::ConcurrentVerification(const Scenario& scenario)
    : mistakes_(compute_aside([this, &scenario] { return run(scenario); })) {}

ConcurrentVerification::~ConcurrentVerification() {
  const std::lock_guard lock(mutex_);
  is_abandoned_ = true;
  changed_.notify_one();
}

void ConcurrentVerification::follow(const OutcomeSoFar& outcome) {
  const std::lock_guard lock(mutex_);
  unread_ = outcome;
  changed_.notify_one();
}

void ConcurrentVerification::release() {
  {
    const std::lock_guard lock(mutex_);
    unread_.reset();
  }
  const std::lock_guard nobody_reads(reading_);
}

void ConcurrentVerification::complete(const Outcome& outcome) {
  const std::lock_guard lock(mutex_);
  complete_ = &outcome;
  changed_.notify_one();
}

std::vector<std::string> ConcurrentVerification::run(const Scenario& scenario) {
  Verifier verifier(scenario);
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_abandoned_ || complete_ != nullptr || unread_; });
    if (is_abandoned_) return {};
    if (complete_ != nullptr) break;
    const OutcomeSoFar outcome = *std::exchange(unread_, std::nullopt);
    const std::lock_guard reading(reading_);
    lock.unlock();
    verifier.follow(outcome);
  }
  return verifier.finish(*complete_);
}

}  // namespace bayplan::placement
