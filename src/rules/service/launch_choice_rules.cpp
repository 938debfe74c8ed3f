// Words in place of another kind of choice: an instance type for a launch type, one role for the other.
#include <algorithm>

#include "base/strings.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

bool is_launch_type(std::string_view word) {
  return one_of({"EC2", "FARGATE", "EXTERNAL", "MANAGED_INSTANCES"}).find(word) != std::string::npos;
}

/// Whether it looks like "g4dn.xlarge" or "g4dn": the catalog is asked only then.
bool looks_like_type(std::string_view word) {
  const std::string_view family = word.substr(0, word.find('.'));
  const bool has_digit = family.find_first_of("0123456789") != std::string_view::npos;
  return has_digit && word.size() <= 24 && word.find_first_of(" _/:$") == std::string_view::npos;
}

bool is_instance_type(const Context& ctx, std::string_view word) {
  if (!looks_like_type(word)) return false;
  const std::string name = lower(word);
  const auto& types = ctx.catalog.get().types();
  return std::any_of(types.begin(), types.end(), [&](const auto& type) {
    return type.name == name || type.family() == name.substr(0, name.find('.'));
  });
}

void check_launch_type(const Context& ctx, Emitter& emit, const model::StringField& field, std::string_view instead) {
  if (!field || field.unknown() || is_launch_type(*field) || !is_instance_type(ctx, *field)) return;
  const bool is_family = field->find('.') == std::string_view::npos;
  emit.at(field)
      .says("{} is {}, not a launch type; must be EC2, FARGATE, EXTERNAL or MANAGED_INSTANCES", *field,
            is_family ? "an instance family" : "an instance type")
      .help(
          "use {} and let the capacity provider select the type, or pin it in placementConstraints: {{\"type\": "
          "\"memberOf\", \"expression\": \"attribute:ecs.instance-type {} {}\"}}",
          instead, is_family ? "=~" : "==", is_family ? lower(*field) + ".*" : lower(*field));
}

void launch_type_is_instance_type(const Context& ctx, Emitter& emit) {
  if (!ctx.sees_task()) return;
  for (const auto& item : ctx.task.requires_compatibilities) check_launch_type(ctx, emit, item, "\"EC2\"");
  check_launch_type(ctx, emit, model::string_field(ctx.root, "launchType", ctx.placeholders),
                    "\"requiresCompatibilities\": [\"EC2\"]");
}

void task_role_is_execution_role(const Context& ctx, Emitter& emit) {
  const auto& role = ctx.task.task_role_arn;
  if (!role.present() || !role.node.is_string()) return;
  // The account may still be a placeholder; the role's name says enough.
  const auto text = role.node.text();
  const auto role_name = text.substr(text.rfind('/') + 1);
  const std::string name = lower(role_name);
  if (!name.ends_with("ecstaskexecutionrole") && !name.ends_with("executionrole")) return;
  if (ctx.placeholders.find(role_name)) return;
  // One role for both is common and may be meant; two roles, or this one alone, were probably swapped.
  const auto& execution_role = ctx.task.execution_role_arn;
  if (execution_role.present() && execution_role.node.text() == text) return;
  emit.at(role)
      .says("taskRoleArn looks like an execution role; the two are often swapped")
      .help("use executionRoleArn for the role that pulls images and reads secrets");
}

}  // namespace

std::span<const Rule> launch_choice_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY467", kTaskDefinition, launch_type_is_instance_type},
      {"BAY468", kTaskDefinition, task_role_is_execution_role},
  };
  return kRules;
}

}  // namespace bayplan::rules
