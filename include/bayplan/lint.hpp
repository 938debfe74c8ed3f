#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bayplan/result.hpp"
#include "bayplan/version.hpp"

/// Checks ECS task definitions, services and run-task input, like `bayplan lint`. docs/checks.md lists every rule with
/// its reason and source.
namespace bayplan::v0 {

/// The severities ascend, so that `finding.severity >= Severity::kWarning` works as expected.
enum class Severity : std::uint8_t { kStyle, kInfo, kWarning, kError };

std::string_view to_string(Severity severity);  ///< "error", "warning", "info", "style".

/// The kind of a text, recognized by its content.
enum class FileKind : std::uint8_t {
  kTaskDefinition,
  kContainerDefinitions,  ///< A bare list of container definitions.
  kDescribe,              ///< Output of aws ecs describe-task-definition.
  kCloudFormation,
  kTerraform,  ///< Output of terraform show -json.
  kCdk,
  kService,
  kRunTask,
  kCompose,       ///< Never checked.
  kTemplate,      ///< Never checked: it must be rendered first.
  kJsonnet,       ///< Never checked: it must be evaluated first.
  kJson5,         ///< Never checked: it uses more of JSON5 than comments and trailing commas.
  kUnrecognized,  ///< Never checked.
  kCapacityProvider,
  kCluster,
  kClusterProviders,  ///< Input of aws ecs put-cluster-capacity-providers.
  kTaskSet,
  kDaemon,
  kDaemonTaskDefinition,
  kExpressService,
};

std::string_view to_string(FileKind kind);  ///< "task-definition", as in reports.

enum class LaunchType : std::uint8_t { kEc2, kFargate, kExternal, kManagedInstances };

/// The client that will send the file: some reject what others remove.
enum class DeployClient : std::uint8_t { kAny, kAwsCli, kGithubAction, kTerraform };

/// Positions are in bytes of the UTF-8 text without its byte order mark.
struct Edit {
  std::size_t offset = 0;  ///< The first byte.
  std::size_t length = 0;  ///< The number of bytes; 0 means an insertion.
  std::string text;        ///< The replacement.
  bool operator==(const Edit&) const = default;
};

struct Fix {
  bool safe = false;        ///< Preserves the intended meaning: `Linter::fix` applies only safe fixes.
  std::vector<Edit> edits;  ///< The edits are sorted by position and do not overlap.
  bool operator==(const Fix&) const = default;
};

/// Another position in the same text that explains a finding.
struct RelatedPlace {
  std::string message;
  std::uint32_t line = 0;    ///< The first line is 1.
  std::uint32_t column = 0;  ///< The first column is 1; columns count Unicode code points.
  bool operator==(const RelatedPlace&) const = default;
};

struct Finding {
  std::string code;      ///< "BAY113": stable, never reused.
  std::string rule;      ///< "fargate-cpu-memory-pair"
  std::string group;     ///< shape, correctness, placement, gpu, service, security or practice.
  std::string evidence;  ///< The basis of the severity: live, issue, server-text, model, documented or judgment.
  Severity severity = Severity::kError;
  std::string message;         ///< Actual and expected value; one sentence, no period.
  std::string help;            ///< The fix; may be empty.
  std::string url;             ///< Documentation of the rule, relative to the root of bayplan's repository.
  std::string file;            ///< The name given by the caller.
  std::uint32_t line = 0;      ///< The line of the value, from 1; a missing key is reported at the opening bracket of
  std::uint32_t column = 0;    ///< its object. Columns from 1, in Unicode code points.
  std::uint32_t end_line = 0;  ///< The end is exclusive.
  std::uint32_t end_column = 0;
  std::size_t offset = 0;  ///< Offset of the finding in bytes of the UTF-8 text without byte order mark.
  std::size_t length = 0;
  std::string pointer;                   ///< JSON pointer (RFC 6901) of the value.
  std::optional<std::string> container;  ///< Name of the container definition that contains it.
  std::string fingerprint;               ///< Does not change when other parts of the text are edited.
  bool suppressed = false;               ///< Suppressed by the user, in the text or the config: it does not count.
  std::string suppressed_because;        ///< The reason given by the user, if any.
  std::optional<Fix> fix;
  std::vector<RelatedPlace> related;
};

/// A rule that was skipped because a value is a placeholder.
struct SkippedRule {
  std::string code;
  std::string pointer;  ///< JSON pointer (RFC 6901) of the value.
  std::string because;  ///< "${IMAGE}"
};

struct LintReport {
  std::string file;  ///< The name given by the caller.
  FileKind kind = FileKind::kUnrecognized;
  bool checked = false;  ///< False if there was nothing to check, for example in a template without ECS resources.
  std::string family;    ///< The family of the first definition; empty if there is none.
  std::vector<Finding> findings;  ///< The findings in text order; a text that does not parse is also a finding.
  std::vector<SkippedRule> skipped;
  std::vector<std::string> notes;  ///< Unused and expired suppression comments.

