#pragma once
#include <cstdint>
#include <functional>

#include "importers/subject_builder.hpp"
#include "shape/schema.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// A tree of JSON, and the positions of its values in the file.
struct JsonSource {
  std::function<Span(Span)> place;
  std::function<std::uint32_t(text::Value)> origin;  ///< The node of the file.
  /// Amazon States Language: `"Count.$": "$.n"` and `"{% $n %}"` take the value from the input of the machine.
  bool is_of_states = false;
};

/// JSON that is in the file as it is.
JsonSource json_of_file();

/// Copies a value in ECS's spelling, as Go's encoding/json and the services that call ECS read it: keys in any case,
/// null as absent, empty members of lists left out. `rule` may be null.
void copy_json(text::Value value, const shape::Rule* rule, const JsonSource& from, SubjectBuilder& builder);

/// The member that a key means, without the suffix that marks a computed value; null when there is none.
const shape::Member* member_meant_by(const shape::Rule* rule, std::string_view key, const JsonSource& from);

}  // namespace bayplan::importers
