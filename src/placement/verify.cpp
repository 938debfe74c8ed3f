#include "placement/verify.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "placement/ledger.hpp"
#include "placement/verify_calls.hpp"

namespace bayplan::placement {
namespace {

/// Comparing every placement with every candidate costs as much as placing; past this product of turns and instances
/// only what was done is checked, not what could have been done.
constexpr std::size_t kRankingBudget = 20'000'000;
/// Instances looked at to check failures; past it only what failures list is checked.
constexpr std::size_t kExaminationBudget = 2'000'000;
constexpr std::size_t kMostMistakes = 20;

class Verifier {
 public:
  Verifier(const Scenario& scenario, const Outcome& result)
      : scenario_(scenario),
        outcome_(result),
        ledger_(scenario),
        checks_ranking_(result.placements.size() * scenario.instances.size() <= kRankingBudget) {
    turns_.resize(scenario.workloads.size());
    failed_.resize(scenario.instances.size());
    for (const auto& workload : scenario.workloads) number_of_.push_back(&numbers_[workload.name]);
    for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
      if (scenario.workloads[i].kind == WorkloadKind::kDaemon) daemons_.push_back(i);
    }
  }

  std::vector<std::string> run() && {
    replay();
    finish_daemons();
    check_counts();
    for (auto& text : mistakes_in_calls(scenario_, outcome_)) mistake(std::move(text));
    if (mistakes_.empty()) check_final_state();
    return std::move(mistakes_);
  }

 private:
  void mistake(std::string text) {
    if (mistakes_.size() < kMostMistakes) mistakes_.push_back(std::move(text));
  }

  /// Placements, failures and limits merged by turn.
  void replay() {
    std::size_t placement = 0;
    std::size_t failure = 0;
    std::size_t limit = 0;
    const std::size_t turns = outcome_.placements.size() + outcome_.failures.size() + outcome_.limits.size();
    for (std::size_t step = 0; step < turns; ++step) {
      const auto is_next = [&](const auto& list, std::size_t at) {
        return at < list.size() && list[at].turn.step == static_cast<std::int64_t>(step);
      };
      if (is_next(outcome_.placements, placement)) {
        check_placement(outcome_.placements[placement++]);
      } else if (is_next(outcome_.failures, failure)) {
        check_failure(outcome_.failures[failure++]);
      } else if (is_next(outcome_.limits, limit)) {
        check_limit(outcome_.limits[limit++]);
      } else {
        return mistake(fmt::format("turn {} is missing", step));
      }
    }
  }

  void check_turn(const Turn& turn) {
    const auto& workload = scenario_.workloads[turn.workload];
    ++turns_[turn.workload];
    if (turn.number != ++*number_of_[turn.workload]) mistake(name(turn) + " is numbered out of turn");
    const auto& shares = workload.capacity_providers;
    const bool known = std::any_of(shares.begin(), shares.end(), [&](const ProviderShare& share) {
      return share.capacity_provider == turn.capacity_provider;
    });
    if (shares.empty() ? !turn.capacity_provider.empty() : !known)
      mistake(name(turn) + " has a foreign capacity provider");
  }

  /// A daemon has a turn on every instance that qualifies, in file order, before any other task.
  void check_daemon_turn(const Turn& turn, std::uint32_t instance) {
    if (scenario_.workloads[turn.workload].kind != WorkloadKind::kDaemon) return finish_daemons();
    while (daemon_ < daemons_.size() && daemons_[daemon_] != turn.workload) finish_daemon();
    if (daemon_ == daemons_.size() || instance < next_daemon_instance_) {
      return mistake(name(turn) + " comes out of turn");
    }
    pass_over_instances(instance);
    next_daemon_instance_ = instance + 1;
  }

