#pragma once
#include <string>
#include <string_view>

#include "lint/lint.hpp"

namespace bayplan::lsp {

constexpr std::string_view kExplainCommand = "bayplan.explain";

/// A rule by its code or name, or what a message means: as `bayplan explain` says it, without the rule's examples.
std::string explain(const std::string& text, const lint::Tools& tools, bool markdown);

}  // namespace bayplan::lsp
