#include "model/bind_document.hpp"

namespace bayplan::model {

using text::Value;

namespace {

bool is_container_list(Value list) {
  for (const Value element : list.children()) {
    if (!element.is_object() || !element.find("name") || !element.find("image")) return false;
  }
  return list.size() > 0;
}

TaskDefinition bind_container_list(Value list, const Placeholders& placeholders) {
  TaskDefinition task;
  task.node = list;
  task.container_definitions.node = list;
  for (const Value element : list.children()) {
    task.container_definitions.items.push_back(bind_container_definition(element, placeholders));
  }
  return task;
}

/// The definition that `object` is or wraps; absent when it is neither.
Value definition_in(Value object) {
  const Value inner = object.find("taskDefinition");
  if (inner && inner.is_object()) return inner;
  return object.find("containerDefinitions") ? object : Value();
}

}  // namespace

std::vector<TaskDefinition> bind_document(const text::Document& document, const Placeholders& placeholders) {
  const Value root = document.root();
  std::vector<TaskDefinition> tasks;
  if (!root) return tasks;
  if (root.is_array() && is_container_list(root)) {
    tasks.push_back(bind_container_list(root, placeholders));
    return tasks;
  }
  const auto add = [&](Value value) {
    if (const Value found = definition_in(value)) tasks.push_back(bind_task_definition(found, placeholders));
  };
  if (root.is_object()) add(root);
  if (root.is_array()) {
    for (const Value element : root.children()) add(element);
  }
  return tasks;
}

}  // namespace bayplan::model
