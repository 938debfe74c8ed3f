#pragma once
#include <cstddef>
#include <string_view>

namespace bayplan::text {

/// Length of the template expression that begins at `offset`: `${X}`, `{{ x }}`, `<X>`, `#{X}#`, `%X%`, `@X@`, `__X__`,
/// `$X`, `$(X)`; 0 when there is none. It never crosses a line end.
std::size_t placeholder_length(std::string_view text, std::size_t offset);

/// The whole text is one such expression.
bool is_placeholder(std::string_view text);

/// Length of the template statement at `offset` (`{% if x %}`, `{# note #}`, `%{ for x in y }`, `{{- if x }}` and its
/// like, `{{#each}}`), which stands for no value; 0 when there is none.
std::size_t template_statement_length(std::string_view text, std::size_t offset);

}  // namespace bayplan::text
