#pragma once
#include "model/object_reader.hpp"
#include "model/service.hpp"

namespace bayplan::model {

/// An element of capacityProviderStrategy, or of a cluster's defaultCapacityProviderStrategy.
CapacityProviderStrategyItem bind_provider_share(const ObjectReader& item);

}  // namespace bayplan::model
