#include "catalog/neuron_devices.hpp"

#include "base/strings.hpp"
#include "catalog/cells.hpp"
#include "embedded/neuron_devices.hpp"

namespace bayplan::catalog {

NeuronDevices neuron_devices(std::string_view instance_type) {
  for (auto row : lines_of(embedded::neuron_devices())) {
    if (take_until(row, ',') != instance_type) continue;
    NeuronDevices found;
    found.devices = to_integer(take_until(row, ',')).value_or(0);
    found.cores_per_device = to_integer(take_until(row, ',')).value_or(0);
    found.assigned = take_until(row, ',') == "yes";
    found.source = row;
    return found;
  }
  return {};
}

}  // namespace bayplan::catalog
