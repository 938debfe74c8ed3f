#include "importers/hcl_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "base/ascii.hpp"
#include "base/base64.hpp"
#include "base/strings.hpp"
#include "text/read.hpp"

namespace bayplan::importers {
namespace {

using Kind = HclValue::Kind;
using Arguments = std::vector<HclValuePtr>;

/// The largest list or string that a function makes here; Terraform makes longer ones.
constexpr std::size_t kMostElements = 10'000;
constexpr std::size_t kMostBytes = 4u << 20;

bool is_collection(const HclValue& value) {
  return value.is(Kind::kList) || value.is(Kind::kObject);
}

HclValuePtr limited_string(std::string text) {
  return text.size() > kMostBytes ? nullptr : string_value(std::move(text));
}

// Strings.

HclValuePtr join_texts(const Arguments& arguments) {
  if (arguments.size() < 2) return nullptr;
  const auto separator = text_of(*arguments[0]);
  if (!separator) return nullptr;
  std::string result;
  bool is_whole = true;
  bool is_first = true;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (!arguments[i]->is(Kind::kList)) return nullptr;
    for (const auto& element : arguments[i]->members) {
      if (!std::exchange(is_first, false)) result += *separator;
      const HclValue& value = *element.value;
      is_whole = is_whole && value.is_whole && !value.is(Kind::kUnknown);
      if (value.is(Kind::kUnknown)) {
        result += placeholder_for(value);
      } else if (value.is(Kind::kString)) {
        result += value.text;
      } else if (const auto text = text_of(value)) {
        result += *text;
      } else {
        return nullptr;
      }
      if (result.size() > kMostBytes) return nullptr;
    }
  }
  return string_value(std::move(result), is_whole);
}

/// Formats the verbs %s, %d and %v; any other verb, flag or width makes the result unknown.
HclValuePtr format_text(const Arguments& arguments) {
  if (arguments.empty()) return nullptr;
  const auto format = text_of(*arguments[0]);
  if (!format) return nullptr;
  std::string result;
  bool is_whole = true;
  std::size_t next = 1;
  for (std::size_t i = 0; i < format->size(); ++i) {
    if ((*format)[i] != '%') {
      result += (*format)[i];
      continue;
    }
    const char verb = ++i < format->size() ? (*format)[i] : '\0';
    if (verb == '%') {
      result += '%';
      continue;
    }
    if (std::string_view("sdv").find(verb) == std::string_view::npos || verb == '\0' || next >= arguments.size())
      return nullptr;
    const HclValue& value = *arguments[next++];
    if (value.is(Kind::kUnknown)) {
      is_whole = false;
      result += placeholder_for(value);
    } else if (value.is(Kind::kString) && verb != 'd') {
      is_whole = is_whole && value.is_whole;
      result += value.text;
    } else if (const auto text = text_of(value)) {
      result += *text;
    } else {
      return nullptr;
    }
  }
  return next == arguments.size() && result.size() <= kMostBytes ? string_value(std::move(result), is_whole) : nullptr;
}

HclValuePtr mapped_text(const Arguments& arguments, const std::function<std::string(std::string)>& change) {
  if (arguments.size() != 1) return nullptr;
  const auto text = text_of(*arguments[0]);
  return text ? limited_string(change(*text)) : nullptr;
}

HclValuePtr lower_text(const Arguments& arguments) {
  return mapped_text(arguments, [](const std::string& text) { return lower(text); });
}

HclValuePtr upper_text(const Arguments& arguments) {
  return mapped_text(arguments, [](std::string text) {
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
  });
}

HclValuePtr trimmed_space(const Arguments& arguments) {
  return mapped_text(arguments, [](const std::string& text) { return std::string(trim(text)); });
}

HclValuePtr chomped(const Arguments& arguments) {
  return mapped_text(arguments, [](std::string text) {
    while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
    return text;
  });
}

HclValuePtr without_prefix(const Arguments& arguments) {
  if (arguments.size() != 2) return nullptr;
  const auto text = text_of(*arguments[0]);
  const auto prefix = text_of(*arguments[1]);
  if (!text || !prefix) return nullptr;
  return string_value(text->starts_with(*prefix) ? text->substr(prefix->size()) : *text);
}

HclValuePtr without_suffix(const Arguments& arguments) {
  if (arguments.size() != 2) return nullptr;
  const auto text = text_of(*arguments[0]);
  const auto suffix = text_of(*arguments[1]);
  if (!text || !suffix) return nullptr;
  return string_value(text->ends_with(*suffix) ? text->substr(0, text->size() - suffix->size()) : *text);
}

/// A search between slashes is a regular expression, which is left to Terraform.
HclValuePtr replaced(const Arguments& arguments) {
  if (arguments.size() != 3) return nullptr;
  const auto text = text_of(*arguments[0]);
  const auto search = text_of(*arguments[1]);
  const auto by = text_of(*arguments[2]);
  if (!text || !search || !by || search->empty()) return nullptr;
  if (search->size() > 1 && search->front() == '/' && search->back() == '/') return nullptr;
  std::string result;
  std::size_t at = 0;
  for (std::size_t found = text->find(*search); found != std::string::npos; found = text->find(*search, at)) {
    result += text->substr(at, found - at) + *by;
    at = found + search->size();
    if (result.size() > kMostBytes) return nullptr;
  }
  return limited_string(result + text->substr(at));
}

HclValuePtr split_text(const Arguments& arguments) {
  if (arguments.size() != 2) return nullptr;
  const auto separator = text_of(*arguments[0]);
  const auto text = text_of(*arguments[1]);
  if (!separator || !text || separator->empty()) return nullptr;
  Arguments parts;
  if (text->empty()) return list_value({});
  for (std::size_t at = 0;;) {
    const auto end = text->find(*separator, at);
    parts.push_back(string_value(text->substr(at, end == std::string::npos ? end : end - at)));
    if (end == std::string::npos) return list_value(std::move(parts));
    if (parts.size() > kMostElements) return nullptr;
    at = end + separator->size();
  }
}

/// A text of which a part is unknown stays readable: nothing is known of its encoding, and who reads user data finds
/// the parts that are known.
HclValuePtr base64_encoded(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0]->is(Kind::kString)) return nullptr;
  if (!arguments[0]->is_whole) return string_value(arguments[0]->text, false);
  return limited_string(encode_base64(arguments[0]->text));
}

