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

/// Whether OLD, or NEW, has an error of its own.
bool is_refused(const DiffSide& side, std::optional<std::size_t> definition) {
  return definition && has_refusal(side, findings_of(side, &side.definitions[*definition]));
}

class Comparer {
 public:
  Comparer(DiffReport& report, const model::Placeholders& placeholders)
      : report_(report), placeholders_(placeholders) {}

  void run() {
    for (const auto& pair : pair_definitions(report_.before, report_.after))
      report_.definitions.push_back(compare_pair(pair));
    report_.other_findings = compare_findings(report_.before, findings_of(report_.before, nullptr), nullptr,
                                              report_.after, findings_of(report_.after, nullptr), nullptr);
  }

 private:
  DefinitionDiff compare_pair(const DefinitionPair& pair) {
    DefinitionDiff diff{.name = pair.name, .before = pair.before, .after = pair.after};
    const auto* before = report_.before.definition(pair.before);
    const auto* after = report_.after.definition(pair.after);
    if (before != nullptr && after != nullptr) {
      diff.fields = compare_definitions(before->compared, after->compared, placeholders_);
      note_not_compared(diff.name, *before, *after);
    }
    const auto old_findings = before != nullptr ? findings_of(report_.before, before) : std::vector<FindingPlace>();
    const auto new_findings = after != nullptr ? findings_of(report_.after, after) : std::vector<FindingPlace>();
    diff.findings = compare_findings(report_.before, old_findings, before, report_.after, new_findings, after);
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
  const model::Placeholders& placeholders_;
};

/// Why the tasks of a definition cannot be placed on instances; empty when they can.
std::string unplaceable(const DiffSide& side, std::optional<std::size_t> index) {
  const auto& definition = *side.definition(index);
  if (definition.compared.facts.is_fargate_only) return "it is for Fargate alone";
  if (is_refused(side, index)) return "ECS would refuse it";
  const auto unknown = capacity::requirement_of(definition.task).unknown;
  return unknown.empty() ? std::string() : unknown.front() + " is a placeholder";
}

const SideDefinition* placeable(const DiffSide& side, std::optional<std::size_t> index) {
  return index && unplaceable(side, index).empty() ? side.definition(index) : nullptr;
}

void judge(const DiffReport& report, DefinitionDiff& diff) {
  if (is_refused(report.after, diff.after) && !is_refused(report.before, diff.before))
    diff.obstacles.push_back(Obstacle::kRefused);
  if (diff.capacity->fits_no_type()) diff.obstacles.push_back(Obstacle::kNoType);
  if (!diff.cluster) return;
  if (diff.cluster->fits_nowhere()) diff.obstacles.push_back(Obstacle::kNoPlace);
  if (diff.cluster->holds_up()) diff.obstacles.push_back(Obstacle::kNoRollout);
}

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

DiffReport compare(DiffSide before, DiffSide after, const model::Placeholders& placeholders) {
  DiffReport report{.before = std::move(before), .after = std::move(after)};
  Comparer(report, placeholders).run();
  return report;
}

ClusterAnswers look_at_cluster(DiffReport& report, const placement::ScenarioRequest& cluster, const Files& files,
                               catalog::Catalog& catalog, const Limits& limits) {
  std::vector<ClusterQuestion> questions;
  std::vector<DefinitionDiff*> asked;
  for (auto& diff : report.definitions) {
    if (!diff.differs() || diff.is_removed()) continue;
    const auto* after = placeable(report.after, diff.after);
    if (after == nullptr) {
      diff.cluster = ClusterEffect{.not_tried = unplaceable(report.after, diff.after)};
      continue;
    }
    const auto* before = placeable(report.before, diff.before);
    const auto& known_as = before != nullptr ? before->family : after->family;
    questions.push_back({known_as.empty() ? diff.name : known_as, before, after});
    asked.push_back(&diff);
  }
  auto answers = ask_cluster(questions, cluster, files, catalog, limits);
  if (!answers.errors.empty() || !answers.mistakes.empty()) return answers;
  for (std::size_t i = 0; i < asked.size(); ++i) asked[i]->cluster = std::move(answers.effects[i]);
  report.cluster = cluster.cluster.value_or("--instances");
  report.assumptions.insert(report.assumptions.end(), answers.assumptions.begin(), answers.assumptions.end());
  return answers;
}

void look_at_types(DiffReport& report, const CapacityRequest& request) {
  report.region = request.fit.region;
  for (auto& diff : report.definitions) {
    if (!diff.differs() || diff.is_removed()) continue;
    diff.capacity = compare_capacity(report.before.definition(diff.before), report.after.definition(diff.after),
                                     request, report.assumptions);
    judge(report, diff);
  }
}

}  // namespace bayplan::study
