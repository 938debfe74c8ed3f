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
    PolicyEntry{Policy::kBestFit, "best-fit"},
    PolicyEntry{Policy::kWorstFit, "worst-fit"},
    PolicyEntry{Policy::kFirstFit, "first-fit"},
    PolicyEntry{Policy::kDotProduct, "dot-product"},
    PolicyEntry{Policy::kGpuPacking, "gpu-packing"},
    PolicyEntry{Policy::kGpuClustering, "gpu-clustering"},
    PolicyEntry{Policy::kFgd, "fgd"},
    PolicyEntry{Policy::kRandom, "random"},
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
