#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.hpp"

namespace bayplan::importers {

/// What ECS will be asked for.
enum class SubjectKind : std::uint8_t {
  kTaskDefinition,
  kService,
  kCapacityProvider,
  kCluster,
  kClusterProviders,  ///< The capacity providers of a cluster.
  kTaskSet,
  kDaemon,
  kDaemonTaskDefinition,
  kExpressService,
  kRunTask,  ///< A target that calls RunTask: a rule, a schedule, a state of a state machine.
};

/// Facts that are no property of the resource: what its policies allow a role, separated by blanks; the resource's
/// type; the expression that decides how many of the resource there are, if that is unknown.
inline constexpr std::string_view kAllowedActions = "allowed actions";
inline constexpr std::string_view kResourceType = "type";
inline constexpr std::string_view kResourceCount = "count";

/// What the file says of another resource of its own that a value of a subject refers to.
struct ResourceFact {
  std::uint32_t node = 0;     ///< The value, in the document of the subject.
  std::string_view property;  ///< "TargetType", as CloudFormation calls it.
  std::string value;          ///< Also the default of an absent property; empty if it has none.
  std::string resource;       ///< Logical ID of the resource.
  Span span;                  ///< The property, or the resource if that is absent.
};

/// How the file spells the members of a definition.
enum class Spelling : std::uint8_t { kCamelCase, kPascalCase, kSnakeCase };

/// A task definition, a service or another resource of ECS inside a file of another kind, as ECS would read it.
struct Subject {
  SubjectKind kind = SubjectKind::kTaskDefinition;
  std::string name;  ///< What the file calls it: a logical id, a resource address.
  Spelling spelling = Spelling::kCamelCase;
  /// Members in ECS's spelling. It shares the source of the file, so spans point there: at the place where the value is
  /// used. What is not known before the file is deployed is a kPlaceholder, or a text that holds `${X}`.
  std::shared_ptr<const text::Document> document;
  std::vector<std::uint32_t> origins;  ///< Maps each node of `document` to the node of the file that it was made from.
  std::vector<ResourceFact> facts = {};
};

/// Where in `file` is what `pointer` names in the subject's document. A member that is absent is named under its
/// parent, as the file would spell it; of what is written inside a string the string is named.
std::string pointer_in_file(const Subject& subject, const text::Document& file, std::string_view pointer);

/// "containerDefinitions" as "ContainerDefinitions" or "container_definitions".
std::string spelled(std::string_view key, Spelling spelling);

}  // namespace bayplan::importers
