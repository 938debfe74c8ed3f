#include "rules/emitter.hpp"

#include <algorithm>
#include <cassert>

#include "text/removal.hpp"

namespace bayplan::rules {

Report& Report::related(Span span, std::string message) {
  finding_->related.push_back({std::move(message), span});
  return *this;
}

Report& Report::fix(Span span, std::string text, bool safe) {
  if (!finding_->fix) finding_->fix = Fix{.safe = true, .edits = {}};
  auto& fix = *finding_->fix;
  fix.safe = fix.safe && safe;
  const auto place = std::upper_bound(fix.edits.begin(), fix.edits.end(), span.begin,
                                      [](std::uint32_t begin, const Edit& edit) { return begin < edit.span.begin; });
  fix.edits.insert(place, {span, std::move(text)});
  return *this;
}

Report& Report::remove(text::Value member, bool safe) {
  if (const auto edits = text::removal({member})) {
    for (const auto& edit : *edits) fix(edit.span, edit.text, safe);
  }
  return *this;
}

Report& Report::severity(Severity severity) {
  assert(data_->get().row(finding_->code).allows(severity));
  finding_->severity = severity;
  return *this;
}

Report Emitter::at_key(text::Value member) {
  return add(member.key_span(), member.pointer());
}

Report Emitter::missing(text::Value object, std::string_view key) {
  const text::Value member = object.is_object() ? object.find(key) : text::Value();
  return add(member && member.is_null() ? member.span() : object.opening(), object.pointer() + "/" + std::string(key));
}

void Emitter::skip(text::Value value) {
  auto found = placeholders_.find(value.key());
  if (value.is_string() && !found) found = placeholders_.find(value.text(), model::is_shell_text(value));
  const auto whole = value.document().source().substr(value.span().begin, value.span().length());
  // Of a value that an importer could not work out the text is the whole expression.
  const bool says_itself = value.is_string() || (value.kind() == text::Kind::kPlaceholder && !value.text().empty());
  Skip skip{code_, value.pointer(), std::string(found ? *found : says_itself ? value.text() : whole)};
  if (findings_.skipped.empty() || findings_.skipped.back() != skip) findings_.skipped.push_back(std::move(skip));
}

Report Emitter::add(Span span, std::string pointer) {
  auto& finding = findings_.items.emplace_back();
  finding.code = code_;
  finding.severity = data_.get().row(code_).severity;
  finding.span = span;
  finding.pointer = std::move(pointer);
  return {finding, data_};
}

}  // namespace bayplan::rules
