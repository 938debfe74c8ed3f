#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.hpp"
#include "text/edited_text.hpp"

namespace bayplan::model {

/// The values that the user gives for the placeholders of a template, by name.
using Variables = std::map<std::string, std::string, std::less<>>;

/// Whether a placeholder or a variable of Terraform may have the name: a letter or underscore, then letters, digits,
/// `_`, `.` and `-`.
bool is_variable_name(std::string_view name);

/// How many bytes of values go into one text: a short text may ask for a long value again and again.
inline constexpr std::size_t kMaxFilledIn = 4u << 20;

/// A text in which placeholders have got their values.
struct FilledText {
  text::EditedText edited;     ///< Empty when `beyond` is set.
  std::optional<Span> beyond;  ///< The placeholder whose value would go beyond `kMaxFilledIn`.
  std::vector<Span> places;    ///< Places of the placeholders in the text before substitution; in text order.
  std::set<std::string, std::less<>> variables;  ///< Names that were used.
};

/// Whose `${X}` it is.
enum class Dollars : std::uint8_t { kOfTemplate, kOfCloudFormation };

/// Puts values in the places of `${X}`, `{{ x }}`, `<X>`, `%X%`, `__X__`, `#{X}#`, `$X`, `$(X)`, `@X@`: escaped inside
/// quotes, as they are outside. `${X:-default}` and `${X-default}` count as X. What is the shell's or CloudFormation's
/// stays, and so does what is more than a name (filters, functions). Nothing when nothing is filled in.
std::optional<FilledText> fill_in(const text::Document& document, const Variables& variables,
                                  Dollars dollars = Dollars::kOfTemplate);

/// The name that a placeholder asks for; empty when it asks for more than that.
std::string_view name_in_placeholder(std::string_view placeholder);

}  // namespace bayplan::model
