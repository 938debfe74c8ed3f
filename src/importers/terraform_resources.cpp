#include "importers/terraform_resources.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/ascii.hpp"
#include "importers/members.hpp"

namespace bayplan::importers {
namespace {

using text::Value;

constexpr std::string_view kTaskDefinition = "aws_ecs_task_definition.";

/// What makes container instances, in addition to the resources of ECS.
constexpr std::array<std::string_view, 5> kClusterTypes{
    "aws_autoscaling_group", "aws_instance", "aws_launch_configuration", "aws_launch_template", "aws_subnet"};

/// Resources of other services that start tasks, and the attribute in which they name the task definition.
struct Starter {
  std::string_view type, attribute;
};
constexpr std::array<Starter, 4> kStarters{{{"aws_cloudwatch_event_target", "ecs_target"},
                                            {"aws_scheduler_schedule", "target"},
                                            {"aws_sfn_state_machine", ""},
                                            {"aws_batch_job_definition", ""}}};

/// A member of a member of ...; absent when one of them is.
Value inside(Value value, std::initializer_list<std::string_view> keys) {
  for (const auto key : keys) value = value ? value.find(key) : Value();
  return value;
}

std::string_view name_part(std::string_view text) {
  return text.substr(0, text.find_first_of(".["));
}

/// A module as the configuration writes it; it may have many instances.
struct Module {
  Value configuration;
  std::string path;  ///< "" or "module.app.": the prefix of the addresses inside.
  const Module* caller = nullptr;
  std::string_view name;  ///< Name of the call.
};

/// Finds the resources that an expression leads to, through variables and outputs of modules.
class References {
 public:
  std::vector<std::string> of(const Module& module, Value expression) && {
    follow(module, expression);
    return std::move(found_);
  }
  /// Does the same for all expressions in blocks and lists of them.
  std::vector<std::string> inside(const Module& module, Value expression) && {
    visit(module, expression);
    return std::move(found_);
  }

 private:
  static constexpr int kMaxSteps = 100;  ///< Outputs and variables may go in circles in a text that never ran.

  void visit(const Module& module, Value expression) {
    if (!expression || ++steps_ > kMaxSteps) return;
    if (expression.is_object() && expression.find("references")) return follow(module, expression);
    for (const Value part : expression.children()) visit(module, part);
  }

  void follow(const Module& module, Value expression) {
    if (!expression || ++steps_ > kMaxSteps) return;
    const Value references = expression.find("references");
    if (!references) return;
    for (const Value reference : references.children()) follow(module, reference.text());
  }

  void follow(const Module& module, std::string_view reference) {
    if (reference.starts_with("aws_")) {
      const auto dot = reference.find('.');
      if (dot == std::string_view::npos) return;
      const auto end = dot + 1 + name_part(reference.substr(dot + 1)).size();
      std::string address = module.path + std::string(reference.substr(0, end));
      if (std::find(found_.begin(), found_.end(), address) == found_.end()) found_.push_back(std::move(address));
    } else if (reference.starts_with("var.") && module.caller != nullptr) {
      const Value call = importers::inside(module.caller->configuration, {"module_calls", module.name});
      follow(*module.caller, importers::inside(call, {"expressions", name_part(reference.substr(4))}));
    } else if (reference.starts_with("module.")) {
      follow_output(module, reference.substr(7));
    }
  }

  void follow_output(const Module& module, std::string_view rest) {
    const auto name = name_part(rest);
    rest.remove_prefix(name.size());
    if (rest.starts_with('[')) rest.remove_prefix(std::min(rest.find(']'), rest.size() - 1) + 1);
    if (!rest.starts_with('.')) return;
    const Module called{importers::inside(module.configuration, {"module_calls", name, "module"}),
                        module.path + "module." + std::string(name) + ".", &module, name};
    follow(called, importers::inside(called.configuration, {"outputs", name_part(rest.substr(1)), "expression"}));
  }

  std::vector<std::string> found_;  ///< Listed in the order of the text, each once.
  int steps_ = 0;
};

enum class Reading : std::uint8_t { kEcs, kCluster };

/// Walks the modules of a plan or state, and adds the resources of each.
class Plan {
 public:
  Plan(Value root, Reading reading) : root_(root), reading_(reading) {
    const Value changes = root.find("resource_changes");
    if (!changes) return;
    for (const Value change : changes.children()) {
      const bool is_current = change.is_object() && !change.find("deposed");
      if (is_current) changes_.emplace(text_of(change, "address"), change.find("change"));
    }
  }

  std::vector<TerraformResource> resources() && {
    const Value planned = inside(root_, {"planned_values", "root_module"});
    is_state_ = !planned;
    const Module main{inside(root_, {"configuration", "root_module"}), "", nullptr, {}};
    add_module(planned ? planned : inside(root_, {"values", "root_module"}), main);
    if (const Value list = root_.find("resources"); list && list.is_array()) add_state_file(list);
    return std::move(found_);
  }

