#include "study/diff.hpp"

#include <algorithm>

#include "study/diff_pairs.hpp"

namespace bayplan::study {
namespace {

/// What speaks of the definition and is an error: ECS would refuse it (BAY0 to BAY8).
bool is_refusal(const lint::LintFinding& finding) {
  return finding.severity == Severity::kError && finding.code.size() == 6 && finding.code[3] < '9';
}

bool has_refusal(const DiffSide& side, const std::vector<FindingPlace>& places) {
  return std::any_of(places.begin(), places.end(),
                     [&](const auto& place) { return is_refusal(finding_at(side, place)); });
}

class Comparer {
 public:
  Comparer(DiffReport& report, const CapacityRequest& request, const model::Placeholders& placeholders)
      : report_(report), request_(request), placeholders_(placeholders) {}

  void run() {
    for (const auto& pair : pair_definitions(report_.before, report_.after))
      report_.definitions.push_back(compare_pair(pair));
    report_.other_findings = compare_findings(report_.before, findings_of(report_.before, nullptr), nullptr,
                                              report_.after, findings_of(report_.after, nullptr), nullptr);
  }

 private:
  static const SideDefinition* definition(const DiffSide& side, std::optional<std::size_t> index) {
    return index ? &side.definitions[*index] : nullptr;
  }

  DefinitionDiff compare_pair(const DefinitionPair& pair) {
    DefinitionDiff diff{.name = pair.name, .before = pair.before, .after = pair.after};
    const auto* before = definition(report_.before, pair.before);
    const auto* after = definition(report_.after, pair.after);
    if (before != nullptr && after != nullptr) {
      diff.fields = compare_definitions(before->compared, after->compared, placeholders_);
      note_not_compared(diff.name, *before, *after);
    }
    const auto old_findings = before != nullptr ? findings_of(report_.before, before) : std::vector<FindingPlace>();
    const auto new_findings = after != nullptr ? findings_of(report_.after, after) : std::vector<FindingPlace>();
    diff.findings = compare_findings(report_.before, old_findings, before, report_.after, new_findings, after);
    if (!diff.differs() || diff.is_removed()) return diff;
    diff.capacity = compare_capacity(before, after, request_, report_.assumptions);
    const bool is_refused = has_refusal(report_.after, diff.findings.appeared);
    if (is_refused && !has_refusal(report_.before, old_findings)) diff.obstacles.push_back(Obstacle::kRefused);
    if (diff.capacity->fits_no_type()) diff.obstacles.push_back(Obstacle::kNoType);
    return diff;
  }

  void note_not_compared(const std::string& name, const SideDefinition& before, const SideDefinition& after) {
    const bool has_bare_list = before.compared.root.is_array() || after.compared.root.is_array();
    if (has_bare_list && before.compared.root.is_array() != after.compared.root.is_array()) {
      report_.assumptions.push_back(
          {"containers-only", name, "one side is a bare list of containers: nothing else of the task is compared"});
    }
    const bool tags_differ =
        (before.compared.tags && !after.compared.has_tags) || (after.compared.tags && !before.compared.has_tags);
    if (tags_differ && !has_bare_list) {
      report_.assumptions.push_back({"tags-not-described", name,
                                     "describe-task-definition was asked without --include TAGS: tags are not "
                                     "compared"});
    }
  }

  DiffReport& report_;
  const CapacityRequest& request_;
  const model::Placeholders& placeholders_;
};

std::int64_t count_at(const DiffSide& side, const FindingChanges& changes, Severity level) {
  return std::count_if(changes.appeared.begin(), changes.appeared.end(),
                       [&](const auto& place) { return finding_at(side, place).severity >= level; });
}

}  // namespace

bool DiffReport::differs() const {
  return !other_findings.appeared.empty() || !other_findings.vanished.empty() ||
         std::any_of(definitions.begin(), definitions.end(), [](const auto& one) { return one.differs(); });
}

std::int64_t DiffReport::appeared(Severity level) const {
  std::int64_t count = count_at(after, other_findings, level);
  for (const auto& one : definitions) count += count_at(after, one.findings, level);
  return count;
}

bool DiffReport::can_deploy() const {
  return std::all_of(definitions.begin(), definitions.end(), [](const auto& one) { return one.obstacles.empty(); });
}

DiffReport compare(DiffSide before, DiffSide after, const CapacityRequest& request,
                   const model::Placeholders& placeholders) {
  DiffReport report{.before = std::move(before), .after = std::move(after), .region = request.fit.region};
  Comparer(report, request, placeholders).run();
  return report;
}

}  // namespace bayplan::study