// Conversions.

HclValuePtr to_text(const Arguments& arguments) {
  if (arguments.size() != 1) return nullptr;
  if (arguments[0]->is(Kind::kNull) || arguments[0]->is(Kind::kString)) return arguments[0];
  auto text = text_of(*arguments[0]);
  return text ? string_value(std::move(*text)) : nullptr;
}

HclValuePtr to_number(const Arguments& arguments) {
  if (arguments.size() != 1) return nullptr;
  if (arguments[0]->is(Kind::kNull) || arguments[0]->is(Kind::kNumber)) return arguments[0];
  const auto number = number_of(*arguments[0]);
  return number ? number_value(*number) : nullptr;
}

HclValuePtr to_boolean(const Arguments& arguments) {
  if (arguments.size() != 1) return nullptr;
  if (arguments[0]->is(Kind::kNull) || arguments[0]->is(Kind::kBoolean)) return arguments[0];
  const auto boolean = boolean_of(*arguments[0]);
  return boolean ? boolean_value(*boolean) : nullptr;
}

bool is_scalar(const HclValue& value) {
  return value.is(Kind::kString) || value.is(Kind::kNumber) || value.is(Kind::kBoolean);
}

std::vector<HclValuePtr> values_of(const HclValue& collection) {
  std::vector<HclValuePtr> values;
  for (const auto& member : collection.members) values.push_back(member.value);
  return values;
}

