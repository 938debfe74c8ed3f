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
constexpr std::array<std::string_view, 6> kClusterTypes{"aws_autoscaling_group", "aws_default_subnet",
                                                        "aws_instance",          "aws_launch_configuration",
                                                        "aws_launch_template",   "aws_subnet"};

/// Resources of other services that start tasks, and the attribute in which they name the task definition.
struct Starter {
  std::string_view type, attribute;
};
constexpr std::array<Starter, 4> kStarters{{{"aws_cloudwatch_event_target", "ecs_target"},
                                            {"aws_scheduler_schedule", "target"},
                                            {"aws_sfn_state_machine", ""},
                                            {"aws_batch_job_definition", ""}}};

/// Resources that services and capacity providers refer to, and what of them rules compare.
struct Compared {
  std::string_view type, attribute;
};
constexpr std::array<Compared, 4> kCompared{{{"aws_lb_target_group", "target_type"},
                                             {"aws_alb_target_group", "target_type"},
                                             {"aws_autoscaling_group", "protect_from_scale_in"},
                                             {"aws_service_discovery_service", "dns_config"}}};

/// A member of a member of ...; absent when one of them is.
Value inside(Value value, std::initializer_list<std::string_view> keys) {
  for (const auto key : keys) value = value ? value.find(key) : Value();
  return value;
}

std::string_view name_part(std::string_view text) {
  return text.substr(0, text.find_first_of(".["));
}

/// The end of the index in brackets that begins at a position; the position itself without one that is closed.
std::size_t end_of_index(std::string_view text, std::size_t begin) {
  if (begin >= text.size() || text[begin] != '[') return begin;
  bool is_quoted = false;
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (is_quoted && text[i] == '\\') ++i;
    if (!is_quoted && text[i] == ']') return i + 1;
  }
  return begin;
}

/// The end of a part of an address that begins at a position: a name with its index.
std::size_t end_of_step(std::string_view text, std::size_t begin) {
  return end_of_index(text, begin + name_part(text.substr(begin)).size());
}

/// "0" of "[0]", "blue" of `["blue"]`; empty for none, and for "[*]", which means all.
std::string_view index_between(std::string_view text, std::size_t begin, std::size_t end) {
  auto index = begin < end ? text.substr(begin + 1, end - begin - 2) : std::string_view();
  if (index.size() > 1 && index.starts_with('"')) index = index.substr(1, index.size() - 2);
  return index == "*" ? std::string_view() : index;
}

/// The address of the resource at the beginning of a reference, "module.app.aws_subnet.p[0]" of
/// "module.app.aws_subnet.p[0].id"; empty for anything else.
std::string_view resource_of_reference(std::string_view reference) {
  constexpr std::string_view kModule = "module.";
  std::size_t type = 0;
  while (reference.substr(type).starts_with(kModule))
    type = std::min(end_of_step(reference, type + kModule.size()) + 1, reference.size());
  const auto name = reference.find('.', type);
  if (!reference.substr(type).starts_with("aws_") || name == std::string_view::npos) return {};
  return reference.substr(0, end_of_step(reference, name + 1));
}

/// The index at the end of an address or of the path of a module; empty without one.
std::string last_index(std::string_view address) {
  if (address.ends_with('.')) address.remove_suffix(1);
  std::size_t begin = 0;
  std::size_t end = 0;
  for (std::size_t at = 0; at < address.size(); at = end + 1) {
    begin = at + name_part(address.substr(at)).size();
    end = end_of_step(address, at);
  }
  return std::string(index_between(address, begin, end));
}

/// A module with its configuration, which its other instances share.
struct Module {
  Value configuration;
  std::string path;  ///< "" or `module.app["a"].`: the prefix of the addresses inside.
  const Module* caller = nullptr;
  std::string_view name;  ///< Name of the call.
};

void add_once(std::vector<std::string>& list, std::string one) {
  if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(std::move(one));
}

/// Finds the resources that an expression leads to, through variables and outputs of modules.
class References {
 public:
  /// `index`: of the resource that has the expression; empty without count and for_each.
  std::vector<std::string> of(const Module& module, Value expression, std::string_view index) && {
    follow(module, expression, index);
    return std::move(found_);
  }
  /// Does the same for all expressions in blocks and lists of them.
  std::vector<std::string> inside(const Module& module, Value expression, std::string_view index) && {
    visit(module, expression, index);
    return std::move(found_);
  }

 private:
  static constexpr int kMaxSteps = 100;  ///< Outputs and variables may go in circles in a text that never ran.

  void visit(const Module& module, Value expression, std::string_view index) {
    if (!expression || ++steps_ > kMaxSteps) return;
    if (expression.is_object() && expression.find("references")) return follow(module, expression, index);
    for (const Value part : expression.children()) visit(module, part, index);
  }

