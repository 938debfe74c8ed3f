#include "report/place/place_words.hpp"

#include <set>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"

namespace bayplan::report {

using placement::InstanceProfile;
using placement::InstanceStatus;

DeviceWords device_words(const placement::Scenario& scenario) {
  const auto& profiles = scenario.profiles;
  const bool any_gpu = std::any_of(profiles.begin(), profiles.end(), [](const auto& one) { return one.gpu_count > 0; });
  const bool any_neuron =
      std::any_of(profiles.begin(), profiles.end(), [](const auto& one) { return one.neuron_devices > 0; });
  if (any_gpu && any_neuron) return {"devices", "device", "devices"};
  return any_neuron ? DeviceWords{"Neuron", "Neuron device", "Neuron devices"} : DeviceWords{"GPU", "GPU", "GPUs"};
}

std::string cluster_totals(const placement::Scenario& scenario, const placement::Summary& summary) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name, const placement::Share& part) {
    if (part.registered > 0) parts.push_back(fmt::format("{} {}", name, percent(part.reserved, part.registered)));
  };
  if (summary.hourly_cost)
    parts.push_back(fmt::format("{} ({})", hourly_and_monthly(*summary.hourly_cost), scenario.region));
  add("CPU", summary.cpu);
  add("MEM", summary.memory);
  if (summary.gpu.total > 0)
    parts.push_back(fmt::format("GPU {} of {} in use", summary.gpu_devices.reserved, summary.gpu.total));
  if (summary.neuron_devices.registered > 0)
    parts.push_back(fmt::format("Neuron devices {} of {} in use", summary.neuron_devices.reserved,
                                summary.neuron_devices.registered));
  if (summary.gpu.stranded > 0) parts.push_back(fmt::format("{} stranded", summary.gpu.stranded));
  const auto instances = count_of(summary.instances, "instance");
  return parts.empty() ? instances : instances + ": " + join(parts, ", ");
}

namespace {

std::string share_words(const placement::Share& share) {
  return percent(share.reserved, share.registered);
}

std::string part_of(std::int64_t part, std::int64_t whole) {
  return with_separators(part) + " of " + with_separators(whole);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> cluster_figures(const placement::Summary& summary) {
  std::vector<std::pair<std::string, std::string>> all = {
      {"tasks placed", part_of(summary.placed, summary.placed + summary.without_place())},
      {"instances used", part_of(summary.instances_used, summary.instances)},
      {"CPU reserved", share_words(summary.cpu)},
      {"memory reserved", share_words(summary.memory)}};
  if (summary.gpu_devices.registered > 0)
    all.emplace_back("GPUs in use", part_of(summary.gpu_devices.reserved, summary.gpu_devices.registered));
  if (summary.neuron_devices.registered > 0)
    all.emplace_back("Neuron devices in use",
                     part_of(summary.neuron_devices.reserved, summary.neuron_devices.registered));
  all.emplace_back("price", summary.hourly_cost ? "$" + usd(*summary.hourly_cost) + "/h" : "unknown");
  if (summary.hourly_cost) all.emplace_back("per month (730 h)", monthly(*summary.hourly_cost));
  return all;
}

std::string_view instance_state_words(const InstanceProfile& profile) {
  if (profile.status != InstanceStatus::kActive) return name_of(profile.status);
  return profile.agent_connected ? "" : "agent not connected";
}

std::optional<std::int64_t> stated_interfaces(const InstanceProfile& profile) {
  if (profile.network_interfaces <= 0 || profile.network_interfaces >= placement::kUnlimitedInterfaces)
    return std::nullopt;
  return profile.network_interfaces;
}

std::map<std::string, std::string> short_zones(const placement::Scenario& scenario) {
  std::map<std::string, std::string> zones;
  std::set<std::string> shorts;
  for (const auto& profile : scenario.profiles) {
    const auto& zone = profile.availability_zone;
    if (zone.empty() || zones.count(zone) > 0) continue;
    zones[zone] = zone.substr(zone.rfind('-') + 1);
    shorts.insert(zones[zone]);
  }
  if (shorts.size() == zones.size()) return zones;
  for (auto& [zone, text] : zones) text = zone;
  return zones;
}

}  // namespace bayplan::report
