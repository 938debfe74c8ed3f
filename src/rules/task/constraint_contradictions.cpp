// Constraints that parse and that no container instance can meet: the task is registered and never placed.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/edit_distance.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "query/query.hpp"
#include "query/vocabulary.hpp"
#include "rules/task/constraint_worlds.hpp"
#include "rules/topics.hpp"
#include "text/part_of_string.hpp"

namespace bayplan::rules {
namespace {

using query::Operator;
using query::Predicate;

/// An attribute that has one of two values.
struct Vocabulary {
  std::string_view attribute;
  std::array<std::string_view, 2> words;
};

constexpr std::array<Vocabulary, 2> kVocabularies{
    {{"ecs.os-type", {"linux", "windows"}}, {"ecs.cpu-architecture", {"x86_64", "arm64"}}}};

bool is_unknown_own_attribute(std::string_view name) {
  if (!name.starts_with("ecs.") || name.starts_with("ecs.capability.")) return false;
  return !query::is_built_in_attribute(name);
}

bool compares_by_equality(const Predicate& predicate) {
  return predicate.operation == Operator::kEqual || predicate.operation == Operator::kIn;
}

/// One constraint and what is said of its parts.
class ConstraintReporter {
 public:
  ConstraintReporter(const ReadConstraint& constraint, Emitter& emit) : node_(constraint.node), emit_(emit) {}

  Report at(Span part) {
    ++count_;
    return emit_.at(text::part_of_string(node_, part), node_);
  }
  bool anything() const { return count_ > 0; }

 private:
  text::Value node_;
  Emitter& emit_;
  int count_ = 0;
};

void check_attribute(const Predicate& predicate, ConstraintReporter& reporter) {
  if (predicate.operation == Operator::kNotExists || !is_unknown_own_attribute(predicate.attribute)) return;
  const auto near = nearest(predicate.attribute, query::built_in_attributes());
  auto report = reporter.at(predicate.span);
  report.says("unknown built-in attribute {}; the prefix ecs. is reserved for ECS", predicate.attribute);
  if (near) report.help("did you mean {}?", *near);
}

void check_words(const Predicate& predicate, ConstraintReporter& reporter) {
  if (!compares_by_equality(predicate)) return;
  for (const auto& vocabulary : kVocabularies) {
    if (predicate.attribute != vocabulary.attribute) continue;
    for (const auto& value : predicate.values) {
      const auto& words = vocabulary.words;
      if (std::find(words.begin(), words.end(), value.text) != words.end()) continue;
      reporter.at(value.span)
          .says("invalid {} {}", predicate.attribute, json_quoted(value.text))
          .help("use {} or {}", words[0], words[1]);
    }
  }
}

void check_types(const Context& ctx, const Predicate& predicate, ConstraintReporter& reporter) {
  if (predicate.attribute != "ecs.instance-type" || !compares_by_equality(predicate)) return;
  for (const auto& value : predicate.values) {
    if (ctx.catalog.get().find(value.text) != nullptr) continue;
    auto report = reporter.at(value.span);
    if (value.text.find('*') != std::string::npos) {
      report.says("no instance type is named {}; * is a literal character with ==", json_quoted(value.text))
          .help("use attribute:ecs.instance-type =~ with a regular expression, such as g4dn\\..*");
    } else {
      report.says("unknown instance type {}", json_quoted(value.text))
          .help("check the name; ignore this if the type is newer than bayplan's data")
          .severity(Severity::kInfo);
    }
  }
}

/// Predicates that must all hold: the operands of `and`, down from the root.
void collect_conjuncts(const query::Expression& expression, const query::Node& node,
                       std::vector<const Predicate*>& conjuncts) {
  if (node.kind == query::Node::Kind::kPredicate) conjuncts.push_back(&expression.predicates()[node.predicate]);
  if (node.kind != query::Node::Kind::kAnd) return;
  for (const auto operand : node.operands) collect_conjuncts(expression, expression.nodes()[operand], conjuncts);
}

struct Demand {
  const Predicate* predicate;
  const ReadConstraint* constraint;
};

/// What is demanded of one attribute. Of demands that differ 64 are held, more than any expression that ECS takes has;
/// so a thousand of them cost a thousand times one.
class Demands {
 public:
  /// The first demand with which this one has no value in common; without such a one this is held, too.
  const Demand* add(const Demand& demand) {
    std::set<std::string_view> values;
    for (const auto& value : demand.predicate->values) values.insert(value.text);
    std::uint64_t of_any = 0;
    std::uint64_t of_all = ~std::uint64_t{0};
    for (const auto value : values) {
      const auto holders = by_value_.find(value);
      const std::uint64_t mask = holders == by_value_.end() ? 0 : holders->second;
      of_any |= mask;
      of_all &= mask;
    }
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      if ((of_any & bit) == 0) return &held_[i].demand;
      if ((of_all & bit) != 0 && held_[i].values == values.size()) return nullptr;  // the same again
    }
    hold(demand, values);
    return nullptr;
  }

 private:
  struct Held {
    Demand demand;
    std::size_t values;
  };

