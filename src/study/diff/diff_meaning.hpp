#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "model/task_definition.hpp"
#include "text/document.hpp"

/// What of a task definition means the same to ECS, however it is written.
namespace bayplan::study {

/// A list in which order means nothing: its elements are identified by what they say.
struct ListMeaning {
  std::string_view member;               ///< Member that holds the list.
  std::array<std::string_view, 2> keys;  ///< Members that name an element; none: the element itself is its name.
  std::string_view value;                ///< Member that says the rest of it; empty when there are several.

  /// Whether the first or the last of several elements of one name counts, so that their order matters.
  bool has_one_of_a_name() const { return value == "value" || value == "valueFrom"; }
};

/// Null for lists in which order counts (command, dnsServers ...) and for those that nothing is known of.
const ListMeaning* meaning_of_list(std::string_view member);

/// "web", "8080/tcp", "/data": what an element is called; empty when it does not say.
std::string name_of_element(const ListMeaning& meaning, text::Value element);

/// One of the two definitions, as far as it decides what its members mean.
struct DefinitionFacts {
  std::optional<std::string> network_mode;  ///< The effective network mode; nothing when it is not known.
  std::string default_network_mode;  ///< The mode without networkMode; empty when no value of networkMode is the same.
  bool is_fargate_only = false;
};
DefinitionFacts collect_facts(const model::TaskDefinition& task);

/// Whether the scalar says what ECS does without it. `owner` is the member or list that holds its object, empty for the
/// definition itself.
bool is_default(std::string_view owner, text::Value scalar, const DefinitionFacts& facts);

/// Members that ECS writes into answers and no request sets.
bool is_read_only(std::string_view member);

/// The scalar in one way of writing: task sizes in units ("1 vCPU" is "1024"), numbers and booleans as JSON has them.
std::string normal_text(std::string_view owner, text::Value scalar);

}  // namespace bayplan::study
