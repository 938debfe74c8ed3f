#include "study/diff_findings.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/strings.hpp"
#include "lint/identity.hpp"

namespace bayplan::study {
namespace {

/// What is said of an answer of the service for being one: nobody wrote it.
bool is_about_answers(std::string_view code) {
  constexpr std::array<std::string_view, 4> kCodes{"BAY010", "BAY011", "BAY020", "BAY024"};
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

bool is_inside(const std::string& pointer, const std::string& object) {
  return pointer.starts_with(object) && (pointer.size() == object.size() || pointer[object.size()] == '/');
}

bool counts(const lint::FileReport& report, const lint::LintFinding& finding) {
  return !finding.suppression && !(report.kind == rules::FileKind::kDescribe && is_about_answers(finding.code));
}

/// A template spells ContainerDefinitions, a plan container_definitions.
std::string folded(std::string_view path) {
  std::string result = lower(path);
  std::erase(result, '_');
  return result;
}

std::string value_of(const lint::FileReport& report, const lint::LintFinding& finding) {
  std::string text = report.document->source().substr(finding.span.begin, finding.span.length());
  std::erase_if(text, [](char c) { return std::string_view(" \t\r\n\"'").find(c) != std::string_view::npos; });
  return text;
}

std::string identity_of(const DiffSide& side, const FindingPlace& place, const SideDefinition* definition) {
  const auto& report = side.reports[place.report];
  const auto& finding = report.findings[place.finding];
  const auto root = report.document->root();
  std::string path = lint::named_path(root, finding.pointer);
  if (definition != nullptr) path.erase(0, lint::named_path(root, definition->pointer).size());
  if (path.starts_with('.')) path.erase(0, 1);
  return std::string(finding.code) + '\n' + folded(path) + '\n' + value_of(report, finding);
}

void sort_by_severity(const DiffSide& side, std::vector<FindingPlace>& places) {
  std::stable_sort(places.begin(), places.end(), [&](const FindingPlace& a, const FindingPlace& b) {
    return finding_at(side, a).severity > finding_at(side, b).severity;
  });
}

}  // namespace

const lint::LintFinding& finding_at(const DiffSide& side, const FindingPlace& place) {
  return side.reports[place.report].findings[place.finding];
}

std::vector<FindingPlace> findings_of(const DiffSide& side, const SideDefinition* definition) {
  std::vector<FindingPlace> places;
  for (std::size_t r = 0; r < side.reports.size(); ++r) {
    if (definition != nullptr && definition->report != r) continue;
    const auto& report = side.reports[r];
    for (std::size_t f = 0; f < report.findings.size(); ++f) {
      const auto& finding = report.findings[f];
      const auto holds = [&](const SideDefinition& one) {
        return one.report == r && is_inside(finding.pointer, one.pointer);
      };
      const bool belongs = definition != nullptr
                               ? holds(*definition)
                               : std::none_of(side.definitions.begin(), side.definitions.end(), holds);
      if (belongs && counts(report, finding)) places.push_back({r, f});
    }
  }
  return places;
}

FindingChanges compare_findings(const DiffSide& old_side, const std::vector<FindingPlace>& before,
                                const SideDefinition* old_definition, const DiffSide& new_side,
                                const std::vector<FindingPlace>& after, const SideDefinition* new_definition) {
  std::multimap<std::string, FindingPlace> known;
  for (const auto& place : before) known.emplace(identity_of(old_side, place, old_definition), place);
  FindingChanges changes;
  for (const auto& place : after) {
    const auto match = known.find(identity_of(new_side, place, new_definition));
    if (match == known.end()) {
      changes.appeared.push_back(place);
    } else {
      known.erase(match);
    }
  }
  for (const auto& [identity, place] : known) changes.vanished.push_back(place);
  std::sort(changes.vanished.begin(), changes.vanished.end(), [](const FindingPlace& a, const FindingPlace& b) {
    return std::pair(a.report, a.finding) < std::pair(b.report, b.finding);
  });
  sort_by_severity(new_side, changes.appeared);
  sort_by_severity(old_side, changes.vanished);
  return changes;
}

}  // namespace bayplan::study
