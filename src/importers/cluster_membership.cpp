#include "importers/cluster_membership.hpp"

#include <algorithm>

namespace bayplan::importers {
namespace {

std::string cluster_said(const Infrastructure& from, const InstanceGroup& group) {
  if (group.clusters_referred.size() == 1) return group.clusters_referred.front();
  if (!group.agent.cluster || group.agent.cluster->empty()) return {};
  const std::string& said = *group.agent.cluster;
  if (const auto* cluster = declared_cluster(from, said)) return cluster->name;
  // Left open, and only one can be meant.
  if (is_left_open(said) && from.clusters.size() == 1) return from.clusters.front().name;
  return said;
}

const DeclaredProvider* provider_of(const Infrastructure& from, const InstanceGroup& group) {
  for (const auto& provider : from.providers) {
    if (provider.group == group.name) return &provider;
  }
  return nullptr;
}

std::string cluster_with(const Infrastructure& from, const DeclaredProvider& provider) {
  for (const auto& cluster : from.clusters) {
    if (holds(cluster.providers, provider.name) || holds(cluster.providers, provider.provider_name))
      return cluster.name;
  }
  return {};
}

Membership membership_of(const Infrastructure& from, const InstanceGroup& group) {
  Membership member{.group = &group};
  member.provider = provider_of(from, group);
  member.cluster = cluster_said(from, group);
  if (member.cluster.empty() && member.provider != nullptr) member.cluster = cluster_with(from, *member.provider);
  member.tie = !member.cluster.empty()      ? Tie::kSaid
               : member.provider != nullptr ? Tie::kProvider
               : group.has_unread_user_data ? Tie::kUnread
                                            : Tie::kSilent;
  return member;
}

}  // namespace

bool holds(const std::vector<std::string>& list, const std::string& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

const DeclaredCluster* declared_cluster(const Infrastructure& infrastructure, std::string_view name) {
  for (const auto& cluster : infrastructure.clusters) {
    if (cluster.name == name || (!name.empty() && cluster.cluster_name == name)) return &cluster;
  }
  return nullptr;
}

std::vector<Membership> memberships_of(const Infrastructure& infrastructure) {
  std::vector<Membership> members;
  for (const auto& group : infrastructure.groups) members.push_back(membership_of(infrastructure, group));
  return members;
}

}  // namespace bayplan::importers
