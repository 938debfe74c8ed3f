#include "study/remedy.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

namespace bayplan::study {

MicroUsd price_or_last(const std::optional<MicroUsd>& amount) {
  return amount.value_or(std::numeric_limits<MicroUsd>::max());
}

std::vector<std::uint32_t> cheapest_profiles(const placement::Scenario& scenario, std::vector<std::uint32_t> profiles) {
  constexpr std::size_t kMaxProfiles = 8;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  std::erase_if(profiles, [&](std::uint32_t i) {
    const auto& profile = scenario.profiles[i];
    return !seen.emplace(profile.instance_type, profile.availability_zone).second;
  });
  std::stable_sort(profiles.begin(), profiles.end(), [&](std::uint32_t a, std::uint32_t b) {
    return price_or_last(scenario.profiles[a].hourly_price) < price_or_last(scenario.profiles[b].hourly_price);
  });
  if (profiles.size() > kMaxProfiles) profiles.resize(kMaxProfiles);
  return profiles;
}

placement::InstanceProfile new_instance_like(placement::InstanceProfile profile) {
  profile.status = placement::InstanceStatus::kActive;
  profile.agent_connected = true;
  profile.ec2_instance_id.clear();
  profile.gpu_ids.clear();
  profile.registered_at.reset();
  return profile;
}

}  // namespace bayplan::study
