#pragma once
#include <string_view>

#include "text/document.hpp"

namespace bayplan::lint {

/// Whether a template, which is not read before it is rendered, is one of a task definition, a service, or a
/// CloudFormation template with one.
bool mentions_ecs(std::string_view source);

/// Whether the object has members of a service alone: a service, if a configuration of ecspresso calls it one.
bool may_be_service(text::Value root);

}  // namespace bayplan::lint
