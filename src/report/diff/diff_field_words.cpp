#include "report/diff/diff_report.hpp"

#include "base/excerpt.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"

namespace bayplan::report {

using study::FieldChange;
using study::FieldSide;

namespace {

/// Nothing, blanks at its ends, or a quote: which cannot be distinguished without quotes.
bool wants_quotes(std::string_view text) {
  return text.empty() || trim(text).size() != text.size() || text.front() == '"' ||
         text.find_first_of("\n\r\t") != std::string_view::npos || text.find("->") != std::string_view::npos;
}

std::optional<DiffView::Place> place_on(const DiffView& view, const study::DiffSide& side,
                                        std::optional<std::size_t> definition, const std::optional<FieldSide>& says) {
  if (!definition || !says) return std::nullopt;
  return view.place(side, side.definitions[*definition].report, says->value.opening().begin);
}

}  // namespace

std::string_view kind_of(const FieldChange& change) {
  if (!change.before) return "added";
  return change.after ? "changed" : "removed";
}

std::string field_words(const FieldChange& change) {
  if (!change.before) return "+ " + change.path;
  return change.after ? change.path : "- " + change.path;
}

std::string side_words(const FieldSide& side, bool whole) {
  const bool is_scalar = !side.value.is_object() && !side.value.is_array();
  std::string text = is_scalar && wants_quotes(side.text) ? json_quoted(side.text) : side.text;
  if (!whole) text = without_middle(std::move(text), 160, 40, " ... ");
  return side.is_unknown && is_scalar ? text + " (not known)" : text;
}

std::optional<DiffView::Place> place_before(const DiffView& view, const study::DefinitionDiff& diff,
                                            const FieldChange& change) {
  return place_on(view, view.before(), diff.before, change.before);
}

std::optional<DiffView::Place> place_after(const DiffView& view, const study::DefinitionDiff& diff,
                                           const FieldChange& change) {
  return place_on(view, view.after(), diff.after, change.after);
}

std::string place_of(const DiffView& view, const study::DefinitionDiff& diff, const FieldChange& change) {
  const auto place = change.after ? place_after(view, diff, change) : place_before(view, diff, change);
  return place ? words_of(*place) : std::string();
}

DiffView::Place DiffView::place(const study::DiffSide& side, std::size_t report, std::uint32_t offset) const {
  const auto& file = side.reports[report];
  const auto [lines, is_new] = lines_.try_emplace(file.document.get(), file.document->source());
  return {file.file, lines->second.location(offset)};
}

DiffView::Place DiffView::place(const study::DiffSide& side, const study::FindingPlace& finding) const {
  return place(side, finding.report, study::finding_at(side, finding).span.begin);
}

std::string words_of(const DiffView::Place& place) {
  return place.file + ":" + std::to_string(place.at.line) + ":" + std::to_string(place.at.column);
}

}  // namespace bayplan::report
