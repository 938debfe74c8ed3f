#include "rules/house/value_path.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/strings.hpp"

namespace bayplan::rules {

Result<ValuePath> parse_value_path(std::string_view text) {
  const auto fail = [&](std::string_view why, std::string help) {
    return Error{.message = fmt::format("path '{}': {}", text, why), .help = std::move(help)};
  };
  ValuePath path{.text = std::string(text), .steps = {}};
  std::string_view rest = text;
  if (rest.starts_with("$.")) {
    path.is_from_root = true;
    rest.remove_prefix(2);
  }
  for (bool is_first = true; is_first || !rest.empty(); is_first = false) {
    if (rest.starts_with('[')) {
      rest.remove_prefix(1);
      // A name with brackets or dots in it is quoted: dockerLabels["com.example/team"].
      const bool is_quoted = rest.starts_with('"');
      const auto end = is_quoted ? rest.find("\"]", 1) : rest.find(']');
      if (end == std::string_view::npos) return fail("missing ']'", "close the bracket: containerDefinitions[*].image");
      const std::string_view name = is_quoted ? rest.substr(1, end - 1) : rest.substr(0, end);
      rest.remove_prefix(end + (is_quoted ? 2 : 1));
      if (name.empty()) return fail("empty brackets", "use [*] for every element, or a name: [web]");
      if (!is_quoted && is_digits(name) && name.size() < 3)
        return fail(fmt::format("[{}] is an index, which changes when the list does", name),
                    "use [*] for every element, or a name: containerDefinitions[web]");
      const bool is_each = name == "*" && !is_quoted;
      path.steps.push_back(
          {is_each ? PathStep::Kind::kEachOne : PathStep::Kind::kNamed, is_each ? "" : std::string(name)});
      continue;
    }
    if (!is_first) {
      if (!rest.starts_with('.')) return fail(fmt::format("unexpected '{}'", rest), "join keys with dots");
      rest.remove_prefix(1);
    }
    const std::string_view name = rest.substr(0, rest.find_first_of(".["));
    if (name.empty()) return fail("a key is missing", "a path looks like containerDefinitions[*].image");
    if (name == "*" || name.find_first_of("*?$\"'] ") != std::string_view::npos)
      return fail(fmt::format("'{}' is not a key", name), "use [*] for every element; quote other names: [\"my key\"]");
    path.steps.push_back({PathStep::Kind::kMember, std::string(name)});
    rest.remove_prefix(name.size());
  }
  return path;
}

}  // namespace bayplan::rules
