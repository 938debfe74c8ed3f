#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lazy.hpp"
#include "base/limits.hpp"
#include "catalog/catalog.hpp"
#include "lint/file_kind.hpp"
#include "lint/selection.hpp"
#include "rules/context.hpp"
#include "rules/emitter.hpp"
#include "rules/rule_data.hpp"
#include "shape/task_definition_schema.hpp"
#include "text/document.hpp"

namespace bayplan::lint {

/// Data that every file shares; loaded when the first file needs it. Safe to use from several threads.
struct Tools {
  Lazy<rules::RuleData> rule_data{rules::RuleData::load};
  Lazy<catalog::Catalog> catalog{catalog::Catalog::load};
  Lazy<shape::Schema> schema{shape::task_definition_schema};
};

struct Options {
  rules::Options rules;
  model::Placeholders placeholders;
  Selection selection;
  std::vector<SeverityOverride> severities;
  bool strict = false;  ///< A refusal that is documented but was not seen counts as an error.
  Search search = Search::kNamed;
  Limits limits;
};

/// Why a finding does not count.
struct Suppression {
  enum class By : std::uint8_t { kComment, kConfig, kBaseline };
  By by = By::kConfig;
  std::string reason;  ///< As the user wrote it; may be empty.
};

/// A finding as reports show it.
struct LintFinding : Finding {
  std::string_view evidence;               ///< Of this severity of the rule.
  std::optional<std::string> container;    ///< Name of the container definition that holds it.
  std::string named_path;                  ///< "containerDefinitions[web].memory"; empty for the file itself.
  std::string fingerprint;                 ///< Survives edits elsewhere in the file.
  std::optional<Suppression> suppression;  ///< Set when the user has silenced it.
};

struct FileReport {
  std::string file;
  rules::FileKind kind = rules::FileKind::kUnrecognized;
  std::string family;  ///< Empty when there is none.
  std::unique_ptr<const text::Document> document;
  std::vector<LintFinding> findings;  ///< In file order.
  std::vector<rules::Skip> skipped;   ///< In file order.
};

/// Checks one text. `name` is how reports call it; its ending helps to tell the format.
FileReport lint_document(std::string bytes, std::string name, const Options& options, const Tools& tools);

}  // namespace bayplan::lint
