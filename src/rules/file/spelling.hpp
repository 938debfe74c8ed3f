#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "text/document.hpp"

namespace bayplan::rules {

/// Whether `object` lacks `key` but has a member that was meant to be it: another case, `_` or `-`, a slip of the keys,
/// or one of `aliases`. The rules of shape speak of that member; saying that `key` is missing too would be a second
/// finding for one fault.
bool is_spelled_otherwise(text::Value object, std::string_view key,
                          std::initializer_list<std::string_view> aliases = {});

/// 1 to 255 letters, digits, `_` and `-`: what ECS takes as a family, a container's or a volume's name.
bool is_ecs_name(std::string_view text);

/// Whether the part behind the last colon names the key: "blog:ServiceName" as a serviceName, "blog:TargetGroup1Arn" as
/// a targetGroupArn. It is the output of a stack that someone is to put in.
bool is_output_for(std::string_view value, std::string_view key);

/// BLUE_TARGET_GROUP, your-target-group: a name in place of a value that never looks like that. Only for such values.
bool is_name_to_fill_in(std::string_view value);

/// The nearest text that is an ECS name; empty when nothing is left of it.
std::string as_ecs_name(std::string_view text);

}  // namespace bayplan::rules
