// Planned variations: the scenario would have been another from the start.
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "capacity/requirement.hpp"
#include "placement/model/profiles.hpp"
#include "study/whatif/variant_in_work.hpp"
#include "study/whatif/variant_subjects.hpp"

namespace bayplan::study {

using placement::InstanceProfile;

namespace {

constexpr std::size_t kMaxStrategies = 5;  // API_RunTask, placementStrategy

Profiles shared(std::vector<InstanceProfile> profiles) {
  return std::make_shared<const std::vector<InstanceProfile>>(std::move(profiles));
}

void load_instances(VariantInWork& work) {
  const placement::Scenario nothing;
  const PlannedInstances none(nothing, {});
  std::map<std::string, std::int64_t> numbers;
  NewInstances dealt;
  work.each(VariationKey::kInstances, [&](const auto& one) {
    const auto argument = work.instances_of(one);
    if (!argument) return;
    auto pattern = one_more_of(none, work.catalog, argument->instance_type);
    if (!pattern) return work.fail(one, pattern.error());
    scenario::use_argument(*argument, *pattern);
    auto zones = argument->availability_zones;
    if (zones.empty()) zones.emplace_back();
    deal(work, none, *pattern, zones, argument->count, numbers[pattern->instance_type], dealt);
  });
  if (dealt.instances.empty()) return;
  work.variant().changes.emplace_back(ReplaceInstances{shared(std::move(dealt.profiles)), std::move(dealt.instances)});
}

/// The types that a variant replaces.
class ReplacedTypes {
 public:
  explicit ReplacedTypes(VariantInWork& work) : work_(work), planned_(work.scenario, work.variant().changes) {}

  /// Nothing with the error noted.
  std::optional<ReplaceType> load(const WrittenVariation& one) {
    const auto types = work_.split_pair(one);
    if (!types) return std::nullopt;
    const auto& [from, to] = *types;
    const auto refuse = [&](Error error) {
      work_.fail(one, std::move(error));
      return std::nullopt;
    };
    if (from == to) return refuse({.message = "a type replaced by itself changes nothing"});
    if (planned_.count_of(from) == 0) return refuse(no_such_type(work_.scenario, planned_, from));
    const auto [known, is_new] = replaced_.emplace(from, to);
    if (!is_new) return refuse({.message = fmt::format("{} is replaced by {} already", from, known->second)});
    const auto pattern = one_more_of(planned_, work_.catalog, to);
    if (!pattern) return refuse(pattern.error());
    if (auto error = look_at_running(from)) return refuse(std::move(*error));
    return ReplaceType{from, to, profiles_with(*pattern, from)};
  }

  /// A type that is replaced is not there to be added to or taken from.
  void check_type(const WrittenVariation& one) {
    const auto found = replaced_.find(one.text.substr(0, one.text.find_first_of("=@")));
    if (found == replaced_.end()) return;
    work_.fail(one, fmt::format("the variant replaces {} by {}", found->first, found->second),
               fmt::format("name {} here", found->second));
  }

 private:
  /// What runs on the instances that are replaced is placed anew, and must be known for that.
  std::optional<Error> look_at_running(const std::string& type) {
    const auto& scenario = work_.scenario;
    for (const auto& task : scenario.running) {
      const auto& profile = scenario.profiles[scenario.instances[task.instance].profile];
      if (profile.instance_type != type || task.stopping || task.daemon || is_of_service(task)) continue;
      const auto& definitions = scenario.task_definitions;
      const auto is_its_own = [&](const auto& one) { return one.name == task.task_definition; };
      if (std::none_of(definitions.begin(), definitions.end(), is_its_own)) {
        return Error{.message = fmt::format("{} runs on {} and is not described: its requirements are unknown",
                                            task.task_definition, scenario.instances[task.instance].id),
                     .help = fmt::format("aws ecs describe-task-definition --task-definition {}",
                                         shell_word(task.task_definition))};
      }
      if (!task.group.starts_with("service:"))
        work_.assume({"standalone-tasks-run-again", "",
                      "ECS starts no task of RunTask again; here its owner does, after the services"});
    }
    return std::nullopt;
  }

  /// It is started again as the service says.
  bool is_of_service(const placement::RunningTask& task) const {
    const auto& workloads = work_.scenario.workloads;
    return std::any_of(workloads.begin(), workloads.end(), [&](const auto& workload) {
      return workload.kind == placement::WorkloadKind::kService && workload.group == task.group;
    });
  }

