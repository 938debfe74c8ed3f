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

/// Checks ECS task definitions, services and run-task input: what `bayplan lint` does, text by text. Every rule with
/// its reason and source: docs/checks.md.
namespace bayplan::v0 {

/// From the least to the worst, so that `finding.severity >= Severity::kWarning` asks what it says.
enum class Severity : std::uint8_t { kStyle, kInfo, kWarning, kError };

std::string_view to_string(Severity severity);  ///< "error", "warning", "info", "style".

/// What a text holds, told by its content.
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
  kTemplate,      ///< Never checked: it is not read before it is rendered.
  kJsonnet,       ///< Never checked: it is not evaluated.
  kJson5,         ///< Never checked: it uses more of JSON5 than comments and trailing commas.
  kUnrecognized,  ///< Never checked.
};

std::string_view to_string(FileKind kind);  ///< "task-definition", as reports say it.

enum class LaunchType : std::uint8_t { kEc2, kFargate, kExternal, kManagedInstances };

/// The client that will send the file: some refuse what others strip.
enum class DeployClient : std::uint8_t { kAny, kAwsCli, kGithubAction, kTerraform };

/// `bytes` are counted in the UTF-8 text without its byte order mark.
struct Edit {
  std::size_t offset = 0;  ///< In bytes.
  std::size_t length = 0;  ///< In bytes; 0 = an insertion.
  std::string text;        ///< In their place.
  bool operator==(const Edit&) const = default;
};

struct Fix {
  bool safe = false;        ///< It keeps the meaning of what ECS would accept: `Linter::fix` applies only these.
  std::vector<Edit> edits;  ///< By position, not overlapping.
  bool operator==(const Fix&) const = default;
};

/// Another place of the same text that explains a finding.
struct RelatedPlace {
  std::string message;
  std::uint32_t line = 0;    ///< From 1.
  std::uint32_t column = 0;  ///< From 1, in Unicode code points.
  bool operator==(const RelatedPlace&) const = default;
};

struct Finding {
  std::string code;      ///< "BAY113": stable, never reused.
  std::string rule;      ///< "fargate-cpu-memory-pair"
  std::string group;     ///< shape, correctness, placement, gpu, service, security or practice.
  std::string evidence;  ///< live, issue, server-text, model, documented or judgement: what the severity rests on.
  Severity severity = Severity::kError;
  std::string message;         ///< Value seen and value wanted; one sentence, no full stop.
  std::string help;            ///< What to write instead; may be empty.
  std::string url;             ///< Where the rule is explained, from the root of bayplan's repository.
  std::string file;            ///< As the caller named the text.
  std::uint32_t line = 0;      ///< Of the value at fault, from 1; an absent member is told at the bracket that
  std::uint32_t column = 0;    ///< opens its object. Columns from 1, in Unicode code points.
  std::uint32_t end_line = 0;  ///< The end is exclusive.
  std::uint32_t end_column = 0;
  std::size_t offset = 0;  ///< The same in bytes of the UTF-8 text without byte order mark.
  std::size_t length = 0;
  std::string pointer;                   ///< JSON pointer (RFC 6901) of the value.
  std::optional<std::string> container;  ///< Name of the container definition that holds it.
  std::string fingerprint;               ///< Survives edits elsewhere in the text.
  bool suppressed = false;               ///< Silenced by the user, in the text or the config: it does not count.
  std::string suppressed_because;        ///< The reason that the user wrote, if any.
  std::optional<Fix> fix;
  std::vector<RelatedPlace> related;
};

/// A rule that could not look at a value, because a placeholder stands there.
struct SkippedRule {
  std::string code;
  std::string pointer;  ///< Of the value.
  std::string because;  ///< "${IMAGE}"
};

struct LintReport {
  std::string file;  ///< As the caller named it.
  FileKind kind = FileKind::kUnrecognized;
  bool checked = false;           ///< There was something to check; a template without ECS in it is not.
  std::string family;             ///< Of the first definition; empty when there is none.
  std::vector<Finding> findings;  ///< In text order; a text that does not parse is a finding too.
  std::vector<SkippedRule> skipped;
  std::vector<std::string>
      notes;  ///< What is to be told of comments that silence findings: an unused one, an ended one.

