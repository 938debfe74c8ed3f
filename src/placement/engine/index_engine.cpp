#include "placement/engine/index_engine.hpp"

#include <algorithm>

namespace bayplan::placement {

IndexChooser::Known::Known(const Occupancy& occupancy, std::uint32_t workload, ProfileChecks& checks)
    : filter(occupancy.scenario(), occupancy.groups(), occupancy.scenario().workloads[workload],
             occupancy.group_of(workload), checks),
      chain(effective_strategies(occupancy.scenario().workloads[workload], occupancy.scenario().ties)) {}

IndexChooser::IndexChooser(const Occupancy& occupancy)
    : occupancy_(occupancy),
      generator_(occupancy.scenario().seed),
      changes_(occupancy.changes()),
      checks_(occupancy.scenario()),
      known_(occupancy.classes().size()) {}

IndexChooser::Known& IndexChooser::known(std::uint32_t task_class) {
  follow_cluster();
  auto& own = known_[task_class];
  if (!own) own = std::make_unique<Known>(occupancy_, occupancy_.classes().workload_of(task_class), checks_);
  return *own;
}

ClassIndex& IndexChooser::index_of(std::uint32_t task_class) {
  auto& own = known(task_class);
  if (own.index) return *own.index;
  const Cells& cells = cells_for(own.chain.attributes);
  RemainingOrder* order = own.chain.fields.empty() ? nullptr : &order_for(cells, own.chain.fields);
  own.index = std::make_unique<ClassIndex>(occupancy_, task_class, own.filter, own.chain, cells, order);
  return *own.index;
}

void IndexChooser::follow_cluster() {
  if (changes_ == occupancy_.changes()) return;
  changes_ = occupancy_.changes();
  checks_.follow();
  const auto& scenario = occupancy_.scenario();
  const bool fits =
      std::all_of(cells_.begin(), cells_.end(), [&](auto& cells) { return cells.second->follow(scenario); });
  if (fits) return;
  for (auto& own : known_) own.reset();
  orders_.clear();
  cells_.clear();
}

Cells& IndexChooser::cells_for(const std::vector<std::string>& attributes) {
  auto& cells = cells_[attributes];
  if (!cells) cells = std::make_unique<Cells>(occupancy_.scenario(), attributes, changes_ > 0);
  return *cells;
}

const Filter& IndexChooser::filter_of(std::uint32_t task_class) {
  return known(task_class).filter;
}

RemainingOrder& IndexChooser::order_for(const Cells& cells, const std::vector<Strategy>& fields) {
  const auto free = std::find_if(orders_.begin(), orders_.end(), [&](const auto& order) {
    return order->is_for(cells, fields) && order->has_free_lane();
  });
  if (free != orders_.end()) return **free;
  return *orders_.emplace_back(std::make_unique<RemainingOrder>(occupancy_, cells, fields));
}

std::optional<Choice> IndexChooser::choose(std::uint32_t task_class) {
  return index_of(task_class).choose(generator_);
}

bool IndexChooser::has_place(std::uint32_t task_class) {
  return index_of(task_class).has_candidate();
}

Failure IndexChooser::explain(const Turn& turn, std::uint32_t task_class, bool in_full) {
  auto& own = known(task_class);
  if (in_full) {
    return explain_failure(turn, occupancy_.standing(), occupancy_.states(), own.filter, occupancy_.scenario(), true);
  }
  if (!own.nearest) own.nearest = std::make_unique<NearestIndex>(occupancy_, own.filter, task_class);
  return own.nearest->explain(turn);
}

void IndexChooser::forget(std::uint32_t workload) {
  const std::size_t providers = occupancy_.scenario().workloads[workload].capacity_providers.size();
  for (std::size_t i = 0; i < std::max<std::size_t>(1, providers); ++i) {
    known_[occupancy_.classes().number(workload, i)].reset();
  }
}

}  // namespace bayplan::placement