/// The collection with these values in place of its own.
HclValuePtr with_values(const HclValue& collection, const std::vector<HclValuePtr>& values) {
  auto copy = std::make_shared<HclValue>(collection);
  for (std::size_t i = 0; i < values.size(); ++i) copy->members[i].value = values[i];
  return copy;
}

/// Maps are sorted by their keys.
std::vector<HclValue::Member> sorted_members(const HclValue& object) {
  auto members = object.members;
  std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return members;
}

bool have_same_keys(const HclValue& a, const HclValue& b) {
  return std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                    [](const auto& one, const auto& other) { return one.key == other.key; });
}

void unify_scalars(std::vector<HclValuePtr>& values) {
  const auto has = [&](Kind kind) {
    return std::any_of(values.begin(), values.end(), [&](const auto& one) { return one->is(kind); });
  };
  const bool becomes_string = has(Kind::kString);
  if (!becomes_string && !has(Kind::kUnknown)) return;
  for (auto& value : values) {
    if (!value->is(Kind::kNumber) && !value->is(Kind::kBoolean)) continue;
    const auto text = text_of(*value);
    auto made =
        std::make_shared<HclValue>(*(becomes_string && text ? string_value(*text) : unknown_value(value->text)));
    made->place = value->place;
    made->via = value->via;
    value = std::move(made);
  }
}

/// Unifies the types of values as Terraform does: objects with equal keys key by key, other objects as maps, lists of
/// equal length position by position. https://github.com/zclconf/go-cty, convert/unify.go
void unify(std::vector<HclValuePtr>& values) {
  std::vector<std::size_t> collections;
  bool has_scalars = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_collection(*values[i])) {
      collections.push_back(i);
      auto copy = std::make_shared<HclValue>(*values[i]);
      copy->members = sorted_members(*copy);
      values[i] = std::move(copy);
    }
    has_scalars = has_scalars || is_scalar(*values[i]);
  }
  if (collections.empty()) return unify_scalars(values);
  if (has_scalars) return;  // Terraform rejects it
  const HclValue& first = *values[collections.front()];
  const bool is_columnar = std::all_of(collections.begin(), collections.end(),
                                       [&](std::size_t i) { return have_same_keys(first, *values[i]); });
  std::vector<std::vector<HclValuePtr>> members;
  for (const std::size_t i : collections) members.push_back(values_of(*values[i]));
  if (is_columnar) {
    for (std::size_t column = 0; column < first.members.size(); ++column) {
      std::vector<HclValuePtr> cells;
      for (const auto& row : members) cells.push_back(row[column]);
      unify(cells);
      for (std::size_t row = 0; row < members.size(); ++row) members[row][column] = cells[row];
    }
  } else {
    std::vector<HclValuePtr> all;
    for (const auto& row : members) all.insert(all.end(), row.begin(), row.end());
    if (std::any_of(all.begin(), all.end(), [](const auto& one) { return is_collection(*one); })) return;
    unify(all);
    auto next = all.begin();
    for (auto& row : members) {
      for (auto& cell : row) cell = *next++;
    }
  }
  for (std::size_t row = 0; row < members.size(); ++row) {
    auto& value = values[collections[row]];
    value = with_values(*value, members[row]);
  }
}

HclValuePtr same_collection(const Arguments& arguments) {
  const bool is_it = arguments.size() == 1 && (is_collection(*arguments[0]) || arguments[0]->is(Kind::kNull));
  return is_it ? with_one_element_type(arguments[0]) : nullptr;
}

/// A set has each element once, in the order of its elements; of other values than strings the order is not known.
HclValuePtr to_set(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0]->is(Kind::kList)) return nullptr;
  std::set<std::string> texts;
  for (const auto& element : arguments[0]->members) {
    if (!element.value->is(Kind::kString) || !element.value->is_whole) return nullptr;
    texts.insert(element.value->text);
  }
  Arguments elements;
  for (const auto& text : texts) elements.push_back(string_value(text));
  return list_value(std::move(elements));
}

