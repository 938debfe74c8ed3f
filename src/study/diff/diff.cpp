#include "study/diff/diff.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.hpp"
#include "capacity/gpu_needs.hpp"
#include "lint/identity.hpp"
#include "rules/registry.hpp"
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
  std::map<std::string, std::deque<std::size_t>> left;
  for (std::size_t b = 0; b < before.definitions.size(); ++b) {
    if (!is_taken[b]) left[key_of(before.definitions[b])].push_back(b);
  }
  for (std::size_t a = 0; a < after.definitions.size(); ++a) {
    const auto key = key_of(after.definitions[a]);
    if (partners[a] || key.empty()) continue;
    auto& same = left[key];
    if (same.empty()) continue;
    partners[a] = same.front();
    is_taken[same.front()] = true;
    same.pop_front();
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

bool counts(const lint::FileReport& report, const lint::LintFinding& finding) {
  return !finding.suppression &&
         !(report.kind == rules::FileKind::kDescribe && rules::rule_of(finding.code).traits.about_answers);
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
  std::string folded = lower(path);
  std::erase(folded, '_');
  return std::string(finding.code) + '\n' + folded + '\n' + value_of(report, finding);
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

SideFindings::SideFindings(const DiffSide& side) : of_definition_(side.definitions.size()) {
  // A finding belongs to the definitions whose pointer is a beginning of its own.
  std::map<std::pair<std::size_t, std::string_view>, std::vector<std::size_t>> definitions;
  for (std::size_t i = 0; i < side.definitions.size(); ++i)
    definitions[{side.definitions[i].report, side.definitions[i].pointer}].push_back(i);
  for (std::size_t r = 0; r < side.reports.size(); ++r) {
    const auto& report = side.reports[r];
    for (std::size_t f = 0; f < report.findings.size(); ++f) {
      const auto& finding = report.findings[f];
      if (!counts(report, finding)) continue;
      const std::string_view pointer = finding.pointer;
      bool is_outside = true;
      for (std::size_t end = 0; end <= pointer.size(); ++end) {
        if (end < pointer.size() && pointer[end] != '/') continue;
        const auto around = definitions.find({r, pointer.substr(0, end)});
        if (around == definitions.end()) continue;
        is_outside = false;
        for (const std::size_t definition : around->second) of_definition_[definition].push_back({r, f});
      }
      if (is_outside) outside_.push_back({r, f});
    }
  }
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

/// Rows by type; looked up only: the order of pointers must not matter.
using RowByType = std::map<const catalog::InstanceType*, FitRow>;

RowByType rows_by_type(std::vector<FitRow>& rows) {
  RowByType by_type;
  for (auto& row : rows) by_type.emplace(row.type, std::move(row));
  return by_type;
}

/// Fit of one side.
class SideFit {
 public:
  SideFit(const SideDefinition& definition, const CapacityRequest& request) {
    auto task = fit_task(definition);
    capacity_.requirement = task.requirement;
    capacity_.needs = task.needs;
    capacity_.runs_on_instances = !definition.compared.facts.is_fargate_only;
    if (!capacity_.runs_on_instances) return;
    auto report = capacity::fit({std::move(task)}, request.types, request.fit);
    auto& fit = report.tasks.front();
    capacity_.held_by = fit.holding();
    if (const auto* best = cheapest_copy(fit.rows)) capacity_.cheapest = *best;
    rows_ = rows_by_type(fit.rows);
    assumptions_ = std::move(report.assumptions);
  }

  void tell_assumptions(std::vector<Assumption>& assumptions) const {
    for (const auto& one : assumptions_) {
      if (std::find(assumptions.begin(), assumptions.end(), one) == assumptions.end()) assumptions.push_back(one);
    }
  }

  const SideCapacity& capacity() const { return capacity_; }
  const FitRow* row(const catalog::InstanceType* type) const {
    const auto found = rows_.find(type);
    return found == rows_.end() ? nullptr : &found->second;
  }

 private:
  SideCapacity capacity_;
  std::vector<Assumption> assumptions_;
  RowByType rows_;
};

bool differ(const FitRow* before, const FitRow* after) {
  return before == nullptr || after == nullptr || before->fits != after->fits || before->copies != after->copies;
}

constexpr MicroUsd kNoPrice = std::numeric_limits<MicroUsd>::max();

/// What a reported type is sorted by.
struct RankedType {
  CapacityEffect::Type reported;
  MicroUsd new_price = kNoPrice;
  MicroUsd hourly_price = kNoPrice;
};

/// Compares the price of a copy afterwards, else that of the instance; types without a price come last.
bool is_cheaper(const RankedType& a, const RankedType& b) {
  if (a.new_price != b.new_price) return a.new_price < b.new_price;
  if (a.hourly_price != b.hourly_price) return a.hourly_price < b.hourly_price;
  return natural_less(a.reported.type->name, b.reported.type->name);
}

}  // namespace

bool TypeEffect::changes() const {
  return differ(before ? &*before : nullptr, after ? &*after : nullptr);
}

std::vector<TypeEffect> CapacityEffect::rows(std::size_t begin, std::size_t end) const {
  std::vector<const catalog::InstanceType*> wanted;
  for (std::size_t i = begin; i < end; ++i) wanted.push_back(reported[i].type);
  std::vector<TypeEffect> effects(wanted.size());
  const auto fill = [&](const std::optional<SideCapacity>& side, std::optional<FitRow> TypeEffect::*member) {
    if (!side || !side->runs_on_instances) return;
    auto report = capacity::fit({{{}, side->requirement, side->needs}}, wanted, request->fit);
    auto by_type = rows_by_type(report.tasks.front().rows);
    for (std::size_t i = 0; i < wanted.size(); ++i) effects[i].*member = std::move(by_type.at(wanted[i]));
  };
  fill(before, &TypeEffect::before);
  fill(after, &TypeEffect::after);
  return effects;
}

bool CapacityEffect::fits_no_type() const {
  if (!after || !after->runs_on_instances || after->held_by > 0) return false;
  return !before || !before->runs_on_instances || before->held_by > 0;
}

bool CapacityEffect::changes() const {
  if (!before || !after || before->runs_on_instances != after->runs_on_instances) return true;
  if (describe(before->requirement) != describe(after->requirement)) return true;
  return std::any_of(reported.begin(), reported.end(), [](const Type& one) { return one.changes; });
}

CapacityEffect compare_capacity(const SideDefinition* before, const SideDefinition* after,
                                const std::shared_ptr<const CapacityRequest>& request,
                                std::vector<Assumption>& assumptions) {
  std::optional<SideFit> old_fit, new_fit;
  if (before != nullptr) old_fit.emplace(*before, *request);
  if (after != nullptr) new_fit.emplace(*after, *request);
  CapacityEffect effect;
  effect.request = request;
  effect.types = static_cast<std::int64_t>(request->types.size());
  if (old_fit) effect.before = old_fit->capacity();
  if (new_fit) effect.after = new_fit->capacity();
  std::vector<RankedType> ranked;
  for (const auto* type : request->types) {
    const FitRow* old_row = old_fit ? old_fit->row(type) : nullptr;
    const FitRow* new_row = new_fit ? new_fit->row(type) : nullptr;
    if (old_row == nullptr && new_row == nullptr) continue;
    RankedType one{.reported = {type, differ(old_row, new_row)}};
    if (!request->are_named && !(old_fit && new_fit && one.reported.changes)) continue;
    if (new_row != nullptr) one.new_price = new_row->price_per_copy.value_or(kNoPrice);
    if (const auto& price = (new_row != nullptr ? new_row : old_row)->price) one.hourly_price = price->hourly;
    ranked.push_back(one);
  }
  if (!request->are_named) std::stable_sort(ranked.begin(), ranked.end(), is_cheaper);
  for (const auto& one : ranked) effect.reported.push_back(one.reported);
  if (!new_fit || !effect.changes()) return effect;
  new_fit->tell_assumptions(assumptions);
  if (old_fit) old_fit->tell_assumptions(assumptions);
  return effect;
}

namespace {

bool has_refusal(const DiffSide& side, const std::vector<FindingPlace>& places) {
  return std::any_of(places.begin(), places.end(), [&](const auto& place) {
    const auto& finding = finding_at(side, place);
    return finding.severity == Severity::kError && finding.code.size() == 6 && finding.code[3] < '9';
  });
}

/// Whether OLD, or NEW, has an error of its own.
bool is_refused(const DiffSide& side, std::optional<std::size_t> definition) {
  return definition && side.definitions[*definition].is_refused;
}

void note_refused(DiffSide& side, const SideFindings& findings) {
  for (std::size_t i = 0; i < side.definitions.size(); ++i)
    side.definitions[i].is_refused = has_refusal(side, findings.of(i));
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

DefinitionDiff compare_pair(DiffReport& report, const SideFindings& old_findings, const SideFindings& new_findings,
                            const model::Placeholders& placeholders, const DefinitionPair& pair) {
  DefinitionDiff diff{.name = pair.name, .before = pair.before, .after = pair.after};
  const auto* before = report.before.definition(pair.before);
  const auto* after = report.after.definition(pair.after);
  if (before != nullptr && after != nullptr) {
    diff.fields = compare_definitions(before->compared, after->compared, placeholders);
    note_not_compared(report, diff.name, *before, *after);
  }
  const std::vector<FindingPlace> none;
  diff.findings = compare_findings(report.before, pair.before ? old_findings.of(*pair.before) : none, before,
                                   report.after, pair.after ? new_findings.of(*pair.after) : none, after);
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
  const SideFindings old_findings(report.before), new_findings(report.after);
  note_refused(report.before, old_findings);
  note_refused(report.after, new_findings);
  for (const auto& pair : pair_definitions(report.before, report.after))
    report.definitions.push_back(compare_pair(report, old_findings, new_findings, placeholders, pair));
  report.other_findings =
      compare_findings(report.before, old_findings.outside(), nullptr, report.after, new_findings.outside(), nullptr);
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
  const auto shared = std::make_shared<const CapacityRequest>(request);
  for (auto& diff : report.definitions) {
    if (!diff.differs() || diff.is_removed()) continue;
    diff.capacity = compare_capacity(report.before.definition(diff.before), report.after.definition(diff.after), shared,
                                     report.assumptions);
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
