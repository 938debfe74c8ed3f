#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/lazy.hpp"
#include "base/limits.hpp"
#include "catalog/catalog.hpp"
#include "importers/cloudformation_template.hpp"
#include "importers/subject.hpp"
#include "importers/terraform_code.hpp"
#include "importers/terraform_modules.hpp"
#include "lint/config/selection.hpp"
#include "lint/files/definitions.hpp"
#include "lint/files/file_kind.hpp"
#include "model/variables.hpp"
#include "rules/context.hpp"
#include "rules/emitter.hpp"
#include "rules/rule_data.hpp"
#include "shape/request_schemas.hpp"
#include "text/document.hpp"

namespace bayplan::lint {

/// Data that every file shares; loaded when the first file needs it. Safe to use from several threads.
struct Tools {
  Lazy<rules::RuleData> rule_data{rules::RuleData::load};
  Lazy<catalog::Catalog> catalog{catalog::Catalog::load};
  shape::RequestSchemas schemas;

  /// Returns the schema of a task definition for a kind that has none of its own.
  const Lazy<shape::Schema>& schema_of(rules::FileKind kind) const;
};

struct Options {
  rules::Options rules;
  model::Placeholders placeholders;
  Selection selection;
  std::vector<SeverityOverride> severities;
  model::Variables variables;  ///< Values for placeholders of templated files and variables of Terraform.
  /// Files of values for variables of Terraform: the last one wins.
  std::vector<std::shared_ptr<const importers::HclSource>> variable_files;
  bool strict = false;                    ///< A refusal that is documented but was not seen counts as an error.
  std::optional<rules::FileKind> from;    ///< What a file that was named holds, whatever it looks like.
  importers::ParameterValues parameters;  ///< Parameters of CloudFormation templates that replace their defaults.
  Limits limits;
};

/// Why a finding does not count.
struct Suppression {
  enum class By : std::uint8_t { kComment, kConfig, kBaseline };
  By by = By::kConfig;
  std::string reason;  ///< The reason that the user wrote; may be empty.
};

/// A finding as reports show it.
struct LintFinding : Finding {
  std::string_view evidence;               ///< Evidence for this severity of the rule.
  std::optional<std::string> container;    ///< Name of the container definition that holds it.
  std::string named_path;                  ///< "containerDefinitions[web].memory"; empty for the file itself.
  std::string fingerprint;                 ///< Survives edits elsewhere in the file.
  std::optional<Suppression> suppression;  ///< Set when the user has silenced it.
};

/// A file that was read: what it holds, without a finding yet.
struct ReadFile {
  std::string file;  ///< How reports call it.
  rules::FileKind kind = rules::FileKind::kUnrecognized;
  std::shared_ptr<const text::Document> document = {};
  std::string_view template_language = {};                 ///< "Jinja template", "JSON5 file"; empty for what is none.
  std::vector<Span> filled_in = {};                        ///< Placeholders that --var or --env-file gave a value.
  std::set<std::string, std::less<>> used_variables = {};  ///< Names of these, and of variables of Terraform.
  std::vector<Error> refused_variables = {};               ///< Given values that Terraform rejects.
  std::vector<importers::Subject> subjects = {};           ///< The definitions inside a template or plan.
  rules::Deployment deployment = {};                       ///< Who deploys it, according to other files.
  /// The module that a file of Terraform code belongs to. Null for a text of its own.
  std::shared_ptr<const importers::TerraformModule> module = {};
  /// By address: what a call makes, as the run reports it in the file of the called module.
  std::map<std::string, importers::SubjectOfModule, std::less<>> in_called_modules = {};
  /// By address: the file that holds the containers of a resource of Terraform code, if the run reports it, too.
  std::map<std::string, std::shared_ptr<const ReadFile>, std::less<>> texts = {};
};

/// A file that was checked.
struct FileReport : ReadFile {
  std::string family = {};                 ///< Empty when there is none.
  std::vector<LintFinding> findings = {};  ///< Listed in file order.
  std::vector<rules::Skip> skipped = {};   ///< Listed in file order.
  std::vector<Error> notes = {};           ///< Problems with comments that ignore findings.
};

/// Whether there is something to check. A template or plan that was read well and holds nothing of ECS does not.
bool is_linted(const ReadFile& file);

/// Whether all of the text is in the tree: only then is what is absent really absent.
bool is_whole(const text::Document& document);
/// Whether the file is complete; for a template it depends on how it is rendered.
bool is_whole(const ReadFile& file);

/// Whether it holds services or RunTask calls, which name task definitions of other files.
bool holds_services(const ReadFile& file);

/// Parses one file and determines its kind. The format is inferred from the extension of `name`.
/// `around`: the files that Terraform code may read.
ReadFile read_file(std::string bytes, std::string name, Search search, const Options& options, const Tools& tools,
                   const importers::TerraformCodeFiles& around = {});

/// Checks what was read, when it is of a kind that is linted. Services are held against the definitions that `find`
/// gives, if any.
FileReport check_file(ReadFile file, const Options& options, const Tools& tools, const FindDefinition& find = {});

/// Reads and checks one text that the user named.
FileReport lint_document(std::string bytes, std::string name, const Options& options, const Tools& tools,
                         const FindDefinition& find = {});

/// Checks a file of Terraform code that was evaluated with its module.
FileReport check_code(std::shared_ptr<const text::Document> tree, std::string name,
                      std::vector<importers::Subject> subjects, const Options& options, const Tools& tools);

/// What the rules of services say of a scenario's services and tasks, and nothing else.
FileReport lint_scenario(std::shared_ptr<const text::Document> document, std::string file, const Options& options,
                         const Tools& tools, const FindDefinition& find);

}  // namespace bayplan::lint
