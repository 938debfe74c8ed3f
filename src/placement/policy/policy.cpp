#include "placement/policy/policy.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"

namespace bayplan::placement {
namespace {

constexpr std::array kPolicies{
    PolicyEntry{Policy::kBestFit, "best-fit", "the instance with the least left after the placement",
                "Weng et al., Beware of Fragmentation, USENIX ATC 2023, section 6.1"},
    PolicyEntry{Policy::kWorstFit, "worst-fit", "the instance with the most left after the placement",
                "Johnson, Fast Algorithms for Bin Packing, Journal of Computer and System Sciences 8, 1974"},
    PolicyEntry{Policy::kFirstFit, "first-fit", "the first instance, in file order, that has room",
                "Johnson, Fast Algorithms for Bin Packing, Journal of Computer and System Sciences 8, 1974"},
    PolicyEntry{Policy::kDotProduct, "dot-product", "the smallest dot product of the request and what is left",
                "Grandl et al., Multi-resource Packing for Cluster Schedulers, SIGCOMM 2014"},
    PolicyEntry{Policy::kGpuPacking, "gpu-packing", "GPUs in use first, then used instances, then empty ones",
                "Weng et al., MLaaS in the Wild, NSDI 2022"},
    PolicyEntry{Policy::kGpuClustering, "gpu-clustering", "instances with tasks that request as many GPUs",
                "Xiao et al., Gandiva: Introspective Cluster Scheduling for Deep Learning, OSDI 2018"},
    PolicyEntry{Policy::kFgd, "fgd", "the smallest growth of the GPU fragmentation that the workload expects",
                "Weng et al., Beware of Fragmentation, USENIX ATC 2023"},
    PolicyEntry{Policy::kRandom, "random", "any instance that has room, drawn",
                "the baseline of Weng et al., Beware of Fragmentation, USENIX ATC 2023"},
};

std::vector<std::string_view> list_policy_names() {
  std::vector<std::string_view> names;
  for (const auto& entry : kPolicies) names.push_back(entry.name);
  return names;
}

}  // namespace

std::span<const PolicyEntry> policies() {
  return kPolicies;
}

std::string_view name_of(Policy policy) {
  return kPolicies[static_cast<std::size_t>(policy)].name;
}

Result<Policy> parse_policy(std::string_view name) {
  for (const auto& entry : kPolicies) {
    if (entry.name == name) return entry.policy;
  }
  const auto names = list_policy_names();
  std::string help;
  if (const auto meant = nearest_or_containing(name, names)) help = "Did you mean '" + std::string(*meant) + "'? ";
  help += "Policies:";
  for (const auto& known : names) help += (known == names.front() ? " " : ", ") + std::string(known);
  return Error{.message = "unknown policy '" + std::string(name) + "'", .help = help};
}

}  // namespace bayplan::placement
