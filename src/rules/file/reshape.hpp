#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/finding.hpp"
#include "text/document.hpp"

namespace bayplan::rules {

/// A member of an object that is to be written.
struct NewMember {
  std::string name;
  std::string text;
  bool is_string = true;
  std::string source = {};  ///< How the file has the value already: stays as it is.
};
using NewObject = std::vector<NewMember>;

/// `{"name": "A", "value": "1"}`
std::string as_json(const NewObject& object);
/// Does the same on one line, in the format of the document.
std::string in_format(const text::Document& document, const NewObject& object);

/// The edits that give a list or a map another shape. Everything else stays: order, line ends, comments, in YAML
/// the indentation. Nothing where that is not plainly safe: an anchor or alias, a comment inside of what is rewritten.
using Reshape = std::optional<std::vector<Edit>>;

/// A scalar becomes `text`, which is on one line.
Reshape replace_scalar(text::Value scalar, std::string text);
/// `{A: 1}` -> `[{name: A, value: 1}]`: one object for each member.
Reshape map_to_list(text::Value map, const std::vector<NewObject>& objects);
/// `[{name: A, value: 1}]` -> `{A: 1}`: one member for each element, its key and its value.
Reshape list_to_map(text::Value list, const std::vector<std::pair<std::string, NewMember>>& members);
/// `{...}` -> `[{...}]`
Reshape put_in_list(text::Value object);
/// `[x]` -> `x`
Reshape take_out_of_list(text::Value list);
/// `[...]` -> `{key: [...]}`
Reshape put_in_object(text::Value list, std::string_view key);
/// `{A: 1, B: 2}` -> `{name: A, value: 1}, {name: B, value: 2}`: one element becomes one for each of its members.
Reshape spread_element(text::Value element, const std::vector<NewObject>& objects);
/// A string of a list becomes several.
Reshape split_element(text::Value element, const std::vector<std::string>& strings);

}  // namespace bayplan::rules
