#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "text/document.hpp"

namespace bayplan::importers {

/// An intrinsic function, `!Ref X` and `{"Ref": "X"}` alike.
struct Expression {
  std::string_view function;  ///< Name of the function without `Fn::` and `!`: "Ref", "Sub", "If" ...
  text::Value argument;       ///< The node itself in the short form, whose tag is the function.

  bool is(std::string_view name) const { return function == name; }
};

/// Nothing when the value says what it is.
std::optional<Expression> expression_in(text::Value value);

/// Whether a member of the object is made by a macro (`Fn::ForEach::...`, `Fn::Transform`): then its members are not
/// known, and what is absent may yet come.
bool has_macro(text::Value object);

/// Formats the expression as people write it: "!Ref ImageUri", "!GetAtt Role.Arn", "!If [IsProduction, 80, 8080]"; of a
/// long one the first word.
std::string in_short(const Expression& expression);

}  // namespace bayplan::importers