 private:
  void add_module(Value module, const Module& configured) {
    if (!module) return;
    if (const Value resources = module.find("resources")) {
      for (const Value resource : resources.children()) add(resource, configured);
    }
    const Value children = module.find("child_modules");
    if (!children) return;
    for (const Value child : children.children()) {
      const auto plain = without_indices(text_of(child, "address"));
      const auto at = plain.rfind("module.");
      const std::string name = at == std::string::npos ? plain : plain.substr(at + 7);
      const Module called{inside(configured.configuration, {"module_calls", name, "module"}), plain + ".", &configured,
                          name};
      add_module(child, called);
    }
  }

  void add(Value resource, const Module& module) {
    const Value values = resource.find("values");
    const auto type = text_of(resource, "type");
    if (!is_wanted(type) || text_of(resource, "mode") == "data" || !values || !values.is_object()) return;
    TerraformResource result{.address = std::string(text_of(resource, "address")),
                             .type = type,
                             .index = std::string(text_of(resource, "index")),
                             .values = values,
                             .is_deployed = is_state_};
    result.plain_address = without_indices(result.address);
    if (const auto change = changes_.find(result.address); change != changes_.end() && change->second) {
      result.unknown = change->second.find("after_unknown");
      const Value actions = change->second.find("actions");
      result.is_deployed = actions && actions.size() == 1 && actions.at(0).text() == "no-op";
    }
    result.expressions = expressions_of(module, type, text_of(resource, "name"));
    if (result.expressions) refer(module, result);
    found_.push_back(std::move(result));
  }

  bool is_wanted(std::string_view type) const {
    return reading_ == Reading::kEcs ? is_ecs_resource(type) : is_cluster_resource(type);
  }

  void refer(const Module& module, TerraformResource& resource) const {
    if (reading_ == Reading::kEcs) {
      resource.definitions = References().of(module, resource.expressions.find("task_definition"));
      for (const auto& [type, attribute] : kStarters) {
        if (type == resource.type && !attribute.empty())
          resource.definitions = References().inside(module, resource.expressions.find(attribute));
      }
      std::erase_if(resource.definitions,
                    [](const auto& address) { return address.find(kTaskDefinition) == std::string::npos; });
      return;
    }
    for (const Value expression : resource.expressions.children())
      resource.references.emplace(expression.key(), References().inside(module, expression));
  }

  static Value expressions_of(const Module& module, std::string_view type, std::string_view name) {
    const Value resources = inside(module.configuration, {"resources"});
    if (!resources) return {};
    for (const Value resource : resources.children()) {
      const bool is_it =
          text_of(resource, "type") == type && text_of(resource, "name") == name && text_of(resource, "mode") != "data";
      if (is_it) return resource.find("expressions");
    }
    return {};
  }

  /// A state file as Terraform stores it, not as it shows it.
  void add_state_file(Value resources) {
    for (const Value resource : resources.children()) {
      const auto type = text_of(resource, "type");
      const Value instances = resource.find("instances");
      if (!is_wanted(type) || text_of(resource, "mode") == "data" || !instances) continue;
      const auto module = text_of(resource, "module");
      const std::string address = std::string(module) + (module.empty() ? "" : ".") + std::string(type) + "." +
                                  std::string(text_of(resource, "name"));
      for (const Value instance : instances.children()) add_instance(instance, type, address);
    }
  }

  void add_instance(Value instance, std::string_view type, const std::string& address) {
    const Value attributes = instance.find("attributes");
    if (!attributes || !attributes.is_object()) return;
    const Value index = instance.find("index_key");
    const std::string quote = index && index.is_string() ? "\"" : "";
    found_.push_back({.address = index ? address + "[" + quote + std::string(index.text()) + quote + "]" : address,
                      .plain_address = without_indices(address),
                      .type = type,
                      .index = std::string(index ? index.text() : std::string_view()),
                      .values = attributes,
                      .is_deployed = true});
  }

  Value root_;
  Reading reading_;
  bool is_state_ = false;
  std::map<std::string_view, Value, std::less<>> changes_;
  std::vector<TerraformResource> found_;
};

}  // namespace

bool TerraformResource::may_set(std::string_view attribute) const {
  return !expressions || static_cast<bool>(expressions.find(attribute));
}

std::string without_indices(std::string_view address) {
  std::string result;
  bool is_quoted = false;
  bool is_index = false;
  for (std::size_t i = 0; i < address.size(); ++i) {
    const char c = address[i];
    if (is_quoted) {
      if (c == '\\') ++i;
      is_quoted = c != '"';
    } else if (is_index) {
      is_quoted = c == '"';
      is_index = c != ']';
    } else if (c == '[') {
      is_index = true;
    } else {
      result += c;
    }
  }
  return result;
}

bool is_of_code(Value value) {
  return value && value.document().format() == text::Format::kHcl;
}

namespace {

void add_once(std::vector<std::string>& list, std::string one) {
  if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(std::move(one));
}

/// Addresses of resources in an expression, or in the `${X}` of a text.
void add_resources(std::string_view expression, std::vector<std::string>& found) {
  const std::string text = without_indices(expression);
  const auto is_of_name = [&](std::size_t i) {
    const char c = text[i];
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
  };
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_of_name(end)) ++end;
    const std::string_view reference = std::string_view(text).substr(begin, end - begin);
    const auto type = reference.starts_with("aws_") ? 0 : reference.find(".aws_") + 1;
    const bool is_own = reference.starts_with("aws_") || (type > 0 && reference.starts_with("module."));
    const auto name = is_own ? reference.find('.', type) : std::string_view::npos;
    if (name != std::string_view::npos)
      add_once(found, std::string(reference.substr(0, std::min(reference.find('.', name + 1), reference.size()))));
    begin = std::max(end, begin + 1);
  }
}

