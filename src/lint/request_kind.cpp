#include "lint/request_kind.hpp"

#include <algorithm>
#include <array>

namespace bayplan::lint {
namespace {

using rules::FileKind;
using text::Value;

/// Members of CreateService and UpdateService alone.
constexpr std::array<std::string_view, 13> kOfServices{"serviceName",
                                                       "service",
                                                       "desiredCount",
                                                       "loadBalancers",
                                                       "serviceRegistries",
                                                       "schedulingStrategy",
                                                       "deploymentController",
                                                       "deploymentConfiguration",
                                                       "forceNewDeployment",
                                                       "serviceConnectConfiguration",
                                                       "availabilityZoneRebalancing",
                                                       "vpcLatticeConfigurations",
                                                       "healthCheckGracePeriodSeconds"};
/// Members of RunTask alone.
constexpr std::array<std::string_view, 5> kOfRuns{"count", "overrides", "startedBy", "group", "referenceId"};
constexpr std::array<std::string_view, 12> kOfBoth{"taskDefinition",       "cluster",
                                                   "launchType",           "capacityProviderStrategy",
                                                   "platformVersion",      "placementStrategy",
                                                   "placementConstraints", "networkConfiguration",
                                                   "propagateTags",        "enableECSManagedTags",
                                                   "enableExecuteCommand", "volumeConfigurations"};

template <class Names>
std::size_t count_of(Value root, const Names& names) {
  return static_cast<std::size_t>(
      std::count_if(names.begin(), names.end(), [&](std::string_view name) { return root.find(name); }));
}

/// A found file with members of its own beside is the configuration of some tool.
bool is_little_else(Value root, std::size_t known) {
  constexpr std::size_t kLeast = 3;
  return known >= kLeast && known * 4 >= root.size() * 3;
}

}  // namespace

std::optional<FileKind> request_kind(Value root, Search search) {
  const std::size_t service = count_of(root, kOfServices);
  const std::size_t run = count_of(root, kOfRuns);
  const std::size_t both = count_of(root, kOfBoth);
  if (search == Search::kFound && !is_little_else(root, service + run + both)) return std::nullopt;
  if (root.find("serviceName")) return FileKind::kService;
  const bool is_run = root.find("taskDefinition") && run + both > 1 && run >= service;
  if (service > 0 && service + both > 1 && !(is_run && run > 0)) return FileKind::kService;
  return is_run ? std::optional(FileKind::kRunTask) : std::nullopt;
}

}  // namespace bayplan::lint
