#include "text/read.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.hpp"
#include "text/document.hpp"
#include "text/encoding.hpp"
#include "text/json_lexis.hpp"
#include "text/json_repair.hpp"
#include "text/template_language.hpp"
#include "text/yaml_reader.hpp"

namespace bayplan::text {

namespace {

/// The fault of bytes that are no text but an archive, by the signature that they begin with: ZIP (PKWARE APPNOTE
/// 4.3.7), which is what Terraform saves a plan as, and gzip (RFC 1952, 2.3.1). Its kind is that of the
/// syntax of `format`, its span the beginning.
std::optional<Fault> packed_fault(std::string_view bytes, Format format) {
  const auto no_text = [&](std::string message, std::string help) {
    const FaultKind kind = format == Format::kYaml ? FaultKind::kYamlSyntax : FaultKind::kJsonSyntax;
    return Fault{kind, {0, 0}, std::move(message), std::move(help), {}, {}};
  };
  if (bytes.starts_with("\x1F\x8B\x08")) return no_text("file is compressed with gzip", "decompress it with gzip -d");
  if (!bytes.starts_with("PK\x03\x04")) return std::nullopt;
  constexpr std::size_t kHeader = 30;  // of a ZIP entry; the first of a plan is "tfplan"
  const bool is_terraform_plan = bytes.size() > kHeader && bytes.substr(kHeader).starts_with("tfplan");
  if (!is_terraform_plan) return no_text("file is a ZIP archive", "unpack it");
  return no_text("file is a binary Terraform plan", "convert it to JSON: terraform show -json PLAN > plan.json");
}

}  // namespace

std::optional<Format> format_of_name(std::string_view path) {
  const auto dot = path.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string ending = lower(path.substr(dot + 1));
  if (ending == "yaml" || ending == "yml") return Format::kYaml;
  if (ending == "json" || ending == "jsonc" || ending == "json5") return Format::kJson;
  return std::nullopt;
}

namespace {

/// YAML by its first token: JSON begins with a bracket or a quote, people put comments, prompts and statements of
/// templates before it.
bool begins_like_json(std::string_view text) {
  std::size_t i = 0;
  for (;;) {
    i = text.find_first_not_of(" \t\r\n", i);
    if (i == std::string_view::npos) return true;
    const bool is_comment = text[i] == '#' || text.substr(i, 2) == "//";
    const std::size_t statement = template_statement_length(text, i);
    if (!is_comment && statement == 0) break;
    i = is_comment ? std::min(text.find_first_of("\r\n", i), text.size()) : i + statement;
  }
  if (text[i] == '{') return text.substr(i, 2) != "{{" && text.substr(i, 2) != "{%";
  return text[i] == '[' || text.substr(i, 2) == "/*" || quote_at(text, i) != Quote::kNone;
}

/// A prompt, a Markdown fence or template statements may precede JSON. No block of YAML begins a line with a
/// bracket.
bool holds_json_line(std::string_view text) {
  for (const char* const begin : {"\n{", "\n["}) {
    for (std::size_t i = text.find(begin); i != std::string_view::npos; i = text.find(begin, i + 1)) {
      const std::string_view two = text.substr(i + 1, 2);
      if (two != "{{" && two != "{%" && two != "{#") return true;
    }
  }
  return false;
}

Format format_of_content(std::string_view text) {
  return begins_like_json(text) || holds_json_line(text) ? Format::kJson : Format::kYaml;
}

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kMiB = 1u << 20;
  return bytes % kMiB == 0 ? std::to_string(bytes / kMiB) + " MiB" : std::to_string(bytes) + " bytes";
}

Fault too_large(std::size_t size, std::size_t limit, std::string_view help) {
  return {FaultKind::kTooLarge, {0, 0}, "file has " + size_text(size) + "; the maximum is " + size_text(limit),
          std::string(help),    {},     {}};
}

void note(Builder& builder, std::optional<Fault> fault) {
  if (fault) builder.fault(std::move(*fault));
}

void note_all(Builder& builder, std::vector<Fault> faults) {
  for (Fault& fault : faults) builder.fault(std::move(fault));
}

/// What people meant as JSON: the strict reader again, over the repaired text.
void read_repaired(Builder& builder, const ReadOptions& options, Fault refusal) {
  Repair repair = repair_json(builder.source(),
                              {.comments_allowed = options.comments_allowed, .has_bare_names = options.has_bare_names});
  // Template statements alone are taken out without a word: then the text has changed.
  if (repair.faults.empty() && repair.repaired.text == builder.source()) return builder.fault(std::move(refusal));
  builder.restart();
  const std::string_view repaired = builder.keep(std::move(repair.repaired.text));
  if (!repaired.empty()) note(builder, read_json(repaired, options.limits, builder, options.keep));
  builder.remap([&](Span span) { return repair.repaired.offsets.original(span); });
  builder.mark_placeholders(repair.placeholders);
  note_all(builder, std::move(repair.faults));
}

/// A fix may change nothing that was edited already.
void map_to_source(std::optional<Fix>& fix, const OffsetMap& offsets) {
  if (!fix) return;
  const auto is_copy = [&](const Edit& edit) { return offsets.is_copy(edit.span); };
  if (!std::all_of(fix->edits.begin(), fix->edits.end(), is_copy)) return fix.reset();
  for (auto& edit : fix->edits) edit.span = offsets.original(edit.span);
}

void map_to_source(Builder& builder, const Origin& origin) {
  builder.remap([&](Span span) { return origin.offsets.original(span); });
  builder.each_fault([&](Fault& fault) { map_to_source(fault.fix, origin.offsets); });
  builder.change_source(origin.source);
  for (const auto& fault : origin.faults) builder.fault(fault);
}

std::unique_ptr<const Document> finished(Builder builder, std::vector<Fault> faults, const ReadOptions& options) {
  note_all(builder, std::move(faults));
  if (options.origin != nullptr) map_to_source(builder, *options.origin);
  return std::move(builder).finish();
}

std::unique_ptr<const Document> read_as_json(Decoded decoded, const ReadOptions& options) {
  Builder builder(std::move(decoded.text), Format::kJson);
  if (auto refusal = read_json(builder.source(), options.limits, builder, options.keep)) {
    if (refusal->kind == FaultKind::kJsonSyntax) {
      read_repaired(builder, options, std::move(*refusal));
    } else {
      builder.fault(std::move(*refusal));
    }
  }
  return finished(std::move(builder), std::move(decoded.faults), options);
}

/// A lone carriage return ends a line in YAML, and the library's columns run on behind it. Lengths stay, so places do.
std::string with_line_feeds(std::string text) {
  for (std::size_t i = text.find('\r'); i != std::string::npos; i = text.find('\r', i + 1)) {
    if (i + 1 == text.size() || text[i + 1] != '\n') text[i] = '\n';
  }
  return text;
}

std::unique_ptr<const Document> read_as_yaml(Decoded decoded, const ReadOptions& options) {
  decoded.text = with_line_feeds(std::move(decoded.text));
  Builder builder(std::move(decoded.text), Format::kYaml);
  if (builder.source().size() > options.limits.definition_bytes) {
    builder.fault(too_large(builder.source().size(), options.limits.definition_bytes, "use JSON for large inputs"));
  } else {
    note(builder, read_yaml(builder.source(), options.limits, builder));
  }
  return finished(std::move(builder), std::move(decoded.faults), options);
}

/// A .json file that holds YAML, if it does: only a whole mapping counts, for almost any text is some YAML.
std::unique_ptr<const Document> read_misnamed_yaml(const Decoded& decoded, const ReadOptions& options) {
  if (begins_like_json(decoded.text) || decoded.text.size() > options.limits.definition_bytes) return nullptr;
  Builder builder(with_line_feeds(decoded.text), Format::kYaml);
  if (read_yaml(builder.source(), options.limits, builder)) return nullptr;
  const Span first{0, static_cast<std::uint32_t>(std::min(decoded.text.find_first_of("\r\n"), decoded.text.size()))};
  builder.fault({FaultKind::kJsonSyntax,
                 first,
                 "file has a JSON name but contains YAML",
                 "rename it to .yaml, or convert it to JSON",
                 {},
                 {}});
  auto document = finished(std::move(builder), decoded.faults, options);
  return document->root() && document->root().is_object() ? std::move(document) : nullptr;
}

/// JSON is YAML, but never goes to the YAML library, which misreads its escapes; flow style that is no JSON does.
std::unique_ptr<const Document> read_named_yaml(Decoded decoded, const ReadOptions& options) {
  if (!begins_like_json(decoded.text)) return read_as_yaml(std::move(decoded), options);
  Builder strict(decoded.text, Format::kJson);
  const auto refusal = read_json(strict.source(), options.limits, strict);
  if (refusal && refusal->kind == FaultKind::kJsonSyntax) return read_as_yaml(std::move(decoded), options);
  if (refusal) strict.fault(*refusal);
  return finished(std::move(strict), std::move(decoded.faults), options);
}

/// Nothing of the text, and why.
std::unique_ptr<const Document> unread(Fault fault, const ReadOptions& options) {
  Builder builder(std::string(), options.format.value_or(Format::kJson));
  builder.mark_unparsed(std::move(fault));
  return finished(std::move(builder), {}, options);
}

}  // namespace

std::unique_ptr<const Document> read_document(std::string bytes, const ReadOptions& options) {
  if (bytes.size() > options.limits.snapshot_bytes)
    return unread(too_large(bytes.size(), options.limits.snapshot_bytes, "split it"), options);
  if (auto packed = packed_fault(bytes, options.format.value_or(Format::kJson)))
    return unread(std::move(*packed), options);
  Decoded decoded = decode(std::move(bytes));
  if (options.format == Format::kYaml) return read_named_yaml(std::move(decoded), options);
  if (!options.format && format_of_content(decoded.text) == Format::kYaml)
    return read_as_yaml(std::move(decoded), options);
  if (auto misnamed = read_misnamed_yaml(decoded, options)) return misnamed;
  return read_as_json(std::move(decoded), options);
}

std::unique_ptr<const Document> oversized_document(std::size_t size, std::size_t limit) {
  return unread(too_large(size, limit, "the ECS maximum is 65536 bytes; change the limit of bayplan with --max-input"),
                {});
}

bool is_blank(const Document& document) {
  return !document.is_unparsed() && trim(document.source()).empty();
}

}  // namespace bayplan::text
