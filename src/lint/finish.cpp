#include "lint/finish.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "base/ascii.hpp"
#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "importers/cloudformation.hpp"
#include "lint/damage.hpp"
#include "lint/files/template_file.hpp"
#include "lint/files/template_words.hpp"
#include "lint/identity.hpp"
#include "lint/supersede.hpp"
#include "rules/registry.hpp"
#include "text/template_language.hpp"

namespace bayplan::lint {
namespace {

std::string_view choose_evidence(const Finding& finding, const rules::RuleRow& row) {
  if (finding.severity == row.severity) return row.evidence;
  for (const auto& item : row.severity_when) {
    if (item.severity == finding.severity) return item.evidence;
  }
  return row.evidence;
}

/// A warning because the refusal was read, not seen.
bool is_documented_refusal(const Finding& finding, std::string_view evidence, const rules::RuleRow& row) {
  return finding.severity == Severity::kWarning && evidence == "documented" && row.documented_refusal;
}

/// YAML writes keys without quotes: `"memory": 512` of a help reads `memory: 512` there.
std::string without_key_quotes(std::string_view help) {
  std::string result;
  for (std::size_t at = 0; at < help.size();) {
    const std::size_t end = help[at] == '"' ? help.find('"', at + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      result += help[at++];
      continue;
    }
    const bool is_key = help.substr(end + 1).starts_with(": ");
    result += is_key ? help.substr(at + 1, end - at - 1) : help.substr(at, end + 1 - at);
    at = end + 1;
  }
  return result;
}

/// A name may be a megabyte long: of such a text the beginning and the end, which holds what is said of it.
std::string bounded(std::string text) {
  return without_middle(std::move(text), 1000, 300);
}

/// Sorts, and drops what was said twice: what a YAML anchor holds is one fault however many aliases repeat it.
void tidy(std::deque<Finding>& findings) {
  const auto key = [](const Finding& one) { return std::tie(one.span.begin, one.span.end, one.code, one.message); };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
  findings.erase(std::unique(findings.begin(), findings.end(),
                             [&](const Finding& a, const Finding& b) { return key(a) == key(b); }),
                 findings.end());
}

/// Two findings alike (the same value twice under one name) still need different identities.
void number_equal_fingerprints(std::vector<LintFinding>& findings) {
  std::map<std::string, int> seen;
  for (auto& finding : findings) {
    const int count = ++seen[finding.fingerprint];
    if (count > 1) finding.fingerprint += "-" + std::to_string(count);
  }
}

/// Places in a file that a fix may write to: what is written literally, not a reference, nor a key by one in ECS's
/// spelling; and all of a list or map that holds nothing else.
class PlainPlaces {
 public:
  PlainPlaces(const importers::Subject& subject, const text::Document& file) {
    for (std::uint32_t i = 0; i < subject.origins.size(); ++i) {
      const text::Value made = subject.document->node(i);
      const text::Value origin = file.node(subject.origins[i]);
      if (!is_collection(origin) && is_as_written(made, origin)) add(origin.span());
      // Rules spell the keys of a template as it does.
      const bool is_template = subject.spelling == importers::Spelling::kPascalCase;
      if (is_template && made.key_span() == origin.key_span()) add(origin.key_span());
    }
    std::sort(places_.begin(), places_.end());
    find_literals(subject, file);
  }

  bool hold(const Fix& fix) const {
    const bool is_scalar_by_scalar = std::all_of(fix.edits.begin(), fix.edits.end(), [&](const Edit& edit) {
      return std::binary_search(places_.begin(), places_.end(), std::pair(edit.span.begin, edit.span.end));
    });
    return is_scalar_by_scalar || lies_in_literal(fix);
  }

 private:
  static bool is_collection(text::Value value) { return value.is_object() || value.is_array(); }

  /// CloudFormation converts between texts, numbers and booleans: `Memory: 512` is a literal of the text that ECS gets.
  static bool is_as_written(text::Value made, text::Value origin) {
    if (!origin.tag().empty() || made.span() != origin.span()) return false;
    if (is_collection(made) || is_collection(origin))
      return made.kind() == origin.kind() && made.size() == origin.size();
    return made.kind() == origin.kind() || made.text() == origin.text();
  }

  void add(Span span) {
    if (span.length() > 0) places_.emplace_back(span.begin, span.end);
  }

  /// The largest lists and maps without a reference in them. They do not overlap; children come behind their parents.
  void find_literals(const importers::Subject& subject, const text::Document& file) {
    const auto& document = *subject.document;
    std::vector<bool> is_literal(subject.origins.size(), true);
    for (auto i = static_cast<std::uint32_t>(is_literal.size()); i-- > 0;) {
      const text::Value made = document.node(i);
      is_literal[i] = is_literal[i] && is_as_written(made, file.node(subject.origins[i]));
      if (!is_literal[i] && made.parent()) is_literal[made.parent().index()] = false;
    }
    for (std::uint32_t i = 0; i < is_literal.size(); ++i) {
      const text::Value made = document.node(i);
      const bool is_largest = is_literal[i] && !(made.parent() && is_literal[made.parent().index()]);
      if (is_largest && is_collection(made)) literals_.emplace_back(made.span().begin, made.span().end);
    }
    std::sort(literals_.begin(), literals_.end());
  }

