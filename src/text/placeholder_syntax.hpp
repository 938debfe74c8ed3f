#pragma once
#include <cstddef>
#include <string_view>

namespace bayplan::text {

/// Length of the template expression that begins at `offset`: `${X}`, `{{ x }}`, `<X>`, `#{X}#`, `%X%`, `@X@`, `__X__`,
/// `$X`, `$(X)`, `{{{ x }}}`, `<%= x %>`, `{INSERT x}`, `{X}`, `((X))`, `%{X}`, `@{X}`, `%(X)s`; 0 when there is none.
/// It never crosses a line end.
std::size_t placeholder_length(std::string_view text, std::size_t offset);

/// The whole text is one such expression.
bool is_placeholder(std::string_view text);

/// Length of the template expression or statement at `offset` when it holds straight quotes of its own, which end no
/// string around it: `"{{ env "X" }}"`; else 0.
std::size_t quoting_expression_length(std::string_view text, std::size_t offset);

}  // namespace bayplan::text
