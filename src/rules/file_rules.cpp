#include <algorithm>
#include <array>

#include "rules/innermost.hpp"
#include "rules/rule_functions.hpp"

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

/// Tells every fault of one kind; `adjust` may set another severity.
template <class Adjust>
void tell(FaultKind kind, const Context& ctx, Emitter& emit, Adjust adjust) {
  const InnermostValues values(ctx.document);
  for (const Fault& fault : ctx.document.faults()) {
    if (fault.kind == kind) adjust(add(fault, values, emit));
  }
}

void tell(FaultKind kind, const Context& ctx, Emitter& emit) {
  tell(kind, ctx, emit, [](const Report&) {});
}

bool takes_comments(std::string_view file) {
  return file.ends_with(".jsonc") || file.ends_with(".json5");
}

}  // namespace

void json_syntax(const Context& ctx, Emitter& emit) {
  tell(FaultKind::kJsonSyntax, ctx, emit);
}

void json_trailing_comma(const Context& ctx, Emitter& emit) {
  tell(FaultKind::kTrailingComma, ctx, emit);
}

void json_comment(const Context& ctx, Emitter& emit) {
  tell(FaultKind::kComment, ctx, emit, [&](Report report) {
    if (takes_comments(ctx.file)) report.severity(Severity::kInfo);
  });
}

// JSON readers keep the last one and say nothing; YAML readers refuse.
void duplicate_key(const Context& ctx, Emitter& emit) {
  tell(FaultKind::kDuplicateKey, ctx, emit, [&](Report report) {
    if (ctx.document.format() == text::Format::kYaml) report.severity(Severity::kError);
  });
}

void file_encoding(const Context& ctx, Emitter& emit) {
  tell(FaultKind::kEncoding, ctx, emit);
}

void yaml_syntax(const Context& ctx, Emitter& emit) {
  tell(FaultKind::kYamlSyntax, ctx, emit);
}

void nesting_too_deep(const Context& ctx, Emitter& emit) {
  tell(FaultKind::kTooDeep, ctx, emit, [](Report report) { report.help("flatten it: bayplan reads no deeper"); });
  for (const auto kind : {FaultKind::kTooLarge, FaultKind::kAliasExpansion}) tell(kind, ctx, emit);
}

}  // namespace bayplan::rules
