#pragma once
#include <string>
#include <vector>

#include "model/task_definition.hpp"
#include "rules/context.hpp"
#include "rules/needs.hpp"

namespace bayplan::rules {

/// What is said of a container's GPUs: by its dockerLabels, else by config or scenario.
struct StatedNeeds : Needs {
  text::Value gpu_memory_place;  ///< Where a finding stands: the label's value, else the container's requests.
  text::Value compute_capability_place;
  text::Value interconnect_place;
};

/// What is wrong with a label that starts with `bayplan.`.
struct NeedFault {
  text::Value label;
  bool at_key = false;  ///< The key is wrong, not the value.
  std::string message;
  std::string help;
};

/// Reads the labels `bayplan.gpu-memory: 14GiB`, `bayplan.min-compute-capability: "7.0"`, `bayplan.interconnect:
/// nvlink`, and beside them `ctx.options.needs`; a label wins. Labels that hold a placeholder count as absent.
StatedNeeds stated_needs(const Context& ctx, const model::ContainerDefinition& container);
std::vector<NeedFault> need_faults(const model::ContainerDefinition& container,
                                   const model::Placeholders& placeholders);

}  // namespace bayplan::rules
