#pragma once
#include <vector>

#include "rules/service/service_context.hpp"
#include "text/document.hpp"

namespace bayplan::rules {

/// Whether `root` is what describe-services, create-service or update-service answered, or one service cut out of it.
bool is_service_answer(text::Value root);

/// Detects from its members for which call the service of a file was written.
ServiceInput detect_service_input(text::Value root);

/// The services of a file: the root itself, or each of an answer.
std::vector<text::Value> services_in(text::Value root);

}  // namespace bayplan::rules
