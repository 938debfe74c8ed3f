#include "report/document/report_document.hpp"

namespace bayplan::report {

void ReportDocument::table(Table table, std::size_t most) {
  if (!table.rows.empty()) add(block::ShownTable{std::move(table), most});
}

void ReportDocument::answer(std::string subject_file, std::string text, bool good) {
  subject = std::move(subject_file);
  is_good = good;
  if (!is_page()) add(block::Heading{"bayplan " + command + ": " + text});
  headline = std::move(text);
}

void ReportDocument::notes(const std::vector<std::string>& list) {
  for (const auto& note : list) paragraph({in_bold("Note:"), {" " + note}});
}

void ReportDocument::as_text(std::string summary, std::string lines) {
  section("text", "As text");
  add(block::Details{std::move(summary), {block::Code{std::move(lines)}}});
}

void write_document(std::ostream& out, const ReportDocument& document) {
  document.is_page() ? write_html(out, document) : write_markdown(out, document);
}

}  // namespace bayplan::report