HclValuePtr encode_json(const Arguments& arguments) {
  if (arguments.size() != 1) return nullptr;
  std::string json;
  append_json(*arguments[0], json);
  if (json.size() > kMostBytes) return nullptr;
  auto result = std::make_shared<HclValue>(
      HclValue{.kind = Kind::kString, .is_whole = is_all_known(*arguments[0]), .text = std::move(json)});
  result->encoded = arguments[0];
  return result;
}

HclValuePtr from_json(text::Value value) {
  switch (value.kind()) {
    case text::Kind::kNull:
      return null_value();
    case text::Kind::kBoolean:
      return boolean_value(value.boolean().value_or(false));
    case text::Kind::kInteger:
    case text::Kind::kNumber:
      return std::make_shared<HclValue>(HclValue{.kind = Kind::kNumber, .text = std::string(value.text())});
    case text::Kind::kString:
      return string_value(std::string(value.text()));
    case text::Kind::kPlaceholder:
    case text::Kind::kAbsent:
      return unknown_value("expression");
    case text::Kind::kArray: {
      Arguments elements;
      for (const text::Value element : value.children()) elements.push_back(from_json(element));
      return list_value(std::move(elements));
    }
    case text::Kind::kObject: {
      std::vector<HclValue::Member> members;
      for (const text::Value member : value.children())
        members.push_back({std::string(member.key()), {}, from_json(member)});
      return object_value(std::move(members));
    }
  }
  return nullptr;
}

HclValuePtr decode_json(const Arguments& arguments) {
  if (arguments.size() != 1) return nullptr;
  if (arguments[0]->encoded) return arguments[0]->encoded;
  const auto text = text_of(*arguments[0]);
  if (!text) return nullptr;
  const auto document = text::read_document(*text, {.format = text::Format::kJson});
  return document->root() && document->faults().empty() ? from_json(document->root()) : nullptr;
}

// Collections.

HclValuePtr concatenated(const Arguments& arguments) {
  Arguments elements;
  for (const auto& list : arguments) {
    if (!list->is(Kind::kList) || elements.size() + list->members.size() > kMostElements) return nullptr;
    for (const auto& element : list->members) elements.push_back(element.value);
  }
  return list_value(std::move(elements));
}

HclValuePtr merged(const Arguments& arguments) {
  std::vector<HclValue::Member> members;
  for (const auto& object : arguments) {
    if (object->is(Kind::kNull)) continue;
    if (!object->is(Kind::kObject) || members.size() + object->members.size() > kMostElements) return nullptr;
    for (const auto& member : object->members) {
      const auto same =
          std::find_if(members.begin(), members.end(), [&](const auto& one) { return one.key == member.key; });
      if (same == members.end()) {
        members.push_back(member);
      } else {
        *same = member;
      }
    }
  }
  return object_value(std::move(members));
}

HclValuePtr looked_up(const Arguments& arguments) {
  if (arguments.size() < 2 || !arguments[0]->is(Kind::kObject)) return nullptr;
  const auto key = text_of(*arguments[1]);
  if (!key) return nullptr;
  for (const auto& member : arguments[0]->members) {
    if (member.key == *key) return member.value;
  }
  return arguments.size() > 2 ? arguments[2] : nullptr;
}

HclValuePtr element_at(const Arguments& arguments) {
  if (arguments.size() != 2 || !arguments[0]->is(Kind::kList) || arguments[0]->members.empty()) return nullptr;
  const auto index = number_of(*arguments[1]);
  if (!index || *index < 0 || *index > 1e9) return nullptr;
  return arguments[0]->members[static_cast<std::size_t>(*index) % arguments[0]->members.size()].value;
}

