#include "importers/hcl_module.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <utility>

#include <fmt/core.h>

#include "base/path_sandbox.hpp"
#include "base/strings.hpp"
#include "importers/hcl_functions.hpp"
#include "importers/published_modules.hpp"
#include "importers/terraform.hpp"
#include "text/encoding.hpp"
#include "text/location.hpp"

namespace bayplan::importers {
namespace {

using text::HclAttribute;
using text::HclBlock;
using text::HclBody;
using text::HclExpression;
using text::HclTemplatePart;
using ExpressionKind = HclExpression::Kind;
using Kind = HclValue::Kind;

constexpr std::size_t kMostElements = 10'000;
constexpr std::size_t kMostInstances = 100;
constexpr std::uint32_t kDeepest = 120;  ///< Nested values and references; each takes several calls.

/// A value at a place, unless it has one already; what is written in another file is reached through this one.
HclValuePtr placed(HclValuePtr value, HclPlace place) {
  const bool is_there = value->place.is_known();
  if (is_there && (value->place.file == place.file || value->via.file == place.file)) return value;
  auto copy = std::make_shared<HclValue>(*value);
  (is_there ? copy->via : copy->place) = place;
  return copy;
}

/// A value that says "not set" in the defaults of many modules, whose callers set it.
bool is_empty_default(const HclValue& value) {
  if (value.is(Kind::kNull)) return true;
  if (value.is(Kind::kString)) return value.text.empty();
  return (value.is(Kind::kList) || value.is(Kind::kObject)) && value.members.empty();
}

bool is_chain(const HclExpression& expression) {
  return expression.kind == ExpressionKind::kAttribute || expression.kind == ExpressionKind::kIndex;
}

bool is_file_of_values(std::string_view name) {
  return name.ends_with(".tfvars") || name.ends_with(".tfvars.json");
}

/// The files of values in folders below that hold no code of their own: env/prod.tfvars, env/prod/terraform.tfvars.
void find_values_below(const Files& files, const std::string& folder, const std::vector<std::string>& names, int levels,
                       std::vector<std::string>& found) {
  constexpr std::size_t kMostFiles = 50;
  for (const auto& name : names) {
    const std::string inner = path_in(folder, name);
    if (name.starts_with('.') || found.size() >= kMostFiles || !files.is_folder(inner)) continue;
    const auto inside = files.list(inner);
    if (!inside || std::any_of(inside->begin(), inside->end(), is_terraform_module_file)) continue;
    for (const auto& file : *inside) {
      if (is_file_of_values(file)) found.push_back(path_in(inner, file));
    }
    if (levels > 1) find_values_below(files, inner, *inside, levels - 1, found);
  }
}

/// Whether a quotient is the expression or a part of it.
bool divides(const text::HclExpression& expression) {
  return (expression.kind == text::HclExpression::Kind::kBinary && expression.text == "/") ||
         std::any_of(expression.children.begin(), expression.children.end(), divides);
}

}  // namespace

std::string_view type_of_block(const HclBlock& block) {
  return block.type == "dynamic" && block.labels.size() == 1 ? std::string_view(block.labels[0]) : block.type;
}

std::optional<std::string> source_of_call(const HclBlock& call) {
  const HclAttribute* source = call.body.find("source");
  if (source == nullptr || source->value.kind != ExpressionKind::kTemplate) return std::nullopt;
  std::string text;
  for (const auto& part : source->value.parts) {
    if (part.kind != HclTemplatePart::Kind::kText) return std::nullopt;
    text += part.text;
  }
  return text;
}

std::string text_in_call(const HclBlock& call, std::string_view argument) {
  const HclAttribute* found = call.body.find(argument);
  const bool is_text =
      found != nullptr && found->value.parts.size() == 1 && found->value.parts[0].kind == HclTemplatePart::Kind::kText;
  return is_text ? found->value.parts[0].text : std::string();
}

std::optional<std::string> local_source_of_call(const HclBlock& call) {
  auto source = source_of_call(call);
  if (!source || !(source->starts_with("./") || source->starts_with("../"))) return std::nullopt;
  while (source->starts_with("./")) source->erase(0, 2);
  return source;
}

// Reading.

std::uint32_t HclConfiguration::add_source(HclSource source) {
  sources_.push_back(std::make_shared<const HclSource>(std::move(source)));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

const HclModuleCode& HclConfiguration::load_root(const std::string& folder, const HclInputs& inputs) {
  root_folder_ = folder;
  HclModuleCode& code = codes_[folder];
  code.folder = folder;
  const auto parsed = load_folder_(folder);
  add_folder(code, parsed);
  faults_.resize(sources_.size());
  const bool has_var_files = inputs.given != nullptr && !inputs.given->files.empty();
  if (files_ != nullptr) read_values(code, parsed->names, has_var_files);
  if (inputs.given != nullptr) take_given(code, *inputs.given);
  for (const auto& name : inputs.set_by_callers) code.given[name] = unknown_value("var." + name);
  return code;
}

const HclModuleCode* HclConfiguration::load(const std::string& folder) {
  const auto known = codes_.find(folder);
  if (known != codes_.end()) return &known->second;
  constexpr std::size_t kMostModules = 100;
  if (files_ == nullptr || codes_.size() >= kMostModules || !files_->is_folder(folder)) return nullptr;
  HclModuleCode& code = codes_[folder];
  code.folder = folder;
  add_folder(code, load_folder_(folder));
  return &code;
}

void HclConfiguration::add_folder(HclModuleCode& code, const std::shared_ptr<const HclFolder>& folder) {
  std::vector<std::uint32_t> overriding;
  for (const HclSource& source : folder->code) {
    const auto file = static_cast<std::uint32_t>(sources_.size());
    sources_.emplace_back(folder, &source);
    code.files.push_back(file);
    if (is_override_file(source.name))
      overriding.push_back(file);
    else
      add_file(code, file);
  }
  for (const std::uint32_t file : overriding) override_code(code, file);
}

/// Locals are replaced. What is merged of other blocks is unknown: which arguments a block keeps depends on its kind.
void HclConfiguration::override_code(HclModuleCode& code, std::uint32_t file) {
  for (const HclBlock& block : sources_[file]->file.body.blocks) {
    const auto& labels = block.labels;
    if (block.type == "locals") {
      for (const auto& attribute : block.body.attributes)
        code.locals.insert_or_assign(attribute.name, HclDeclared<HclAttribute>{file, &attribute});
    } else if (block.type == "resource" && labels.size() == 2) {
      auto& names = code.overridden[labels[0] + "." + labels[1]];
      for (const auto& attribute : block.body.attributes) names.insert(attribute.name);
      for (const auto& inner : block.body.blocks) names.insert(std::string(type_of_block(inner)));
    } else if (block.type == "data" && labels.size() == 2) {
      code.data.erase(labels[0] + "." + labels[1]);
    } else if (labels.size() == 1) {
      if (block.type == "variable") code.variables.erase(labels[0]);
      if (block.type == "output") code.outputs.erase(labels[0]);
      if (block.type == "module") code.calls.erase(labels[0]);
    }
  }
}

void HclConfiguration::add_file(HclModuleCode& code, std::uint32_t file) {
  for (const HclBlock& block : sources_[file]->file.body.blocks) {
    const auto& labels = block.labels;
    if (block.type == "locals") {
      for (const auto& attribute : block.body.attributes)
        code.locals.try_emplace(attribute.name, HclDeclared<HclAttribute>{file, &attribute});
    } else if (labels.size() == 1) {
      auto* const kind = block.type == "variable" ? &code.variables
                         : block.type == "output" ? &code.outputs
                         : block.type == "module" ? &code.calls
                                                  : nullptr;
      if (kind != nullptr) kind->try_emplace(labels[0], HclDeclared<HclBlock>{file, &block});
    } else if (labels.size() == 2 && (block.type == "resource" || block.type == "data")) {
      auto& kind = block.type == "data" ? code.data : code.resources;
      kind.try_emplace(labels[0] + "." + labels[1], HclDeclared<HclBlock>{file, &block});
    }
  }
}

std::optional<std::uint32_t> HclConfiguration::read_file_of_values(const std::string& path) {
  auto bytes = files_->read(path, limits_.definition_bytes);
  if (!bytes) return std::nullopt;
  return add_source(parse_hcl(path, std::move(*bytes), limits_));
}

/// terraform.tfvars, terraform.tfvars.json, then `*.auto.tfvars` and `*.auto.tfvars.json` in the order of their names;
/// the last one counts (language documentation, values/variables). What another file of values sets is unknown, unless
/// the user names such files: Terraform reads them only with -var-file.
void HclConfiguration::read_values(HclModuleCode& code, const std::vector<std::string>& names, bool has_var_files) {
  std::vector<std::string> wanted;
  for (const std::string_view name : {"terraform.tfvars", "terraform.tfvars.json"}) {
    if (std::binary_search(names.begin(), names.end(), name)) wanted.emplace_back(name);
  }
  std::vector<std::string> others;
  for (const auto& name : names) {
    if (!is_file_of_values(name) || name == "terraform.tfvars" || name == "terraform.tfvars.json") continue;
    if (name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json")) {
      wanted.push_back(name);
    } else {
      others.push_back(path_in(code.folder, name));
    }
  }
  std::set<std::string, std::less<>> elsewhere;
  if (!has_var_files && files_ != nullptr) {
    constexpr int kLevels = 2;
    find_values_below(*files_, code.folder, names, kLevels, others);
    for (const auto& path : others) {
      const auto file = read_file_of_values(path);
      if (!file) continue;
      for (const auto& attribute : sources_[*file]->file.body.attributes) elsewhere.insert(attribute.name);
    }
  }
  for (const auto& name : wanted) {
    const auto file = read_file_of_values(path_in(code.folder, name));
    if (!file) continue;
    const HclScope scope{.file = *file};
    for (const auto& attribute : sources_[*file]->file.body.attributes)
      code.given[attribute.name] = evaluate(attribute.value, scope);
  }
  for (const auto& name : elsewhere) code.given[name] = unknown_value("var." + name);
}

Error HclConfiguration::error_at(std::uint32_t file, Span span, std::string message, std::string help) const {
  const HclSource& source = *sources_[file];
  const auto place = text::LineIndex(*source.text).location(span.begin);
  const bool is_of_folder = file < faults_.size();  // Other sources have paths as names.
  return {std::move(message), is_of_folder ? path_in(root_folder_, source.name) : source.name, place.line, place.column,
          std::move(help)};
}

/// The value of a text on Terraform's command line; null if it is not an expression without references.
HclValuePtr HclConfiguration::value_on_command_line(const HclBlock& variable, const std::string& text) {
  const HclAttribute* type = variable.body.find("type");
  if (is_literal_type(type == nullptr ? nullptr : &type->value)) return string_value(text);
  const std::uint32_t file = add_source(parse_hcl({}, "value = " + text, limits_));
  const text::HclFile& parsed = sources_[file]->file;
  if (!parsed.faults.empty() || parsed.body.attributes.size() != 1 || !parsed.body.blocks.empty()) return nullptr;
  HclValuePtr value = evaluate(parsed.body.attributes[0].value, {.file = file});
  return is_all_known(*value) ? value : nullptr;
}

/// The user's values win over those of files that Terraform reads by itself; single values over files.
void HclConfiguration::take_given(HclModuleCode& code, const GivenVariables& given) {
  for (const auto& source : given.files) {
    sources_.push_back(source);
    const HclScope scope{.file = static_cast<std::uint32_t>(sources_.size() - 1)};
    for (const auto& attribute : source->file.body.attributes)
      code.given[attribute.name] = evaluate(attribute.value, scope);
  }
  for (const auto& [name, text] : given.texts) {
    const auto declared = code.variables.find(name);
    if (declared == code.variables.end()) continue;
    HclValuePtr value = value_on_command_line(*declared->second.node, text);
    code.given[name] = value ? std::move(value) : unknown_value("var." + name);
  }
}

VariableUse HclConfiguration::use_of(const GivenVariables& given, HclModule& root) {
  VariableUse use;
  std::map<std::string, std::string, std::less<>> names;  // with what is said of each before the reason
  for (const auto& source : given.files) {
    for (const auto& attribute : source->file.body.attributes)
      names.insert_or_assign(attribute.name, fmt::format("value of variable \"{}\"", attribute.name));
  }
  for (const auto& [name, text] : given.texts) names.insert_or_assign(name, fmt::format("--var {}={}", name, text));
  for (const auto& named : names) {
    const auto& name = named.first;
    const auto& what = named.second;
    const auto declared = root.code.variables.find(name);
    if (declared == root.code.variables.end()) continue;
    use.declared.insert(name);
    const auto& file = declared->second.file;
    const auto* block = declared->second.node;
    const HclValuePtr& value = root.code.given.at(name);
    const HclAttribute* type = block->body.find("type");
    const bool is_of_file = value->place.is_known() && !given.texts.contains(name);
    const auto refuse = [&](const std::string& why, Span declaration, const std::string& help) {
      use.refused.push_back(is_of_file ? error_at(value->place.file, value->place.span, what + ": " + why, help)
                                       : error_at(file, declaration, what + ": " + why, help));
    };
    if (!is_all_known(*value)) {
      refuse("references and calls are not allowed in values of variables", block->header, "write a literal value");
      continue;
    }
    if (type != nullptr) {
      const std::string why = why_not_of_type(*value, type->value);
      const std::string_view text = *sources_[file]->text;
      const Span span = type->value.span;
      if (!why.empty())
        refuse(why, block->header, fmt::format("type of the variable: {}", text.substr(span.begin, span.length())));
      if (!why.empty()) continue;
    }
    const HclScope scope{.module = &root, .file = file};
    for (const HclBlock& validation : block->body.blocks) {
      const HclAttribute* condition = validation.type == "validation" ? validation.body.find("condition") : nullptr;
      if (condition == nullptr || boolean_of(*evaluate(condition->value, scope)) != false) continue;
      const HclAttribute* message = validation.body.find("error_message");
      const auto words = message != nullptr ? text_of(*evaluate(message->value, scope)) : std::nullopt;
      refuse("rejected by its validation rule", condition->value.span, words.value_or(""));
    }
  }
  return use;
}

/// The path that `relative` names from a folder, if it lies in the folder that is read.
std::optional<std::string> HclConfiguration::path_inside(const std::string& folder, std::string_view relative) const {
  if (files_ == nullptr || relative.empty() || relative.starts_with('/')) return std::nullopt;
  while (relative.starts_with("./")) relative.remove_prefix(2);
  const std::string path = path_in(folder, relative);
  if (!files_->exists(path)) return std::nullopt;
  const std::string root = files_->absolute(sandbox_);
  const std::string absolute = files_->absolute(path);
  const bool is_inside = absolute == root || absolute.starts_with(root == "/" ? root : root + "/");
  return is_inside ? std::optional(path) : std::nullopt;
}

/// The code of a folder, or our description of a published module; null when neither is known.
const HclModuleCode* HclConfiguration::code_of_call(const HclModule& caller, const HclBlock& call) {
  constexpr std::size_t kDeepestModules = 10;
  const bool is_deep =
      std::count(caller.prefix.begin(), caller.prefix.end(), '.') > static_cast<std::ptrdiff_t>(2 * kDeepestModules);
  if (is_deep) return nullptr;
  if (const auto local = local_source_of_call(call)) {
    const auto folder = path_inside(caller.code.folder, *local);
    return folder && *folder != caller.code.folder ? load(*folder) : nullptr;
  }
  const auto source = source_of_call(call);
  const PublishedModule published =
      source ? find_published_module(*source, text_in_call(call, "version")) : PublishedModule();
  if (!published.folder) return nullptr;
  const auto [entry, is_new] = codes_.try_emplace(published.name);
  HclModuleCode& code = entry->second;
  if (is_new) {
    code.folder = published.name;
    code.is_published = true;
    add_folder(code, published.folder);
  }
  return &code;
}

HclModule* HclConfiguration::called_module(HclModule& caller, std::string_view name, const HclDeclared<HclBlock>& call,
                                           const HclInstance& instance) {
  const std::string key = std::string(name) + instance.index;
  const auto known = caller.children.find(key);
  if (known != caller.children.end()) return known->second.get();
  const HclModuleCode* code = code_of_call(caller, *call.node);
  if (code == nullptr) return nullptr;
  auto module = std::make_unique<HclModule>(HclModule{*code, caller.prefix + "module." + key + ".", &caller});
  HclModule* const result = module.get();
  caller.children.emplace(key, std::move(module));
  const HclInstanceBindings own(instance);
  take_inputs(*result, call, {.module = &caller, .file = call.file, .bindings = &own.count});
  return result;
}

/// In the code of published modules, `inputs` is a list of objects whose members are inputs, too; later ones win.
void HclConfiguration::take_inputs(HclModule& module, const HclDeclared<HclBlock>& call, const HclScope& scope) {
  const bool is_inside = scope.module->code.is_published;
  if (module.code.is_published)
    module.shown_at = is_inside ? scope.module->shown_at : HclPlace{call.file, call.node->header};
  const HclAttribute* objects = is_inside ? call.node->body.find("inputs") : nullptr;
  if (objects != nullptr) {
    const HclValuePtr list = evaluate(objects->value, scope);
    for (const auto& object : list->members) {
      if (!object.value->is(Kind::kObject) && !object.value->is(Kind::kNull)) module.has_unknown_inputs = true;
      if (object.value->place.is_known()) module.shown_at = object.value->place;
      for (const auto& member : object.value->members) module.inputs.insert_or_assign(member.key, member.value);
    }
  }
  for (const auto& attribute : call.node->body.attributes) {
    const auto& argument = attribute.name;
    if (argument == "source" || argument == "version" || argument == "count" || argument == "for_each" ||
        argument == "providers" || argument == "depends_on" || &attribute == objects)
      continue;
    module.inputs.insert_or_assign(argument, evaluate(attribute.value, scope));
  }
}

HclInstanceBindings::HclInstanceBindings(const HclInstance& instance)
    : each{"each",
           instance.value ? object_value({{"key", {}, instance.key}, {"value", {}, instance.value}})
                          : unknown_value("each"),
           nullptr},
      count{"count",
            instance.key && !instance.value ? object_value({{"index", {}, instance.key}}) : unknown_value("count"),
            &each} {}

std::vector<HclInstance> HclConfiguration::instances(const HclBody& body, const HclScope& scope) {
  const HclAttribute* count = body.find("count");
  const HclAttribute* each = body.find("for_each");
  std::vector<HclInstance> result;
  if (count != nullptr) {
    const auto number = number_of(*evaluate(count->value, scope));
    if (!number || *number < 0 || *number > static_cast<double>(kMostInstances))
      return {{.index = "", .key = unknown_value("count.index")}};
    for (std::size_t i = 0; static_cast<double>(i) < *number; ++i)
      result.push_back({"[" + std::to_string(i) + "]", number_value(static_cast<double>(i)), {}});
    return result;
  }
  if (each == nullptr) return {{}};
  const HclValuePtr over = evaluate(each->value, scope);
  const bool is_known = (over->is(Kind::kList) || over->is(Kind::kObject)) && over->members.size() <= kMostInstances;
  if (!is_known) return {{.index = "", .key = unknown_value("each.key"), .value = unknown_value("each.value")}};
  for (const auto& member : over->members) {
    const auto key = over->is(Kind::kObject) ? std::optional(member.key) : text_of(*member.value);
    if (!key) return {{.index = "", .key = unknown_value("each.key"), .value = unknown_value("each.value")}};
    result.push_back({"[\"" + *key + "\"]", string_value(*key), member.value});
  }
  return result;
}

// Evaluating.

void HclConfiguration::fault(text::FaultKind kind, const HclScope& scope, Span span, std::string message,
                             std::string help) {
  if (scope.file >= faults_.size()) return;
  auto& faults = faults_[scope.file];
  const auto is_same = [&](const text::Fault& one) { return one.span == span && one.message == message; };
  if (std::any_of(faults.begin(), faults.end(), is_same)) return;
  faults.push_back({kind, span, std::move(message), std::move(help), {}, {}, true});
}

bool HclConfiguration::spend(std::size_t amount, const HclExpression& expression, const HclScope& scope) {
  if (amount <= left_) {
    left_ -= amount;
    return true;
  }
  if (left_ > 0)
    fault(text::FaultKind::kNotEvaluated, scope, expression.span,
          "expressions make too many values; this one and those after it are not evaluated",
          "lint its plan: terraform show -json PLAN > plan.json");
  left_ = 0;
  return false;
}

/// An unknown value, with the expression as messages quote it. Quoted text that begins with "aws_" is read as a
/// reference to that resource, so a value that is computed from a resource does not quote it. In a called module, the
/// address has the prefix of the module.
HclValuePtr HclConfiguration::unknown(const HclExpression& expression, const HclScope& scope) {
  const bool is_reference = is_chain(expression) || expression.kind == ExpressionKind::kSplat;
  if (!is_reference) {
    if (HclValuePtr variable = variable_behind(expression, scope)) return variable;
  }
  const std::string_view text = *sources_[scope.file]->text;
  std::string words = words_of_expression(text.substr(expression.span.begin, expression.span.length()));
  const bool is_of_resource = words.starts_with("aws_");
  if (is_of_resource && !is_reference) return unknown_value("expression");
  const bool is_called = scope.module != nullptr && scope.module->caller != nullptr;
  if (is_called && (is_of_resource || words.starts_with("var."))) words = scope.module->prefix + words;
  return unknown_value(std::move(words));
}

/// The first unknown variable of the root module that the value of an expression depends on; null if none.
HclValuePtr HclConfiguration::variable_behind(const HclExpression& expression, const HclScope& scope) {
  const bool is_decided_by_first =
      expression.kind == ExpressionKind::kConditional || expression.kind == ExpressionKind::kSplat ||
      expression.kind == ExpressionKind::kForTuple || expression.kind == ExpressionKind::kForObject;
  const bool is_of_all = expression.kind == ExpressionKind::kUnary || expression.kind == ExpressionKind::kBinary ||
                         expression.kind == ExpressionKind::kCall || expression.kind == ExpressionKind::kTuple;
  const std::size_t operands = is_of_all ? expression.children.size() : is_decided_by_first ? 1 : 0;
  for (std::size_t i = 0; i < operands; ++i) {
    const HclExpression& operand = expression.children[i];
    if (!is_chain(operand)) {
      if (HclValuePtr found = variable_behind(operand, scope)) return found;
      continue;
    }
    const HclValuePtr value = evaluate(operand, scope);
    if (value->is_origin && value->text.starts_with("var.")) return unknown_origin(value->text);
  }
  return nullptr;
}

HclValuePtr HclConfiguration::evaluate(const HclExpression& expression, const HclScope& scope) {
  if (depth_ >= kDeepest || !spend(1, expression, scope))
    return placed(unknown(expression, scope), {scope.file, expression.span});
  ++depth_;
  HclValuePtr value = compute(expression, scope);
  --depth_;
  if (!value) value = unknown(expression, scope);
  if (!spend(value->members.size() + value->text.size() / 64, expression, scope)) value = unknown(expression, scope);
  // The user does not see the code of a published module: its values are reported at the call.
  const bool is_published = scope.module != nullptr && scope.module->code.is_published;
  return placed(std::move(value), is_published ? scope.module->shown_at : HclPlace{scope.file, expression.span});
}

HclValuePtr HclConfiguration::compute(const HclExpression& expression, const HclScope& scope) {
  switch (expression.kind) {
    case ExpressionKind::kUnreadable:
      return unknown_value("expression");
    case ExpressionKind::kNull:
      return null_value();
    case ExpressionKind::kBoolean:
      return boolean_value(expression.text == "true");
    case ExpressionKind::kNumber: {
      const auto number = to_number(expression.text);
      return number ? number_value(*number) : nullptr;
    }
    case ExpressionKind::kTemplate: {
      const auto& parts = expression.parts;
      const bool is_value =
          parts.size() == 1 && parts[0].kind == HclTemplatePart::Kind::kValue && !expression.is_heredoc;
      if (!is_value) return string(parts, scope);
      const HclValuePtr value = evaluate(parts[0].expression[0], scope);
      // `"${100 / 3}"` is how Terraform before 0.12 writes it, which divides integers to 33.
      const bool is_fraction = value->is(Kind::kNumber) && !to_integer(value->text);
      return is_fraction && divides(parts[0].expression[0]) ? nullptr : value;
    }
    case ExpressionKind::kName:
    case ExpressionKind::kAttribute:
    case ExpressionKind::kIndex:
      return reference(expression, scope);
    case ExpressionKind::kSplatItem:
      return scope.splat_item;
    case ExpressionKind::kSplat: {
      const HclValuePtr over = evaluate(expression.children[0], scope);
      const auto item_of = [&](const HclValuePtr& item) {
        HclScope inner = scope;
        inner.splat_item = item;
        return evaluate(expression.children[1], inner);
      };
      const bool is_one_resource = over->resource && !over->resource->instance.key;
      if (over->is(Kind::kUnknown) && !is_one_resource)
        return over->is_origin ? item_of(unknown_origin(over->text + "[*]")) : nullptr;
      std::vector<HclValuePtr> elements;
      const auto add = [&](const HclValuePtr& item) { elements.push_back(item_of(item)); };
      if (over->is(Kind::kList)) {
        for (const auto& element : over->members) add(element.value);
      } else if (!over->is(Kind::kNull)) {
        add(over);
      }
      return list_value(std::move(elements));
    }
    case ExpressionKind::kCall:
      return call(expression, scope);
    case ExpressionKind::kUnary: {
      const HclValuePtr operand = evaluate(expression.children[0], scope);
      if (expression.text == "!") {
        const auto boolean = boolean_of(*operand);
        return boolean ? boolean_value(!*boolean) : nullptr;
      }
      const auto number = number_of(*operand);
      return number ? number_value(-*number) : nullptr;
    }
    case ExpressionKind::kBinary:
      return binary(expression, scope);
    case ExpressionKind::kConditional:
      return conditional(expression, scope);
    case ExpressionKind::kTuple: {
      std::vector<HclValuePtr> elements;
      for (const auto& element : expression.children) elements.push_back(evaluate(element, scope));
      return list_value(std::move(elements));
    }
    case ExpressionKind::kObject:
      return object(expression, scope);
    case ExpressionKind::kForTuple:
    case ExpressionKind::kForObject:
      return for_all(expression, scope);
  }
  return nullptr;
}

/// `var.a.b[0]`: the name that it begins with, then its steps.
HclValuePtr HclConfiguration::reference(const HclExpression& expression, const HclScope& scope) {
  std::vector<const HclExpression*> steps;
  const HclExpression* root = &expression;
  for (; is_chain(*root); root = &root->children[0]) steps.push_back(root);
  std::reverse(steps.begin(), steps.end());
  HclValuePtr value = root->kind == ExpressionKind::kName ? named(steps, *root, scope) : evaluate(*root, scope);
  for (const HclExpression* one : steps) {
    if (!value || (value->is(Kind::kUnknown) && !value->is_origin)) break;
    value = value->is_origin ? step_of_origin(*value, *one, scope) : step(*value, *one, scope);
  }
  const bool is_published = scope.module != nullptr && scope.module->code.is_published;
  const bool is_said = value && (!value->is(Kind::kUnknown) || value->is_origin || is_published);
  return is_said ? value : nullptr;
}

/// The value of the name, without the steps that were needed to find it.
HclValuePtr HclConfiguration::named(std::vector<const HclExpression*>& steps, const HclExpression& root,
                                    const HclScope& scope) {
  for (const HclBinding* one = scope.bindings; one != nullptr; one = one->outer) {
    if (one->name == root.text) return one->value;
  }
  const auto attribute = [&](std::size_t i) -> const std::string* {
    const bool is_there = i < steps.size() && steps[i]->kind == ExpressionKind::kAttribute;
    return is_there ? &steps[i]->text : nullptr;
  };
  const auto take = [&](std::size_t count) {
    steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(count));
  };
  if (scope.module == nullptr || attribute(0) == nullptr) return nullptr;
  HclModule& module = *scope.module;
  const std::string first = *attribute(0);
  if (root.text == "var") {
    take(1);
    HclValuePtr value = variable(module, first);
    const bool is_known = value && !value->is(Kind::kUnknown);
    return is_known || module.caller != nullptr ? value : unknown_origin("var." + first);
  }
  if (root.text == "local") return take(1), local(module, first, scope, root.span);
  if (root.text == "path") {
    take(1);
    return first == "module" ? string_value(module.code.folder) : nullptr;
  }
  if (root.text == "data") {
    if (attribute(1) == nullptr || attribute(2) == nullptr) return nullptr;
    const auto found = module.code.data.find(first + "." + *attribute(1));
    const bool is_template = found != module.code.data.end() && first == "template_file" && *attribute(2) == "rendered";
    return take(3), is_template ? rendered(module, found->second) : nullptr;
  }
  if (root.text == "module") {
    const auto call = module.code.calls.find(first);
    if (call == module.code.calls.end()) return nullptr;
    if (call->second.node->body.find("count") != nullptr || call->second.node->body.find("for_each") != nullptr)
      return take(1), counted_call(module, first, call->second);
    if (attribute(1) == nullptr) return nullptr;
    HclModule* const called = called_module(module, first, call->second, {});
    const std::string name = *attribute(1);
    return take(2), called != nullptr ? output(*called, name) : nullptr;
  }
  const auto resource = module.code.resources.find(root.text + "." + first);
  if (resource == module.code.resources.end()) return nullptr;
  return take(1), this->resource(module, resource->first, resource->second);
}

/// The value that a module is given, else its default. A root module is given values by whoever runs it, so a default
/// that means "no value" (null, "", [], {}) is unknown.
HclValuePtr HclConfiguration::variable(HclModule& module, const std::string& name) {
  const auto known = module.variables.find(name);
  if (known != module.variables.end()) return known->second;
  const auto declared = module.code.variables.find(name);
  const bool is_declared = declared != module.code.variables.end();
  if (module.code.is_published && module.has_unknown_inputs && !module.inputs.contains(name))
    return placed(unknown_value(module.prefix + "var." + name), module.shown_at);
  if (!is_declared && module.code.is_published) {
    const auto input = module.inputs.find(name);
    return input != module.inputs.end() ? input->second : null_value();
  }
  if (!is_declared) return nullptr;
  const HclBody& body = declared->second.node->body;
  const HclScope scope{.module = &module, .file = declared->second.file};
  const bool is_root = module.caller == nullptr;
  const auto& given = is_root ? module.code.given : module.inputs;
  const auto found = given.find(name);
  HclValuePtr value = found != given.end() ? found->second : nullptr;
  const HclAttribute* nullable = body.find("nullable");
  const bool takes_null = nullable == nullptr || nullable->value.text != "false";
  if (value && value->is(Kind::kNull) && !takes_null) value = nullptr;
  if (!value) {
    const HclAttribute* fallback = body.find("default");
    if (fallback == nullptr && module.code.is_published) return null_value();
    if (fallback == nullptr || !module.running.insert("var." + name).second) return nullptr;
    value = evaluate(fallback->value, scope);
    module.running.erase("var." + name);
    if (is_root && is_empty_default(*value)) value = nullptr;
  }
  if (const HclAttribute* type = body.find("type"); value && type != nullptr) {
    // A conversion leaves the value where it is written.
    if (HclValuePtr made = converted(value, type->value, scope)) value = std::move(made);
  }
  module.variables.emplace(name, value);
  return value;
}

/// What Terraform makes of a value for a variable of a type.
HclValuePtr HclConfiguration::converted(HclValuePtr value, const HclExpression& type, const HclScope& scope) {
  if (value->is(Kind::kUnknown) || value->is(Kind::kNull)) return value;
  const auto keep_place = [&](HclValuePtr made) {
    if (!made || made == value) return value;
    auto copy = std::make_shared<HclValue>(*made);
    copy->place = value->place;
    copy->via = value->via;
    return HclValuePtr(std::move(copy));
  };
  const auto is_collection_type = [](std::string_view name) {
    return name == "list" || name == "set" || name == "map";
  };
  if (type.kind == ExpressionKind::kName) {
    if (is_collection_type(type.text)) return with_one_element_type(std::move(value));
    const std::string function = type.text == "string"   ? "tostring"
                                 : type.text == "number" ? "tonumber"
                                 : type.text == "bool"   ? "tobool"
                                                         : "";
    return function.empty() ? value : keep_place(call_hcl_function(function, {value}));
  }
  if (type.kind != ExpressionKind::kCall || type.children.empty()) return value;
  const HclExpression& inner = type.children[0];
  if (type.text == "optional") return converted(std::move(value), inner, scope);
  const bool is_collection = value->is(Kind::kList) || value->is(Kind::kObject);
  if (!is_collection) return value;
  const bool takes_any = inner.kind == ExpressionKind::kName && inner.text == "any";
  if (is_collection_type(type.text) && takes_any) return with_one_element_type(std::move(value));
  auto copy = std::make_shared<HclValue>(*value);
  if (is_collection_type(type.text)) {
    for (auto& member : copy->members) member.value = converted(member.value, inner, scope);
    return copy;
  }
  if (type.text != "object" || inner.kind != ExpressionKind::kObject || !value->is(Kind::kObject)) return value;
  copy->members.clear();
  for (std::size_t i = 0; i + 1 < inner.children.size(); i += 2) {
    const auto key = text_of(*evaluate(inner.children[i], scope));
    if (!key) return value;
    const HclExpression& wanted = inner.children[i + 1];
    const auto member =
        std::find_if(value->members.begin(), value->members.end(), [&](const auto& one) { return one.key == *key; });
    if (member != value->members.end() && !member->value->is(Kind::kNull)) {
      copy->members.push_back({*key, member->key_place, converted(member->value, wanted, scope)});
    } else if (wanted.kind == ExpressionKind::kCall && wanted.text == "optional") {
      copy->members.push_back(
          {*key, {}, wanted.children.size() > 1 ? evaluate(wanted.children[1], scope) : null_value()});
    }
  }
  return copy;
}

HclValuePtr HclConfiguration::local(HclModule& module, const std::string& name, const HclScope& scope, Span from) {
  const auto known = module.locals.find(name);
  if (known != module.locals.end()) return known->second;
  const auto declared = module.code.locals.find(name);
  if (declared == module.code.locals.end()) return nullptr;
  if (!module.running.insert("local." + name).second) {
    fault(text::FaultKind::kHclSyntax, scope, from, fmt::format("local.{} depends on itself", name),
          "remove the reference; Terraform rejects cycles");
    return nullptr;
  }
  HclValuePtr value = evaluate(declared->second.node->value, {.module = &module, .file = declared->second.file});
  module.running.erase("local." + name);
  module.locals.emplace(name, value);
  return value;
}

HclValuePtr HclConfiguration::output(HclModule& module, const std::string& name) {
  const auto declared = module.code.outputs.find(name);
  const HclAttribute* value =
      declared == module.code.outputs.end() ? nullptr : declared->second.node->body.find("value");
  if (value == nullptr || !module.running.insert("output." + name).second) return nullptr;
  HclValuePtr result = evaluate(value->value, {.module = &module, .file = declared->second.file});
  module.running.erase("output." + name);
  return result;
}

/// The outputs of a call with `count` or `for_each`: a list of objects, or an object of them.
HclValuePtr HclConfiguration::counted_call(HclModule& module, const std::string& name,
                                           const HclDeclared<HclBlock>& call) {
  const auto known = module.counted_calls.find(name);
  if (known != module.counted_calls.end()) return known->second;
  if (!module.running.insert("module." + name).second) return nullptr;
  const bool is_list = call.node->body.find("count") != nullptr;
  std::vector<HclValue::Member> made;
  bool is_known = true;
  for (const HclInstance& instance : instances(call.node->body, {.module = &module, .file = call.file})) {
    HclModule* const called = instance.index.empty() ? nullptr : called_module(module, name, call, instance);
    is_known = is_known && called != nullptr;
    if (!is_known) break;
    std::vector<HclValue::Member> outputs;
    for (const auto& [output_name, block] : called->code.outputs) {
      HclValuePtr value = output(*called, output_name);
      outputs.push_back({output_name, {}, value ? std::move(value) : unknown_value("module." + name)});
    }
    made.push_back({is_list ? std::string() : *text_of(*instance.key), {}, object_value(std::move(outputs))});
  }
  module.running.erase("module." + name);
  HclValuePtr result;
  if (is_known)
    result =
        std::make_shared<HclValue>(HclValue{.kind = is_list ? Kind::kList : Kind::kObject, .members = std::move(made)});
  module.counted_calls.emplace(name, result);
  return result;
}

/// The value of a resource in expressions: a list with `count`, an object with `for_each`. If the number of instances
/// is unknown, one value without an index.
HclValuePtr HclConfiguration::resource(HclModule& module, const std::string& name, const HclDeclared<HclBlock>& block) {
  const auto known = module.resources.find(name);
  if (known != module.resources.end()) return known->second;
  const std::string address = module.prefix + name;
  if (!module.running.insert(name).second) return unknown_origin(address);  // Its own count refers to it.
  const HclBody& body = block.node->body;
  std::vector<HclValue::Member> made;
  bool is_one = body.find("count") == nullptr && body.find("for_each") == nullptr;
  const bool is_list = body.find("count") != nullptr;
  for (HclInstance& instance : instances(body, {.module = &module, .file = block.file})) {
    is_one = is_one || instance.index.empty();
    HclValue one{.kind = Kind::kUnknown, .text = address + instance.index, .is_origin = true};
    std::string key = is_one || is_list ? std::string() : *text_of(*instance.key);
    one.resource = std::make_shared<HclResource>(HclResource{&module, block, std::move(instance)});
    made.push_back({std::move(key), {}, std::make_shared<HclValue>(std::move(one))});
  }
  module.running.erase(name);
  HclValuePtr result = is_one ? made.front().value
                              : std::make_shared<HclValue>(HclValue{.kind = is_list ? Kind::kList : Kind::kObject,
                                                                    .members = std::move(made)});
  module.resources.emplace(name, result);
  return result;
}

/// The value of an attribute that the block of the resource sets; null if it does not, or if the value is unknown.
HclValuePtr HclConfiguration::configured(const HclResource& resource, const std::string& address,
                                         const std::string& attribute) {
  HclModule& module = *resource.module;
  const HclBlock& block = *resource.block.node;
  const HclAttribute* value = block.body.find(attribute);
  const auto overridden = module.code.overridden.find(block.labels[0] + "." + block.labels[1]);
  const bool is_overridden = overridden != module.code.overridden.end() && overridden->second.contains(attribute);
  if (value == nullptr || is_overridden) return nullptr;
  const std::string running = address + "." + attribute;
  if (!module.running.insert(running).second) return nullptr;
  const HclInstanceBindings own(resource.instance);
  HclValuePtr result = evaluate(value->value, {.module = &module, .file = resource.block.file, .bindings = &own.count});
  module.running.erase(running);
  return result->is(Kind::kUnknown) ? nullptr : result;
}

/// `data "template_file"`: its template with its variables.
HclValuePtr HclConfiguration::rendered(HclModule& module, const HclDeclared<HclBlock>& block) {
  const HclBody& body = block.node->body;
  const HclAttribute* content = body.find("template");
  if (content == nullptr || body.find("count") != nullptr || body.find("for_each") != nullptr) return nullptr;
  const HclScope scope{.module = &module, .file = block.file};
  const HclValuePtr text = evaluate(content->value, scope);
  if (!text->is(Kind::kString) || !text->is_whole) return nullptr;
  // What `file` read is the text of that file, as `templatefile` would have it.
  const bool is_of_file = text->place.is_known() && is_text_file(text->place.file);
  const std::uint32_t file = is_of_file ? text->place.file : add_source(parse_hcl_template({}, text->text, limits_));
  const auto& parts = sources_[file]->parts;
  if (!parts.faults.empty()) return nullptr;
  const HclAttribute* vars = body.find("vars");
  const HclValuePtr values = vars != nullptr ? evaluate(vars->value, scope) : object_value({});
  if (!values->is(Kind::kObject)) return nullptr;
  std::deque<HclBinding> bindings;
  for (const auto& member : values->members)
    bindings.push_back({member.key, member.value, bindings.empty() ? nullptr : &bindings.back()});
  const HclValuePtr made =
      string(parts.parts, {.file = file, .bindings = bindings.empty() ? nullptr : &bindings.back()});
  return is_of_file && made ? placed(made, text->place) : made;
}

HclValuePtr HclConfiguration::step(const HclValue& value, const HclExpression& step, const HclScope& scope) {
  std::optional<std::string> key;
  HclValuePtr index;
  if (step.kind == ExpressionKind::kAttribute) {
    key = step.text;
  } else {
    index = evaluate(step.children[1], scope);
    key = text_of(*index);
  }
  if (!key) return nullptr;
  const bool is_published = scope.module != nullptr && scope.module->code.is_published;
  if (value.is(Kind::kObject)) {
    for (const auto& member : value.members) {
      if (member.key == *key) return member.value;
    }
    return is_published ? null_value() : nullptr;
  }
  if (is_published && value.is(Kind::kNull)) return null_value();
  const auto number = index ? number_of(*index) : std::nullopt;
  const bool is_element =
      value.is(Kind::kList) && number && *number >= 0 && *number < static_cast<double>(value.members.size());
  return is_element ? value.members[static_cast<std::size_t>(*number)].value : nullptr;
}

/// An attribute or an element of an unknown resource or variable (`is_origin`): the value if the block of the resource
/// sets it, else an unknown value with the extended address.
HclValuePtr HclConfiguration::step_of_origin(const HclValue& value, const HclExpression& step, const HclScope& scope) {
  if (step.kind == ExpressionKind::kAttribute) {
    HclValuePtr known = value.resource ? configured(*value.resource, value.text, step.text) : nullptr;
    return known ? known : unknown_origin(value.text + "." + step.text);
  }
  const HclValuePtr index = evaluate(step.children[1], scope);
  const auto key = text_of(*index);
  const std::string quote = key && index->is(Kind::kString) ? "\"" : "";
  return unknown_origin(value.text + "[" + quote + key.value_or(index->text) + quote + "]");
}

HclValuePtr HclConfiguration::binary(const HclExpression& expression, const HclScope& scope) {
  const std::string& sign = expression.text;
  const HclValuePtr left = evaluate(expression.children[0], scope);
  const HclValuePtr right = evaluate(expression.children[1], scope);
  if (sign == "&&" || sign == "||") {
    const bool decisive = sign == "||";
    const auto a = boolean_of(*left);
    const auto b = boolean_of(*right);
    if (a == decisive || b == decisive) return boolean_value(decisive);
    return a && b ? boolean_value(!decisive) : nullptr;
  }
  if (sign == "==" || sign == "!=") {
    if (left->is(Kind::kUnknown) || right->is(Kind::kUnknown)) return nullptr;
    const bool with_null = left->is(Kind::kNull) || right->is(Kind::kNull);
    if (with_null) return boolean_value((left->kind == right->kind) == (sign == "=="));
    // Equal lists and maps may have types that are not.
    if (left->is(Kind::kList) || left->is(Kind::kObject)) return nullptr;
    const auto is_same = are_equal(*left, *right);
    return is_same ? boolean_value(*is_same == (sign == "==")) : nullptr;
  }
  const auto a = number_of(*left);
  const auto b = number_of(*right);
  if (!a || !b) return nullptr;
  if (sign == "<") return boolean_value(*a < *b);
  if (sign == ">") return boolean_value(*a > *b);
  if (sign == "<=") return boolean_value(*a <= *b);
  if (sign == ">=") return boolean_value(*a >= *b);
  if (sign == "+") return number_value(*a + *b);
  if (sign == "-") return number_value(*a - *b);
  if (sign == "*") return number_value(*a * *b);
  if (*b == 0) return nullptr;
  return number_value(sign == "/" ? *a / *b : std::fmod(*a, *b));
}

/// Both branches have one type: a number is a string where the other branch is one.
HclValuePtr HclConfiguration::conditional(const HclExpression& expression, const HclScope& scope) {
  const auto condition = boolean_of(*evaluate(expression.children[0], scope));
  if (!condition) return nullptr;
  HclValuePtr chosen = evaluate(expression.children[*condition ? 1 : 2], scope);
  if (!chosen->is(Kind::kNumber) && !chosen->is(Kind::kBoolean)) return chosen;
  const HclValuePtr other = evaluate(expression.children[*condition ? 2 : 1], scope);
  if (other->is(Kind::kUnknown)) return nullptr;
  return other->is(Kind::kString) ? call_hcl_function("tostring", {chosen}) : chosen;
}

HclValuePtr HclConfiguration::call(const HclExpression& expression, const HclScope& scope) {
  const std::string& name = expression.text;
  if (name == "file" || name == "templatefile") return read_text(expression, scope, name == "templatefile");
  std::vector<HclValuePtr> arguments;
  for (const auto& argument : expression.children) arguments.push_back(evaluate(argument, scope));
  if (name == "try") return !arguments.empty() && !arguments[0]->is(Kind::kUnknown) ? arguments[0] : nullptr;
  if (name == "sensitive" || name == "nonsensitive") return arguments.size() == 1 ? arguments[0] : nullptr;
  if (expression.expands && !arguments.empty()) {
    const HclValuePtr last = arguments.back();
    arguments.pop_back();
    if (!last->is(Kind::kList)) return nullptr;
    for (const auto& element : last->members) arguments.push_back(element.value);
  }
  return call_hcl_function(name, arguments);
}

/// `file(path)` and `templatefile(path, variables)`, of files in the folder that is read.
HclValuePtr HclConfiguration::read_text(const HclExpression& expression, const HclScope& scope, bool is_template) {
  if (expression.children.size() != (is_template ? 2U : 1U) || scope.module == nullptr) return nullptr;
  const auto given = text_of(*evaluate(expression.children[0], scope));
  if (!given) return nullptr;
  // A path from path.module begins with the folder of the module; others begin at the root module.
  const std::string& folder = scope.module->code.folder;
  const bool is_from_module = folder != "." && given->starts_with(folder + "/");
  const auto path =
      is_from_module ? path_inside(folder, given->substr(folder.size() + 1)) : path_inside(root_folder_, *given);
  if (!path) return nullptr;
  auto known = templates_.find(*path);
  if (known == templates_.end()) {
    auto bytes = files_->read(*path, limits_.definition_bytes);
    if (!bytes) return nullptr;
    known = templates_.emplace(*path, add_source(parse_hcl_template(*path, std::move(*bytes), limits_))).first;
  }
  const HclSource& source = *sources_[known->second];
  if (!is_template)
    return placed(string_value(*source.text), {known->second, {0, static_cast<std::uint32_t>(source.text->size())}});
  const HclValuePtr values = evaluate(expression.children[1], scope);
  if (!values->is(Kind::kObject) || !source.parts.faults.empty()) return nullptr;
  std::deque<HclBinding> bindings;
  for (const auto& member : values->members)
    bindings.push_back({member.key, member.value, bindings.empty() ? nullptr : &bindings.back()});
  const HclValuePtr text =
      string(source.parts.parts, {.file = known->second, .bindings = bindings.empty() ? nullptr : &bindings.back()});
  return text ? placed(text, {known->second, {0, static_cast<std::uint32_t>(source.text->size())}}) : nullptr;
}

HclValuePtr HclConfiguration::object(const HclExpression& expression, const HclScope& scope) {
  std::vector<HclValue::Member> members;
  for (std::size_t i = 0; i + 1 < expression.children.size(); i += 2) {
    const auto key = text_of(*evaluate(expression.children[i], scope));
    if (!key) return nullptr;
    const bool is_published = scope.module != nullptr && scope.module->code.is_published;
    members.push_back({*key, is_published ? HclPlace() : HclPlace{scope.file, expression.children[i].span},
                       evaluate(expression.children[i + 1], scope)});
  }
  return object_value(std::move(members));
}

HclValuePtr HclConfiguration::for_all(const HclExpression& expression, const HclScope& scope) {
  const bool is_object = expression.kind == ExpressionKind::kForObject;
  const std::size_t results = is_object ? 3 : 2;
  if (expression.children.size() < results) return nullptr;
  const HclValuePtr over = evaluate(expression.children[0], scope);
  const bool is_known = over->is(Kind::kList) || over->is(Kind::kObject);
  if (!is_known) return nullptr;
  if (over->members.size() > kMostElements) {
    fault(text::FaultKind::kNotEvaluated, scope, expression.span,
          fmt::format("for expression over {} elements is not evaluated; the maximum is {}", over->members.size(),
                      kMostElements),
          "lint its plan: terraform show -json PLAN > plan.json");
    return nullptr;
  }
  auto members = over->members;
  if (over->is(Kind::kObject)) {
    std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  }
  std::vector<HclValue::Member> made;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const HclValuePtr key_value =
        over->is(Kind::kObject)
            ? placed(string_value(members[i].key),
                     members[i].key_place.is_known() ? members[i].key_place : HclPlace{scope.file, expression.span})
            : number_value(static_cast<double>(i));
    const HclBinding key{expression.key_name, key_value, scope.bindings};
    const HclBinding value{expression.value_name, members[i].value,
                           expression.key_name.empty() ? scope.bindings : &key};
    const HclScope inner = scope.with(value);
    if (expression.children.size() > results) {
      const auto condition = boolean_of(*evaluate(expression.children[results], inner));
      if (!condition) return nullptr;
      if (!*condition) continue;
    }
    if (!is_object) {
      made.push_back({{}, {}, evaluate(expression.children[1], inner)});
      continue;
    }
    const auto name = text_of(*evaluate(expression.children[1], inner));
    if (!name) return nullptr;
    HclValuePtr result = evaluate(expression.children[2], inner);
    const auto same = std::find_if(made.begin(), made.end(), [&](const auto& one) { return one.key == *name; });
    if (!expression.expands) {
      if (same != made.end()) return nullptr;  // Terraform rejects it.
      made.push_back({*name, {scope.file, expression.children[1].span}, std::move(result)});
    } else if (same == made.end()) {
      made.push_back({*name, {scope.file, expression.children[1].span}, list_value({std::move(result)})});
    } else {
      auto group = std::make_shared<HclValue>(*same->value);
      group->members.push_back({{}, {}, std::move(result)});
      same->value = std::move(group);
    }
    if (!spend(made.size() / 8, expression, scope)) return nullptr;
  }
  if (is_object) return object_value(std::move(made));
  return std::make_shared<HclValue>(HclValue{.kind = Kind::kList, .members = std::move(made)});
}

