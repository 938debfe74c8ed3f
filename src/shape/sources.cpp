#include "shape/sources.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/excerpt.hpp"
#include "base/path_sandbox.hpp"
#include "base/strings.hpp"
#include "shape/check.hpp"
#include "text/read.hpp"

namespace bayplan::shape {

using text::Value;

namespace {

/// A scenario is bayplan's own format: comments and a trailing comma do no harm, whatever else is wrong does.
bool is_harmless(text::FaultKind kind) {
  return kind == text::FaultKind::kComment || kind == text::FaultKind::kTrailingComma ||
         kind == text::FaultKind::kEncoding;
}

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::string range_of(const Rule& rule) {
  if (rule.minimum && rule.maximum) return fmt::format("between {} and {}", *rule.minimum, *rule.maximum);
  if (rule.minimum) return fmt::format("at least {}", *rule.minimum);
  return rule.maximum ? fmt::format("at most {}", *rule.maximum) : std::string();
}

std::string member_names(const Rule& rule) {
  std::vector<std::string_view> names;
  for (const auto& member : rule.members) names.push_back(member.name);
  return one_of(names, "and");
}

std::string help_for_key(const KeyHint& hint, const std::string& key, const Rule& wanted) {
  if (hint.member.empty()) return "supported keys: " + member_names(wanted);
  if (hint.member == key && !hint.place.empty()) return "it belongs to " + hint.place.substr(0, hint.place.find("[]"));
  return "did you mean " + in_quotes(hint.member) + "?";
}

std::string_view how_to_write(const Rule& wanted) {
  if (wanted.title == "duration") return "use weeks, days, hours, minutes and seconds, such as 1h30m or 7d";
  if (wanted.title == "size") return "use a number of MiB, or text such as 14GiB or 24GB";
  if (wanted.title == "house rule id")
    return "use TEAM/NAME in lowercase letters, digits and hyphens, such as team/ecr-only";
  return wanted.title == "day" ? "use the form 2027-01-31" : "";
}

std::string help_for_type(const ShapeFinding& finding) {
  if (finding.problem == Problem::kStringForInteger) return "remove the quotes";
  if (finding.wanted->title == "test" || finding.wanted->title == "conditions")
    return "a test is an object: {equals: web}; the keys of when are paths: {$.family: {equals: web}}";
  if (finding.wanted->types.only(text::Kind::kBoolean)) return "use true or false, without quotes";
  if (finding.key.empty() && !finding.wanted->members.empty())
    return "supported keys: " + member_names(*finding.wanted);
  const auto given = finding.node.is_string() ? finding.node.text() : std::string_view();
  if (finding.wanted->types.only(text::Kind::kInteger) && !given.empty() && given[0] >= '0' && given[0] <= '9')
    return "use a whole number without a unit";
  if (finding.problem != Problem::kScalarForString) return {};
  // In quotes a number without its unit would be no better.
  const auto help = how_to_write(*finding.wanted);
  return help.empty() ? "add quotes" : std::string(help);
}

/// A value that may be an element, as a list of one.
std::string in_brackets(Value at, const Rule* elements) {
  constexpr std::size_t kMostShown = 40;
  const bool fits = elements == nullptr || elements->types.any() || elements->types.has(at.kind());
  if (!fits) return {};
  if (at.is_object()) return "enclose it in [ and ]";
  if (at.text().empty() || at.text().size() > kMostShown) return {};
  const bool is_bare = !at.is_string() || at.style() == text::Style::kPlain;
  const std::string mark = is_bare ? "" : "\"";
  return fmt::format("use [{}{}{}]", mark, at.text(), mark);
}

/// The value at fault: a member by its key, an element by its list.
std::string name_of_value(const ShapeFinding& finding) {
  if (finding.key.empty()) return "file";
  const bool is_item = finding.node.key().empty() && finding.node.parent();
  return (is_item ? "item of " : "") + std::string(finding.key);
}

/// A whole number of more digits than 64 bits hold.
bool is_too_large(Value number) {
  const auto text = number.text();
  return number.kind() == text::Kind::kNumber && is_digits(text.substr(text.starts_with('-') ? 1 : 0));
}

/// A value of the wrong type. The list is named for an item that cannot be one of it, with what its items are.
std::pair<std::string, std::string> words_for_type(const ShapeFinding& finding) {
  const Rule& wanted = *finding.wanted;
  if (wanted.types.has(text::Kind::kInteger) && is_too_large(finding.node)) {
    constexpr std::size_t kMostSaid = 40;
    const auto range = range_of(wanted);
    return {fmt::format("{} must be {}, got {}", name_of_value(finding), range.empty() ? "a 64-bit integer" : range,
                        shortened_to(finding.node.text(), kMostSaid)),
            {}};
  }
  const bool is_item_of_list = finding.problem == Problem::kNotAList && finding.node.parent().is_array();
  const Rule& type = is_item_of_list && wanted.elements != nullptr ? *wanted.elements : wanted;
  std::string message = fmt::format("{} must be {}, got {}", name_of_value(finding), wanted_type(type),
                                    article_and_name(finding.node.kind()));
  if (is_item_of_list || finding.problem != Problem::kNotAList) return {std::move(message), help_for_type(finding)};
  return {std::move(message), in_brackets(finding.node, wanted.elements)};
}

/// Message and help for a fault of shape.
std::pair<std::string, std::string> words_for(const ShapeFinding& finding) {
  const std::string key(finding.key);
  const Rule& wanted = *finding.wanted;
  switch (finding.problem) {
    case Problem::kUnknownKey:
      return {"unknown key " + in_quotes(key), help_for_key(finding.hint, key, wanted)};
    case Problem::kMissing:
      return {fmt::format("{} is missing", key), {}};
    case Problem::kNull:
      return {fmt::format("{} is null", name_of_value(finding)), "set a value or omit it"};
    case Problem::kOutOfRange:
      return {fmt::format("{} must be {}, got {}", name_of_value(finding), range_of(wanted), finding.node.text()), {}};
    case Problem::kNotInEnum:
      return {fmt::format("{} cannot be {}", name_of_value(finding), in_quotes(finding.node.text())),
              finding.nearest.empty() ? "must be " + one_of(wanted.values)
                                      : "did you mean " + in_quotes(finding.nearest) + "?"};
    case Problem::kTooShort:
      if (!finding.node.text().empty())
        return {fmt::format("{} cannot be {}", name_of_value(finding), in_quotes(finding.node.text())),
                std::string(how_to_write(wanted))};
      [[fallthrough]];
    case Problem::kTooFewItems:
    case Problem::kEmpty:
      return {fmt::format("{} is empty", name_of_value(finding)), {}};
    case Problem::kTooManyItems:
      return {fmt::format("{} has too many items ({})", name_of_value(finding), finding.node.size()), {}};
    case Problem::kPattern:
    case Problem::kTooLong:
      return {fmt::format("{} cannot be {}", name_of_value(finding), in_quotes(finding.node.text())),
              std::string(how_to_write(wanted))};
    default:
      break;
  }
  return words_for_type(finding);
}

}  // namespace

bool Sources::may_name(Value from, const std::string& path) {
  if (PathSandbox(files_, folder_around(file_of(from))).contains(path)) return true;
  fail(from, fmt::format("{} is outside the folder of this file, its project and the working directory", path),
       "pass it on the command line, or run bayplan in a directory that contains both");
  return false;
}

void Sources::add(std::shared_ptr<const text::Document> document, const std::string& file, std::uint32_t first_line) {
  auto source = std::make_unique<Source>(Source{document, file, text::LineIndex(document->source()), first_line - 1});
  by_document_[document.get()] = source.get();
  sources_.push_back(std::move(source));
}

const text::Document* Sources::read(const std::string& path, std::size_t limit, Value from, bool may_be_empty,
                                    text::RetentionRule keep) {
  if (from && !may_name(from, path)) return nullptr;
  auto bytes = files_.read(path, limit);
  if (!bytes) {
    if (from) {
      fail(from,
           bytes.error().message.find(path) == std::string::npos ? path + ": " + bytes.error().message
                                                                 : bytes.error().message,
           bytes.error().help);
    } else {
      Error error = bytes.error();
      if (error.file.empty()) error.file = path;
      fail(std::move(error));
    }
    return nullptr;
  }
  std::shared_ptr<const text::Document> document = text::read_document(
      std::move(*bytes),
      {.format = text::format_of_name(path), .limits = limits_, .comments_allowed = true, .keep = std::move(keep)});
  note_file(path);
  add(document, path, 1);
  if (may_be_empty && text::is_blank(*document)) return document.get();
  bool readable = true;
  for (const auto& fault : document->faults()) {
    // A template is the input of CloudFormation, for which `lint` warns of such keys.
    const bool is_of_template = fault.kind == text::FaultKind::kDuplicateKey && document->root() &&
                                document->root().is_object() && document->root().find("Resources");
    if (is_harmless(fault.kind) || is_of_template) continue;
    readable = false;
    errors_.push_back(error_in(*sources_.back(), fault.span.begin, fault.message, fault.help));
  }
  if (readable && !document->root() && !may_be_empty) {
    errors_.push_back({"the file is empty", path, 0, 0, {}});
    readable = false;
  }
  return readable ? document.get() : nullptr;
}

bool Sources::check_shape(std::string_view schema_text, Value value) {
  const auto schema = Schema::load(schema_text);
  if (!schema) {
    fail(schema.error());
    return false;
  }
  auto findings = check(*schema, value, model::Placeholders());
  std::erase_if(findings, [](const auto& finding) {
    return finding.problem == Problem::kPlainWord && finding.wanted->types.has(text::Kind::kString);
  });
  for (const auto& finding : findings) {
    auto [message, help] = words_for(finding);
    const bool is_unknown = finding.problem == Problem::kUnknownKey;
    const Value member = is_unknown ? finding.node : Value();
    if (member && member.key_span().length() > 0) {
      fail_at(member.key_span(), member, std::move(message), std::move(help));
    } else {
      fail_at(finding.node.opening(), finding.node, std::move(message), std::move(help));
    }
  }
  return check_known(value) && findings.empty();
}

/// The schema runner does not judge placeholders; here every value is needed. Task definitions are looked at one by
/// one, commands and environments are no matter of placement, and the rest is any text: a house rule may ask for a
/// placeholder in a definition, and show one in an example.
bool Sources::check_known(Value value) {
  constexpr std::array<std::string_view, 9> kNotJudged{
      "taskDefinitions", "command", "environment", "reason", "path", "placeholders", "findings", "rules", "parameters"};
  if (std::find(kNotJudged.begin(), kNotJudged.end(), value.key()) != kNotJudged.end()) return true;
  const std::string_view key = value.key();
  if (!value.is_object() && !value.is_array()) {
    if (!model::Placeholders().holds(value)) return true;
    fail(value, fmt::format("{} is a placeholder: {}", key.empty() ? "an item" : key, value.text()),
         "use a literal value here");
    return false;
  }
  bool known = true;
  for (const Value child : value.children()) known = check_known(child) && known;
  return known;
}

const Sources::Source& Sources::find_source(const text::Document& document) const {
  return *by_document_.at(&document);
}

Error Sources::error_in(const Source& source, std::uint32_t offset, std::string message, std::string help) const {
  const auto place = source.lines.location(offset);
  return {std::move(message), source.file, place.line + source.lines_before, place.column, std::move(help)};
}

Error Sources::error_at(Value at, std::string message, std::string help) const {
  return error_in(find_source(at.document()), at.opening().begin, std::move(message), std::move(help));
}

Error Sources::error_at(Span span, Value in, std::string message) const {
  return error_in(find_source(in.document()), span.begin, std::move(message), {});
}

void Sources::fail(Value at, std::string message, std::string help) {
  errors_.push_back(error_at(at, std::move(message), std::move(help)));
}

void Sources::fail_at(Span span, Value in, std::string message, std::string help) {
  errors_.push_back(error_in(find_source(in.document()), span.begin, std::move(message), std::move(help)));
}

void Sources::fail_with(Value at, Error error) {
  Error placed = error_at(at, std::move(error.message), std::move(error.help));
  placed.id = std::move(error.id);
  placed.subject = std::move(error.subject);
  errors_.push_back(std::move(placed));
}

void Sources::fail(Error error) {
  errors_.push_back(std::move(error));
}

std::string Sources::file_of(Value at) const {
  return find_source(at.document()).file;
}

Error Sources::place_of(Value at) const {
  const Source& source = find_source(at.document());
  const Span span = at.key_span().length() > 0 ? at.key_span() : at.opening();
  return error_in(source, span.begin, {}, {});
}

std::vector<Error> Sources::take_errors() && {
  std::map<std::string, std::size_t> order;
  for (const auto& file : files_read_) order.emplace(file, order.size() + 1);
  const auto key = [&](const Error& error) {
    const auto found = order.find(error.file);
    return std::tuple(found == order.end() ? 0 : found->second, error.line, error.column);
  };
  std::stable_sort(errors_.begin(), errors_.end(), [&](const Error& a, const Error& b) { return key(a) < key(b); });
  const auto said = [&](const Error& a, const Error& b) {
    return key(a) == key(b) && a.file == b.file && a.message == b.message;
  };
  errors_.erase(std::unique(errors_.begin(), errors_.end(), said), errors_.end());
  return std::move(errors_);
}

std::vector<std::shared_ptr<const text::Document>> Sources::documents() const {
  std::vector<std::shared_ptr<const text::Document>> documents;
  for (const auto& source : sources_) documents.push_back(source->document);
  return documents;
}

std::string relative_to(const std::string& file, std::string_view path) {
  const std::size_t slash = file.rfind('/');
  if (path.starts_with('/') || slash == std::string::npos) return std::string(path);
  return file.substr(0, slash + 1) + std::string(path);
}

}  // namespace bayplan::shape
