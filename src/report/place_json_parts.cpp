#include "report/place_json_parts.hpp"

namespace bayplan::report {

using placement::Shortfall;

namespace {

using Layout = JsonWriter::Layout;

template <class Items>
void write_list(JsonWriter& json, std::string_view name, const Items& items) {
  json.key(name).begin_array(Layout::kLine);
  for (const auto& item : items) json.value(item);
  json.end_array();
}

}  // namespace

void write_shortfall(JsonWriter& json, const Shortfall& lacking) {
  json.key("shortfall").begin_object(Layout::kLine);
  if (lacking.cpu > 0) json.member("CPU", lacking.cpu);
  if (lacking.memory > 0) json.member("MEMORY", lacking.memory);
  if (!lacking.tcp_ports.empty()) write_list(json, "TCP", lacking.tcp_ports);
  if (!lacking.udp_ports.empty()) write_list(json, "UDP", lacking.udp_ports);
  if (lacking.ports_over_limit > 0) json.member("PORTS", lacking.ports_over_limit);
  if (lacking.gpus > 0) json.member("GPU", lacking.gpus);
  if (lacking.gpu_fraction_millionths > 0) {
    json.member("GPU", static_cast<double>(lacking.gpu_fraction_millionths) / 1e6);
  }
  if (lacking.mps_memory > 0) json.member("mpsMemory", lacking.mps_memory);
  if (lacking.network_interfaces > 0) json.member("ENI", lacking.network_interfaces);
  if (!lacking.attributes.empty()) write_list(json, "attributes", lacking.attributes);
  json.end_object();
}

}  // namespace bayplan::report
