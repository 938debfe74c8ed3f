#pragma once
#include <string>

#include "catalog/catalog.hpp"
#include "model/described.hpp"
#include "placement/model/instance_profile.hpp"

namespace bayplan::scenario {

/// The profile of an instance of a live cluster. It must register CPU and MEMORY; its type may be unknown to the
/// catalog, which must outlive the profile. `region`: of its price.
/// The ids of the Neuron devices among `resources`, which are what the instance registered or what remains of that. A
/// device whose cores are named is there when all of them are.
std::vector<std::string> neuron_device_ids(const placement::InstanceProfile& profile,
                                           const model::DescribedResources& registered,
                                           const model::DescribedResources& resources);

placement::InstanceProfile profile_of_described(const catalog::Catalog& catalog,
                                                const model::DescribedInstance& described, const std::string& region);

}  // namespace bayplan::scenario