HclValuePtr length_of(const Arguments& arguments) {
  if (arguments.size() != 1) return nullptr;
  if (is_collection(*arguments[0])) return number_value(static_cast<double>(arguments[0]->members.size()));
  const auto text = text_of(*arguments[0]);
  const bool is_ascii =
      text && std::all_of(text->begin(), text->end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return is_ascii && arguments[0]->is(Kind::kString) ? number_value(static_cast<double>(text->size())) : nullptr;
}

HclValuePtr keys_of(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0]->is(Kind::kObject)) return nullptr;
  Arguments keys;
  for (const auto& member : sorted_members(*arguments[0])) keys.push_back(string_value(member.key));
  return list_value(std::move(keys));
}

HclValuePtr values_of(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0]->is(Kind::kObject)) return nullptr;
  Arguments values;
  for (auto& member : sorted_members(*arguments[0])) values.push_back(std::move(member.value));
  return list_value(std::move(values));
}

/// Whether an unknown value may be a list. An ID or ARN of a resource is a string.
bool may_be_list(const HclValue& value) {
  const bool is_text = value.is_origin && (value.text.ends_with(".id") || value.text.ends_with(".arn"));
  return value.is(Kind::kUnknown) && !is_text;
}

HclValuePtr flattened(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0]->is(Kind::kList)) return nullptr;
  Arguments elements;
  bool is_known = true;
  const std::function<void(const HclValuePtr&)> add = [&](const HclValuePtr& value) {
    if (elements.size() > kMostElements) return;
    if (may_be_list(*value)) is_known = false;
    if (!value->is(Kind::kList)) return elements.push_back(value);
    for (const auto& element : value->members) add(element.value);
  };
  add(arguments[0]);
  return is_known && elements.size() <= kMostElements ? list_value(std::move(elements)) : nullptr;
}

HclValuePtr compacted(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0]->is(Kind::kList)) return nullptr;
  Arguments elements;
  for (const auto& element : arguments[0]->members) {
    if (element.value->is(Kind::kUnknown)) return nullptr;
    const bool is_empty =
        element.value->is(Kind::kNull) || (element.value->is(Kind::kString) && element.value->text.empty());
    if (!is_empty) elements.push_back(element.value);
  }
  return list_value(std::move(elements));
}

HclValuePtr distinct_elements(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0]->is(Kind::kList) || arguments[0]->members.size() > 1000) return nullptr;
  Arguments elements;
  for (const auto& element : arguments[0]->members) {
    bool is_new = true;
    for (const auto& other : elements) {
      const auto is_same = are_equal(*element.value, *other);
      if (!is_same) return nullptr;
      if (*is_same) is_new = false;
    }
    if (is_new) elements.push_back(element.value);
  }
  return list_value(std::move(elements));
}

HclValuePtr contained(const Arguments& arguments) {
  if (arguments.size() != 2 || !arguments[0]->is(Kind::kList)) return nullptr;
  for (const auto& element : arguments[0]->members) {
    const auto is_same = are_equal(*element.value, *arguments[1]);
    if (!is_same) return nullptr;
    if (*is_same) return boolean_value(true);
  }
  return boolean_value(false);
}

/// The first that is not null and no empty string; a list or map that is not null will do.
HclValuePtr coalesced(const Arguments& arguments) {
  for (const auto& one : arguments) {
    if (one->is(Kind::kUnknown)) return nullptr;
    const bool is_empty = one->is(Kind::kNull) || (one->is(Kind::kString) && one->text.empty());
    if (!is_empty) return one;
  }
  return nullptr;
}

HclValuePtr zipped(const Arguments& arguments) {
  if (arguments.size() != 2 || !arguments[0]->is(Kind::kList) || !arguments[1]->is(Kind::kList)) return nullptr;
  if (arguments[0]->members.size() != arguments[1]->members.size()) return nullptr;
  std::vector<HclValue::Member> members;
  for (std::size_t i = 0; i < arguments[0]->members.size(); ++i) {
    auto key = text_of(*arguments[0]->members[i].value);
    if (!key) return nullptr;
    members.push_back({std::move(*key), arguments[0]->members[i].value->place, arguments[1]->members[i].value});
  }
  return object_value(std::move(members));
}

