#include <algorithm>

#include "base/pattern.hpp"
#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "rules/file/innermost.hpp"
#include "rules/file/shape_findings.hpp"
#include "rules/topics.hpp"
#include "text/read.hpp"
#include "text/template_language.hpp"

namespace bayplan::rules {
namespace {

using text::Fault;
using text::FaultKind;

Report add(const Fault& fault, const InnermostValues& values, Emitter& emit) {
  const text::Value value = values.around(fault.span);
  auto report = value ? emit.at(fault.span, value) : emit.at_text(fault.span);
  report.says("{}", fault.message).help("{}", fault.help);
  for (const auto& place : fault.related) report.related(place.span, place.message);
  if (fault.fix) {
    for (const auto& edit : fault.fix->edits) report.fix(edit.span, edit.text, fault.fix->safe);
  }
  return report;
}

/// Members of a container without the braces around them: BAY009 says what the file is.
bool is_of_part(const Context& ctx, const Fault& fault) {
  return fault.kind == FaultKind::kJsonSyntax && is_part_of_container(ctx.root, ctx.kind) && ctx.root.size() > 0 &&
         fault.span == ctx.root.at(0).key_span();
}

/// Tells every fault of one kind; `adjust` may set another severity.
template <class Adjust>
void tell(FaultKind kind, const Context& ctx, Emitter& emit, Adjust adjust) {
  const InnermostValues values(ctx.document);
  for (const Fault& fault : ctx.document.faults()) {
    if (fault.kind == kind && !is_of_part(ctx, fault)) adjust(add(fault, values, emit));
  }
}

void tell(FaultKind kind, const Context& ctx, Emitter& emit) {
  tell(kind, ctx, emit, [](const Report&) {});
}

/// Reports all faults of one kind as one finding, at the first: they have one cause, such as an editor that adds
/// commas.
template <class Adjust>
void tell_once(FaultKind kind, const Context& ctx, Emitter& emit, Adjust adjust) {
  std::vector<const Fault*> found;
  for (const Fault& fault : ctx.document.faults()) {
    if (fault.kind == kind && !is_of_part(ctx, fault)) found.push_back(&fault);
  }
  if (found.empty()) return;
  const Fault& first = *found.front();
  auto report = add(first, InnermostValues(ctx.document), emit);
  for (auto at = found.begin() + 1; at < found.end(); ++at) {
    const Fault& other = **at;
    report.related(other.span, other.message);
    if (!other.fix) continue;
    for (const auto& edit : other.fix->edits) report.fix(edit.span, edit.text, other.fix->safe);
  }
  if (found.size() > 1) report.says("{} (and {} more)", first.message, found.size() - 1);
  adjust(report, found.size());
}

/// Readers of .jsonc and .json5 accept it; the AWS CLI does not.
void tell_extension(FaultKind kind, std::string_view what, const Context& ctx, Emitter& emit) {
  tell_once(kind, ctx, emit, [&](Report& report, std::size_t count) {
    const std::string more = count > 1 ? " (and " + std::to_string(count - 1) + " more)" : "";
    report.says("{}{} is not allowed in JSON", what, more)
        .help("remove {} before the AWS CLI reads the file", count > 1 ? "them" : "it")
        .severity(Severity::kInfo);
  });
}

// A plan that a CI action has printed has lines of the action around it.
void json_syntax(const Context& ctx, Emitter& emit) {
  if (ctx.kind != FileKind::kTerraform) return tell(FaultKind::kJsonSyntax, ctx, emit);
  const InnermostValues values(ctx.document);
  for (const Fault& fault : ctx.document.faults()) {
    const bool is_around =
        ctx.root && (fault.span.begin < ctx.root.span().begin || fault.span.begin >= ctx.root.span().end);
    if (fault.kind == FaultKind::kJsonSyntax && !is_around) add(fault, values, emit);
  }
}

void json_trailing_comma(const Context& ctx, Emitter& emit) {
  if (text::takes_comments(ctx.file)) return tell_extension(FaultKind::kTrailingComma, "trailing comma", ctx, emit);
  tell_once(FaultKind::kTrailingComma, ctx, emit, [&](Report& report, std::size_t) {
    if (ctx.kind == FileKind::kCloudFormation) report.severity(Severity::kWarning);
  });
}

void json_comment(const Context& ctx, Emitter& emit) {
  if (text::takes_comments(ctx.file)) return tell_extension(FaultKind::kComment, "comment", ctx, emit);
  if (ctx.deployment.removes_comments) return;
  tell_once(FaultKind::kComment, ctx, emit, [](Report&, std::size_t) {});
}

// JSON readers keep the last one and say nothing, and so does CloudFormation; other YAML readers refuse.
void duplicate_key(const Context& ctx, Emitter& emit) {
  const bool is_template = ctx.kind == FileKind::kCloudFormation;
  tell(FaultKind::kDuplicateKey, ctx, emit, [&](Report report) {
    if (ctx.document.format() == text::Format::kYaml && !is_template) report.severity(Severity::kError);
  });
}

void file_encoding(const Context& ctx, Emitter& emit) {
  tell(FaultKind::kEncoding, ctx, emit);
}

void yaml_syntax(const Context& ctx, Emitter& emit) {
  tell(FaultKind::kYamlSyntax, ctx, emit);
}

/// `vars {` and `tags {`: Terraform 0.12 rejects blocks for maps, so the code is for the versions before.
bool is_for_old_terraform(std::string_view code) {
  const auto lines = split(code, '\n');
  return std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    const auto text = trim(line);
    return text == "vars {" || text == "tags {" || text == "vars{" || text == "tags{";
  });
}

