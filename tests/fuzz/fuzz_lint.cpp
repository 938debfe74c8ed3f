// Any bytes as a task definition: no crash; findings, notes and edits lie inside the text; safe fixes can be applied
// and what they make is linted again; both reports are written. The first byte chooses the name: odd is .yaml, even
// .json.
#include <cstddef>
#include <cstdint>
#include <sstream>

#include "fuzz.hpp"
#include "lint/lint.hpp"
#include "report/lint_writer.hpp"
#include "text/edited_text.hpp"

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

/// Edits of the safe fixes; a fix that touches what an earlier one edits is left out.
std::vector<Edit> safe_edits(const lint::FileReport& report) {
  std::vector<Edit> edits;
  std::uint32_t last = 0;
  for (const auto& finding : report.findings) {
    if (!finding.fix || !finding.fix->safe || finding.fix->edits.empty()) continue;
    const auto& own = finding.fix->edits;
    if (!edits.empty() && own.front().span.begin <= last) continue;
    edits.insert(edits.end(), own.begin(), own.end());
    last = own.back().span.end;
  }
  return edits;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lint::Tools tools;
  if (size == 0) return 0;
  const std::string name = data[0] % 2 == 1 ? "task.yaml" : "task.json";
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto report = lint::lint_document(std::move(bytes), name, {}, tools);
  check_findings(report);
  const auto edits = safe_edits(report);
  if (!edits.empty()) {
    const auto fixed = text::apply(report.document->source(), edits);
    check_findings(lint::lint_document(fixed.text, name, {}, tools));
  }
  write_reports(report, tools);
  return 0;
}
