#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/finding.hpp"
#include "base/lazy.hpp"
#include "model/field.hpp"
#include "model/placeholder.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::rules {

/// A rule that could not look at a value, because the value is not known yet.
struct Skip {
  std::string_view code;
  std::string pointer;
  std::string because;  ///< The placeholder: "${IMAGE}".
  bool operator==(const Skip&) const = default;
};

/// What one file has gathered so far. A deque: reports hold references while more findings come.
struct Findings {
  std::deque<Finding> items;
  std::vector<Skip> skipped;
};

/// Fills in one finding. Only for use inside a rule, as a chain: emit.at(...).says(...).help(...).
class Report {
 public:
  Report(Finding& finding, const Lazy<RuleData>& data) : finding_(&finding), data_(&data) {}

  /// Message: value seen and value wanted; no full stop. A text without arguments is taken as it is, braces included.
  Report& says(std::string_view message) {
    finding_->message = message;
    return *this;
  }
  template <class... Arguments>
  requires(sizeof...(Arguments) > 0) Report& says(fmt::format_string<const Arguments&...> pattern,
                                                  const Arguments&... arguments) {
    finding_->message = fmt::format(pattern, arguments...);
    return *this;
  }
  /// What to write instead.
  Report& help(std::string_view advice) {
    finding_->help = advice;
    return *this;
  }
  template <class... Arguments>
  requires(sizeof...(Arguments) > 0) Report& help(fmt::format_string<const Arguments&...> pattern,
                                                  const Arguments&... arguments) {
    finding_->help = fmt::format(pattern, arguments...);
    return *this;
  }
  /// Another place that explains the finding.
  Report& related(Span span, std::string message);
  Report& related(text::Value value, std::string message) { return related(value.span(), std::move(message)); }
  /// Replaces `span` by `text`; several calls make one fix. It is safe when every call says so.
  Report& fix(Span span, std::string text, bool safe = true);
  /// Takes the member out, with what separates it from its neighbors, where the text allows that.
  Report& remove(text::Value member, bool safe = true);
  /// Other than the row's own: one of its severityWhen.
  Report& severity(Severity severity);

 private:
  Finding* finding_;
  const Lazy<RuleData>* data_;
};

/// Takes the findings of one rule on one file. Each has the severity of the rule's row, unless the rule sets another
/// one.
class Emitter {
 public:
  Emitter(std::string_view code, Findings& findings, const Lazy<RuleData>& data,
          const model::Placeholders& placeholders)
      : code_(code), findings_(findings), data_(data), placeholders_(placeholders) {}

  Report at(text::Value value) { return add(value.span(), value.pointer()); }
  template <class T>
  Report at(const model::Field<T>& field) {
    return at(field.node);
  }
  /// A part of `value`.
  Report at(Span part, text::Value value) { return add(part, value.pointer()); }
  /// Reports in a text that could not be read as values.
  Report at_text(Span part) { return add(part, {}); }
  /// Reports at the key of a member, when the member itself is at fault, not its value.
  Report at_key(text::Value member);
  /// An absent member is reported at the opening bracket of its object, under the pointer that it would have; one that
  /// is null is reported at its position.
  Report missing(text::Value object, std::string_view key);

  /// Whether the rule can read the field; a placeholder counts the rule as skipped there.
  template <class T>
  bool knows(const model::Field<T>& field) {
    if (field.unknown()) skip(field.node);
    return field.known();
  }
  void skip(text::Value value);
  const model::Placeholders& placeholders() const { return placeholders_; }

 private:
  Report add(Span span, std::string pointer);

  std::string_view code_;
  Findings& findings_;
  const Lazy<RuleData>& data_;
  const model::Placeholders& placeholders_;
};

}  // namespace bayplan::rules
