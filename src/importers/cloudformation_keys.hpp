#pragma once
#include <string>
#include <string_view>

#include "shape/schema.hpp"

namespace bayplan::importers {

/// The member of `rule` that is meant by `key`, though CloudFormation may spell it with other capitals; null when there
/// is none.
const shape::Member* member_meant(const shape::Rule& rule, std::string_view key);

/// Members that CloudFormation keeps to itself: ECS never sees them.
bool is_for_cloudformation_alone(const shape::Rule& rule, std::string_view key);

/// "efsVolumeConfiguration" as "EFSVolumeConfiguration". `structure`: the title of what the member belongs to, where
/// the name alone does not say.
std::string in_cloudformation(std::string_view member, std::string_view structure = {});

}  // namespace bayplan::importers
