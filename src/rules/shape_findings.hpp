#pragma once
#include <vector>

#include "rules/context.hpp"
#include "shape/check.hpp"

namespace bayplan::rules {

/// Runs the schema of the file's kind over `root`, or over each container of a bare list; nothing for files that hold
/// no request.
std::vector<shape::ShapeFinding> find_shape_faults(text::Value root, FileKind kind, const shape::Schema& schema,
                                                   const model::Placeholders& placeholders);

/// "the task definition", "the container": the object that a finding speaks of.
std::string in_words(const shape::Rule& rule);

/// "environment" of a member, "command[1]" of a list element.
std::string name_of(text::Value value);

/// Members that ecspresso and other tools write as "" where nothing was chosen, and leave out of the request. aws-cli
/// sends what the file says.
bool is_absent_when_empty(std::string_view key);

}  // namespace bayplan::rules
