// Any bytes as a task definition: no crash; findings, notes and edits lie inside the text; fixing ends and
// is done once; a safe fix changes no value that its edits do not touch; all reports are written. The first byte
// chooses the name: odd is .yaml, even .json.
#include <cstddef>
#include <cstdint>
#include <sstream>

#include "fixes.hpp"
#include "fuzz.hpp"
#include "lint/fix/fixes.hpp"
#include "report/lint/lint_writer.hpp"

using namespace bayplan;

namespace {

bool is_inside(Span span, const text::Document& document) {
  return span.begin <= span.end && span.end <= document.source().size();
}

void check_fix(const Fix& fix, const lint::LintFinding& finding, const text::Document& document) {
  std::uint32_t last = 0;
  for (const auto& edit : fix.edits) {
    require(is_inside(edit.span, document), "an edit outside of the text: " + finding.message);
    require(edit.span.begin >= last, "edits overlap or are not sorted: " + finding.message);
    last = edit.span.end;
  }
}

void check_findings(const lint::FileReport& report) {
  const auto& document = *report.document;
  std::uint32_t last = 0;
  for (const auto& finding : report.findings) {
    require(!finding.message.empty(), "a finding says nothing");
    require(is_inside(finding.span, document), "a finding outside of the text: " + finding.message);
    require(finding.span.begin >= last, "findings are not sorted: " + finding.message);
    last = finding.span.begin;
    for (const auto& related : finding.related)
      require(is_inside(related.span, document), "a related place outside of the text: " + finding.message);
    if (finding.fix) check_fix(*finding.fix, finding, document);
  }
}

void write_reports(const lint::FileReport& report, const lint::Tools& tools) {
  lint::Summary summary;
  if (lint::is_linted(report)) summary.add(report);
  std::ostringstream out;
  for (const auto format : report::lint_formats()) {
    const auto writer = report::lint_writer(format, out, tools.rule_data, {.verbose = true});
    writer->file(report);
    writer->finish(summary);
  }
}

/// Fixing again finds nothing to do; a text that nothing was fixed in is the same to the byte.
void check_fixing(const std::string& bytes, const lint::Recheck& recheck) {
  const auto fixed = lint::fix_text(bytes, recheck);
  require(fixed.fixed > 0 || fixed.bytes == bytes, "a byte changed and nothing was fixed");
  if (fixed.fixed == 0) return;
  check_findings(recheck(fixed.bytes));
  const auto again = lint::fix_text(fixed.bytes, recheck);
  require(again.fixed == 0 && again.bytes == fixed.bytes, "fixing again changes something");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lint::Tools tools;
  if (size == 0) return 0;
  const std::string name = data[0] % 2 == 1 ? "task.yaml" : "task.json";
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto lint = [&](std::string text) { return lint::lint_document(std::move(text), name, {}, tools); };
  const auto report = lint(bytes);
  check_findings(report);
  check_untouched(report, lint);
  check_fixing(bytes, lint);
  write_reports(report, tools);
  return 0;
}
