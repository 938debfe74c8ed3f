#pragma once
#include <string>

#include "base/result.hpp"

namespace bayplan::cli {

/// An error as standard error shows it: "bayplan: FILE:LINE:COLUMN: MESSAGE; did you mean 'x'?", then the other advice
/// as a sentence of its own, indented by two. A command to paste stays whole. Ends with a line break.
std::string error_text(const Error& error);

}  // namespace bayplan::cli