  /// Findings of this severity or worse that are not suppressed.
  std::size_t count_from(Severity severity) const;
};

/// A selector names rules: a code (BAY113), an ID (gpu-on-fargate), a code prefix (BAY4), a group (security) or ALL.
struct SeverityOverride {
  std::string selector = {};
  Severity severity = Severity::kWarning;
};

struct LintOptions {
  std::string config = {};               ///< Path of a .bayplan.yaml; empty = none. The members below take precedence.
  std::vector<std::string> select = {};  ///< Selectors of rules; they replace the default rules.
  std::vector<std::string> extend_select = {};  ///< Additional rules.
  std::vector<std::string> ignore = {};         ///< The longest matching selector applies; for equal lengths, this one.
  std::vector<SeverityOverride> severities = {};  ///< Later ones take precedence.
  std::optional<LaunchType> launch_type = {};     ///< If the text does not state it.
  std::optional<DeployClient> deploy_with = {};
  std::vector<std::string> types = {};  ///< Globs of the instance types that tasks run on: "g4dn.*".
  std::optional<FileKind> from = {};    ///< Overrides the detected kind of the texts.
  std::map<std::string, std::string, std::less<>> variables = {};   ///< Values of placeholders: ${TAG}.
  std::map<std::string, std::string, std::less<>> parameters = {};  ///< Parameter values of CloudFormation templates.
  bool daemon = false;                            ///< Input of RegisterDaemonTaskDefinition, which has fewer keys.
  bool strict = false;                            ///< A rejection that is documented but not recorded is an error.
  bool strict_unknown = false;                    ///< Remaining placeholders are findings.
  bool ignores = true;                            ///< Comments in the text and entries of the config suppress findings.
  std::size_t max_bytes = std::size_t{16} << 20;  ///< Per text; a larger one is a finding (BAY029).
  std::chrono::sys_seconds now{};  ///< Current time for suppressions with `until`. The library reads no clock.
};

/// A text and its name; the extension of the name helps to distinguish JSON and YAML.
struct SourceText {
  std::string name = {};
  std::string text = {};  ///< JSON or YAML, in UTF-8 or UTF-16 with a byte order mark.
};

struct FixedText {
  std::string text;               ///< The original text and its encoding, changed only by the edits.
  std::size_t fixed = 0;          ///< Number of fixed findings.
  std::vector<std::string> left;  ///< Safe fixes that were not applied, each with its position and the reason.
};

/// The data of one rule.
struct Rule {
  std::string code;
  std::string id;
  std::string group;
  Severity severity = Severity::kError;  ///< The default; some cases may have a lower severity.
  bool on_by_default = true;
  std::string evidence;
  std::string summary;
  std::string why;
  std::string fix;
  std::string url;
};

/// Rules, schemas, instance types and options, read once: keep one for many texts. A Linter is cheap to copy,
/// immutable, and can be used from several threads at once. It throws only std::bad_alloc.
class Linter {
 public:
  /// Fails if an option matches no rule or no instance type, or the config cannot be read.
  static Result<Linter> create(const LintOptions& options = {});

  /// Always returns a report: every mistake in a text is a finding, for any bytes.
  LintReport lint(std::string_view name, std::string_view text) const;
  /// Lints several texts and returns a report for each, in order; services are checked with the definitions among them.
  std::vector<LintReport> lint(std::span<const SourceText> texts) const;

  /// Applies the safe fixes of findings that are not suppressed, until none is left. A fix that would cause a new error
  /// is not applied.
  FixedText fix(std::string_view name, std::string_view text) const;

  /// All implemented rules, in the order of their codes, regardless of the selection.
  std::vector<Rule> rules() const;

 private:
  struct State;
  explicit Linter(std::shared_ptr<const State> state);

  std::shared_ptr<const State> state_;
};

/// Lints one text with a temporary linter.
Result<LintReport> lint(std::string_view name, std::string_view text, const LintOptions& options = {});

}  // namespace bayplan::v0
