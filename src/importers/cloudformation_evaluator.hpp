#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "importers/cloudformation_expression.hpp"
#include "importers/cloudformation_template.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// What a value of a template comes to when the stack is made.
struct Outcome {
  enum class Kind : std::uint8_t {
    kRemoved,  ///< AWS::NoValue: as if it had not been written.
    kUnknown,
    kWritten,  ///< What is in the template; values inside it may still be expressions.
    kText,
    kList,
  };
  Kind kind = Kind::kUnknown;
  text::Value written;            ///< The value, for kWritten.
  std::string text;               ///< The text, for kText; the expression, for kUnknown: "!Ref ImageUri".
  bool is_whole = true;           ///< A kText has no part that is an unknown `${X}`.
  std::string_view resource;      ///< The logical id of a kUnknown that it refers to, if any.
  std::vector<Outcome> elements;  ///< The elements, for kList.
};

/// Works out the intrinsic functions of a template as far as parameters, mappings and conditions are known.
/// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
/// What it makes is bounded: when a template makes too much, the rest is unknown.
class Evaluator {
 public:
  explicit Evaluator(const Template& of) : template_(of) {}

  Outcome evaluate(text::Value value);
  /// What Fn::Base64 encodes, where the value is that function; else the value.
  Outcome before_base64(text::Value value);
  /// From now on Fn::GetAZs names zones: the region with a, b, c ... in turn, which an account need not have. Without
  /// it they are not known.
  void name_zones() { names_zones_ = true; }
  bool has_named_zones() const { return has_named_zones_; }
  /// Whether something since the last call asked for the region.
  bool take_asked_for_region() { return std::exchange(has_asked_for_region_, false); }
  /// Nothing for a condition that is not known.
  std::optional<bool> condition(std::string_view name);
  /// The text that an outcome is, when all of it is known.
  static std::optional<std::string_view> known_text(const Outcome& outcome);

 private:
  enum class State : std::uint8_t { kRunning, kTrue, kFalse, kUnknown };

  Outcome apply(const Expression& expression);
  Outcome ref(text::Value argument);
  Outcome named(std::string_view name);
  Outcome get_att(const Expression& expression);
  Outcome sub(const Expression& expression);
  Outcome variable(std::string_view name, text::Value variables);
  Outcome join(text::Value argument);
  Outcome select(text::Value argument);
  Outcome split(text::Value argument);
  Outcome find_in_map(text::Value argument);
  Outcome if_else(const Expression& expression);
  Outcome zones(const Expression& expression);
  Outcome argument_of(const Expression& expression);

  std::optional<bool> test(text::Value value);
  std::optional<bool> equals(text::Value argument);
  std::optional<bool> any_or_all(text::Value argument, bool decisive);

  std::optional<std::vector<Outcome>> list_of(text::Value value);
  Outcome text(std::string text, bool is_whole = true);
  Outcome list(std::vector<std::string_view> texts);
  bool look_through(text::Value object);
  /// False when the template has made all it may.
  bool spend(std::size_t bytes);

  const Template& template_;
  std::map<std::string_view, State> conditions_;
  bool names_zones_ = false;
  bool has_named_zones_ = false;
  bool has_asked_for_region_ = false;
  std::uint32_t depth_ = 0;
  std::size_t left_ = 4u << 20;
};

}  // namespace bayplan::importers
