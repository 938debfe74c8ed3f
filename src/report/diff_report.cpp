#include "report/diff_report.hpp"

namespace bayplan::report {

DiffTold::Place DiffTold::place(const study::DiffSide& side, std::size_t report, std::uint32_t offset) const {
  const auto& file = side.reports[report];
  const auto [lines, is_new] = lines_.try_emplace(file.document.get(), file.document->source());
  return {file.file, lines->second.location(offset)};
}

DiffTold::Place DiffTold::place(const study::DiffSide& side, const study::FindingPlace& finding) const {
  return place(side, finding.report, study::finding_at(side, finding).span.begin);
}

std::string words_of(const DiffTold::Place& place) {
  return place.file + ":" + std::to_string(place.at.line) + ":" + std::to_string(place.at.column);
}

}  // namespace bayplan::report
