#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lsp/client.hpp"
#include "lsp/workspace.hpp"

namespace bayplan::lsp {

/// One thing that an editor may do about findings.
struct CodeAction {
  std::string title;
  std::string kind;                          ///< "quickfix", "source.fixAll.bayplan"
  std::vector<Edit> edits;                   ///< Edits of the text that was read from the document.
  const lint::LintFinding* mends = nullptr;  ///< Null for all of them.
  bool is_preferred = false;
};

/// What the client asks for.
struct ActionRequest {
  Span span;
  std::vector<std::string> only;  ///< Kinds, or all when empty.

  bool wants(std::string_view kind) const;
};

constexpr std::string_view kQuickFix = "quickfix";
constexpr std::string_view kFixAll = "source.fixAll.bayplan";

/// The fixes of the findings in the span, then comments that silence the first of them where the file takes comments;
/// all safe fixes at once when the client asks for that kind.
std::vector<CodeAction> code_actions(const OpenDocument& document, Workspace& workspace, const ActionRequest& request);

void write_code_actions(JsonWriter& json, const std::vector<CodeAction>& actions, const OpenDocument& document,
                        const Check& check, const rules::RuleData& data, const Client& client);

}  // namespace bayplan::lsp
