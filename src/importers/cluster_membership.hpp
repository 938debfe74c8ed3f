#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "importers/instance_groups.hpp"

namespace bayplan::importers {

/// How a group is tied to a cluster.
enum class Tie : std::uint8_t {
  kSaid,      ///< By ECS_CLUSTER, or by a capacity provider of the cluster.
  kProvider,  ///< By a capacity provider that no cluster of the file takes up.
  kUnread,    ///< Its user data is not known.
  kSilent,    ///< Nothing speaks of ECS.
};

struct Membership {
  const InstanceGroup* group = nullptr;
  std::string cluster;  ///< Name in the file, or as ECS_CLUSTER says it; of kSaid only.
  Tie tie = Tie::kSilent;
  const DeclaredProvider* provider = nullptr;
};

/// By its name in the file or for ECS; null when the file does not declare it.
const DeclaredCluster* declared_cluster(const Infrastructure& infrastructure, std::string_view name);

/// Of each group, in order.
std::vector<Membership> memberships_of(const Infrastructure& infrastructure);

bool holds(const std::vector<std::string>& list, const std::string& one);

}  // namespace bayplan::importers
