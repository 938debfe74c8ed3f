#include "study/whatif/played_variant.hpp"

#include <algorithm>
#include <utility>

#include "placement/engine/engine.hpp"

namespace bayplan::study {

std::optional<PlayedVariant> play_first_variant(const placement::Scenario& scenario, const Comparison& comparison) {
  constexpr std::size_t kMostTasks = 100'000;
  const auto& variants = comparison.variants;
  const bool are_failures = std::all_of(variants.begin(), variants.end(),
                                        [](const auto& variant) { return variant.asked.is_single_failure(); });
  if (variants.empty() || (variants.size() > 1 && !are_failures)) return std::nullopt;
  const auto& variant = variants.front();
  const auto& asked = variant.asked.variant;
  if (!asked.changes.empty() || variant.deployed != nullptr || variant.runs || variant.over_time) return std::nullopt;
  placement::Scenario counted = scenario;
  for (auto& workload : counted.workloads) workload.count = workload.count.value_or(0);
  auto outcome = placement::place(counted);
  auto cluster = std::make_unique<ClusterSimulation>(scenario, outcome);
  if (cluster->tasks().size() > kMostTasks) return std::nullopt;
  auto before = cluster->tasks();
  cluster->apply(asked.events, /*explains=*/false);
  return PlayedVariant{std::move(outcome), std::move(before), std::move(cluster)};
}

}  // namespace bayplan::study
