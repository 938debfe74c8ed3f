#pragma once
#include "rules/emitter.hpp"

namespace bayplan::rules {

/// Whether the image can be judged: CONTAINER_IMAGE, and an ECR registry of account ACCOUNT, are filled in by a
/// deployment, and count the rule as skipped.
bool knows_image(const model::StringField& image, Emitter& emit);

}  // namespace bayplan::rules
