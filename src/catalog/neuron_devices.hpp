#pragma once
#include <string_view>

#include "catalog/catalog.hpp"

namespace bayplan::catalog {

/// What data/neuron-devices.csv says of the type; none for types without such devices.
NeuronDevices neuron_devices(std::string_view instance_type);

}  // namespace bayplan::catalog
