#pragma once
#include <deque>
#include <string_view>

#include "base/finding.hpp"
#include "rules/context.hpp"
#include "text/document.hpp"

namespace bayplan::lint {

/// Whether the repair of a JSON text put a bracket in or took one out: what follows may be in the wrong object.
bool guesses_nesting(const text::Fault& fault, std::string_view source);

/// One fault, one finding: drops what is said of a value that was not read as it was meant (a quote never closed, a
/// stray byte inside), and of members that may be where the text of their object is broken or in a value of a wrong
/// type, of all behind a bracket that was guessed, and of a file of `kind` whose kind was guessed. `document` is what
/// the findings point into, `file` what it was read from: the same, or the template or plan around it.
void drop_consequences(std::deque<Finding>& findings, const text::Document& document, const text::Document& file,
                       rules::FileKind kind);

}  // namespace bayplan::lint
