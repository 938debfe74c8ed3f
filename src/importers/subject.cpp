#include "importers/subject.hpp"

#include "base/ascii.hpp"
#include "base/strings.hpp"
#include "importers/cloudformation_keys.hpp"

namespace bayplan::importers {
namespace {

using text::Value;

struct Place {
  Value value;
  std::string_view left_over;  ///< What of the pointer names nothing.
};

/// Keys of task definitions and services hold no `~` and no `/`; below maps of the user's own they may, and then the
/// place is that of the map.
Place follow(Value root, std::string_view pointer) {
  Value at = root;
  while (!pointer.empty()) {
    const auto end = pointer.find('/', 1);
    const auto token = pointer.substr(1, end == std::string_view::npos ? end : end - 1);
    const auto position = at.is_array() ? to_integer(token) : std::nullopt;
    const Value next = position ? at.at(static_cast<std::size_t>(*position)) : at.find(token);
    if (!next) break;
    at = next;
    pointer = end == std::string_view::npos ? std::string_view() : pointer.substr(end);
  }
  return {at, pointer};
}

/// Maps whose keys are the user's own.
bool is_own_map(Value value) {
  const auto key = value.key();
  return key == "options" || key == "dockerLabels" || key == "labels" || key == "driverOpts";
}

/// The key of an absent member, as the file would spell it.
std::string spelled_below(Value parent, std::string_view key, Spelling spelling) {
  if (is_own_map(parent)) return std::string(key);
  if (spelling != Spelling::kPascalCase) return spelled(key, spelling);
  return in_cloudformation(key, parent.key() == "efsVolumeConfiguration" ? "EFS volume" : "");
}

}  // namespace

std::string pointer_in_file(const Subject& subject, const text::Document& file, std::string_view pointer) {
  const Value root = subject.document->root();
  if (!root) return {};
  const auto place = follow(root, pointer);
  const Value origin = file.node(subject.origins.at(place.value.index()));
  std::string result = origin.pointer();
  if (place.left_over.empty() || origin.is_string()) return result;
  return result + "/" + spelled_below(place.value, place.left_over.substr(1), subject.spelling);
}

std::string spelled(std::string_view key, Spelling spelling) {
  std::string result(key);
  const bool begins_small = !result.empty() && result[0] >= 'a' && result[0] <= 'z';
  if (spelling == Spelling::kPascalCase && begins_small) result[0] = static_cast<char>(result[0] - 'a' + 'A');
  if (spelling != Spelling::kSnakeCase) return result;
  result.clear();
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (i > 0 && is_upper(key[i]) && !is_upper(key[i - 1])) result += '_';
    result += lower(key.substr(i, 1));
  }
  return result;
}

}  // namespace bayplan::importers
