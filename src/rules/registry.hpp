#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/context.hpp"
#include "rules/emitter.hpp"
#include "rules/service/service_context.hpp"

namespace bayplan::rules {

/// What a rule reads. It runs on every file, or part of a file, that has this.
enum class Scope : std::uint8_t {
  kText,            ///< The text itself: syntax, encoding, nesting. This stays true whatever the text holds.
  kShape,           ///< The values and the schema, whichever kind of file it is.
  kTaskDefinition,  ///< A task definition, or container definitions alone.
  kService,         ///< One service or RunTask call.
  kProvider,        ///< One capacity provider.
  kCluster,         ///< A cluster, or its capacity providers.
};

/// What is particular about a rule; nothing for most of them.
struct Traits {
  /// Runs on a skeleton of the AWS CLI with nothing filled in, on which rules of the text run alone.
  bool on_skeletons = false;
  /// Runs on a service that ECS returned, which it has accepted: the other rules of services report refusals.
  bool on_answers = false;
  /// Speaks of the written words alone, so that an error stays one whatever the statements of a template make of them.
  bool holds_in_templates = false;
  /// Is wrong about templates: two branches of which one is rendered may hold the same key.
  bool dropped_in_templates = false;
  /// The AWS CLI itself refuses this before ECS is asked, because of the text or the API model.
  bool seen_by_client = false;
  /// The only rules for an answer of ECS: it was not written by hand.
  bool about_answers = false;
  /// A warning in a file, because no refusal was seen, and yet refused in a call: the API reference is clear.
  bool refused_in_calls = false;
  /// An error on Fargate that another setting of the platform resolves: the containers run as before.
  bool mended_on_fargate = false;
  /// Warns that a launch type does not support a setting: the task would run without what it asks for.
  bool loses_setting = false;
  /// Compares the needs of a config or a scenario with instance types.
  bool reads_needs = false;
  /// The option that selects the rule, which is off by default.
  bool Options::*asked_by = nullptr;
  /// Codes of rules whose finding in the same definition is the cause of this one, wherever it is: what follows from a
  /// reported cause is not reported. It is transitive: a cause may follow from another one itself.
  std::array<std::string_view, 4> follows_from = {};
};

/// Detection of one fault. Words, severity and what it supersedes are in data/rules.json under the same code.
struct Rule {
  using Check = void (*)(const Context& ctx, Emitter& emit);
  using ServiceCheck = void (*)(const ServiceContext& ctx, Emitter& emit);

  constexpr Rule(std::string_view name, Scope reads, Check of_file, Traits particular = {})
      : code(name), scope(reads), check(of_file), traits(particular) {}
  constexpr Rule(std::string_view name, Scope reads, ServiceCheck of_service, Traits particular = {})
      : code(name), scope(reads), check_service(of_service), traits(particular) {}

  std::string_view code;
  Scope scope;
  Check check = nullptr;                 ///< Checks one file or a part of it.
  ServiceCheck check_service = nullptr;  ///< Checks one service or RunTask call, in place of `check`.
  Traits traits;
};

/// Every rule, in code order: the tables of all topics.
std::span<const Rule> registry();

/// The rule of an existing code.
const Rule& rule_of(std::string_view code);

/// Every rule that the rule of `code` follows from, directly or through others.
const std::vector<std::string_view>& causes_of(std::string_view code);

/// Codes of the rules that `has` holds for, in code order.
template <class Has>
std::vector<std::string> codes_where(Has has) {
  std::vector<std::string> codes;
  for (const auto& rule : registry()) {
    if (has(rule)) codes.emplace_back(rule.code);
  }
  return codes;
}

}  // namespace bayplan::rules
