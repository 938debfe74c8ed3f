#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern.hpp"
#include "base/span.hpp"

namespace bayplan::query {

/// The cluster query language of memberOf constraints (ECS developer guide, cluster-query-language.html). Where the
/// guide is silent: `not` binds tighter than `and`, `and` tighter than `or`; a regular expression matches the whole
/// value; every comparison with an absent attribute is false, `!=` and `not_in` too.

enum class Subject : std::uint8_t {
  kAgentConnected,
  kAgentVersion,
  kEc2InstanceId,
  kRegisteredAt,
  kRunningTasksCount,
  kTaskGroup,
  kAttribute,
};

enum class Operator : std::uint8_t {
  kEqual,
  kNotEqual,
  kGreater,
  kGreaterEqual,
  kLess,
  kLessEqual,
  kMatches,
  kNotMatches,
  kIn,
  kNotIn,
  kExists,
  kNotExists,
};

/// A value that the expression compares with. What the subject's type makes of the text is worked out by the parser.
struct Literal {
  std::string text;                   ///< The text without quotes.
  Span span;                          ///< Quotes included.
  std::int64_t number = 0;            ///< runningTasksCount: the count; registeredAt: seconds since 1970 UTC.
  std::vector<std::int64_t> version;  ///< agentVersion: its parts.
};

struct Predicate {
  Subject subject = Subject::kAttribute;
  std::string attribute;  ///< Name after `attribute:`; empty for other subjects.
  Operator operation = Operator::kEqual;
  std::vector<Literal> values;     ///< One; none for exists; any number from 1 for in.
  std::optional<Pattern> pattern;  ///< Pattern of the operators =~ and !~.
  Span span;
};

struct Node {
  enum class Kind : std::uint8_t { kPredicate, kNot, kAnd, kOr };
  Kind kind = Kind::kPredicate;
  std::uint32_t predicate = 0;          ///< kPredicate: index into predicates().
  std::vector<std::uint32_t> operands;  ///< Indices into nodes(); 1 for kNot, 2 or more for kAnd and kOr.
};

/// Mistakes that make an expression unreadable.
enum class FaultKind : std::uint8_t {
  kEmpty,
  kSingleEquals,      ///< `=` for `==`
  kAttributesPrefix,  ///< `attributes:` for `attribute:`
  kUnclosedQuote,
  kUnclosedBracket,
  kMissingSubject,  ///< No subject at all, or a name without `attribute:`.
  kUnknownSubject,
  kOperator,           ///< None, an unknown one, or one that the subject does not have.
  kLiteral,            ///< Missing, or not of the subject's type.
  kRegularExpression,  ///< Malformed, or a construct that Java reads and bayplan does not.
  kParenthesis,        ///< Unclosed, or closed without being open.
  kSyntax,             ///< Anything else: `&`, text after the end ...
  kTooDeep,            ///< More than kDepthLimit nested parentheses.
};

struct Fault {
  FaultKind kind = FaultKind::kSyntax;
  Span span;            ///< Bytes of the expression; empty at its end when something is missing there.
  std::string message;  ///< What was found and what was expected; no full stop.
  std::string help;     ///< What to write instead; may be empty.
};

/// A reading that ECS does not document: the expression is evaluated, and the report says how.
struct Doubt {
  Span span;
  std::string message;
  std::string help;
};

inline constexpr std::uint32_t kDepthLimit = 200;  ///< Nested parentheses; of this program, ECS states none.

/// What an expression asks of a container instance.
class InstanceView {
 public:
  virtual ~InstanceView() = default;

  /// Nothing when the instance lacks the attribute; an empty text when the attribute has no value.
  virtual std::optional<std::string_view> attribute(std::string_view name) const = 0;
  virtual bool agent_connected() const = 0;
  virtual std::optional<std::string_view> agent_version() const = 0;
  virtual std::optional<std::string_view> ec2_instance_id() const = 0;
  virtual std::optional<std::int64_t> registered_at() const = 0;  ///< Seconds since 1970 UTC.
  virtual std::int64_t running_tasks_count() const = 0;
  /// Groups of the tasks on the instance, pending or running, each at least once.
  virtual std::vector<std::string_view> task_groups() const = 0;
};

/// What is known of an instance that does not exist yet.
struct KnownAttribute {
  std::string_view name;
  std::string_view value;
};

enum class Truth : std::uint8_t { kFalse, kUnknown, kTrue };

/// A parsed expression. Owns all of its text; cheap to move.
class Expression {
 public:
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Predicate>& predicates() const { return predicates_; }  ///< Returns them in text order.
  const Node& root() const { return nodes_.back(); }
  const std::vector<Doubt>& doubts() const { return doubts_; }  ///< Returns them in text order.

  bool holds(const InstanceView& instance) const;
  /// Whether the expression holds with some tasks on the instance, by Kleene's three-valued logic: never false where it
  /// could hold. The same as `holds` if the expression does not depend on tasks.
  bool may_hold(const InstanceView& instance) const;
  /// What the expression gives when only `known` is known of the instance (Kleene's three-valued logic).
  Truth evaluate(std::span<const KnownAttribute> known) const;
  /// Why `holds` is false, in words: "attribute ecs.instance-type is p3.2xlarge, wanted p2.xlarge". Empty when it
  /// holds.
  std::string explain(const InstanceView& instance) const;
  /// Canonical text: parsing it gives the same tree.
  std::string print() const;
  /// True when the answer may change as tasks come and go (runningTasksCount, task:group); otherwise it depends on the
  /// instance alone and may be kept.
  bool depends_on_tasks() const;

 private:
  friend class Parser;
  std::vector<Truth> truths_on(const InstanceView& instance) const;  ///< Truth of every node.

  std::vector<Node> nodes_;
  std::vector<Predicate> predicates_;
  std::vector<Doubt> doubts_;
};

/// Exactly one of the two is there.
struct ParseResult {
  std::optional<Expression> expression;
  std::optional<Fault> fault;

  explicit operator bool() const { return expression.has_value(); }
};

/// Reads text of any length; never throws, never overflows the stack.
ParseResult parse(std::string_view text);

std::string name_of(Subject subject, std::string_view attribute = {});  ///< "agentVersion", "attribute:stack".
std::string_view symbol_of(Operator operation);                         ///< "==", "!exists" ...

}  // namespace bayplan::query
