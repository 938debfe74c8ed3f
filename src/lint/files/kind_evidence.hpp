#pragma once
#include <string_view>

#include "text/document.hpp"

namespace bayplan::lint {

/// Whether a template, which is not read before it is rendered, is one of a task definition, a service, or a
/// CloudFormation template with one.
bool mentions_ecs(std::string_view source);

/// Whether each member of the object is one that a service has. A task definition has some of them, too, so this is
/// enough only for a file that a configuration of ecspresso calls a service.
bool may_be_service(text::Value root);

}  // namespace bayplan::lint