namespace {

constexpr std::size_t kMostText = 4u << 20;

/// A string in the making.
struct Text {
  std::vector<HclPiece> pieces = {};
  std::size_t size = 0;
  bool is_whole = true;
  bool is_known = true;
  bool is_repeated = false;  ///< A part of it was written several times.
  bool trims_next = false;

  void add(HclPiece piece) {
    if (trims_next) {
      const auto first = piece.text.find_first_not_of(" \t\r\n");
      const std::size_t dropped = first == std::string::npos ? piece.text.size() : first;
      piece.text.erase(0, dropped);
      if (piece.is_copy) piece.span.begin += static_cast<std::uint32_t>(dropped);
      trims_next = first == std::string::npos;
    }
    if (piece.text.empty()) return;
    size += piece.text.size();
    if (size > kMostText) is_known = false;
    if (is_known) pieces.push_back(std::move(piece));
  }
  void add_value(HclPiece piece) {
    trims_next = false;
    add(std::move(piece));
  }
  void trim_end() {
    while (!pieces.empty()) {
      HclPiece& last = pieces.back();
      const auto end = last.text.find_last_not_of(" \t\r\n");
      const std::size_t kept = end == std::string::npos ? 0 : end + 1;
      if (last.is_copy) last.span.end -= static_cast<std::uint32_t>(last.text.size() - kept);
      last.text.resize(kept);
      if (kept > 0) return;
      pieces.pop_back();
    }
  }
};

}  // namespace