  /// Findings of this severity or worse that nobody has silenced.
  std::size_t count_from(Severity severity) const;
};

/// A selector names rules: a code (BAY113), an id (gpu-on-fargate), the beginning of a code (BAY4), a group (security)
/// or ALL.
struct SeverityOverride {
  std::string selector = {};
  Severity severity = Severity::kWarning;
};

struct LintOptions {
  std::string config = {};  ///< Path of a .bayplan.yaml; empty = none: nothing is searched for. What stands below wins.
  std::vector<std::string> select = {};         ///< Selectors of rules, in place of the default ones.
  std::vector<std::string> extend_select = {};  ///< Beside them.
  std::vector<std::string> ignore = {};  ///< The longest selector that names a rule decides; at equal length this one.
  std::vector<SeverityOverride> severities = {};  ///< Later ones win.
  std::optional<LaunchType> launch_type = {};     ///< Where the text does not say.
  std::optional<DeployClient> deploy_with = {};
  std::vector<std::string> types = {};  ///< Globs of the instance types that tasks run on: "g4dn.*".
  std::optional<FileKind> from = {};    ///< What the texts hold, whatever they look like.
  std::map<std::string, std::string, std::less<>> variables = {};   ///< Values of placeholders: ${TAG}.
  std::map<std::string, std::string, std::less<>> parameters = {};  ///< Of CloudFormation templates.
  bool daemon = false;                                              ///< Registered as a daemon, which has fewer keys.
  bool strict = false;                            ///< A refusal that is documented but was not seen counts as an error.
  bool strict_unknown = false;                    ///< Placeholders that are still there are findings.
  bool ignores = true;                            ///< Comments in the text and entries of the config silence findings.
  std::size_t max_bytes = std::size_t{16} << 20;  ///< Of a text; a larger one is a finding (BAY029).
  std::chrono::sys_seconds now{};  ///< Ends ignores that hold `until` a day. The library looks at no clock.
};

/// A text and what to call it; the ending of the name helps to tell JSON from YAML.
struct SourceText {
  std::string name = {};
  std::string text = {};  ///< JSON or YAML, in UTF-8 or UTF-16 with a byte order mark.
};

struct FixedText {
  std::string text;               ///< In the encoding of the original, and equal to it but for the edits.
  std::size_t fixed = 0;          ///< Findings that it took away.
  std::vector<std::string> left;  ///< Safe fixes that were not applied, each with its place and the reason.
};

/// One row of the rule book.
struct Rule {
  std::string code;
  std::string id;
  std::string group;
  Severity severity = Severity::kError;  ///< The default; some cases of it may be milder.
  bool on_by_default = true;
  std::string evidence;
  std::string summary;
  std::string why;
  std::string fix;
  std::string url;
};

/// Rules, schemas, instance types and options, read once: hold one for many texts. A value that copies in no time,
/// never changes, and may be used from several threads at once. Nothing throws but std::bad_alloc.
class Linter {
 public:
  /// Fails when an option names no rule or no instance type, or the config cannot be read.
  static Result<Linter> create(const LintOptions& options = {});

  /// Always has a report: what is wrong with a text is a finding, whatever its bytes.
  LintReport lint(std::string_view name, std::string_view text) const;
  /// The same of several, a report each in their order; services are held against the definitions among them.
  std::vector<LintReport> lint(std::span<const SourceText> texts) const;

  /// Applies the safe fixes of what nobody has silenced, until none is left. A fix after which the text would have an
  /// error that it did not have is not applied.
  FixedText fix(std::string_view name, std::string_view text) const;

  /// Those with code, in the order of their codes, whatever is selected.
  std::vector<Rule> rules() const;

 private:
  struct State;
  explicit Linter(std::shared_ptr<const State> state);

  std::shared_ptr<const State> state_;
};

/// One text with a linter of its own.
Result<LintReport> lint(std::string_view name, std::string_view text, const LintOptions& options = {});

}  // namespace bayplan::v0
