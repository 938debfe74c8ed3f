#include "placement/index/attribute_partition.hpp"

#include <algorithm>
#include <limits>

namespace bayplan::placement {
namespace {

constexpr std::uint32_t kNoCell = std::numeric_limits<std::uint32_t>::max();

std::optional<std::string> find_attribute(const InstanceProfile& profile, const std::string& name) {
  const auto found = profile.attributes.find(name);
  if (found == profile.attributes.end()) return std::nullopt;
  return found->second;
}

/// Positions for instances to come.
std::uint32_t spare(std::uint32_t instances) {
  constexpr std::uint32_t kLeast = 16;
  return kLeast + instances / 4;
}

}  // namespace

AttributePartition::AttributePartition(const Scenario& scenario, std::vector<std::string> attributes, bool grows)
    : attributes_(std::move(attributes)) {
  profile_of_.reserve(scenario.instances.size());
  for (const auto& instance : scenario.instances) profile_of_.push_back(instance.profile);
  part(scenario);
  line_up(grows);
}

void AttributePartition::part(const Scenario& scenario) {
  numbers_.resize(attributes_.size());
  value_of_.resize(attributes_.size());
  for (const auto& profile : scenario.profiles) {
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < attributes_.size(); ++i) {
      const auto next = static_cast<std::uint32_t>(numbers_[i].size());
      values.push_back(numbers_[i].try_emplace(find_attribute(profile, attributes_[i]), next).first->second);
    }
    const auto [cell, is_new] = cell_with_.try_emplace(values, static_cast<std::uint32_t>(cell_with_.size()));
    cell_of_profile_.push_back(cell->second);
    for (std::size_t i = 0; is_new && i < attributes_.size(); ++i) value_of_[i].push_back(values[i]);
  }
}

void AttributePartition::line_up(bool grows) {
  std::vector<std::uint32_t> sizes(cell_with_.size());
  for (const std::uint32_t profile : profile_of_) ++sizes[cell_of_profile_[profile]];
  begin_.push_back(0);
  for (const std::uint32_t size : sizes) begin_.push_back(begin_.back() + size + (grows ? spare(size) : 0));
  end_.assign(begin_.begin(), begin_.end() - 1);
  instance_at_.resize(begin_.back());
  for (std::uint32_t instance = 0; instance < profile_of_.size(); ++instance) {
    const std::uint32_t position = end_[cell_of(instance)]++;
    position_of_.push_back(position);
    instance_at_[position] = instance;
  }
}

std::uint32_t AttributePartition::known_cell(const InstanceProfile& profile) const {
  std::vector<std::uint32_t> values;
  for (std::size_t i = 0; i < attributes_.size(); ++i) {
    const auto value = numbers_[i].find(find_attribute(profile, attributes_[i]));
    if (value == numbers_[i].end()) return kNoCell;
    values.push_back(value->second);
  }
  const auto cell = cell_with_.find(values);
  return cell == cell_with_.end() ? kNoCell : cell->second;
}

bool AttributePartition::append(std::uint32_t profile) {
  const std::uint32_t cell = cell_of_profile_[profile];
  if (cell == kNoCell || end_[cell] == begin_[cell + 1]) return false;
  instance_at_[end_[cell]] = static_cast<std::uint32_t>(profile_of_.size());
  position_of_.push_back(end_[cell]++);
  profile_of_.push_back(profile);
  return true;
}

bool AttributePartition::follow(const Scenario& scenario, const std::vector<std::uint32_t>& changed) {
  while (cell_of_profile_.size() < scenario.profiles.size()) {
    cell_of_profile_.push_back(known_cell(scenario.profiles[cell_of_profile_.size()]));
  }
  for (const std::uint32_t instance : changed) {
    if (instance >= profile_of_.size()) continue;  // a new one: below
    const std::uint32_t profile = scenario.instances[instance].profile;
    if (cell_of_profile_[profile] != cell_of(instance)) return false;
    profile_of_[instance] = profile;
  }
  while (profile_of_.size() < scenario.instances.size()) {
    if (!append(scenario.instances[profile_of_.size()].profile)) return false;
  }
  return true;
}

std::uint32_t AttributePartition::position_from(std::uint32_t cell, std::uint32_t instance) const {
  const auto first = instance_at_.begin() + begin_of(cell);
  const auto last = instance_at_.begin() + end_of(cell);
  return static_cast<std::uint32_t>(std::lower_bound(first, last, instance) - instance_at_.begin());
}

}  // namespace bayplan::placement
