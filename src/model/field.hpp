#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.hpp"

namespace bayplan::model {

/// One member of a definition: what it says, where it says it, and whether that is known.
///   absent   no such member, or null (`describe` output and old console exports write null for unset)
///   unknown  the value is a placeholder: rules that need the value stay silent
///   invalid  the wrong type: a shape rule has spoken
///   known    `value` holds it
/// Digits in a string where ECS wants an integer, and a number where it wants a string, are known: the intent is clear
/// and the shape rule names the mistake.
template <class T>
struct Field {
  text::Value node;  ///< The value; absent handle when there is no member.
  std::optional<T> value;
  bool is_unknown = false;

  bool present() const { return static_cast<bool>(node) && !node.is_null(); }
  bool known() const { return value.has_value(); }
  bool unknown() const { return is_unknown; }
  explicit operator bool() const { return known(); }
  /// Throws std::bad_optional_access unless the value is known: the run then ends as an internal error, not as a crash.
  const T& operator*() const { return value.value(); }
  const T* operator->() const { return &value.value(); }
  Span span() const { return node.span(); }
};

using StringField = Field<std::string_view>;  ///< Views the document.
using IntegerField = Field<std::int64_t>;
using BooleanField = Field<bool>;

/// A list member: the items of a list, nothing when absent. `node` is the list itself.
template <class T>
struct List {
  text::Value node;
  std::vector<T> items;

  bool present() const { return static_cast<bool>(node) && !node.is_null(); }
  bool empty() const { return items.empty(); }
  std::size_t size() const { return items.size(); }
  auto begin() const { return items.begin(); }
  auto end() const { return items.end(); }
  const T& operator[](std::size_t i) const { return items[i]; }
  /// Absent, or a list of which every element was read: none is a placeholder, which may become several elements.
  bool is_complete() const { return !present() || (node.is_array() && node.size() == size()); }
};

class Placeholders;

StringField string_field(text::Value object, std::string_view key, const Placeholders& placeholders);
IntegerField integer_field(text::Value object, std::string_view key, const Placeholders& placeholders);
BooleanField boolean_field(text::Value object, std::string_view key, const Placeholders& placeholders);
StringField string_value(text::Value value, const Placeholders& placeholders);  ///< Reads an element of a list.
List<StringField> string_list(text::Value object, std::string_view key, const Placeholders& placeholders);

}  // namespace bayplan::model
