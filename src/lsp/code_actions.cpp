#include "lsp/code_actions.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "lint/config/ignore_comments.hpp"
#include "lsp/diagnostics.hpp"
#include "lsp/source_positions.hpp"
#include "text/line_ends.hpp"

namespace bayplan::lsp {
namespace {

/// Each comment takes a pass over the text, which takes milliseconds: enough at a cursor.
constexpr std::size_t kMostComments = 2;

bool touches(Span a, Span b) {
  return a.begin <= b.end && b.begin <= a.end;
}

CodeAction fix_action(const lint::LintFinding& finding, std::string_view source) {
  const std::string code(finding.code);
  std::string title = finding.help.empty() ? finding.message : finding.help;
  if (title.size() > 100) title = "apply the fix of " + code;
  CodeAction action{code + ": " + title, std::string(kQuickFix), {}, &finding, finding.fix->safe};
  for (const auto& edit : finding.fix->edits) {
    action.edits.push_back({edit.span, text::with_matching_line_ends(source, edit.text)});
  }
  return action;
}

std::optional<CodeAction> ignore_action(const lint::LintFinding& finding, const text::Document& document,
                                        const std::string& name) {
  auto edits = lint::ignore_comments(document, name, {{finding.code, finding.span.begin}});
  if (edits.empty()) return std::nullopt;
  return CodeAction{fmt::format("{}: ignore it here, by a comment", finding.code), std::string(kQuickFix),
                    std::move(edits), &finding, false};
}

/// One edit from the first byte that differs to the last, at the borders of lines.
std::vector<Edit> difference(std::string_view before, std::string_view after) {
  std::size_t same = 0;
  const std::size_t shorter = std::min(before.size(), after.size());
  while (same < shorter && before[same] == after[same]) ++same;
  while (same > 0 && before[same - 1] != '\n') --same;
  std::size_t tail = 0;
  while (tail < shorter - same && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  while (tail > 0 && before[before.size() - tail - 1] != '\n') --tail;
  const Span span{static_cast<std::uint32_t>(same), static_cast<std::uint32_t>(before.size() - tail)};
  return {{span, std::string(after.substr(same, after.size() - tail - same))}};
}

bool is_safely_fixable(const lint::LintFinding& finding) {
  return !finding.suppression && finding.fix && finding.fix->safe && !finding.fix->edits.empty();
}

void write_edits(JsonWriter& json, const std::vector<Edit>& edits, const SourcePositions& positions) {
  json.begin_array();
  for (const auto& edit : edits) {
    json.begin_object();
    write_range(json, "range", positions.range(edit.span));
    json.member("newText", edit.text).end_object();
  }
  json.end_array();
}

void write_code_action(JsonWriter& json, const CodeAction& action, const OpenDocument& document,
                       const SourcePositions& positions, const rules::RuleData& data, const Client& client) {
  json.begin_object().member("title", action.title).member("kind", action.kind);
  if (action.mends != nullptr) {
    json.key("diagnostics").begin_array();
    write_diagnostic(json, document, *action.mends, positions, data, client);
    json.end_array();
  }
  if (action.is_preferred) json.member("isPreferred", true);
  json.key("edit").begin_object();
  if (client.takes_document_changes) {
    json.key("documentChanges").begin_array().begin_object().key("textDocument").begin_object();
    json.member("uri", document.uri).member("version", document.version).end_object().key("edits");
    write_edits(json, action.edits, positions);
    json.end_object().end_array();
  } else {
    json.key("changes").begin_object().key(document.uri);
    write_edits(json, action.edits, positions);
    json.end_object();
  }
  json.end_object().end_object();
}

}  // namespace

bool ActionRequest::wants(std::string_view kind) const {
  if (only.empty()) return true;
  return std::any_of(only.begin(), only.end(), [&](const std::string& wanted) {
    const bool is_above = kind.starts_with(wanted);
    return is_above && (kind.size() == wanted.size() || kind[wanted.size()] == '.');
  });
}

std::vector<CodeAction> code_actions(const OpenDocument& document, Workspace& workspace, const ActionRequest& request) {
  const Check& check = workspace.check(document.uri);
  std::vector<CodeAction> actions;
  if (!check.is_linted) return actions;
  const auto& findings = check.report.findings;
  const text::Document& read = *check.report.document;
  const bool is_read_as_is = document.text.ends_with(read.source());  // else its places are not those of the editor
  if (!is_read_as_is) return actions;
  std::vector<const lint::LintFinding*> meant;
  for (const auto& finding : findings) {
    if (!finding.suppression && touches(finding.span, request.span)) meant.push_back(&finding);
  }
  if (request.wants(kQuickFix)) {
    for (const auto* finding : meant) {
      if (finding->fix && !finding->fix->edits.empty()) actions.push_back(fix_action(*finding, read.source()));
    }
    if (meant.size() > kMostComments) meant.resize(kMostComments);
    for (const auto* finding : meant) {
      if (auto action = ignore_action(*finding, read, document.name)) actions.push_back(std::move(*action));
    }
  }
  const bool asks_for_all = !request.only.empty() && request.wants(kFixAll);  // else editors do not show it
  if (asks_for_all && std::any_of(findings.begin(), findings.end(), is_safely_fixable)) {
    const std::string fixed = workspace.fixed(document.uri).value_or(document.text);
    const std::size_t mark = document.text.size() - read.source().size();
    if (fixed != document.text && fixed.size() >= mark) {
      actions.push_back({"bayplan: apply all safe fixes", std::string(kFixAll),
                         difference(read.source(), std::string_view(fixed).substr(mark))});
    }
  }
  return actions;
}

void write_code_actions(JsonWriter& json, const std::vector<CodeAction>& actions, const OpenDocument& document,
                        const Check& check, const rules::RuleData& data, const Client& client) {
  json.begin_array();
  if (!actions.empty()) {  // else there may be nothing that was read
    const SourcePositions positions(document, *check.report.document, client.encoding);
    for (const auto& action : actions) write_code_action(json, action, document, positions, data, client);
  }
  json.end_array();
}

}  // namespace bayplan::lsp