HclValuePtr counted_range(const Arguments& arguments) {
  std::array<double, 3> given{};
  if (arguments.empty() || arguments.size() > 3) return nullptr;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto number = number_of(*arguments[i]);
    if (!number) return nullptr;
    given.at(i) = *number;
  }
  const double from = arguments.size() > 1 ? given[0] : 0;
  const double to = arguments.size() > 1 ? given[1] : given[0];
  const double step = arguments.size() == 3 ? given[2] : from <= to ? 1 : -1;
  if (step == 0 || std::abs((to - from) / step) > 1024) return nullptr;  // Terraform refuses longer ones.
  Arguments elements;
  for (double at = from; step > 0 ? at < to : at > to; at += step) elements.push_back(number_value(at));
  return list_value(std::move(elements));
}

// Numbers.

HclValuePtr extreme(const Arguments& arguments, bool is_largest) {
  std::optional<double> result;
  for (const auto& one : arguments) {
    const auto number = number_of(*one);
    if (!number) return nullptr;
    result = !result ? *number : is_largest ? std::max(*result, *number) : std::min(*result, *number);
  }
  return result ? number_value(*result) : nullptr;
}

HclValuePtr largest(const Arguments& arguments) {
  return extreme(arguments, true);
}

HclValuePtr smallest(const Arguments& arguments) {
  return extreme(arguments, false);
}

HclValuePtr rounded_down(const Arguments& arguments) {
  const auto number = arguments.size() == 1 ? number_of(*arguments[0]) : std::nullopt;
  return number ? number_value(std::floor(*number)) : nullptr;
}

HclValuePtr rounded_up(const Arguments& arguments) {
  const auto number = arguments.size() == 1 ? number_of(*arguments[0]) : std::nullopt;
  return number ? number_value(std::ceil(*number)) : nullptr;
}

struct Function {
  std::string_view name;
  HclValuePtr (*call)(const Arguments&);
};

constexpr Function kFunctions[] = {{"base64encode", base64_encoded},
                                   {"ceil", rounded_up},
                                   {"chomp", chomped},
                                   {"coalesce", coalesced},
                                   {"compact", compacted},
                                   {"concat", concatenated},
                                   {"contains", contained},
                                   {"distinct", distinct_elements},
                                   {"element", element_at},
                                   {"flatten", flattened},
                                   {"floor", rounded_down},
                                   {"format", format_text},
                                   {"join", join_texts},
                                   {"jsondecode", decode_json},
                                   {"jsonencode", encode_json},
                                   {"keys", keys_of},
                                   {"length", length_of},
                                   {"lookup", looked_up},
                                   {"lower", lower_text},
                                   {"max", largest},
                                   {"merge", merged},
                                   {"min", smallest},
                                   {"range", counted_range},
                                   {"replace", replaced},
                                   {"split", split_text},
                                   {"tobool", to_boolean},
                                   {"tolist", same_collection},
                                   {"tomap", same_collection},
                                   {"tonumber", to_number},
                                   {"toset", to_set},
                                   {"tostring", to_text},
                                   {"trimprefix", without_prefix},
                                   {"trimspace", trimmed_space},
                                   {"trimsuffix", without_suffix},
                                   {"upper", upper_text},
                                   {"values", values_of},
                                   {"zipmap", zipped}};

}  // namespace

HclValuePtr call_hcl_function(std::string_view name, const std::vector<HclValuePtr>& arguments) {
  const auto found =
      std::find_if(std::begin(kFunctions), std::end(kFunctions), [&](const Function& one) { return one.name == name; });
  return found == std::end(kFunctions) ? nullptr : found->call(arguments);
}

HclValuePtr with_one_element_type(HclValuePtr collection) {
  if (!is_collection(*collection)) return collection;
  auto values = values_of(*collection);
  const auto before = values;
  unify(values);
  return values == before ? collection : with_values(*collection, values);
}

}  // namespace bayplan::importers
