#pragma once
#include <optional>

#include "lint/file_kind.hpp"

namespace bayplan::lint {

/// Whether an object without container definitions is input of create-service, update-service or run-task, told by its
/// members.
std::optional<rules::FileKind> request_kind(text::Value root, Search search);

}  // namespace bayplan::lint
