#include "report/place/cluster_data.hpp"

#include <algorithm>

#include "report/document/figures.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {
namespace {

using Layout = JsonWriter::Layout;
using timeline::Seconds;

/// Of all `items` what `value` says of each.
template <class Items, class ValueOf>
void write_column(JsonWriter& json, std::string_view name, const Items& items, ValueOf value) {
  json.key(name).begin_array(Layout::kLine);
  for (const auto& item : items) json.value(value(item));
  json.end_array();
}

Seconds or_never(const std::optional<Seconds>& at) {
  return at.value_or(-1);
}

void write_profiles(JsonWriter& json, const placement::Scenario& scenario) {
  json.key("profiles").begin_array();
  for (const auto& profile : scenario.profiles) {
    json.begin_object(Layout::kLine).member("type", profile.instance_type).member("zone", profile.availability_zone);
    json.member("provider", profile.capacity_provider_name).member("cpu", profile.cpu).member("memory", profile.memory);
    json.member("gpus", profile.device_count());
    if (profile.neuron_devices > 0) json.member("device", "Neuron device");
    json.member("networkInterfaces", stated_interfaces(profile)).key("price");
    profile.hourly_price ? json.value(usd_number(*profile.hourly_price)) : json.null();
    json.member("state", instance_state_words(profile)).end_object();
  }
  json.end_array();
}

void write_kinds(JsonWriter& json, const std::vector<PicturedKind>& kinds) {
  json.key("kinds").begin_array();
  for (const auto& kind : kinds) {
    json.begin_object(Layout::kLine).member("name", kind.name).member("cpu", kind.cpu).member("memory", kind.memory);
    json.member("networkInterfaces", kind.network_interfaces).member("sharesGpu", kind.shares_gpu);
    json.member("ranBefore", kind.ran_before).end_object();
  }
  json.end_array();
}

/// By position, of the few instances with any.
void write_other_gpus(JsonWriter& json, const std::vector<PicturedInstance>& instances) {
  json.key("gpus").begin_object();
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (!instances[i].other.gpus.empty())
      write_column(json, std::to_string(i), instances[i].other.gpus, [](std::uint32_t gpu) { return gpu; });
  }
  json.end_object();
}

void write_instances(JsonWriter& json, const ClusterPicture& picture) {
  const auto& all = picture.instances;
  json.key("instances").begin_object();
  write_column(json, "name", all, [](const auto& one) { return one.id; });
  write_column(json, "profile", all, [](const auto& one) { return one.profile; });
  write_column(json, "cpu", all, [](const auto& one) { return one.other.cpu; });
  write_column(json, "memory", all, [](const auto& one) { return one.other.memory; });
  write_column(json, "networkInterfaces", all, [](const auto& one) { return one.other.network_interfaces; });
  write_column(json, "tasks", all, [](const auto& one) { return one.other.tasks; });
  write_other_gpus(json, all);
  if (picture.end > 0) {
    write_column(json, "from", all, [](const auto& one) { return one.from; });
    write_column(json, "draining", all, [](const auto& one) { return or_never(one.draining); });
    write_column(json, "to", all, [](const auto& one) { return or_never(one.to); });
  }
  json.end_object();
}

void write_tasks(JsonWriter& json, const ClusterPicture& picture) {
  const auto& all = picture.tasks;
  json.key("tasks").begin_object();
  write_column(json, "kind", all, [](const auto& one) { return one.kind; });
  write_column(json, "number", all, [](const auto& one) { return one.number; });
  write_column(json, "instance", all, [](const auto& one) { return one.instance; });
  if (std::any_of(all.begin(), all.end(), [](const auto& one) { return !one.gpus.empty(); })) {
    write_column(json, "gpus", all, [](const auto& one) { return one.gpus.size(); });
    json.key("gpu").begin_array(Layout::kLine);
    for (const auto& one : all) {
      for (const auto gpu : one.gpus) json.value(gpu);
    }
    json.end_array();
  }
  if (picture.end > 0) {
    write_column(json, "from", all, [](const auto& one) { return one.from; });
    write_column(json, "to", all, [](const auto& one) { return or_never(one.to); });
  }
  json.end_object();
}

}  // namespace

void write_cluster_data(JsonWriter& json, const ClusterPicture& picture) {
  json.key("cluster").begin_object().member("end", picture.end);
  write_profiles(json, *picture.scenario);
  write_kinds(json, picture.kinds);
  write_instances(json, picture);
  write_tasks(json, picture);
  json.end_object();
}

}  // namespace bayplan::report
