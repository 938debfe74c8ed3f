#include "rules/file/spelling.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/strings.hpp"

namespace bayplan::rules {
namespace {

std::string without_case_and_marks(std::string_view key) {
  std::string result = lower(key);
  std::erase_if(result, [](char c) { return c == '_' || c == '-'; });
  return result;
}

bool is_name_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-';
}

}  // namespace

bool is_spelled_otherwise(text::Value object, std::string_view key, std::initializer_list<std::string_view> aliases) {
  if (!object || !object.is_object()) return false;
  const std::size_t slips = key.size() < 4 ? 1 : 2;  // as unknown keys are judged
  for (const text::Value member : object.children()) {
    if (member.key() == key) continue;
    const std::string other = without_case_and_marks(member.key());
    if (edit_distance(other, without_case_and_marks(key), slips) <= slips) return true;
    if (std::find(aliases.begin(), aliases.end(), member.key()) != aliases.end()) return true;
  }
  return false;
}

bool is_ecs_name(std::string_view text) {
  return !text.empty() && text.size() <= 255 && std::all_of(text.begin(), text.end(), is_name_character);
}

bool is_output_for(std::string_view value, std::string_view key) {
  const auto colon = value.rfind(':');
  if (colon == std::string_view::npos) return false;
  std::string wanted = without_case_and_marks(key);
  if (wanted.ends_with("arn")) wanted.resize(wanted.size() - 3);
  return without_case_and_marks(value.substr(colon + 1)).find(wanted) != std::string::npos;
}

bool is_name_to_fill_in(std::string_view value) {
  const bool is_variable =
      value.find('_') != std::string_view::npos && is_upper(value.empty() ? ' ' : value.front()) &&
      std::all_of(value.begin(), value.end(), [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
  return is_variable || lower(value).starts_with("your-");
}

std::string as_ecs_name(std::string_view text) {
  std::string name;
  for (const char c : trim(text)) {
    const char kept = is_name_character(c) ? c : '-';
    if (kept != '-' || is_name_character(c) || (!name.empty() && name.back() != '-')) name += kept;
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.substr(0, 255);
}

}  // namespace bayplan::rules
