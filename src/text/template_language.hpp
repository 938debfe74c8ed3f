#pragma once
#include <cstddef>
#include <string_view>

#include "text/document.hpp"

namespace bayplan::text {

/// Length of the template statement at `offset` (`{% if x %}`, `{# note #}`, `%{ for x in y }`, `{{- if x }}` and its
/// like, `{{#each}}`, `<% if x %>`), which represents no value; 0 when there is none. An `else` goes on to the end of
/// its block: of the branches, the first is read. Comments and statements in `{% %}` and `<% %>` may cross line ends.
std::size_t template_statement_length(std::string_view text, std::size_t offset);

/// The language of the statements in the text that are outside of strings, as a noun ("Jinja template"); empty when
/// there are none. Expressions that represent one value (`${X}`, `{{ x }}`) make no template of a text.
std::string_view template_language(std::string_view text, Format format);

/// Whether the name of the file or the beginning of the text says so: `local web = ...`.
bool is_jsonnet(std::string_view file, std::string_view text);

/// Whether the name of the file says so.
bool is_json5(std::string_view file);

/// Whether a file of this name (.jsonc, .json5) may hold comments and trailing commas.
bool takes_comments(std::string_view file);

}  // namespace bayplan::text