  Profiles profiles_with(const InstanceProfile& pattern, const std::string& from) {
    const bool is_from_catalog = planned_.count_of(pattern.instance_type) == 0;
    std::vector<InstanceProfile> profiles;
    profiles.reserve(planned_.profiles().size());
    bool is_stated = false;
    for (const auto* profile : planned_.profiles()) {
      const bool is_replaced = profile->instance_type == from;
      is_stated |= is_replaced && is_from_catalog && registers_as_stated(*profile);
      profiles.push_back(is_replaced ? with_type(*profile, pattern, is_from_catalog, work_.scenario.region) : *profile);
    }
    if (is_stated) {
      work_.assume(
          {"stated-not-carried-over", from,
           fmt::format("what is set or described for {} does not apply to {}, which registers what the catalog says",
                       from, pattern.instance_type)});
    }
    if (is_of_other_architecture(from, pattern)) {
      for (const auto& workload : work_.scenario.workloads) {
        if (capacity::wanted_architecture(workload.requirement).empty())
          work_.assume(
              {"architecture-not-stated", workload.name, "no cpuArchitecture given: arm64 and x86_64 both count"});
      }
    }
    return shared(std::move(profiles));
  }

  bool is_of_other_architecture(const std::string& from, const InstanceProfile& pattern) const {
    const auto after = placement::architecture_of(pattern);
    return std::any_of(planned_.profiles().begin(), planned_.profiles().end(), [&](const auto* profile) {
      const auto before = placement::architecture_of(*profile);
      return profile->instance_type == from && !before.empty() && !after.empty() && before != after;
    });
  }

  VariantInWork& work_;
  const PlannedInstances planned_;
  std::map<std::string, std::string> replaced_;
};

/// All of them happen at the same time: none finds what another leaves.
void load_replacements(VariantInWork& work) {
  ReplacedTypes types(work);
  std::vector<ReplaceType> replacements;
  work.each(VariationKey::kReplace, [&](const auto& one) {
    if (auto replacement = types.load(one)) replacements.push_back(std::move(*replacement));
  });
  for (auto& replacement : replacements) work.variant().changes.emplace_back(std::move(replacement));
  for (const auto key : {VariationKey::kAdd, VariationKey::kRemove}) {
    work.each(key, [&](const auto& one) { types.check_type(one); });
  }
}

void load_strategies(VariantInWork& work) {
  ChangeStrategy chain;
  for (const auto& one : work.written.variations) {
    if (one.key != VariationKey::kStrategy && one.key != VariationKey::kPlacementStrategy) continue;
    const auto strategies = scenario::parse_strategy_argument(one.text);
    if (!strategies) {
      work.fail_at(one.origin, strategies.error());
      continue;
    }
    chain.strategies.insert(chain.strategies.end(), strategies->begin(), strategies->end());
    if (chain.strategies.size() > kMaxStrategies)
      return work.fail(one, fmt::format("more than {} strategies", kMaxStrategies), "shorten the chain");
  }
  if (!chain.strategies.empty()) work.variant().changes.emplace_back(std::move(chain));
}

void load_policy(VariantInWork& work) {
  const auto& written = work.written.variations;
  const auto strategy = std::find_if(written.begin(), written.end(), [](const WrittenVariation& one) {
    return one.key == VariationKey::kStrategy || one.key == VariationKey::kPlacementStrategy;
  });
  const WrittenVariation* known = nullptr;
  work.each(VariationKey::kPolicy, [&](const auto& one) {
    const auto policy = placement::parse_policy(one.text);
    if (!policy) return work.fail_at(one.origin, policy.error());
    if (known != nullptr) return work.fail(one, fmt::format("the policy is {} already", known->text), "keep one");
    if (strategy != written.end())
      return work.fail(one, fmt::format("a policy takes the place of strategy {}", strategy->text), "keep one of them");
    known = &one;
    work.variant().changes.emplace_back(ChangePolicy{*policy});
  });
}

void load_numbers(VariantInWork& work) {
  work.each(VariationKey::kSeed, [&](const auto& one) {
    const auto seed = to_integer(one.text);
    if (!seed || *seed < 0) return work.fail(one, "a seed is a whole number from 0 on", {});
    work.variant().changes.emplace_back(ChangeSeed{static_cast<std::uint64_t>(*seed)});
  });
  work.each(VariationKey::kOrder, [&](const auto& one) {
    const bool is_largest_first = one.text == "largestFirst";
    if (!is_largest_first && one.text != "given") return work.fail(one, "unknown order", "use given or largestFirst");
    using placement::TaskOrder;
    work.variant().changes.emplace_back(ChangeOrder{is_largest_first ? TaskOrder::kLargestFirst : TaskOrder::kGiven});
  });
}

}  // namespace

void load_planned_instances(VariantInWork& work) {
  load_instances(work);
  load_replacements(work);
  work.knows_instances = work.loaded.errors.empty();
}

void load_settings(VariantInWork& work) {
  load_strategies(work);
  load_policy(work);
  load_numbers(work);
}

}  // namespace bayplan::study