  /// None of the instances up to `end` may qualify, as things are now.
  void pass_over_instances(std::uint32_t end) {
    const auto workload = daemons_[daemon_];
    for (std::uint32_t i = next_daemon_instance_; i < end; ++i) {
      const CheckSet failed = ledger_.failing(workload, i, {});
      const bool runs_already = ledger_.account(i).groups.count(scenario_.workloads[workload].group) > 0;
      const bool qualifies = !failed.has(Check::kStatus) && !failed.has(Check::kLocation) &&
                             !failed.has(Check::kMemberOf) && !runs_already;
      if (!qualifies) continue;
      mistake(fmt::format("{} leaves out {}", scenario_.workloads[workload].name, scenario_.instances[i].id));
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
    check_turn(placement.turn);
    check_daemon_turn(placement.turn, placement.instance);
    check_stand(placement);
    last_placement_ = placement.turn.step;
  }

  void check_stand(const Placement& placement) {
    const auto& turn = placement.turn;
    const auto& instance = scenario_.instances[placement.instance].id;
    const CheckSet failing = ledger_.failing(turn.workload, placement.instance, turn.capacity_provider);
    for (const Check check : failing.list()) {
      mistake(fmt::format("{} stands on {} against {}", name(turn), instance,
                          reason_text(check, ledger_.profile(placement.instance).status)));
    }
    if (checks_ranking_ && failing.empty()) check_ranking(placement);
    const auto gpu_mistake = ledger_.book(turn.workload, placement.instance, placement.gpus);
    if (!gpu_mistake.empty()) mistake(fmt::format("{} on {} {}", name(turn), instance, gpu_mistake));
  }

  /// Tasks of the group on all instances whose attribute has the same value (or lack it) as on `instance`.
  std::int64_t tasks_alike(std::string_view group, std::string_view attribute, std::uint32_t instance) {
    auto known = alike_.find(attribute);
    if (known == alike_.end()) known = alike_.emplace(attribute, ledger_.tasks_by_value(group, attribute)).first;
    const auto found = known->second.find(ledger_.value_of(attribute, instance));
    return found == known->second.end() ? 0 : found->second;
  }

  /// Keys of the strategies up to the first that draws; smaller is better.
  std::vector<std::int64_t> keys(const Workload& workload, std::uint32_t instance, bool& draws) {
    std::vector<std::int64_t> own;
    const auto& account = ledger_.account(instance);
    const auto& profile = ledger_.profile(instance);
    const auto on_instance = [&] {
      const auto found = account.groups.find(workload.group);
      return found == account.groups.end() ? 0 : found->second;
    };
    const bool is_service = workload.kind == WorkloadKind::kService;
    if (workload.strategies.empty() && !is_service) draws = true;
    bool zone_only = workload.strategies.empty() && is_service;
    if (zone_only) own.push_back(tasks_alike(workload.group, "ecs.availability-zone", instance));
    for (const auto& strategy : workload.strategies) {
      if (strategy.type == StrategyType::kRandom) {
        draws = true;
        break;
      }
      if (strategy.type == StrategyType::kBinpack) {
        own.push_back(strategy.field == "cpu" ? profile.cpu - account.cpu : profile.memory - account.memory);
      } else if (strategy.field == "instanceId") {
        own.push_back(on_instance());
      } else {
        const auto attribute = std::string_view(strategy.field).substr(strategy.field.find(':') + 1);
        own.push_back(tasks_alike(workload.group, attribute, instance));
        zone_only |=
            is_service && workload.strategies.size() == 1 && strategy.field == "attribute:ecs.availability-zone";
      }
    }
    if (zone_only) own.push_back(on_instance());
    return own;
  }

  void check_ranking(const Placement& placement) {
    const auto& turn = placement.turn;
    const auto& workload = scenario_.workloads[turn.workload];
    if (workload.kind == WorkloadKind::kDaemon) return;
    bool draws = scenario_.ties == TieOrder::kDrawn;
    alike_.clear();
    const auto own = keys(workload, placement.instance, draws);
    std::int64_t equals = 0;
    for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) {
      if (!ledger_.failing(turn.workload, i, turn.capacity_provider).empty()) continue;
      const auto other = keys(workload, i, draws);
      if (other == own) ++equals;
      if (other < own || (other == own && i < placement.instance && !draws)) {
        mistake(fmt::format("{} stands on {} although {} ranks before it", name(turn),
                            scenario_.instances[placement.instance].id, scenario_.instances[i].id));
        return;
      }
    }
    if (placement.tied != (!draws && equals > 1)) mistake(name(turn) + " says the wrong thing about a tie");
  }

  void check_failure(const Failure& failure) {
    check_turn(failure.turn);
    if (failure.same_as) return check_same(failure);
    if (scenario_.workloads[failure.turn.workload].kind == WorkloadKind::kDaemon) return check_daemon_failure(failure);
    finish_daemons();
    if (scenario_.workloads[failure.turn.workload].all_or_nothing != failure.would_fit.has_value()) {
      mistake(name(failure.turn) + " is of a whole, or not");
    }
    if (failure.would_fit.value_or(0) == 0) return check_explanation(failure);
    const auto before = book_withdrawn(failure);
    check_explanation(failure);
    for (auto saved = before.rbegin(); saved != before.rend(); ++saved) ledger_.put_back(saved->first, saved->second);
  }

