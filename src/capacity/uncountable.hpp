#pragma once
#include <string>
#include <vector>

#include "model/task_definition.hpp"

namespace bayplan::capacity {

/// A value that says how much of something, and cannot be read so.
struct Uncountable {
  text::Value at;
  std::string message;
  std::string help;
};

/// Sizes and GPUs of a task definition that `requirement_of` would count as nothing: below zero, fractions, words. What
/// holds a placeholder is not among them. ECS refuses all of these, so they get here only if lint was disabled.
std::vector<Uncountable> uncountable_sizes(const model::TaskDefinition& task);

/// Values under `needs` of a config or scenario that `bind_needs` would pass over. Its schema has been run.
std::vector<Uncountable> uncountable_needs(text::Value needs);

}  // namespace bayplan::capacity
