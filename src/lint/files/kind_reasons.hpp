#pragma once
#include <string>

#include "lint/lint.hpp"

namespace bayplan::lint {

/// Why a file has its kind: "service: 9 of 11 keys; ecspresso.yml names it". For a file that is not linted, what it is.
std::string reasons_of_kind(const FileReport& report, const Tools& tools);

}  // namespace bayplan::lint