  /// A plan lists "p[0].id" with each part of it after it, "p[0]" and "p", which would mean every one. An index that is
  /// an expression is a reference of its own: `p[each.key].id` is "p", then "each.key".
  void follow(const Module& module, Value expression, std::string_view index) {
    if (!expression || ++steps_ > kMaxSteps) return;
    const Value list = expression.find("references");
    if (!list || !list.is_array()) return;
    std::string_view whole;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto reference = list.at(i).text();
      const bool is_part = whole.size() > reference.size() && whole.starts_with(reference) &&
                           (whole[reference.size()] == '.' || whole[reference.size()] == '[');
      whole = reference;
      if (is_part) continue;
      const auto next = i + 1 < list.size() ? list.at(i + 1).text() : std::string_view();
      follow(module, reference, next == "each.key" || next == "count.index" ? index : std::string_view());
    }
  }

  /// `own_index`: the index of the resource that is meant unless the reference says more than its name.
  void follow(const Module& module, std::string_view reference, std::string_view own_index) {
    if (reference.starts_with("aws_")) {
      const auto resource = resource_of_reference(reference);
      if (resource.empty()) return;
      const bool has_index = resource.ends_with(']') || resource.size() < reference.size() || own_index.empty();
      add_once(found_, module.path + std::string(resource) + (has_index ? "" : "[" + std::string(own_index) + "]"));
    } else if (reference.starts_with("var.") && module.caller != nullptr) {
      const Value call = importers::inside(module.caller->configuration, {"module_calls", module.name});
      const auto index_of_module = last_index(module.path);
      follow(*module.caller, importers::inside(call, {"expressions", name_part(reference.substr(4))}), index_of_module);
    } else if (reference.starts_with("module.")) {
      follow_output(module, reference.substr(7));
    }
  }

  void follow_output(const Module& module, std::string_view rest) {
    const auto name = name_part(rest);
    const auto step = rest.substr(0, end_of_step(rest, 0));
    rest.remove_prefix(step.size());
    if (!rest.starts_with('.')) return;
    const Module called{importers::inside(module.configuration, {"module_calls", name, "module"}),
                        module.path + "module." + std::string(step) + ".", &module, name};
    follow(called, importers::inside(called.configuration, {"outputs", name_part(rest.substr(1)), "expression"}), {});
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
      const std::string address(text_of(child, "address"));
      const auto plain = without_indices(address);
      const auto at = plain.rfind("module.");
      const std::string name = at == std::string::npos ? plain : plain.substr(at + 7);
      const Module called{inside(configured.configuration, {"module_calls", name, "module"}), address + ".",
                          &configured, name};
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
      resource.definitions = References().of(module, resource.expressions.find("task_definition"), resource.index);
      for (const auto& [type, attribute] : kStarters) {
        if (type == resource.type && !attribute.empty())
          resource.definitions = References().inside(module, resource.expressions.find(attribute), resource.index);
      }
      std::erase_if(resource.definitions,
                    [](const auto& address) { return address.find(kTaskDefinition) == std::string::npos; });
      return;
    }
    for (const Value expression : resource.expressions.children())
      resource.references.emplace(expression.key(), References().inside(module, expression, resource.index));
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

/// Adds the addresses of the resources that an expression refers to: "aws_subnet.a" of `aws_subnet.a.id`. A name
/// without an attribute is ignored: it is the rest of an expression that was cut off in `words`.
void add_resources(std::string_view words, std::vector<std::string>& found) {
  const auto is_of_name = [&](std::size_t i) {
    const char c = words[i];
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
  };
  for (std::size_t begin = 0; begin < words.size();) {
    std::size_t end = begin;
    while (end < words.size() && (is_of_name(end) || end_of_index(words, end) > end))
      end = is_of_name(end) ? end + 1 : end_of_index(words, end);
    const auto reference = words.substr(begin, end - begin);
    const auto resource = resource_of_reference(reference);
    if (!resource.empty() && resource.size() < reference.size()) add_once(found, std::string(resource));
    begin = std::max(end, begin + 1);
  }
}

void add_resources(Value value, std::vector<std::string>& found) {
  if (value.is_object() || value.is_array()) {
    for (const Value child : value.children()) add_resources(child, found);
    return;
  }
  const auto text = value.text();
  if (value.kind() == text::Kind::kPlaceholder) return add_resources(text, found);
  for (auto at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 2))
    add_resources(text.substr(at + 2, text.find('}', at) - at - 2), found);
}

/// The task definitions that a resource of code refers to.
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
  auto found = holder && holder.is_object() ? resources_in_code(holder.find(attribute)) : std::vector<std::string>();
  std::erase_if(found, [](const auto& address) { return address.find(kTaskDefinition) == std::string::npos; });
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
    const bool is_wanted = reading == Reading::kEcs
                               ? is_ecs_resource(result.type) || !compared_attribute(result.type).empty()
                               : is_cluster_resource(result.type);
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

}  // namespace

bool TerraformResource::may_set(std::string_view attribute) const {
  return !expressions || static_cast<bool>(expressions.find(attribute));
}

std::string without_indices(std::string_view address) {
  std::string result;
  for (std::size_t i = 0; i < address.size();) {
    const auto end = end_of_index(address, i);
    if (end == i) result += address[i];
    i = std::max(end, i + 1);
  }
  return result;
}

bool is_of_code(Value value) {
  return value && value.document().format() == text::Format::kHcl;
}

bool is_meant(std::string_view reference, const TerraformResource& resource) {
  const std::string_view address = resource.address;
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < reference.size() || k < address.size()) {
    const auto index_end = end_of_index(reference, i);
    const auto own_end = end_of_index(address, k);
    if (index_end > i || own_end > k) {
      const auto index = index_between(reference, i, index_end);
      const auto own = index_between(address, k, own_end);
      // If the number of instances is unknown, the code has one resource without an index.
      if (!index.empty() && !own.empty() && index != own) return false;
      i = index_end;
      k = own_end;
    } else if (i < reference.size() && k < address.size() && reference[i] == address[k]) {
      ++i;
      ++k;
    } else {
      return false;
    }
  }
  return true;
}

std::vector<std::string> resources_in_code(Value value) {
  std::vector<std::string> found;
  if (value) add_resources(value, found);
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

std::string_view compared_attribute(std::string_view type) {
  const auto found =
      std::find_if(kCompared.begin(), kCompared.end(), [&](const Compared& one) { return one.type == type; });
  return found == kCompared.end() ? std::string_view() : found->attribute;
}

bool is_cluster_resource(std::string_view type) {
  return type.starts_with("aws_ecs_") ||
         std::find(kClusterTypes.begin(), kClusterTypes.end(), type) != kClusterTypes.end();
}

}  // namespace bayplan::importers
