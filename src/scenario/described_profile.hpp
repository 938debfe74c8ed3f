#pragma once
#include <string>

#include "catalog/catalog.hpp"
#include "model/described.hpp"
#include "placement/model/instance_profile.hpp"

namespace bayplan::scenario {

/// The profile of an instance of a live cluster. It must register CPU and MEMORY; its type may be unknown to the
/// catalog, which must outlive the profile. `region`: of its price.
placement::InstanceProfile profile_of_described(const catalog::Catalog& catalog,
                                                const model::DescribedInstance& described, const std::string& region);

}  // namespace bayplan::scenario
