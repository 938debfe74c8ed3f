#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::rules {

/// The strings of a JSON list that was written inside a string: `["nginx", "-g"]`. Nothing when the text is not one.
std::optional<std::vector<std::string>> read_written_list(std::string_view text);

/// Writes the words as JSON on one line.
std::string json_list(const std::vector<std::string>& words);

}  // namespace bayplan::rules
