#pragma once
#include <memory>
#include <string_view>

#include "shape/schema.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// The rule of a choice that has members, or elements; `rule` itself when it is not a choice. `rule` may be null.
const shape::Rule* rule_for(text::Kind kind, const shape::Rule* rule);

/// The member that a key means to the AWS provider of Terraform, whose decoder (Go's encoding/json) takes keys in any
/// case; null when there is none.
const shape::Member* member_in_any_case(const shape::Rule* rule, std::string_view key);

/// Whether the root is a list in which every container has its `name` and `image` in any case, and some in another than
/// ECS's: `[{"Name": "web", "Image": "nginx"}]`. Placeholders among them may represent more containers.
bool is_list_in_other_case(text::Value root);

/// Returns the list with its keys in ECS's spelling. It shares the source and the faults of `list`, so that every value
/// and key is where it was.
std::unique_ptr<const text::Document> in_ecs_case(const text::Document& list, const shape::Rule& container);

}  // namespace bayplan::importers