/// `required_version = "~> 0.11"`, "< 0.12", ">= 0.11.0, < 0.12": no version from 0.12 on.
bool asks_for_old_terraform(std::string_view code) {
  static const Pattern old =
      own_pattern(R"(\brequired_version\s*=\s*"(?:[^"\n]*(?:(?:~>|<=)\s*0\.(?:[0-9]|10|11)(?:\.\d+)?|)"
                  R"(<\s*0\.(?:[0-9]|1[0-2])(?:\.0)?)\s*[",]|\s*=?\s*0\.(?:[0-9]|10|11)\.\d+\s*"))");
  return old.matches_part(code);
}

/// A quoted name that is no identifier, which HCL has not had since Terraform 0.12.
bool is_other_name(std::string_view code, Span span) {
  const auto text = code.substr(span.begin, span.length());
  return text.size() > 2 && text.front() == '"' && text.back() == '"' &&
         text.substr(1, text.size() - 2).find_first_of(" ${}()./:,") != std::string_view::npos;
}

// Terraform before 0.12 accepts what is read as it was meant.
void hcl_syntax(const Context& ctx, Emitter& emit) {
  const InnermostValues values(ctx.document);
  const std::string_view code = ctx.document.source();
  const bool asks_for_old = asks_for_old_terraform(code);
  for (const Fault& fault : ctx.document.faults()) {
    if (fault.kind != FaultKind::kHclSyntax) continue;
    auto report = add(fault, values, emit);
    const bool is_old = asks_for_old || is_for_old_terraform(code) || is_other_name(code, fault.span);
    if (!fault.left_out) {
      report.severity(is_old ? Severity::kInfo : Severity::kWarning);
    } else if (asks_for_old) {
      report.severity(Severity::kWarning);  // what that version makes of it is not known for each fault
    }
  }
}

// No mistake: a plan knows more than the code.
void not_evaluated(const Context& ctx, Emitter& emit) {
  tell(FaultKind::kNotEvaluated, ctx, emit);
}

void nesting_too_deep(const Context& ctx, Emitter& emit) {
  tell(FaultKind::kTooDeep, ctx, emit,
       [](Report report) { report.help("reduce the nesting; bayplan does not read deeper levels"); });
  for (const auto kind : {FaultKind::kTooLarge, FaultKind::kAliasExpansion}) tell(kind, ctx, emit);
}

// A template that was not read has neither values nor faults.
void unrendered_template(const Context& ctx, Emitter& emit) {
  const std::string_view source = ctx.document.source();
  if (ctx.root || !ctx.document.faults().empty() || text::is_blank(ctx.document)) return;
  const bool is_jsonnet = text::is_jsonnet(ctx.file, source);
  const bool is_json5 = text::is_json5(ctx.file);
  const auto language = text::template_language(source, ctx.document.format());
  if (!is_jsonnet && !is_json5 && language.empty()) return;
  const auto first = static_cast<std::uint32_t>(source.find_first_not_of(" \t\r\n"));
  const auto end = static_cast<std::uint32_t>(std::min(source.find_first_of("\r\n", first), source.size()));
  auto report = emit.at_text({first, end});
  if (is_jsonnet) {
    report.says("Jsonnet file cannot be checked before it is evaluated")
        .help("check its output: jsonnet {} | bayplan lint -", shell_word(ctx.file));
  } else if (language.empty()) {
    report.says("JSON5 syntax other than comments and trailing commas is not supported")
        .help("convert it to JSON: json5 {} | bayplan lint -", shell_word(ctx.file));
  } else {
    report.says("{} cannot be checked before it is rendered", language)
        .help("render it and check the result with bayplan lint -");
  }
}

}  // namespace

std::span<const Rule> file_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY001", kText, json_syntax, {.holds_in_templates = true, .seen_by_client = true}},
      {"BAY002", kText, json_trailing_comma, {.holds_in_templates = true, .seen_by_client = true}},
      {"BAY003", kText, json_comment, {.holds_in_templates = true, .seen_by_client = true}},
      {"BAY004", kText, duplicate_key, {.dropped_in_templates = true}},
      {"BAY005", kText, file_encoding, {.holds_in_templates = true}},
      {"BAY006", kText, yaml_syntax, {.holds_in_templates = true, .seen_by_client = true}},
      {"BAY029", kText, nesting_too_deep},
      {"BAY030", kText, unrendered_template},
      {"BAY031", kText, hcl_syntax, {.seen_by_client = true}},
      {"BAY032", kText, not_evaluated},
  };
  return kRules;
}

}  // namespace bayplan::rules