  bool lies_in_literal(const Fix& fix) const {
    if (fix.edits.empty()) return false;
    const auto begin = fix.edits.front().span.begin;  // edits are sorted
    const auto behind = std::upper_bound(literals_.begin(), literals_.end(), std::pair(begin, UINT32_MAX));
    return behind != literals_.begin() && fix.edits.back().span.end <= std::prev(behind)->second;
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> places_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> literals_;
};

/// Written by a program, which will write it again.
bool is_generated(rules::FileKind kind) {
  return kind == rules::FileKind::kTerraform || kind == rules::FileKind::kCdk;
}

/// A string, number or word that both JSON and Terraform code spell so. Terraform reads `${` and `%{` in a string.
bool is_literal(std::string_view text) {
  const bool is_string = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  if (!is_string) return text == "true" || text == "false" || text == "null" || to_number(text).has_value();
  const auto inner = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const char next = i + 1 < inner.size() ? inner[i + 1] : '\0';
    if (inner[i] == '"' || is_line_end(inner[i]) || ((inner[i] == '$' || inner[i] == '%') && next == '{')) return false;
    if (inner[i] == '\\' && std::string_view("nrt\"\\").find(next) == std::string_view::npos) return false;
    if (inner[i] == '\\') ++i;
  }
  return true;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

/// The fix in the spelling of Terraform code; nothing if it would change more than literals and keys that are written
/// in the resource itself: what a reference leads to may be used elsewhere.
std::optional<Fix> fix_of_code(const Fix& fix, const importers::Subject& subject, const text::Document& file) {
  const std::string_view source = file.source();
  const Span resource = file.node(subject.origins.front()).span();
  // Keys of ECS that the code writes, not those that the provider renames.
  const auto is_key = [&](Span span) {
    for (std::uint32_t i = 0; i < subject.origins.size(); ++i) {
      const text::Value made = subject.document->node(i);
      if (made.key_span() == span && made.key() == file.node(subject.origins[i]).key()) return true;
    }
    return false;
  };
  Fix result = fix;
  for (Edit& edit : result.edits) {
    const auto old = source.substr(edit.span.begin, edit.span.length());
    const bool is_inside = resource.begin < edit.span.begin && edit.span.end < resource.end;
    std::string_view key = edit.text;
    const bool is_quoted = key.size() > 2 && key.front() == '"' && key.back() == '"';
    if (is_quoted) key = key.substr(1, key.size() - 2);
    const bool is_bare_key = is_identifier(old) && is_identifier(key) && is_key(edit.span);
    if (!is_inside || (!is_bare_key && !(is_literal(old) && is_literal(edit.text)))) return std::nullopt;
    if (is_bare_key) edit.text = std::string(key);
  }
  return result;
}

void keep_plain_fixes(std::deque<Finding>& findings, const importers::Subject& subject, const ReadFile& file) {
  const auto has_fix = [](const Finding& one) { return one.fix.has_value(); };
  if (std::none_of(findings.begin(), findings.end(), has_fix)) return;
  if (file.document->format() == text::Format::kHcl) {
    for (auto& finding : findings) {
      if (finding.fix) finding.fix = fix_of_code(*finding.fix, subject, *file.document);
    }
    return;
  }
  const PlainPlaces places(subject, *file.document);
  for (auto& finding : findings) {
    if (finding.fix && (is_generated(file.kind) || !places.hold(*finding.fix))) finding.fix.reset();
  }
}

void drop_fixes(std::deque<Finding>& findings) {
  for (auto& finding : findings) finding.fix.reset();
}

/// A placeholder in a template must stay.
void drop_fixes_of_filled(std::deque<Finding>& findings, const std::vector<Span>& filled_in) {
  if (filled_in.empty()) return;
  const auto is_touched = [&](const Edit& edit) {
    return std::any_of(filled_in.begin(), filled_in.end(), [&](Span place) {
      return edit.span.begin < place.end && (place.begin < edit.span.end || place.begin < edit.span.begin);
    });
  };
  for (auto& finding : findings) {
    if (finding.fix && std::any_of(finding.fix->edits.begin(), finding.fix->edits.end(), is_touched))
      finding.fix.reset();
  }
}

/// The path of the construct that made a resource, which is what its author knows it by.
void name_construct(LintFinding& finding, const importers::Subject& subject, const text::Document& file) {
  const text::Value resources = file.root().find("Resources");
  const text::Value metadata = resources.find(subject.name).find("Metadata");
  const text::Value path = metadata ? metadata.find("aws:cdk:path") : text::Value();
  if (path) finding.related.push_back({"the construct", path.span()});
}

void place_in_file(LintFinding& finding, const importers::Subject& subject, const text::Document& file) {
  finding.named_path = finding.named_path.empty() ? subject.name : subject.name + "." + finding.named_path;
  finding.pointer = importers::pointer_in_file(subject, file, finding.pointer);
  finding.message = subject.name + ": " + finding.message;
}

/// What is said of a service may speak of its task definition too.
Schemas choose_schemas(const importers::Subject& subject, const Tools& tools) {
  Schemas schemas{&importers::schema_of(subject.kind, tools.schemas).get()};
  const bool names_definition =
      subject.kind == importers::SubjectKind::kService || subject.kind == importers::SubjectKind::kTaskSet;
  if (names_definition) schemas.push_back(&tools.schemas.task_definition.get());
  return schemas;
}

LintFinding finished(Finding finding, const Finish& finish, const Tools& tools) {
  const auto& data = tools.rule_data.get();
  const auto& row = data.row(finding.code);
  const auto evidence = choose_evidence(finding, row);
  const bool is_templated = !finish.file.template_language.empty();
  if (is_templated && finding.severity == Severity::kError && !rules::rule_of(finding.code).traits.holds_in_templates)
    finding.severity = Severity::kWarning;
  if (finish.options.strict && !is_templated && is_documented_refusal(finding, evidence, row))
    finding.severity = Severity::kError;
  for (const auto& item : finish.options.severities) {
    if (match_length(item.selector, row) > 0) finding.severity = item.severity;
  }
  const bool is_template = finish.subject != nullptr && finish.subject->spelling == importers::Spelling::kPascalCase;
  if (is_template) spell_as_template(finding, choose_schemas(*finish.subject, tools));
  if (finish.document.format() == text::Format::kYaml) finding.help = without_key_quotes(finding.help);
  finding.message = bounded(std::move(finding.message));
  finding.help = bounded(std::move(finding.help));
  LintFinding result{std::move(finding), evidence, std::nullopt, {}, {}, std::nullopt};
  const text::Value root = finish.document.root();
  result.named_path = named_path(root, result.pointer);
  result.container = container_of(root, result.pointer);
  if (finish.subject != nullptr) place_in_file(result, *finish.subject, *finish.file.document);
  if (finish.file.kind == rules::FileKind::kCdk && finish.subject != nullptr) {
    name_construct(result, *finish.subject, *finish.file.document);
  }
  result.fingerprint = compute_fingerprint(result, result.named_path, finish.file.file, finish.document.source());
  return result;
}

}  // namespace

Finished finish_findings(rules::Findings found, const Finish& finish, const Tools& tools) {
  Finished result;
  if (found.items.empty() && found.skipped.empty()) return result;
  const auto& data = tools.rule_data.get();
  const auto& selection = finish.options.selection;
  for (auto& skip : found.skipped) {
    if (!selection.enables(data.row(skip.code))) continue;
    if (finish.subject != nullptr) {
      skip.pointer = importers::pointer_in_file(*finish.subject, *finish.file.document, skip.pointer);
    }
    result.skipped.push_back(std::move(skip));
  }
  const auto is_asked_for = [&](const Finding& one) {
    const auto& row = data.row(one.code);
    return row.on_by_default || selection.enables(row);
  };
  std::erase_if(found.items, [&](const Finding& one) { return !is_asked_for(one); });  // it would silence others
  drop_consequences(found.items, finish.document, finish.subject ? *finish.file.document : finish.document,
                    finish.file.kind);
  drop_superseded(found.items, data);
  if (!finish.file.template_language.empty())
    std::erase_if(found.items, [](const Finding& one) { return rules::rule_of(one.code).traits.dropped_in_templates; });
  std::erase_if(found.items, [&](const Finding& one) { return !selection.enables(data.row(one.code)); });
  tidy(found.items);
  drop_fixes_of_filled(found.items, finish.file.filled_in);
  if (text::is_jsonnet(finish.file.file, {}) || text::is_json5(finish.file.file)) drop_fixes(found.items);
  if (finish.subject != nullptr) keep_plain_fixes(found.items, *finish.subject, finish.file);
  result.findings.reserve(found.items.size());
  for (auto& finding : found.items) result.findings.push_back(finished(std::move(finding), finish, tools));
  return result;
}

std::vector<LintFinding> in_file_order(std::vector<LintFinding> findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
    return std::tie(a.span.begin, a.span.end) < std::tie(b.span.begin, b.span.end);
  });
  number_equal_fingerprints(findings);
  return findings;
}

}  // namespace bayplan::lint
