#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace bayplan::rules {

struct PathStep {
  enum class Kind : std::uint8_t {
    kMember,   ///< `memory`: a member of an object.
    kNamed,    ///< `[web]`: the element of a list that has this name, or a member of a map.
    kEachOne,  ///< `[*]`: every element of a list, or every member of a map.
  };
  Kind kind = Kind::kMember;
  std::string name = {};  ///< Empty for kEachOne.
};

/// Values of a definition, as house rules name them: `containerDefinitions[*].environment[TZ].value`.
struct ValuePath {
  std::string text;
  std::vector<PathStep> steps;
  bool is_from_root = false;  ///< Only in conditions: `$.networkMode`.
};

/// Reads a path. An index such as `[0]` is refused, because it names another element after an edit.
Result<ValuePath> parse_value_path(std::string_view text);

}  // namespace bayplan::rules