  void hold(const Demand& demand, const std::set<std::string_view>& values) {
    constexpr std::size_t kMost = 64;
    if (held_.size() == kMost) return;
    for (const auto value : values) by_value_[value] |= std::uint64_t{1} << held_.size();
    held_.push_back({demand, values.size()});
  }

  std::vector<Held> held_;
  std::map<std::string_view, std::uint64_t> by_value_;  ///< Which of those held take it.
};

/// Two demands on one attribute that no value meets. ECS gives an attribute one value.
bool check_equalities(const std::vector<ReadConstraint>& constraints, Emitter& emit) {
  std::map<std::string_view, Demands> demands;
  for (const auto& constraint : constraints) {
    std::vector<const Predicate*> conjuncts;
    collect_conjuncts(constraint.expression, constraint.expression.root(), conjuncts);
    for (const auto* predicate : conjuncts) {
      if (predicate->subject != query::Subject::kAttribute || !compares_by_equality(*predicate)) continue;
      const Demand* rival = demands[predicate->attribute].add({predicate, &constraint});
      if (rival == nullptr) continue;
      emit.at(text::part_of_string(constraint.node, predicate->span), constraint.node)
          .says("no instance has two values of {}, and all constraints must hold", predicate->attribute)
          .help("combine them with or, or keep one")
          .related(text::part_of_string(rival->constraint->node, rival->predicate->span), "the other value");
      return true;
    }
  }
  return false;
}

/// Whether the runtime platform lets the task run on such an instance.
bool suits(const World& world, const model::TaskDefinition& task) {
  const auto& family = task.operating_system_family;
  const auto& architecture = task.cpu_architecture;
  if (family && task.is_windows() != (world.os_type == "windows")) return false;
  return !architecture || equal_ignoring_case(*architecture, world.architecture);
}

template <class Condition>
bool none(const std::vector<World>& worlds, Condition condition) {
  return std::none_of(worlds.begin(), worlds.end(), condition);
}

bool all_hold(const std::vector<ReadConstraint>& constraints, const World& world) {
  return std::all_of(constraints.begin(), constraints.end(),
                     [&](const ReadConstraint& one) { return may_hold(one.expression, world); });
}

/// Whether one expression rules every instance out by itself.
bool check_alone(const std::vector<World>& worlds, const ReadConstraint& constraint, Emitter& emit) {
  if (!none(worlds, [&](const World& world) { return may_hold(constraint.expression, world); })) return false;
  auto report = emit.at(constraint.node);
  if (none(worlds, [&](const World& world) { return may_hold(constraint.expression, {world.instance_type}); })) {
    report.says("no known instance type satisfies this expression")
        .help("run bayplan catalog to list known types; ignore this if the type is newer than bayplan's data")
        .severity(Severity::kInfo);
  } else {
    report.says("no instance satisfies this expression because its parts contradict each other")
        .help("correct one of the parts");
  }
  return true;
}

bool check_together(const std::vector<World>& worlds, const std::vector<ReadConstraint>& constraints, Emitter& emit) {
  if (!none(worlds, [&](const World& world) { return all_hold(constraints, world); })) return false;
  auto report = emit.at(constraints.back().node);
  report.says("no instance satisfies this constraint together with the others").help("correct one of the parts");
  for (auto one = constraints.begin(); one + 1 != constraints.end(); ++one) {
    report.related(one->node, "another constraint");
  }
  return true;
}

/// Of the types that are pinned and the wrong processor BAY464 speaks; this asks about attributes alone.
void check_platform(const Context& ctx, const std::vector<ReadConstraint>& constraints, Emitter& emit) {
  const auto worlds = worlds_of_any_type(constraints);
  if (!none(worlds, [&](const World& world) { return suits(world, ctx.task) && all_hold(constraints, world); })) return;
  emit.at(constraints.front().node)
      .says("no instance satisfies this constraint together with runtimePlatform")
      .help("correct the constraint, or runtimePlatform")
      .related(ctx.task.runtime_platform, "the platform is set here");
}

void constraint_unsatisfiable(const Context& ctx, Emitter& emit) {
  if (!runs_on_instances(ctx)) return;
  const auto constraints = read_constraints(ctx, emit);
  if (constraints.empty()) return;
  bool has_reported = false;
  for (const auto& constraint : constraints) {
    ConstraintReporter reporter(constraint, emit);
    for (const auto& predicate : constraint.expression.predicates()) {
      check_attribute(predicate, reporter);
      check_words(predicate, reporter);
      check_types(ctx, predicate, reporter);
    }
    has_reported = has_reported || reporter.anything();
  }
  if (has_reported || check_equalities(constraints, emit) || !are_few_worlds(ctx, constraints)) return;
  const auto worlds = possible_worlds(ctx, constraints);
  for (const auto& constraint : constraints) {
    if (check_alone(worlds, constraint, emit)) return;
  }
  if (!check_together(worlds, constraints, emit)) check_platform(ctx, constraints, emit);
}

}  // namespace

std::span<const Rule> constraint_contradictions_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY128", kTaskDefinition, constraint_unsatisfiable},
  };
  return kRules;
}

}  // namespace bayplan::rules
