#include "capacity/fit.hpp"

#include <algorithm>
#include <numeric>

#include "catalog/price_age.hpp"

namespace bayplan::capacity {

using catalog::InstanceType;

namespace {

using Copies = std::optional<std::int64_t>;

bool holds_one(const Copies& copies) {
  return !copies || *copies > 0;
}

/// Unlimited counts as more than any number.
std::int64_t ranked(const Copies& copies) {
  return copies.value_or(INT64_MAX);
}

void check_architecture(const InstanceOffer& offer, const TaskRequirement& task, FitRow& row) {
  const std::string wanted = wanted_architecture(task);
  if (wanted.empty() || offer.architectures.empty()) return;
  const auto& offered = offer.architectures;
  if (std::find(offered.begin(), offered.end(), wanted) != offered.end()) return;
  row.reasons.emplace_back("ATTRIBUTE");
  row.missing_attributes.push_back("ecs.cpu-architecture=" + wanted);
}

/// Reasons and shortfalls at the high end of the band: what no error of the estimate explains.
void note_reasons(const std::vector<Limit>& limits, FitRow& row) {
  for (const auto& limit : limits) {
    if (!limit.shortfall) continue;
    row.reasons.push_back(find_reason(limit.resource));
    row.shortfalls.push_back(*limit.shortfall);
  }
}

/// Devices are the scarce thing: of equal limits they are named first, then memory.
std::optional<Resource> find_binding_resource(const std::vector<Limit>& limits, const Copies& copies) {
  if (!copies) return std::nullopt;
  for (const Resource resource : {Resource::kGpu, Resource::kNeuron, Resource::kMemory, Resource::kCpu, Resource::kEni,
                                  Resource::kEbs, Resource::kPorts}) {
    for (const auto& limit : limits) {
      if (limit.resource == resource && limit.copies == copies) return resource;
    }
  }
  return std::nullopt;
}

IdleResources compute_idle_resources(const InstanceOffer& free, const TaskRequirement& task, std::int64_t copies) {
  IdleResources idle{free.cpu - copies * task.cpu, free.memory - copies * task.memory,
                     idle_gpus(free.gpu, task, copies), free.network_interfaces, free.ebs_attachments};
  if (idle.network_interfaces) *idle.network_interfaces -= copies * task.network_interfaces;
  if (idle.ebs_attachments) *idle.ebs_attachments -= copies * attachments_taken(free, task);
  return idle;
}

void count_copies(const InstanceOffer& free, MiB advertised, const TaskRequirement& task, FitRow& row) {
  // Of a type without any memory figure only the advertised size is sure to be an upper end.
  const MiB low = free.memory_known ? free.memory - free.memory_error : 0;
  const MiB high = free.memory_known ? free.memory + free.memory_error : advertised;
  const auto limits = limits_of(free, free.memory, task);
  row.copies = copies_within(limits);
  row.copies_min = copies_within(limits_of(free, low, task));
  row.copies_max = copies_within(limits_of(free, high, task));
  row.binding = find_binding_resource(limits, row.copies);
  row.memory_margin = free.memory - task.memory;
  if (holds_one(row.copies_min)) {
    row.fits = Fits::kYes;
  } else if (holds_one(row.copies_max)) {
    row.fits = Fits::kUnsure;
  }
  note_reasons(limits, row);
  if (row.copies && *row.copies > 0) row.idle = compute_idle_resources(free, task, *row.copies);
}

/// GPUs that the container is given on this type.
std::int64_t gpus_given(const ContainerGpu& container, const InstanceOffer& offer) {
  if (container.form == GpuForm::kAll) return offer.gpu.count;
  return container.form == GpuForm::kCount ? container.count : 1;
}

std::vector<UnmetNeed> list_unmet_needs(const FitTask& task, const FitRow& row) {
  std::vector<UnmetNeed> unmet;
  for (const auto& container : task.requirement.gpu_containers) {
    if (container.container >= task.needs.size()) continue;
    const auto own = unmet_needs(task.needs[container.container], gpus_given(container, row.offer), row.type);
    unmet.insert(unmet.end(), own.begin(), own.end());
  }
  if (auto own = unmet_neuron_devices(task.requirement, *row.type)) unmet.push_back(std::move(*own));
  return unmet;
}

FitRow row_of(const InstanceType& type, const TaskRequirement& task, const FitOptions& options) {
  FitRow row;
  row.type = &type;
  row.offer = make_offer(type, {options.reserved_memory, options.trunking, task.windows});
  row.price = type.price_in(options.region);
  std::optional<InstanceOffer> beside_daemons;
  MiB advertised = type.memory - options.reserved_memory;
  if (!options.daemons.empty()) beside_daemons = row.offer;
  for (const auto& daemon : options.daemons) {
    take(*beside_daemons, daemon);
    advertised -= daemon.memory;
  }
  const InstanceOffer& free = beside_daemons ? *beside_daemons : row.offer;
  check_architecture(free, task, row);
  count_copies(free, std::max<MiB>(0, advertised), task, row);
  if (!row.missing_attributes.empty()) {
    row.fits = Fits::kNo;
    row.copies = row.copies_min = row.copies_max = 0;
    row.idle.reset();
    row.binding.reset();
  }
  if (row.price && row.copies && *row.copies > 0) {
    row.price_per_copy = (row.price->hourly + *row.copies / 2) / *row.copies;
  }
  return row;
}

/// Parts of the list: what fits before what does not, in each the types still on sale first.
int part_of(const FitRow& row) {
  const int part = row.fits == Fits::kNo ? 4 : row.unmet_needs.empty() ? 0 : 2;
  return part + (row.type->is_retired() ? 1 : 0);
}

MicroUsd price_key(const FitRow& row) {
  return row.price ? row.price->hourly : INT64_MAX;
}

/// A row is large, so the order is found first, and each row moves once.
std::vector<FitRow> sorted_rows(std::vector<FitRow> rows, FitSort sort) {
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    const FitRow& a = rows[left];
    const FitRow& b = rows[right];
    if (part_of(a) != part_of(b)) return part_of(a) < part_of(b);
    if (sort == FitSort::kCopies && ranked(a.copies) != ranked(b.copies)) return ranked(a.copies) > ranked(b.copies);
    if (sort != FitSort::kName && price_key(a) != price_key(b)) return price_key(a) < price_key(b);
    return catalog::size_less(*a.type, *b.type);
  });
  std::vector<FitRow> sorted;
  sorted.reserve(rows.size());
  for (const std::uint32_t i : order) sorted.push_back(std::move(rows[i]));
  return sorted;
}

}  // namespace

