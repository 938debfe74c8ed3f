// Values that a template or a pipeline has yet to fill in.
#include "importers/cloudformation_facts.hpp"
#include "model/placeholder.hpp"
#include "rules/topics.hpp"
#include "text/removal.hpp"

namespace bayplan::rules {
namespace {

void tell_placeholders(text::Value value, const Context& ctx, Emitter& emit) {
  if (ctx.placeholders.holds(value)) {
    const bool is_text = value.is_string();
    const auto found = is_text ? ctx.placeholders.find(value.text(), model::is_shell_text(value)) : std::nullopt;
    auto report = emit.at(value);
    report.says("placeholder {} is not filled in", found ? *found : text::find_source(value));
    report.help("render the template before you register the file");
    return;
  }
  for (const text::Value child : value.children()) tell_placeholders(child, ctx, emit);
}

// What a template leaves open, CloudFormation fills in.
void unresolved_placeholder(const Context& ctx, Emitter& emit) {
  if (ctx.root && ctx.client != DeployClient::kCloudFormation) tell_placeholders(ctx.root, ctx, emit);
}

// CloudFormation resolves every name before it creates anything, also in the branch of Fn::If that is not taken.
void undeclared_reference(const Context& ctx, Emitter& emit) {
  for (const auto& fact : ctx.facts) {
    if (fact.property != importers::kUndeclared) continue;
    auto report = emit.at(ctx.document.node(fact.node));
    report.says("the template has no resource or parameter {}", fact.resource);
    if (fact.value.empty())
      report.help("declare it, or refer to what another stack exports with Fn::ImportValue");
    else
      report.help("did you mean {}? Otherwise declare {}", fact.value, fact.resource);
  }
}

}  // namespace

std::span<const Rule> placeholder_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY008", kShape, unresolved_placeholder, {.holds_in_templates = true, .asked_by = &Options::strict_unknown}},
      {"BAY033", kShape, undeclared_reference},
  };
  return kRules;
}

}  // namespace bayplan::rules
