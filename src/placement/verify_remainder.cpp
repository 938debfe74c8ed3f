#include "placement/verify_remainder.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace bayplan::placement {
namespace {

GpuState state_of(const GpuAccount& gpu) {
  if (gpu.untouched()) return GpuState::kIdle;
  return gpu.shared_memory > 0 ? GpuState::kNvidiaMps : GpuState::kDedicated;
}

/// Of a fractional device what the shares leave, of a shared one what MPS tasks leave.
MiB remaining_memory(const InstanceProfile& profile, const GpuAccount& gpu) {
  if (gpu.dedicated) return 0;
  const std::int64_t share = profile.gpu_fraction_millionths - gpu.share_millionths;
  return profile.gpu_memory * share / profile.gpu_fraction_millionths - gpu.shared_memory;
}

bool adds_up(const InstanceProfile& profile, const InstanceAccount& account, const InstanceState& state) {
  const auto same_ports = [](const PortAccount& given, const std::vector<std::uint16_t>& taken) {
    return std::equal(given.begin(), given.end(), taken.begin(), taken.end());
  };
  if (state.cpu != profile.cpu - account.cpu || state.memory != profile.memory - account.memory) return false;
  if (state.network_interfaces != profile.network_interfaces - account.network_interfaces) return false;
  if (state.ebs_attachments != profile.ebs_attachments - account.ebs_volumes) return false;
  if (state.tasks != account.tasks || state.gpus.size() != account.gpus.size()) return false;
  if (!same_ports(account.tcp, state.tcp_ports) || !same_ports(account.udp, state.udp_ports)) return false;
  for (std::size_t gpu = 0; gpu < account.gpus.size(); ++gpu) {
    if (state.gpus[gpu].state != state_of(account.gpus[gpu])) return false;
    if (state.gpus[gpu].remaining_memory != remaining_memory(profile, account.gpus[gpu])) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> mistakes_in_remainder(const Scenario& scenario, const Outcome& outcome, const Ledger& ledger) {
  std::vector<std::string> mistakes;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    if (adds_up(ledger.profile(i), ledger.account(i), outcome.instances[i])) continue;
    mistakes.push_back(fmt::format("what remains of {} does not add up", scenario.instances[i].id));
  }
  return mistakes;
}

}  // namespace bayplan::placement
