#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::fleet {

/// vCPUs that may run at a time, of the instance types of one bucket (EC2 on-demand quotas).
struct QuotaLimit {
  std::string quota;
  std::int64_t vcpus = 0;
  std::int64_t in_use = 0;  ///< Of instances that run already: of a kept cluster, and owned ones, used or not.

  std::int64_t left() const { return vcpus > in_use ? vcpus - in_use : 0; }
};

/// The EC2 on-demand vCPU quotas, by the part of their name that distinguishes them ("Running On-Demand G and VT
/// instances"). Source: EC2 user guide, ec2-on-demand-instances.html#ec2-on-demand-instances-limits.
const std::vector<std::string_view>& vcpu_quotas();

/// The quota of that name, case aside; the name as Service Quotas has it will do too, and "G" and "VT".
std::optional<std::string_view> vcpu_quota_named(std::string_view name);

/// The quota that a type counts to; empty when not known.
std::string vcpu_quota_name(const catalog::InstanceType& type);

/// What an instance counts in its quota; of types of the user's own what they register.
std::int64_t vcpus_of(const placement::InstanceProfile& profile);

}  // namespace bayplan::fleet
