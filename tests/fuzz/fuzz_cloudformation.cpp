// Any bytes as a CloudFormation template: no crash, no hang; what importers make of it points into the text, is whole
// in itself, and is linted with findings inside the text; a safe fix changes no value that its edits do not touch. The
// first byte chooses the name: odd is .yaml, even .json.
#include <cstddef>
#include <cstdint>

#include "fixes.hpp"
#include "importers/cloudformation.hpp"
#include "lint/lint.hpp"

using namespace bayplan;

namespace {

bool is_inside(Span span, const text::Document& document) {
  return span.begin <= span.end && span.end <= document.source().size();
}

void check_subject(const importers::Subject& subject, const text::Document& file) {
  const auto& made = *subject.document;
  require(subject.origins.size() == made.node_count(), "a node without an origin");
  require(&made.source() == &file.source(), "a subject with a text of its own");
  for (std::uint32_t i = 0; i < made.node_count(); ++i) {
    require(subject.origins[i] < file.node_count(), "an origin outside of the file");
    require(is_inside(made.node(i).span(), made), "a node outside of the text");
    require(is_inside(made.node(i).key_span(), made), "a key outside of the text");
  }
}

void check_finding(const lint::LintFinding& finding, const text::Document& document) {
  require(!finding.message.empty(), "a finding says nothing");
  require(is_inside(finding.span, document), "a finding outside of the text: " + finding.message);
  for (const auto& related : finding.related)
    require(is_inside(related.span, document), "a related place outside of the text: " + finding.message);
  if (!finding.fix) return;
  for (const auto& edit : finding.fix->edits)
    require(is_inside(edit.span, document), "an edit outside of the text: " + finding.message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lint::Tools tools;
  if (size == 0) return 0;
  const std::string name = data[0] % 2 == 1 ? "template.yaml" : "template.json";
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  lint::Options options;
  options.parameters = {{"Given", "1024"}, {"AWS::Region", "eu-west-1"}};
  const auto lint = [&](std::string text) { return lint::lint_document(std::move(text), name, options, tools); };
  const auto report = lint(std::move(bytes));
  for (const auto& subject : report.subjects) check_subject(subject, *report.document);
  for (const auto& finding : report.findings) check_finding(finding, *report.document);
  check_untouched(report, lint);
  importers::check_parameters(report.document->root(), options.parameters);
  return 0;
}
