#include "placement/engine/index_engine.hpp"

#include <algorithm>
#include <numeric>

namespace bayplan::placement {

IndexChooser::ClassState::ClassState(const Occupancy& occupancy, std::uint32_t workload, ProfileChecks& checks)
    : filter(occupancy.scenario(), occupancy.groups(), occupancy.scenario().workloads[workload],
             occupancy.group_of(workload), checks),
      chain(effective_strategies(occupancy.scenario().workloads[workload], occupancy.scenario().ties)) {}

IndexChooser::IndexChooser(const Occupancy& occupancy)
    : occupancy_(occupancy),
      generator_(occupancy.scenario().seed),
      changes_(occupancy.changes()),
      seen_(occupancy.history().end()),
      checks_(occupancy.scenario()),
      known_(occupancy.classes().size()) {}

IndexChooser::ClassState& IndexChooser::class_state(std::uint32_t task_class) {
  follow_cluster();
  auto& own = known_[task_class];
  if (!own) own = std::make_unique<ClassState>(occupancy_, occupancy_.classes().workload_of(task_class), checks_);
  return *own;
}

ClassIndex& IndexChooser::index_of(std::uint32_t task_class) {
  auto& own = class_state(task_class);
  if (own.index) return *own.index;
  const AttributePartition& partition = partition_by(own.chain.attributes);
  RemainingOrder* order = find_order(partition, own.chain.fields);
  own.index = std::make_unique<ClassIndex>(
      occupancy_, occupancy_.group_of(occupancy_.classes().workload_of(task_class)),
      occupancy_.classes().find_provider(task_class), own.filter, own.chain, partition, order);
  return *own.index;
}

IndexChooser::SharedIndex& IndexChooser::shared_of(std::uint32_t task_class) {
  const auto& own = class_state(task_class);
  auto& of_size = shared_[own.filter.least_room()];
  for (auto& shared : of_size) {
    const auto& other = class_state(shared.first_class);
    if (!own.filter.is_like(other.filter) || !(own.chain == other.chain) ||
        occupancy_.classes().find_provider(task_class) != occupancy_.classes().find_provider(shared.first_class))
      continue;
    shared.is_wanted |= shared.first_class != task_class;
    return shared;
  }
  return of_size.emplace_back(SharedIndex{task_class, false, nullptr, nullptr, nullptr});
}

/// Null for a class that is alone so far, or cannot share.
ClassIndex* IndexChooser::find_shared_index(std::uint32_t task_class) {
  auto& own = class_state(task_class);
  if (!own.filter.needs_room_and_ports_only()) return nullptr;
  if (own.shared == nullptr) own.shared = &shared_of(task_class);
  auto& shared = *own.shared;
  if (!shared.is_wanted || shared.index) return shared.index.get();
  const AttributePartition& partition = partition_by(own.chain.attributes);
  if (!ClassIndex::can_be_shared(own.chain, partition)) return nullptr;
  const auto& scenario = occupancy_.scenario();
  const auto& workload = scenario.workloads[occupancy_.classes().workload_of(task_class)];
  RemainingOrder* order = find_order(partition, own.chain.fields);
  shared.filter = std::make_unique<Filter>(scenario, occupancy_.groups(), workload, kNoGroup, checks_);
  shared.chain = std::make_unique<Chain>(own.chain);
  shared.index = std::make_unique<ClassIndex>(occupancy_, std::nullopt, occupancy_.classes().find_provider(task_class),
                                              *shared.filter, *shared.chain, partition, order);
  return shared.index.get();
}

void IndexChooser::follow_cluster() {
  if (changes_ == occupancy_.changes()) return;
  changes_ = occupancy_.changes();
  checks_.follow();
  const auto& scenario = occupancy_.scenario();
  const auto& history = occupancy_.history();
  std::vector<std::uint32_t> changed;
  if (seen_ < history.begin()) {
    changed.resize(scenario.instances.size());
    std::iota(changed.begin(), changed.end(), 0);
  } else {
    for (const InstanceChange& touch : history.since(seen_)) {
      if (touch.changes_profile) changed.push_back(touch.instance);
    }
  }
  seen_ = history.end();
  const bool fits = std::all_of(partitions_.begin(), partitions_.end(),
                                [&](auto& partition) { return partition.second->follow(scenario, changed); });
  if (fits) return;
  for (auto& own : known_) own.reset();
  shared_.clear();
  orders_.clear();
  partitions_.clear();
}

AttributePartition& IndexChooser::partition_by(const std::vector<std::string>& attributes) {
  auto& partition = partitions_[attributes];
  if (!partition) partition = std::make_unique<AttributePartition>(occupancy_.scenario(), attributes, changes_ > 0);
  return *partition;
}

const Filter& IndexChooser::filter_of(std::uint32_t task_class) {
  return class_state(task_class).filter;
}

/// An order by the fields with a free lane; null where there are no fields.
RemainingOrder* IndexChooser::find_order(const AttributePartition& partition, const std::vector<Strategy>& fields) {
  if (fields.empty()) return nullptr;
  const auto free = std::find_if(orders_.begin(), orders_.end(), [&](const auto& order) {
    return order->is_for(partition, fields) && order->has_free_lane();
  });
  if (free != orders_.end()) return free->get();
  return orders_.emplace_back(std::make_unique<RemainingOrder>(occupancy_, partition, fields)).get();
}

template <class AskShared, class AskOwn>
auto IndexChooser::ask(std::uint32_t task_class, AskShared ask_shared, AskOwn ask_own) {
  if (!class_state(task_class).index) {
    const std::uint32_t group = occupancy_.group_of(occupancy_.classes().workload_of(task_class));
    const auto instances = occupancy_.list_instances_of(group);
    ClassIndex* const shared = instances ? find_shared_index(task_class) : nullptr;
    if (shared != nullptr) return ask_shared(*shared, group, *instances);
  }
  return ask_own(index_of(task_class));
}

std::optional<Choice> IndexChooser::choose(std::uint32_t task_class) {
  return ask(
      task_class,
      [&](ClassIndex& shared, std::uint32_t group, auto instances) {
        return shared.choose_for(group, instances, generator_);
      },
      [&](ClassIndex& own) { return own.choose(generator_); });
}

bool IndexChooser::has_place(std::uint32_t task_class) {
  return ask(
      task_class,
      [](ClassIndex& shared, std::uint32_t group, auto instances) {
        return shared.has_candidate_for(group, instances);
      },
      [](ClassIndex& own) { return own.has_candidate(); });
}

Failure IndexChooser::explain(const PlacementAttempt& attempt, std::uint32_t task_class, bool in_full) {
  auto& own = class_state(task_class);
  if (in_full) {
    return explain_failure(attempt, occupancy_.standing(), occupancy_.states(), own.filter, occupancy_.scenario(),
                           true);
  }
  if (!own.nearest) own.nearest = std::make_unique<NearestIndex>(occupancy_, own.filter, task_class);
  return own.nearest->explain(attempt);
}

void IndexChooser::forget(std::uint32_t workload) {
  const std::size_t providers = occupancy_.scenario().workloads[workload].capacity_providers.size();
  for (std::size_t i = 0; i < std::max<std::size_t>(1, providers); ++i) {
    known_[occupancy_.classes().number(workload, i)].reset();
  }
}

}  // namespace bayplan::placement
