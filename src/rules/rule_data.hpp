#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "rules/example.hpp"
#include "text/document.hpp"

namespace bayplan::rules {

/// Another severity that a rule may use, and when.
struct SeverityCase {
  std::string_view when;
  Severity severity = Severity::kWarning;
  std::string_view evidence;
};

/// What ECS, or a client before it, answered to what a rule reports.
struct RecordedAnswer {
  std::string_view text;
  std::string_view date;    ///< "2026-09-08"; "2026-11", when it was read, if the report has no date.
  std::string_view source;  ///< URL of the record or of the report.
};

struct HouseRule;

/// Whether a code is that of a house rule, `team/ecr-only`: no code, name or group of the others has a slash.
inline bool is_house_code(std::string_view code) {
  return code.find('/') != std::string_view::npos;
}

/// One row of data/rules.json: everything about a rule that is not detection. Views the embedded data.
struct RuleRow {
  std::string_view code;  ///< "BAY113"; stable, never reused.
  std::string_view id;    ///< "fargate-cpu-memory-pair"
  Severity severity = Severity::kError;
  std::string_view group;  ///< shape, correctness, placement, gpu, service, security, practice.
  bool on_by_default = true;
  std::string_view evidence;    ///< live, issue, server-text, model, documented, judgment.
  std::string_view applies_to;  ///< Launch types, operating systems and network modes: "scope" in the data.
  std::string_view summary;
  std::string_view why;
  Example bad;
  Example good;
  std::string_view fix;
  std::string_view source;
  std::vector<RecordedAnswer> answers;  ///< Every error that does not rest on the API model has one.
  std::string_view reviewed;  ///< "2026-11-23": when `source` was last compared with newer pages; empty for never.
  std::vector<std::string_view> supersedes;  ///< Codes silenced at the same value; "root-shape", "same-node", "inside".
  std::vector<SeverityCase> severity_when;
  bool documented_refusal =
      false;                  ///< AWS documents that ECS refuses it; no refusal is on record. An error with --strict.
  bool hides_source = false;  ///< What it finds is a secret: no report shows the line.
  bool implemented = false;   ///< The registry has a function.

  /// The page of the rule in this project's documentation: "docs/checks/BAY113.md" from the root of the repository, or
  /// the address that the build was given (BAYPLAN_RULE_PAGE).
  std::string url() const;
  /// `url` where it is a whole address, which SARIF and editors require; nothing for a path.
  std::optional<std::string> web_url() const;

  /// What people know the rule by: "BAY113 fargate-cpu-memory-pair", "team/ecr-only".
  std::string name() const;

  bool allows(Severity wanted) const;
};

/// The page of a rule where `pattern` has `{}` for its code.
std::string page_of_rule(std::string_view pattern, std::string_view code);

/// Whether `page` can be opened without knowing the repository: it has a scheme.
bool is_web_address(std::string_view page);

/// A rule that is gone. Its code is not used again, and settings that name it stay valid.
struct RemovedRule {
  std::string_view code;
  std::string_view id;
  std::string_view date;  ///< "2026-11-23"
  std::string_view why;
};

/// The rule book. Costs some milliseconds to load: hold it in a `Lazy` and ask only when there is something to say.
class RuleData {
 public:
  static RuleData load();
  RuleData(RuleData&&) noexcept;
  ~RuleData();

  const std::vector<RuleRow>& rows() const;                ///< Returns the rows sorted by code.
  const RuleRow* find(std::string_view code_or_id) const;  ///< Case of the code does not matter.
  /// Returns the row of an existing code. Only this row is read: a lint run needs few, and all of them take longer than
  /// the rest of it.
  const RuleRow& row(std::string_view code) const;
  /// Takes house rules in; of several with one id the last counts. They are kept as long as this lives, because
  /// findings and reports hold references.
  void add(const std::vector<std::shared_ptr<const HouseRule>>& rules) const;
  std::vector<const RuleRow*> every_row() const;  ///< `rows`, then those of house rules by id.
  std::string_view model() const;                 ///< The API model that the rules were held against.
  const RemovedRule* find_removed(std::string_view code_or_id) const;  ///< Finds a rule that was removed.

 private:
  struct State;
  explicit RuleData(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace bayplan::rules
