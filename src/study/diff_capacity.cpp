#include "study/diff_capacity.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "base/strings.hpp"
#include "capacity/gpu_needs.hpp"

namespace bayplan::study {

using capacity::FitRow;
using capacity::Fits;

namespace {

capacity::FitTask task_of(const SideDefinition& definition) {
  const model::Placeholders placeholders;
  capacity::FitTask task{definition.family, capacity::requirement_of(definition.task), {}};
  if (task.requirement.family.empty()) task.requirement.family = definition.name;
  for (const auto& container : definition.task.container_definitions)
    task.needs.push_back(capacity::stated_needs(definition.task, container, placeholders, {}));
  return task;
}

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
    const auto task = task_of(definition);
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

/// By the price of a copy afterwards, else by that of the instance; those without a price last.
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
    const bool is_told = old_fit && new_fit && row.changes();
    if (request.are_named || is_told) effect.rows.push_back(std::move(row));
  }
  if (!request.are_named) std::stable_sort(effect.rows.begin(), effect.rows.end(), is_cheaper);
  if (!new_fit || !effect.changes()) return effect;
  new_fit->tell_assumptions(assumptions);
  if (old_fit) old_fit->tell_assumptions(assumptions);
  return effect;
}

}  // namespace bayplan::study
