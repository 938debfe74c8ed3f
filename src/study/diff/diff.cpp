#include "study/diff/diff.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "capacity/gpu_needs.hpp"
#include "lint/identity.hpp"
#include "study/diff/diff_side.hpp"

namespace bayplan::study {

namespace {

/// Which definition of OLD became which of NEW.
struct DefinitionPair {
  std::string name;
  std::optional<std::size_t> before;  ///< Index into DiffSide::definitions; nothing = a new definition.
  std::optional<std::size_t> after;   ///< Nothing = it is gone.
};

constexpr std::string_view kNoName = "task definition";

std::string name_of(const DiffSide& side, const SideDefinition& definition) {
  if (!definition.family.empty()) return definition.family;
  if (!definition.name.empty()) return definition.name;
  const std::string& file = side.reports[definition.report].file;
  return file.empty() ? std::string(kNoName) : file;
}

/// Pairs the definitions that are left and have one key, first with first; an empty key matches nothing.
/// `partners`: by definition of NEW the index of its partner in OLD; `is_taken`: by definition of OLD.
void pair_by(const DiffSide& before, const DiffSide& after, std::vector<std::optional<std::size_t>>& partners,
             std::vector<bool>& is_taken, const std::function<std::string(const SideDefinition&)>& key_of) {
  for (std::size_t a = 0; a < after.definitions.size(); ++a) {
    const auto key = key_of(after.definitions[a]);
    if (partners[a] || key.empty()) continue;
    for (std::size_t b = 0; b < before.definitions.size(); ++b) {
      if (is_taken[b] || key_of(before.definitions[b]) != key) continue;
      partners[a] = b;
      is_taken[b] = true;
      break;
    }
  }
}

/// One definition on each side belong together whatever they are called; of several those of one family do, then those
/// of one name in their templates. In the order of NEW, then what is gone.
std::vector<DefinitionPair> pair_definitions(const DiffSide& before, const DiffSide& after) {
  std::vector<std::optional<std::size_t>> partners(after.definitions.size());
  std::vector<bool> is_taken(before.definitions.size());
  if (before.definitions.size() == 1 && after.definitions.size() == 1) {
    partners[0] = 0;
    is_taken[0] = true;
  } else {
    const auto pair = [&](const auto& key_of) { pair_by(before, after, partners, is_taken, key_of); };
    pair([](const SideDefinition& one) { return one.family.empty() ? "" : one.family + "\n" + one.name; });
    pair([](const SideDefinition& one) { return one.family; });
    pair([](const SideDefinition& one) { return one.name; });
  }
  std::vector<DefinitionPair> pairs;
  for (std::size_t a = 0; a < after.definitions.size(); ++a)
    pairs.push_back({name_of(after, after.definitions[a]), partners[a], a});
  for (std::size_t b = 0; b < before.definitions.size(); ++b) {
    if (!is_taken[b]) pairs.push_back({name_of(before, before.definitions[b]), b, std::nullopt});
  }
  return pairs;
}

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

std::string make_identity(const DiffSide& side, const FindingPlace& place, const SideDefinition* definition) {
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

std::vector<FindingPlace> list_findings(const DiffSide& side, const SideDefinition* definition) {
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
  for (const auto& place : before) known.emplace(make_identity(old_side, place, old_definition), place);
  FindingChanges changes;
  for (const auto& place : after) {
    const auto match = known.find(make_identity(new_side, place, new_definition));
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

using capacity::FitRow;
using capacity::Fits;

capacity::FitTask fit_task(const SideDefinition& definition) {
  const model::Placeholders placeholders;
  capacity::FitTask task{definition.family, capacity::requirement_of(definition.task), {}};
  if (task.requirement.family.empty()) task.requirement.family = definition.name;
  for (const auto& container : definition.task.container_definitions)
    task.needs.push_back(capacity::stated_needs(definition.task, container, placeholders, {}));
  return task;
}

namespace {

const FitRow* cheapest_copy(const std::vector<FitRow>& rows) {
  const FitRow* best = nullptr;
  for (const auto& row : rows) {
    if (row.fits != Fits::kYes || row.type->is_retired() || !row.price_per_copy || !row.unmet_needs.empty()) continue;
    if (best == nullptr || *row.price_per_copy < *best->price_per_copy) best = &row;
  }
  return best;
}

/// Fit of one side; rows by type.
class SideFit {
 public:
  SideFit(const SideDefinition& definition, const CapacityRequest& request) {
    const auto task = fit_task(definition);
    capacity_.requirement = task.requirement;
    capacity_.runs_on_instances = !definition.compared.facts.is_fargate_only;
    if (!capacity_.runs_on_instances) return;
    auto report = capacity::fit({task}, request.types, request.fit);
    auto& fit = report.tasks.front();
    capacity_.held_by = fit.holding();
    if (const auto* best = cheapest_copy(fit.rows)) capacity_.cheapest = *best;
    for (auto& row : fit.rows) rows_.emplace(row.type, std::move(row));
    assumptions_ = std::move(report.assumptions);
  }

  void tell_assumptions(std::vector<Assumption>& assumptions) const {
    for (const auto& one : assumptions_) {
      if (std::find(assumptions.begin(), assumptions.end(), one) == assumptions.end()) assumptions.push_back(one);
    }
  }

  const SideCapacity& capacity() const { return capacity_; }
  std::optional<FitRow> row(const catalog::InstanceType* type) const {
    const auto found = rows_.find(type);
    return found == rows_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  SideCapacity capacity_;
  std::vector<Assumption> assumptions_;
  std::map<const catalog::InstanceType*, FitRow> rows_;  // looked up only: the order of pointers is nobody's business
};

constexpr MicroUsd kNoPrice = std::numeric_limits<MicroUsd>::max();

MicroUsd hourly_price(const TypeEffect& row) {
  return row.any().price ? row.any().price->hourly : kNoPrice;
}

MicroUsd new_price(const TypeEffect& row) {
  return row.after ? row.after->price_per_copy.value_or(kNoPrice) : kNoPrice;
}

/// Compares the price of a copy afterwards, else that of the instance; types without a price come last.
bool is_cheaper(const TypeEffect& a, const TypeEffect& b) {
  if (new_price(a) != new_price(b)) return new_price(a) < new_price(b);
  if (hourly_price(a) != hourly_price(b)) return hourly_price(a) < hourly_price(b);
  return natural_less(a.any().type->name, b.any().type->name);
}

}  // namespace

bool TypeEffect::changes() const {
  if (!before || !after) return true;
  return before->fits != after->fits || before->copies != after->copies;
}

bool CapacityEffect::fits_no_type() const {
  if (!after || !after->runs_on_instances || after->held_by > 0) return false;
  return !before || !before->runs_on_instances || before->held_by > 0;
}

bool CapacityEffect::changes() const {
  if (!before || !after || before->runs_on_instances != after->runs_on_instances) return true;
  if (describe(before->requirement) != describe(after->requirement)) return true;
  return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.changes(); });
}

CapacityEffect compare_capacity(const SideDefinition* before, const SideDefinition* after,
                                const CapacityRequest& request, std::vector<Assumption>& assumptions) {
  std::optional<SideFit> old_fit, new_fit;
  if (before != nullptr) old_fit.emplace(*before, request);
  if (after != nullptr) new_fit.emplace(*after, request);
  CapacityEffect effect;
  effect.types = static_cast<std::int64_t>(request.types.size());
  if (old_fit) effect.before = old_fit->capacity();
  if (new_fit) effect.after = new_fit->capacity();
  for (const auto* type : request.types) {
    TypeEffect row{old_fit ? old_fit->row(type) : std::nullopt, new_fit ? new_fit->row(type) : std::nullopt};
    if (!row.before && !row.after) continue;
    const bool is_reported = old_fit && new_fit && row.changes();
    if (request.are_named || is_reported) effect.rows.push_back(std::move(row));
  }
  if (!request.are_named) std::stable_sort(effect.rows.begin(), effect.rows.end(), is_cheaper);
  if (!new_fit || !effect.changes()) return effect;
  new_fit->tell_assumptions(assumptions);
  if (old_fit) old_fit->tell_assumptions(assumptions);
  return effect;
}

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
  return definition && has_refusal(side, list_findings(side, &side.definitions[*definition]));
}

void note_not_compared(DiffReport& report, const std::string& name, const SideDefinition& before,
                       const SideDefinition& after) {
  const bool has_bare_list = before.compared.root.is_array() || after.compared.root.is_array();
  if (has_bare_list && before.compared.root.is_array() != after.compared.root.is_array()) {
    report.assumptions.push_back(
        {"containers-only", name, "one side is a bare list of containers: nothing else of the task is compared"});
  }
  const bool tags_differ =
      (before.compared.tags && !after.compared.has_tags) || (after.compared.tags && !before.compared.has_tags);
  if (tags_differ && !has_bare_list) {
    report.assumptions.push_back({"tags-not-described", name,
                                  "describe-task-definition was asked without --include TAGS: tags are not "
                                  "compared"});
  }
}

DefinitionDiff compare_pair(DiffReport& report, const model::Placeholders& placeholders, const DefinitionPair& pair) {
  DefinitionDiff diff{.name = pair.name, .before = pair.before, .after = pair.after};
  const auto* before = report.before.definition(pair.before);
  const auto* after = report.after.definition(pair.after);
  if (before != nullptr && after != nullptr) {
    diff.fields = compare_definitions(before->compared, after->compared, placeholders);
    note_not_compared(report, diff.name, *before, *after);
  }
  const auto old_findings = before != nullptr ? list_findings(report.before, before) : std::vector<FindingPlace>();
  const auto new_findings = after != nullptr ? list_findings(report.after, after) : std::vector<FindingPlace>();
  diff.findings = compare_findings(report.before, old_findings, before, report.after, new_findings, after);
  return diff;
}

/// Why the tasks of a definition cannot be placed on instances; empty when they can.
std::string unplaceable(const DiffSide& side, std::optional<std::size_t> index) {
  const auto& definition = *side.definition(index);
  if (definition.compared.facts.is_fargate_only) return "it is for Fargate alone";
  if (is_refused(side, index)) return "ECS would reject it";
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
  for (const auto& pair : pair_definitions(report.before, report.after))
    report.definitions.push_back(compare_pair(report, placeholders, pair));
  report.other_findings = compare_findings(report.before, list_findings(report.before, nullptr), nullptr, report.after,
                                           list_findings(report.after, nullptr), nullptr);
  return report;
}

ClusterAnswers look_at_cluster(DiffReport& report, const scenario::ScenarioRequest& cluster, const Files& files,
                               catalog::Catalog& catalog, const Limits& limits) {
  std::vector<ClusterQuestion> questions;
  std::vector<DefinitionDiff*> asked, unasked;
  for (auto& diff : report.definitions) {
    if (!diff.differs() || diff.is_removed()) continue;
    const auto* after = placeable(report.after, diff.after);
    if (after == nullptr) {
      unasked.push_back(&diff);
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
  for (auto* diff : unasked) diff->cluster = ClusterEffect{.not_tried = unplaceable(report.after, diff->after)};
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

void look_at_launch_types(DiffReport& report, const CapacityRequest& request, const lint::Tools& tools) {
  for (auto& diff : report.definitions) {
    if (!diff.differs() || diff.is_removed()) continue;
    diff.launch_types = price_on_launch_types(report.before.definition(diff.before),
                                              report.after.definition(diff.after), request.types, request.fit, tools);
  }
}

}  // namespace bayplan::study
