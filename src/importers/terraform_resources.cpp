#include "importers/terraform_resources.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace bayplan::importers {
namespace {

using text::Value;

constexpr std::string_view kTaskDefinition = "aws_ecs_task_definition.";

std::string_view text_of(Value object, std::string_view key) {
  const Value value = object ? object.find(key) : Value();
  return value ? value.text() : std::string_view();
}

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
  std::string path;  ///< "" or "module.app.": what stands before the addresses inside.
  const Module* caller = nullptr;
  std::string_view name;  ///< Of the call.
};

/// Finds the task definitions that an expression leads to, through variables and outputs of modules.
class References {
 public:
  std::vector<std::string> of(const Module& module, Value expression) && {
    follow(module, expression);
    return {found_.begin(), found_.end()};
  }

 private:
  static constexpr int kMostSteps = 100;  ///< Outputs and variables may go in circles in a text that nobody ran.

  void follow(const Module& module, Value expression) {
    if (!expression || ++steps_ > kMostSteps) return;
    const Value references = expression.find("references");
    if (!references) return;
    for (const Value reference : references.children()) follow(module, reference.text());
  }

  void follow(const Module& module, std::string_view reference) {
    if (reference.starts_with(kTaskDefinition)) {
      const auto name = name_part(reference.substr(kTaskDefinition.size()));
      found_.insert(module.path + std::string(kTaskDefinition) + std::string(name));
    } else if (reference.starts_with("var.") && module.caller != nullptr) {
      const Value call = inside(module.caller->configuration, {"module_calls", module.name});
      follow(*module.caller, inside(call, {"expressions", name_part(reference.substr(4))}));
    } else if (reference.starts_with("module.")) {
      follow_output(module, reference.substr(7));
    }
  }

  void follow_output(const Module& module, std::string_view rest) {
    const auto name = name_part(rest);
    rest.remove_prefix(name.size());
    if (rest.starts_with('[')) rest.remove_prefix(std::min(rest.find(']'), rest.size() - 1) + 1);
    if (!rest.starts_with('.')) return;
    const Module called{inside(module.configuration, {"module_calls", name, "module"}),
                        module.path + "module." + std::string(name) + ".", &module, name};
    follow(called, inside(called.configuration, {"outputs", name_part(rest.substr(1)), "expression"}));
  }

  std::set<std::string> found_;
  int steps_ = 0;
};

class Plan {
 public:
  explicit Plan(Value root) : root_(root) {
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
    if (!type.starts_with("aws_ecs_") || text_of(resource, "mode") == "data" || !values || !values.is_object()) return;
    TerraformResource result{.address = std::string(text_of(resource, "address")),
                             .type = type,
                             .index = resource.find("index"),
                             .values = values,
                             .is_deployed = is_state_};
    result.plain_address = without_indices(result.address);
    if (const auto change = changes_.find(result.address); change != changes_.end() && change->second) {
      result.unknown = change->second.find("after_unknown");
      const Value actions = change->second.find("actions");
      result.is_deployed = actions && actions.size() == 1 && actions.at(0).text() == "no-op";
    }
    result.expressions = expressions_of(module, type, text_of(resource, "name"));
    if (result.expressions) {
      result.definitions = References().of(module, result.expressions.find("task_definition"));
    }
    found_.push_back(std::move(result));
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
      if (!type.starts_with("aws_ecs_") || text_of(resource, "mode") == "data" || !instances) continue;
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
                      .index = index,
                      .values = attributes,
                      .is_deployed = true});
  }

  Value root_;
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

std::vector<TerraformResource> ecs_resources(Value root) {
  return root && root.is_object() ? Plan(root).resources() : std::vector<TerraformResource>{};
}

}  // namespace bayplan::importers
