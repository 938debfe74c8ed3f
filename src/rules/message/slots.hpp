#pragma once
#include <map>
#include <string>
#include <string_view>

namespace bayplan::rules {

/// What a message names: "container" -> "web".
using Slots = std::map<std::string, std::string>;

/// Replaces `{name}` by the value of that name; `{name|words}` by the words if there is none; `{name?words|others}` by
/// the first words if there is a value and else by the others. Words may have slots themselves. Other braces are text.
std::string fill_slots(std::string_view words, const Slots& values);

}  // namespace bayplan::rules
