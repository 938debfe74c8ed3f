#pragma once
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "rules/context.hpp"
#include "rules/emitter.hpp"

namespace bayplan::rules {

/// The instance types that a task can run on, where somebody says so.
struct ChosenTypes {
  std::vector<const catalog::InstanceType*> types;  ///< Never empty; in catalog order.
  text::Value constraint;                           ///< Expression that says it; absent when it is configured.

  std::string names() const;           ///< "g3.4xlarge"; "g4dn.xlarge, g4dn.2xlarge and 5 more".
  std::string_view chosen_by() const;  ///< "pinned" or "configured"
  /// Returns the types with an NVIDIA GPU.
  std::vector<const catalog::InstanceType*> with_gpu() const;
};

/// Types left by the memberOf constraints that name ecs.instance-type, else the configured ones. Nothing when neither
/// says anything, when an expression holds a placeholder (`emit` counts it as skipped) or names a type that is not in
/// the catalog: then nothing is known. Loads the catalog.
std::optional<ChosenTypes> chosen_types(const Context& ctx, Emitter& emit);

}  // namespace bayplan::rules
