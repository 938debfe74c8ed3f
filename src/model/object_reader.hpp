#pragma once
#include <string_view>

#include "model/field.hpp"
#include "model/placeholder.hpp"
#include "text/document.hpp"

namespace bayplan::model {

/// Reads the members of one object; an absent object has absent members.
class ObjectReader {
 public:
  ObjectReader(text::Value object, const Placeholders& placeholders) : object_(object), placeholders_(placeholders) {}

  StringField string(std::string_view key) const { return string_field(object_, key, placeholders_); }
  IntegerField integer(std::string_view key) const { return integer_field(object_, key, placeholders_); }
  BooleanField boolean(std::string_view key) const { return boolean_field(object_, key, placeholders_); }
  List<StringField> strings(std::string_view key) const { return string_list(object_, key, placeholders_); }
  text::Value value(std::string_view key) const { return object_ ? object_.find(key) : text::Value(); }
  ObjectReader member(std::string_view key) const { return {value(key), placeholders_}; }

  /// Elements of a list member, each as `bind` makes it of its reader.
  template <class Bind>
  auto list(std::string_view key, Bind bind) const {
    List<decltype(bind(*this))> items;
    items.node = value(key);
    if (!items.node || !items.node.is_array()) return items;
    for (const text::Value element : items.node.children()) items.items.push_back(bind({element, placeholders_}));
    return items;
  }

  text::Value object() const { return object_; }
  const Placeholders& placeholders() const { return placeholders_; }

 private:
  text::Value object_;
  const Placeholders& placeholders_;
};

}  // namespace bayplan::model
