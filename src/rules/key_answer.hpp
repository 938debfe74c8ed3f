#pragma once
#include <optional>
#include <string_view>

#include "rules/sentences.hpp"

namespace bayplan::rules {

/// What a text means that is a key of ECS alone, or one that people take for such: hostPort, "gpuCount":
std::optional<Answer> answer_to_key(std::string_view text);

}  // namespace bayplan::rules
