#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "shape/schema.hpp"

namespace bayplan::lint {

/// Schemas whose members a text may mention.
using Schemas = std::vector<const shape::Schema*>;

/// Keys inside `text`, which rules spell as ECS does, as CloudFormation spells them: "hostPort" is HostPort. A word
/// that may be something else than a key ("memory") stays, but where it is surely one: before a colon in what is to be
/// written. `structure`: the title of what the text speaks of, where keys of its own are spelled in a way of their own.
std::string in_template_words(std::string_view text, const Schemas& schemas, std::string_view structure = {});

/// Message, help and notes of a finding.
void spell_as_template(Finding& finding, const Schemas& schemas);

}  // namespace bayplan::lint
