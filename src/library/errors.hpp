#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "bayplan/result.hpp"
#include "lint/lint.hpp"

/// What layers say of failures, in the words of the public headers.
namespace bayplan::v0 {

Error public_error(bayplan::Error error);
std::vector<Error> public_errors(std::vector<bayplan::Error> errors);

/// Definitions that ECS would refuse, an error each finding; `reports` are not empty.
std::vector<Error> refusals(const std::vector<bayplan::lint::FileReport>& reports);

/// An answer that fails its own check, an error each mistake.
std::vector<Error> internal_errors(const std::vector<std::string>& mistakes);

}  // namespace bayplan::v0
