#include "catalog/neuron_devices.hpp"

#include "base/strings.hpp"
#include "embedded/neuron_devices.hpp"

namespace bayplan::catalog {

NeuronDevices neuron_devices(std::string_view instance_type) {
  enum Column : std::size_t { kType, kDevices, kCores, kAssigned, kSource, kColumns };
  for (const auto line : split(embedded::neuron_devices(), '\n')) {
    if (!line.starts_with(instance_type)) continue;
    const auto cells = split(line, ',');
    if (cells.size() != kColumns || cells[kType] != instance_type) continue;
    return {to_integer(cells[kDevices]).value_or(0), to_integer(cells[kCores]).value_or(0), cells[kAssigned] == "yes",
            std::string(cells[kSource])};
  }
  return {};
}

}  // namespace bayplan::catalog
