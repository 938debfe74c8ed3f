#pragma once
#include <string_view>

// Rules that other layers name, because they say the same of a scenario or a launch type as the rule says of a file.
namespace bayplan::rules {

inline constexpr std::string_view kNeuronScope = "BAY420";
inline constexpr std::string_view kFargateNetworkMode = "BAY801";
inline constexpr std::string_view kManagedNetworkMode = "BAY871";
inline constexpr std::string_view kManagedConstraintAttributes = "BAY873";
inline constexpr std::string_view kStrategyBinpackField = "BAY1101";
inline constexpr std::string_view kStrategySpreadField = "BAY1103";
inline constexpr std::string_view kPlacementOnFargate = "BAY1107";
inline constexpr std::string_view kDaemonFargate = "BAY1111";

}  // namespace bayplan::rules