HclValuePtr HclConfiguration::string(const std::vector<HclTemplatePart>& parts, const HclScope& scope) {
  Text text;
  const std::function<void(const std::vector<HclTemplatePart>&, const HclScope&)> add = [&](const auto& all,
                                                                                            const HclScope& inner) {
    if (depth_ >= kDeepest) {
      text.is_known = false;
      return;
    }
    ++depth_;
    for (const HclTemplatePart& part : all) {
      if (!text.is_known) break;
      if (part.trims_before) text.trim_end();
      switch (part.kind) {
        case HclTemplatePart::Kind::kText:
          text.add({part.span, part.text, part.is_as_written});
          break;
        case HclTemplatePart::Kind::kValue: {
          const HclValuePtr value = evaluate(part.expression[0], inner);
          if (value->is(Kind::kString)) {
            text.is_whole = text.is_whole && value->is_whole;
            text.add_value({part.span, value->text, false, value->encoded});
          } else if (const auto shown = text_of(*value)) {
            text.add_value({part.span, *shown, false});
          } else {
            text.is_whole = false;
            text.add_value({part.span, placeholder_for(*value), false});
          }
          break;
        }
        case HclTemplatePart::Kind::kIf: {
          const auto condition = boolean_of(*evaluate(part.expression[0], inner));
          if (!condition) {
            text.is_known = false;
          } else {
            add(*condition ? part.inner : part.otherwise, inner);
          }
          break;
        }
        case HclTemplatePart::Kind::kFor: {
          const HclValuePtr over = evaluate(part.expression[0], inner);
          text.is_repeated = true;
          if ((!over->is(Kind::kList) && !over->is(Kind::kObject)) || over->members.size() > kMostElements) {
            text.is_known = false;
            break;
          }
          for (std::size_t i = 0; i < over->members.size() && text.is_known; ++i) {
            const auto& member = over->members[i];
            const HclBinding key{
                part.key_name,
                over->is(Kind::kObject) ? string_value(member.key) : number_value(static_cast<double>(i)),
                inner.bindings};
            const HclBinding value{part.value_name, member.value, part.key_name.empty() ? inner.bindings : &key};
            add(part.inner, inner.with(value));
          }
          break;
        }
      }
      if (part.trims_after) text.trims_next = true;
    }
    --depth_;
  };
  add(parts, scope);
  if (!text.is_known) return nullptr;
  HclValue result{.kind = Kind::kString, .is_whole = text.is_whole};
  for (const auto& piece : text.pieces) result.text += piece.text;
  if (!text.is_repeated) result.pieces = std::move(text.pieces);
  result.pieces_file = scope.file;
  return std::make_shared<HclValue>(std::move(result));
}

}  // namespace bayplan::importers
