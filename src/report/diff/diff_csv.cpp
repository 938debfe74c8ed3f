#include "report/diff/diff_report.hpp"
#include "report/document/csv.hpp"

namespace bayplan::report {

using study::DefinitionDiff;
using study::FieldChange;

namespace {

using Place = std::optional<DiffView::Place>;

Place place_of_definition(const DiffView& view, const study::DiffSide& side, std::optional<std::size_t> index) {
  if (!index) return std::nullopt;
  const auto& definition = side.definitions[*index];
  return view.place(side, definition.report, definition.compared.root.opening().begin);
}

void end_with_places(CsvWriter& csv, const Place& before, const Place& after) {
  for (const auto* place : {&before, &after}) {
    if (*place) {
      csv.text((*place)->file).number(static_cast<std::int64_t>((*place)->at.line));
    } else {
      csv.nothing().nothing();
    }
  }
  csv.end_row();
}

/// A definition that only one side has.
void write_whole(CsvWriter& csv, const DiffView& view, const DefinitionDiff& diff) {
  csv.text(diff.name).nothing().text(diff.is_new() ? "added" : "removed").nothing().nothing().flag(false);
  end_with_places(csv, place_of_definition(view, view.before(), diff.before),
                  place_of_definition(view, view.after(), diff.after));
}

void write_field(CsvWriter& csv, const DiffView& view, const DefinitionDiff& diff, const FieldChange& change) {
  csv.text(diff.name).text(change.path).text(kind_of(change));
  csv.text(change.before ? change.before->text : "").text(change.after ? change.after->text : "");
  csv.flag(change.is_hidden);
  end_with_places(csv, place_before(view, diff, change), place_after(view, diff, change));
}

}  // namespace

void write_diff_csv(std::ostream& out, const DiffView& view) {
  CsvWriter csv(out);
  csv.header(
      {"taskDefinition", "path", "change", "before", "after", "hidden", "oldFile", "oldLine", "newFile", "newLine"});
  for (const auto& diff : view.report().definitions) {
    if (diff.is_new() || diff.is_removed()) write_whole(csv, view, diff);
    for (const auto& change : diff.fields) write_field(csv, view, diff, change);
  }
}

}  // namespace bayplan::report