void add_resources(Value value, std::vector<std::string>& found) {
  if (value.is_object() || value.is_array()) {
    for (const Value child : value.children()) add_resources(child, found);
  } else if (value.kind() == text::Kind::kPlaceholder || value.text().find("${") != std::string_view::npos) {
    add_resources(value.text(), found);
  }
}

/// "[0]" or `["blue"]` at the end of an address; empty without one.
std::string last_index(std::string_view address) {
  if (!address.ends_with(']')) return {};
  const auto open = address.rfind('[');
  auto index = address.substr(open + 1, address.size() - open - 2);
  if (index.size() > 1 && index.starts_with('"')) index = index.substr(1, index.size() - 2);
  return std::string(index);
}

}  // namespace

/// "aws_ecs_task_definition.web.arn" refers to the definition, also with an index or key. With the key of the resource
/// itself, "web[each.key].arn", the definition of the same key is meant.
std::vector<std::string> definitions_in_code(const TerraformResource& resource) {
  Value holder = resource.values;
  std::string_view attribute = "task_definition";
  for (const auto& [type, block] : kStarters) {
    if (type != resource.type) continue;
    holder = holder.find(block);
    if (holder && holder.is_array()) holder = holder.at(0);
    const bool is_nested = block == "target" && holder && holder.is_object();
    if (is_nested) holder = holder.find("ecs_parameters");
    if (holder && holder.is_array()) holder = holder.at(0);
    attribute = "task_definition_arn";
  }
  const Value definition = holder && holder.is_object() ? holder.find(attribute) : Value();
  if (!definition || definition.kind() != text::Kind::kPlaceholder) return {};
  const auto words = definition.text();
  if (words.find(kTaskDefinition) == std::string_view::npos) return {};
  const auto address = words.substr(0, words.rfind('.'));
  const bool has_own_key = address.ends_with("[each.key]") || address.ends_with("[count.index]");
  return {has_own_key ? without_indices(address) : std::string(address)};
}

std::vector<std::string> resources_in_code(Value value) {
  std::vector<std::string> found;
  if (value) add_resources(value, found);
  return found;
}

/// The resources of code, each a member of the root under its address (`read_terraform_code`).
std::vector<TerraformResource> resources_of_code(Value root, Reading reading) {
  std::vector<TerraformResource> found;
  for (const Value resource : root.children()) {
    TerraformResource result{.address = std::string(resource.key()), .values = resource};
    result.plain_address = without_indices(result.address);
    const std::string_view address = resource.key();
    const auto plain = std::string_view(result.plain_address);
    const auto dot = plain.rfind('.');
    const auto type_at = dot == std::string_view::npos ? dot : plain.rfind('.', dot - 1);
    const auto type = plain.substr(type_at == std::string_view::npos ? 0 : type_at + 1);
    const auto in_key = address.find(type);
    result.type = address.substr(in_key == std::string_view::npos ? 0 : in_key, type.find('.'));
    const bool is_wanted = reading == Reading::kEcs ? is_ecs_resource(result.type) : is_cluster_resource(result.type);
    if (!is_wanted || !resource.is_object()) continue;
    result.index = last_index(address);
    result.unknown_count = resource.find(kUnknownCount);
    result.definitions = definitions_in_code(result);
    if (reading == Reading::kCluster) {
      for (const Value attribute : resource.children())
        result.references.emplace(attribute.key(), resources_in_code(attribute));
    }
    found.push_back(std::move(result));
  }
  return found;
}

std::vector<TerraformResource> ecs_resources(Value root) {
  if (root && root.document().format() == text::Format::kHcl) return resources_of_code(root, Reading::kEcs);
  return root && root.is_object() ? Plan(root, Reading::kEcs).resources() : std::vector<TerraformResource>{};
}

std::vector<TerraformResource> cluster_resources(Value root) {
  if (root && root.document().format() == text::Format::kHcl) return resources_of_code(root, Reading::kCluster);
  return root && root.is_object() ? Plan(root, Reading::kCluster).resources() : std::vector<TerraformResource>{};
}

bool is_ecs_resource(std::string_view type) {
  return type.starts_with("aws_ecs_") ||
         std::any_of(kStarters.begin(), kStarters.end(), [&](const Starter& one) { return one.type == type; });
}

bool is_cluster_resource(std::string_view type) {
  return type.starts_with("aws_ecs_") ||
         std::find(kClusterTypes.begin(), kClusterTypes.end(), type) != kClusterTypes.end();
}

}  // namespace bayplan::importers
