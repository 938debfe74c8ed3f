#include "report/zones.hpp"

#include <set>

namespace bayplan::report {

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
