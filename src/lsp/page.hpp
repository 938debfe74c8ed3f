#pragma once
#include <string>
#include <string_view>

#include "lint/lint.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::lsp {

/// Paragraphs in one of the two formats that clients show.
class Page {
 public:
  explicit Page(bool markdown) : markdown_(markdown) {}

  void heading(std::string_view code, std::string_view rest);
  /// Text that is not ours: it has names and values of the file.
  void quote(const std::string& text);
  void paragraph(std::string_view text);
  void named(std::string_view name, std::string_view text);
  void link(std::string_view name, const std::string& address);
  std::string text() && { return std::move(text_); }

 private:
  std::string written(std::string_view text) const;
  void begin(std::string_view between);

  bool markdown_;
  std::string text_;
};

/// "BAY113 fargate-cpu-memory-pair (error)", "team/ecr-only (warning)"
void write_heading(Page& page, const rules::RuleRow& row, Severity severity);

/// The reason, fix, evidence and source of a rule.
void write_rule(Page& page, const rules::RuleRow& row, std::string_view evidence);

}  // namespace bayplan::lsp
