#include "lint/damage.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/strings.hpp"
#include "lint/identity.hpp"
#include "rules/registry.hpp"

namespace bayplan::lint {
namespace {

using text::Fault;
using text::FaultKind;
using text::Value;

bool is_inside(const Span& inner, const Span& outer) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

bool is_syntax(const Fault& fault) {
  return fault.kind == FaultKind::kJsonSyntax || fault.kind == FaultKind::kYamlSyntax ||
         fault.kind == FaultKind::kHclSyntax;
}

/// A fault of quotes alone covers the whole value, and leaves the text between them as it was meant.
bool spoils(const Fault& fault, const Value& value) {
  if (value.is_object() || value.is_array()) return false;
  if (fault.kind == FaultKind::kYamlSyntax) return is_inside(fault.span, value.span());
  const bool counts = fault.kind == FaultKind::kJsonSyntax || fault.kind == FaultKind::kEncoding;
  return counts && fault.span.begin > value.span().begin && fault.span.begin < value.span().end;
}

/// Whether the text of `object` holds the fault, or breaks off with it.
bool is_broken_by(const Fault& fault, const Value& object) {
  const bool loses_text = fault.kind == FaultKind::kYamlSyntax || fault.kind == FaultKind::kHclSyntax ||
                          (fault.kind == FaultKind::kJsonSyntax && fault.left_out);
  if (!loses_text) return false;
  if (is_inside(fault.span, object.span())) return true;
  const std::uint32_t end = object.span().end;
  if (fault.span.begin < end) return false;
  const std::string_view between = std::string_view(object.document().source()).substr(end, fault.span.begin - end);
  return between.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Whether a guess about brackets begins right after `object`: its brace may close it too early, so what it lacks may
/// follow.
bool may_close_too_early(const Fault& fault, const Value& object) {
  const std::string_view source = object.document().source();
  const std::uint32_t end = object.span().end;
  if (fault.span.begin < end || !guesses_nesting(fault, source)) return false;
  return source.substr(end, fault.span.begin - end).find_first_not_of(" \t\r\n,") == std::string_view::npos;
}

/// Whether the fault is in the text of `value` itself, not of a value in it: of which type it was meant to be is
/// unknown.
bool is_torn_by(const Fault& fault, Value value) {
  if ((!value.is_object() && !value.is_array()) || !is_broken_by(fault, value)) return false;
  const auto members = value.children();
  return std::none_of(members.begin(), members.end(),
                      [&](Value one) { return (one.is_object() || one.is_array()) && is_broken_by(fault, one); });
}

/// Whether the value is in a list that the text never closes: what the list lacks may yet be written.
bool is_in_unclosed_list(const Fault& fault, const Value& value) {
  if (fault.kind != FaultKind::kJsonSyntax || !fault.left_out) return false;
  for (Value around = value; around; around = around.parent()) {
    if (around.is_array() && around.span().begin == fault.span.begin) return true;
  }
  return false;
}

/// The end of what precedes the first guess, if there is one: from there on, values may be in the wrong object.
std::optional<std::uint32_t> end_of_certainty(const std::vector<const Fault*>& faults, std::string_view source) {
  std::optional<std::uint32_t> end;
  for (const Fault* fault : faults) {
    if (guesses_nesting(*fault, source)) end = std::min(end.value_or(fault->span.begin), fault->span.begin);
  }
  return end;
}

/// Whether a text that broke off holds no containers yet: its kind was guessed from the little that was read.
bool is_unknown_kind(const std::vector<const Fault*>& faults, Value root) {
  if (!root.is_object() || root.find("containerDefinitions") || root.find("family")) return false;
  return std::any_of(faults.begin(), faults.end(), [&](const Fault* fault) { return is_broken_by(*fault, root); });
}

bool is_text_finding(std::string_view code) {
  return rules::rule_of(code).scope == rules::Scope::kText;
}

/// Of keys and types, which clients compare with the API model.
bool is_about_type(const Finding& finding) {
  return rules::rule_of(finding.code).traits.seen_by_client;
}

bool is_consequence(const Finding& finding, const std::vector<const Fault*>& faults,
                    std::optional<std::uint32_t> certain, Value root) {
  const Resolved place = resolve(root, finding.pointer);
  const Value around = place.value ? place.value : place.parent;
  const std::uint32_t end = place.value ? finding.span.end : around ? around.span().end : finding.span.end;
  if (certain && (finding.span.begin >= *certain || end > *certain)) return true;
  return std::any_of(faults.begin(), faults.end(), [&](const Fault* fault) {
    if (around && is_in_unclosed_list(*fault, around)) return true;
    if (place.value && is_about_type(finding) && is_torn_by(*fault, place.value)) return true;
    if (place.value) return finding.span == place.value.span() && spoils(*fault, place.value);
    return place.parent && (is_broken_by(*fault, place.parent) || may_close_too_early(*fault, place.parent));
  });
}

/// A member that was indented too far, or written into a key that the object does not have, is not missing: `wrong` are
/// the values that clients refuse.
bool is_swallowed(const Finding& finding, const Resolved& place, const std::vector<Value>& wrong) {
  if (place.value || !place.parent || !place.parent.is_object()) return false;
  const auto absent = std::string_view(finding.pointer).substr(finding.pointer.rfind('/') + 1);
  return std::any_of(wrong.begin(), wrong.end(), [&](Value value) {
    const auto members = value.children();
    return value.parent() == place.parent && std::any_of(members.begin(), members.end(), [&](Value one) {
             return equal_ignoring_case(one.key(), absent);
           });
  });
}

void collect_faults(const text::Document& document, std::vector<const Fault*>& faults) {
  for (const Fault& fault : document.faults()) {
    if (is_syntax(fault) || fault.kind == FaultKind::kEncoding) faults.push_back(&fault);
  }
}

}  // namespace

bool guesses_nesting(const text::Fault& fault, std::string_view source) {
  if (fault.kind != FaultKind::kJsonSyntax || !fault.fix) return false;
  const auto has_bracket = [](std::string_view text) { return text.find_first_of("{}[]") != std::string_view::npos; };
  // Braces around the whole text are no guess.
  const auto before = source.substr(0, fault.fix->edits.empty() ? 0 : fault.fix->edits.front().span.begin);
  if (before.find_first_not_of(" \t\r\n") == std::string_view::npos) return false;
  return std::any_of(fault.fix->edits.begin(), fault.fix->edits.end(), [&](const Edit& edit) {
    return has_bracket(edit.text) || has_bracket(source.substr(edit.span.begin, edit.span.length()));
  });
}

void drop_consequences(std::deque<Finding>& findings, const text::Document& document, const text::Document& file,
                       rules::FileKind kind) {
  const Value root = document.root();
  std::vector<const Fault*> faults;
  collect_faults(document, faults);
  if (&file != &document) collect_faults(file, faults);
  std::vector<Value> wrong;
  for (const Finding& one : findings) {
    const Value value = resolve(root, one.pointer).value;
    if (value && value.is_object() && is_about_type(one)) wrong.push_back(value);
  }
  if ((faults.empty() && wrong.empty()) || !root) return;
  const auto certain = end_of_certainty(faults, file.source());
  const bool is_guess = kind == rules::FileKind::kTaskDefinition && is_unknown_kind(faults, root);
  std::erase_if(findings, [&](const Finding& one) {
    if (is_text_finding(one.code)) return false;
    return is_guess || is_consequence(one, faults, certain, root) ||
           is_swallowed(one, resolve(root, one.pointer), wrong);
  });
}

}  // namespace bayplan::lint