  /// The accounts as they were, in the order of the placements.
  std::vector<std::pair<std::uint32_t, InstanceAccount>> book_withdrawn(const Failure& failure) {
    std::vector<std::pair<std::uint32_t, InstanceAccount>> before;
    const auto index = static_cast<std::uint32_t>(&failure - outcome_.failures.data());
    const bool is_told = withdrawn_ < outcome_.withdrawn.size() && outcome_.withdrawn[withdrawn_].failure == index;
    const auto* placements = is_told ? &outcome_.withdrawn[withdrawn_++].placements : nullptr;
    if (placements == nullptr || static_cast<std::int64_t>(placements->size()) != *failure.would_fit) {
      mistake(name(failure.turn) + " does not say what was placed before");
      return before;
    }
    for (const auto& placement : *placements) {
      if (placement.turn.workload != failure.turn.workload) mistake(name(placement.turn) + " is of another call");
      before.emplace_back(placement.instance, ledger_.account(placement.instance));
      check_stand(placement);
    }
    return before;
  }

  void check_limit(const Failure& limit) {
    check_turn(limit.turn);
    finish_daemons();
    check_explanation(limit);
  }

  void check_explanation(const Failure& failure) {
    check_length(failure, scenario_.instances.size());
    examinations_ += scenario_.instances.size();
    if (examinations_ > kExaminationBudget) return check_rows(failure);
    RejectedCounts counts;
    for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) examine(failure, i, counts);
    if (!(counts == failure.rejected)) mistake(name(failure.turn) + " counts its reasons wrongly");
    check_rows(failure);
    for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) {
      if (!check_not_closer(failure, i)) return;
    }
  }

  void check_daemon_failure(const Failure& failure) {
    if (failure.instances.size() != 1) return mistake(name(failure.turn) + " is a daemon of no one instance");
    const std::uint32_t instance = failure.instances.front().instance;
    check_daemon_turn(failure.turn, instance);
    RejectedCounts counts;
    examine(failure, instance, counts);
    if (!(counts == failure.rejected)) mistake(name(failure.turn) + " counts its reasons wrongly");
    ++rows_;
    check_rows(failure);
  }

  CheckSet failing(const Failure& failure, std::uint32_t instance) {
    return ledger_.failing(failure.turn.workload, instance, failure.turn.capacity_provider);
  }

  void examine(const Failure& failure, std::uint32_t instance, RejectedCounts& counts) {
    const CheckSet own = failing(failure, instance);
    for (std::size_t i = 0; i < kCheckCount; ++i) counts.by_check[i] += own.has(static_cast<Check>(i)) ? 1 : 0;
    if (own.has(Check::kStatus)) ++counts.by_status[static_cast<std::size_t>(ledger_.profile(instance).status)];
    failed_[instance] = own;
  }

  void check_length(const Failure& failure, std::size_t instances) {
    const bool in_full = instances <= kFullExplanationLimit && rows_ + instances <= kFullExplanationRows;
    if (failure.instances.size() != (in_full ? instances : std::min(instances, kNearMisses))) {
      mistake(name(failure.turn) + " does not list every instance");
    }
    rows_ += failure.instances.size();
  }

  /// What is listed is true.
  void check_rows(const Failure& failure) {
    if (failure.closest) failed_[*failure.closest] = failing(failure, *failure.closest);
    for (const auto& rejection : failure.instances) {
      failed_[rejection.instance] = failing(failure, rejection.instance);
      check_rejection(failure, rejection, failed_[rejection.instance]);
      check_not_closer(failure, rejection.instance);
    }
  }

  void check_rejection(const Failure& failure, const Rejection& rejection, CheckSet own) {
    const auto& id = scenario_.instances[rejection.instance].id;
    if (own.empty()) mistake(fmt::format("{} would fit on {}", name(failure.turn), id));
    if (!(own == rejection.failed)) mistake(fmt::format("{} names wrong reasons for {}", name(failure.turn), id));
    if (!(rejection.shortfall == ledger_.shortfall(failure.turn.workload, rejection.instance, own))) {
      mistake(fmt::format("{} states a wrong shortfall on {}", name(failure.turn), id));
    }
  }

  /// `failed_` holds what the instance and the closest one fail.
  bool check_not_closer(const Failure& failure, std::uint32_t instance) {
    const CheckSet own = failed_[instance];
    const auto& id = scenario_.instances[instance].id;
    if (own.empty()) {
      mistake(fmt::format("{} would fit on {}", name(failure.turn), id));
      return false;
    }
    const auto may_be = [](CheckSet set) { return !set.has(Check::kStatus) && !set.has(Check::kCapacityProvider); };
    if (failure.closest == instance && !may_be(own)) mistake(name(failure.turn) + " names a closest that cannot be");
    if (!may_be(own)) return true;
    if (failure.closest && !(failed_[*failure.closest].first() < own.first())) return true;
    mistake(fmt::format("{} passes over {}, which is closer", name(failure.turn), id));
    return false;
  }

  void check_same(const Failure& failure) {
    const std::size_t index = *failure.same_as;
    if (index >= outcome_.failures.size()) return mistake(name(failure.turn) + " is the same as nothing");
    const auto& first = outcome_.failures[index];
    const bool alike = !first.same_as && first.turn.workload == failure.turn.workload &&
                       first.turn.capacity_provider == failure.turn.capacity_provider &&
                       first.turn.step < failure.turn.step;
    if (!alike || last_placement_ > first.turn.step) {
      mistake(fmt::format("{} is not the same as {}", name(failure.turn), name(first.turn)));
    }
  }

  void check_counts() {
    for (std::uint32_t i = 0; i < scenario_.workloads.size(); ++i) {
      const auto& workload = scenario_.workloads[i];
      if (workload.kind == WorkloadKind::kDaemon || !workload.count) continue;
      if (turns_[i] != *workload.count) {
        mistake(fmt::format("{} had {} turns instead of {}", workload.name, turns_[i], *workload.count));
      }
    }
  }

  static GpuState state_of(const GpuAccount& gpu) {
    if (gpu.untouched()) return GpuState::kIdle;
    return gpu.shared_memory > 0 ? GpuState::kNvidiaMps : GpuState::kDedicated;
  }

  /// Of a fractional device what the shares leave, of a shared one what MPS tasks leave.
  static MiB remaining_memory(const InstanceProfile& profile, const GpuAccount& gpu) {
    if (gpu.dedicated) return 0;
    const std::int64_t share = profile.gpu_fraction_millionths - gpu.share_millionths;
    return profile.gpu_memory * share / profile.gpu_fraction_millionths - gpu.shared_memory;
  }

  void check_final_state() {
    for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) {
      const auto& profile = ledger_.profile(i);
      const auto& account = ledger_.account(i);
      const auto& state = outcome_.instances[i];
      bool right = state.cpu == profile.cpu - account.cpu && state.memory == profile.memory - account.memory &&
                   state.network_interfaces == profile.network_interfaces - account.network_interfaces &&
                   state.tasks == account.tasks && state.gpus.size() == account.gpus.size() &&
                   std::equal(account.tcp.begin(), account.tcp.end(), state.tcp_ports.begin(), state.tcp_ports.end()) &&
                   std::equal(account.udp.begin(), account.udp.end(), state.udp_ports.begin(), state.udp_ports.end());
      for (std::size_t gpu = 0; right && gpu < account.gpus.size(); ++gpu) {
        right = state.gpus[gpu].state == state_of(account.gpus[gpu]) &&
                state.gpus[gpu].remaining_memory == remaining_memory(profile, account.gpus[gpu]);
      }
      if (!right) mistake(fmt::format("what remains of {} does not add up", scenario_.instances[i].id));
    }
  }

  std::string name(const Turn& turn) const {
    return fmt::format("{}#{}", scenario_.workloads[turn.workload].name, turn.number);
  }

  const Scenario& scenario_;
  const Outcome& outcome_;
  Ledger ledger_;
  bool checks_ranking_;
  std::map<std::string_view, ValueCounts> alike_;  ///< By attribute, for the placement that is being checked.
  std::vector<std::uint32_t> daemons_;             ///< Workloads, in the order of their turns.
  std::size_t daemon_ = 0;                         ///< Of daemons_: the one that places now.
  std::uint32_t next_daemon_instance_ = 0;
  std::int64_t last_placement_ = -1;
  std::size_t rows_ = 0;                              ///< Of all failures so far.
  std::vector<std::int64_t> turns_;                   ///< By workload.
  std::map<std::string_view, std::int64_t> numbers_;  ///< By name.
  std::vector<std::int64_t*> number_of_;              ///< By workload, in `numbers_`.
  std::vector<CheckSet> failed_;                      ///< By instance, of the failure that is being checked.
  std::size_t examinations_ = 0;
  std::size_t withdrawn_ = 0;  ///< Of Outcome::withdrawn: the next.
  std::vector<std::string> mistakes_;
};

}  // namespace

std::vector<std::string> verify(const Scenario& scenario, const Outcome& result) {
  return Verifier(scenario, result).run();
}

}  // namespace bayplan::placement
