#include "report/document/report_document.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/excerpt.hpp"

namespace bayplan::report {
namespace block {

std::size_t Rows::most(Medium medium) const {
  return medium == Medium::kText ? text : medium == Medium::kComment ? comment : kEveryRow;
}

TablePart::TablePart(const ShownTable& shown, Medium medium) : whole(&shown.table) {
  const auto is_for_medium = [&](const auto& one) { return one.media.contains(medium); };
  const auto& [columns, rows, omits_empty, holds_sentences] = shown.table;
  const auto most = shown.rows.most(medium);
  if (rows.size() <= most && !omits_empty && std::all_of(columns.begin(), columns.end(), is_for_medium) &&
      std::all_of(rows.begin(), rows.end(), is_for_medium))
    return;

  Table& part = own.emplace(std::vector<Column>());
  part.holds_sentences = holds_sentences;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!is_for_medium(columns[i])) continue;
    kept.push_back(i);
    part.columns.push_back(columns[i]);
  }
  for (const auto& row : rows) {
    if (!is_for_medium(row)) continue;
    if (part.rows.size() == most) {
      ++left_out;
      continue;
    }
    auto& copy = part.rows.emplace_back(Table::Row{{}, row.note, row.media, row.is_best});
    for (const auto column : kept) copy.cells.push_back(column < row.cells.size() ? row.cells[column] : Cell(""));
  }
  if (omits_empty) part.drop_empty_columns();
}

ShownTable Changes::table() const {
  constexpr std::size_t kLongest = 160, kTail = 40;
  const auto cell = [&](const std::optional<std::string>& value) {
    return value ? RichText(in_code(without_middle(*value, kLongest, kTail, " ... "))) : RichText(in_italics("absent"));
  };
  Table table({"field", "before", "after", "place"});
  table.holds_sentences = true;
  for (const auto& row : list)
    table.add({RichText(in_code(row.name)), cell(row.before), cell(row.after), RichText(in_code(row.place))});
  return {.table = std::move(table), .rows = rows, .summary = summary, .is_open = is_open};
}

}  // namespace block

void ReportDocument::add(Block block, Media media) {
  block.media = media;
  blocks.push_back(std::move(block));
}

void ReportDocument::add_to_footer(Block block, Media media) {
  block.media = media;
  footer.push_back(std::move(block));
}

void ReportDocument::paragraph(block::Paragraph paragraph, Media media) {
  if (paragraph.text.width() > 0) add(std::move(paragraph), media);
}

void ReportDocument::left_out(std::size_t count, std::size_t indent) {
  if (count > 0)
    paragraph({.text = fmt::format("and {} more (-v)", count), .tone = Tone::kFaint, .indent = indent}, Medium::kText);
}

void ReportDocument::table(Table table, block::Rows rows, Media media) {
  if (!table.rows.empty()) add(block::ShownTable{std::move(table), rows}, media);
}

void ReportDocument::answer(std::string subject_file, RichText text, bool good, Media media, std::size_t hanging,
                            std::string whole) {
  subject = std::move(subject_file);
  headline = text.plain();
  is_good = good;
  add(block::Answer{std::move(text), good, hanging, std::move(whole)}, media);
}

void ReportDocument::notes(const std::vector<std::string>& list) {
  for (const auto& note : list) add(block::Note{note});
}

void ReportDocument::later(Media media, std::function<void(ReportDocument&, const Screen&)> build) {
  add(block::Later{[name = command, build = std::move(build)](const Screen& screen) {
        ReportDocument part(name);
        build(part, screen);
        return std::move(part.blocks);
      }},
      media);
}

void write_document(std::ostream& out, const ReportDocument& document, Medium medium, const TextOptions& options) {
  switch (medium) {
    case Medium::kText:
    case Medium::kFullText:
      return write_text(out, document, options);
    case Medium::kComment:
      return write_markdown(out, document);
    case Medium::kPage:
      return write_html(out, document);
  }
}

}  // namespace bayplan::report
