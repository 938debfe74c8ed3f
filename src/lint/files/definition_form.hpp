#pragma once
#include "importers/definition_file.hpp"
#include "rules/context.hpp"

namespace bayplan::lint {

/// The form in which a file of this kind contains task definitions.
importers::DefinitionForm form_of(rules::FileKind kind);

}  // namespace bayplan::lint
