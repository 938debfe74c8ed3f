#include "report/diff/diff_report.hpp"
#include "report/document/csv.hpp"

namespace bayplan::report {

using study::DefinitionDiff;
using study::FieldChange;

namespace {

class DiffCsv {
 public:
  DiffCsv(std::ostream& out, const DiffTold& told) : csv_(out), told_(told) {}

  void write() {
    csv_.header(
        {"taskDefinition", "path", "change", "before", "after", "hidden", "oldFile", "oldLine", "newFile", "newLine"});
    for (const auto& diff : told_.report().definitions) {
      if (diff.is_new() || diff.is_removed()) whole(diff);
      for (const auto& change : diff.fields) field(diff, change);
    }
  }

 private:
  using Place = std::optional<DiffTold::Place>;

  Place place_of_definition(const study::DiffSide& side, std::optional<std::size_t> index) const {
    if (!index) return std::nullopt;
    const auto& definition = side.definitions[*index];
    return told_.place(side, definition.report, definition.compared.root.opening().begin);
  }

  /// A definition that only one side has.
  void whole(const DefinitionDiff& diff) {
    csv_.text(diff.name).nothing().text(diff.is_new() ? "added" : "removed").nothing().nothing().flag(false);
    places(place_of_definition(told_.before(), diff.before), place_of_definition(told_.after(), diff.after));
  }

  void field(const DefinitionDiff& diff, const FieldChange& change) {
    csv_.text(diff.name).text(change.path).text(kind_of(change));
    csv_.text(change.before ? change.before->text : "").text(change.after ? change.after->text : "");
    csv_.flag(change.is_hidden);
    places(place_before(told_, diff, change), place_after(told_, diff, change));
  }

  void places(const Place& before, const Place& after) {
    for (const auto* place : {&before, &after}) {
      if (*place) {
        csv_.text((*place)->file).number(static_cast<std::int64_t>((*place)->at.line));
      } else {
        csv_.nothing().nothing();
      }
    }
    csv_.end_row();
  }

  CsvWriter csv_;
  const DiffTold& told_;
};

}  // namespace

void write_diff_csv(std::ostream& out, const DiffTold& told) {
  DiffCsv(out, told).write();
}

}  // namespace bayplan::report
