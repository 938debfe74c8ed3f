#include "lint/identity.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace bayplan::lint {
namespace {

using text::Value;

std::string unescaped(std::string_view token) {
  std::string result;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '~' && i + 1 < token.size()) {
      result += token[++i] == '1' ? '/' : '~';
    } else {
      result += token[i];
    }
  }
  return result;
}

/// What people call an element of a list: its name, by whichever member the API gives it one.
std::string_view name_of_element(Value element) {
  if (!element || !element.is_object()) return {};
  for (const std::string_view key : {"name", "containerPort", "containerName", "sourceVolume", "type", "key"}) {
    const Value name = element.find(key);
    if (name && !name.text().empty()) return name.text();
  }
  return {};
}

struct Step {
  std::string token;
  Value value;  ///< Absent where the pointer leaves the document.
  bool in_list = false;
};

std::vector<Step> split_steps(Value root, std::string_view pointer) {
  std::vector<Step> steps;
  if (pointer.empty()) return steps;
  Value at = root;
  for (const auto token : split(pointer.substr(1), '/')) {
    const bool in_list = at && at.is_array();
    const auto position = in_list ? to_integer(token) : std::nullopt;
    std::string name = unescaped(token);
    at = position ? at.at(static_cast<std::size_t>(*position)) : (at && at.is_object() ? at.find(name) : Value());
    steps.push_back({std::move(name), at, in_list});
  }
  return steps;
}

}  // namespace

Resolved resolve(Value root, std::string_view pointer) {
  Resolved place{root, {}};
  for (const auto& step : split_steps(root, pointer)) place = {step.value, place.value};
  return place;
}

std::string named_path(Value root, std::string_view pointer) {
  std::string path;
  for (const auto& step : split_steps(root, pointer)) {
    const auto name = name_of_element(step.value);
    if (step.in_list) {
      ((path += '[') += name.empty() ? step.token : name) += ']';
    } else {
      (path += path.empty() ? "" : ".") += step.token;
    }
  }
  return path;
}

std::optional<std::string> container_of(Value root, std::string_view pointer) {
  bool in_containers = root && root.is_array();  // a bare list of container definitions
  for (const auto& step : split_steps(root, pointer)) {
    if (step.in_list && in_containers) {
      const Value name = step.value && step.value.is_object() ? step.value.find("name") : Value();
      return name && name.is_string() ? std::optional<std::string>(name.text()) : std::nullopt;
    }
    in_containers = step.token == "containerDefinitions";
  }
  return std::nullopt;
}

std::string compute_fingerprint(const Finding& finding, std::string_view named_path, std::string_view file,
                                std::string_view source) {
  while (file.substr(0, 2) == "./") file.remove_prefix(2);
  auto state = hash(named_path, hash(file, hash(finding.code)));
  if (!source.empty()) state = hash(source.substr(finding.span.begin, finding.span.length()), state);
  std::array<char, 16> digits{};
  for (std::size_t i = digits.size(); i-- > 0; state >>= 4) digits[i] = "0123456789abcdef"[state & 15];
  return {digits.begin(), digits.end()};
}

}  // namespace bayplan::lint
