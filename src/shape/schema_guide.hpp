#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.hpp"

namespace bayplan::shape {

/// A step from a value to one inside it.
struct PathStep {
  std::string key;          ///< Key of a member.
  bool is_element = false;  ///< Element of a list.
  bool operator==(const PathStep&) const = default;
};

using Path = std::vector<PathStep>;

/// What a schema says of one value: the schema objects that speak of it, those nearer to it first (`$ref` is followed,
/// of `anyOf` every choice is in it).
using SchemaObjects = std::vector<text::Value>;

struct Property {
  std::string name;
  SchemaObjects said;
  bool is_required = false;
  bool is_block = false;  ///< In Terraform code a block, not an argument.
};

/// Reads one of the project's schemas for people: what may be somewhere, and what it is for. What it says of the
/// shape is the business of `shape`; this keeps the texts, which that has no use for.
class SchemaGuide {
 public:
  explicit SchemaGuide(std::string_view schema);

  SchemaObjects root() const;
  SchemaObjects definition(std::string_view name) const;  ///< Of $defs; nothing where there is none.
  SchemaObjects at(const Path& path) const;               ///< Nothing where the schema says nothing.
  SchemaObjects step(const SchemaObjects& said, const PathStep& step) const;
  std::vector<Property> properties(const SchemaObjects& said) const;
  SchemaObjects elements(const SchemaObjects& said) const;
  bool has_property(std::string_view name) const;  ///< Whether the root has the property.

 private:
  void add(text::Value schema, SchemaObjects& said) const;
  SchemaObjects member(const SchemaObjects& said, std::string_view key) const;

  std::unique_ptr<const text::Document> document_;
};

std::string_view description_of(const SchemaObjects& said);  ///< Empty when there is none.
std::vector<std::string> list_values(
    const SchemaObjects& said);  ///< Enum values, "true" and "false"; strings without quotes.
bool takes(const SchemaObjects& said, std::string_view type);  ///< "string", "integer" ...
bool is_deprecated(const SchemaObjects& said);
std::string_view title_of(const SchemaObjects& said);  ///< "container"; empty when there is none.
/// "integer, 1 to 65535", "list of objects, 1 at least", "string, one of: a, b"; empty when nothing is said.
std::string limits_of(const SchemaObjects& said, const SchemaGuide& guide);

}  // namespace bayplan::shape
