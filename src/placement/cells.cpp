#include "placement/cells.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace bayplan::placement {
namespace {

std::optional<std::string_view> attribute_of(const InstanceProfile& profile, const std::string& name) {
  const auto found = profile.attributes.find(name);
  if (found == profile.attributes.end()) return std::nullopt;
  return found->second;
}

}  // namespace

Cells::Cells(const Scenario& scenario, const std::vector<std::string>& attributes) {
  profile_of_.reserve(scenario.instances.size());
  for (const auto& instance : scenario.instances) profile_of_.push_back(instance.profile);
  part(scenario, attributes);
  line_up();
}

void Cells::part(const Scenario& scenario, const std::vector<std::string>& attributes) {
  std::vector<std::map<std::optional<std::string_view>, std::uint32_t>> numbers(attributes.size());
  std::map<std::vector<std::uint32_t>, std::uint32_t> cells;
  value_of_.resize(attributes.size());
  for (const auto& profile : scenario.profiles) {
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const auto next = static_cast<std::uint32_t>(numbers[i].size());
      values.push_back(numbers[i].try_emplace(attribute_of(profile, attributes[i]), next).first->second);
    }
    const auto [cell, is_new] = cells.try_emplace(values, static_cast<std::uint32_t>(cells.size()));
    cell_of_profile_.push_back(cell->second);
    for (std::size_t i = 0; is_new && i < attributes.size(); ++i) value_of_[i].push_back(values[i]);
  }
  for (const auto& each : numbers) values_.push_back(each.size());
  begin_.resize(cells.size() + 1);
}

void Cells::line_up() {
  for (const std::uint32_t profile : profile_of_) ++begin_[cell_of_profile_[profile] + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  auto next = begin_;
  instance_at_.resize(profile_of_.size());
  for (std::uint32_t instance = 0; instance < profile_of_.size(); ++instance) {
    const std::uint32_t position = next[cell_of(instance)]++;
    position_of_.push_back(position);
    instance_at_[position] = instance;
  }
}

std::uint32_t Cells::position_from(std::uint32_t cell, std::uint32_t instance) const {
  const auto first = instance_at_.begin() + begin_of(cell);
  const auto last = instance_at_.begin() + end_of(cell);
  return static_cast<std::uint32_t>(std::lower_bound(first, last, instance) - instance_at_.begin());
}

}  // namespace bayplan::placement
