#pragma once
#include <vector>

#include "base/files.hpp"
#include "lsp/open_document.hpp"

namespace bayplan::lsp {

/// What `bayplan place` or `bayplan sweep` would refuse in the form of a scenario, a cluster or a grid before they
/// begin: syntax, unknown and missing members, wrong types. Nothing for a text that is none of these. `files` holds the
/// text under the document's name.
std::vector<Error> errors_of_own_file(const OpenDocument& document, const Files& files);

}  // namespace bayplan::lsp