PriceRange price_range(const std::vector<const InstanceType*>& types, const std::string& region) {
  PriceRange range{.region = region};
  for (const auto* type : types) {
    const auto price = type->price_in(region);
    if (!price) {
      range.unpriced.push_back(type->name);
    } else if (!price->date.empty()) {
      if (range.oldest.empty() || price->date < range.oldest) range.oldest = price->date;
      range.newest = std::max(range.newest, price->date);
    }
    if (price) ++range.priced;
    if (price && catalog::days_behind(price->date) > catalog::kOldPriceDays) ++range.old;
    if (price && price->is_estimated()) range.estimated.push_back(type->name);
  }
  return range;
}

std::string_view name_of(Fits fits) {
  switch (fits) {
    case Fits::kYes:
      return "yes";
    case Fits::kUnsure:
      return "unsure";
    case Fits::kNo:
      return "no";
  }
  return "no";
}

std::int64_t TaskFit::holding() const {
  return std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.fits != Fits::kNo; });
}

const FitRow* TaskFit::cheapest() const {
  const FitRow* best = nullptr;
  for (const auto& row : rows) {
    if (row.fits != Fits::kYes || row.type->is_retired() || !row.price || !row.unmet_needs.empty()) continue;
    if (best == nullptr || row.price->hourly < best->price->hourly) best = &row;
  }
  return best;
}

bool FitReport::any_without_type() const {
  return std::any_of(tasks.begin(), tasks.end(), [](const auto& task) { return task.holding() == 0; });
}

FitReport fit(const std::vector<FitTask>& tasks, const std::vector<const InstanceType*>& types,
              const FitOptions& options) {
  FitReport report;
  report.prices = price_range(types, options.region);
  report.reserved_memory = options.reserved_memory;
  report.trunking = options.trunking;
  for (const auto& task : tasks) {
    TaskFit result{task.file, task.requirement.family, task.requirement, false, {}};
    result.has_needs = task.requirement.mapped_neuron_devices > 0 ||
                       std::any_of(task.needs.begin(), task.needs.end(), [](const auto& needs) { return needs.any(); });
    result.rows.reserve(types.size());
    for (const auto* type : types) {
      result.rows.push_back(row_of(*type, task.requirement, options));
      auto& row = result.rows.back();
      if (row.fits != Fits::kNo) row.unmet_needs = list_unmet_needs(task, row);
    }
    result.rows = sorted_rows(std::move(result.rows), options.sort);
    report.tasks.push_back(std::move(result));
  }
  report.assumptions = collect_assumptions(report);
  return report;
}

}  // namespace bayplan::capacity
