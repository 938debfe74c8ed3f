#pragma once
#include <string>
#include <string_view>

#include "lint/lint.hpp"

namespace bayplan::lsp {

constexpr std::string_view kExplainCommand = "bayplan.explain";

/// A rule by its code or name, or what a message means: as `bayplan explain` says it, without the rule's examples.
/// `open`: the file of task definitions in which to show the lines that a message is about; null for none.
std::string explain(const std::string& text, const lint::Tools& tools, bool markdown,
                    const lint::FileReport* open = nullptr);

}  // namespace bayplan::lsp
