#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// The instances, parted by their values of some attributes: those of one cell rank alike under every spread over one
/// of them. Instances without the attribute share a value of their own. Instances also have positions: cell by cell,
/// in file order within a cell.
class AttributePartition {
 public:
  /// `grows`: instances will come; there are positions for some.
  AttributePartition(const Scenario& scenario, std::vector<std::string> attributes, bool grows);

  /// Adds new profiles and instances, and updates the profiles of the `changed` instances. Returns false if the
  /// partition has to be built again: an instance moved to another cell, is in a cell that does not exist yet, or there
  /// are no positions left.
  bool follow(const Scenario& scenario, const std::vector<std::uint32_t>& changed);

  std::size_t size() const { return end_.size(); }
  std::size_t positions() const { return instance_at_.size(); }
  std::uint32_t cell_of(std::uint32_t instance) const { return cell_of_profile_[profile_of_[instance]]; }
  std::uint32_t find_position(std::uint32_t instance) const { return position_of_[instance]; }
  std::uint32_t instance_at(std::size_t position) const { return instance_at_[position]; }
  std::uint32_t begin_of(std::uint32_t cell) const { return begin_[cell]; }
  std::uint32_t end_of(std::uint32_t cell) const { return end_[cell]; }
  /// The first position of the cell whose instance is not before `instance`.
  std::uint32_t position_from(std::uint32_t cell, std::uint32_t instance) const;

  std::size_t values(std::size_t attribute) const { return numbers_[attribute].size(); }
  /// Number of the value that the instances of a cell have.
  std::uint32_t value_of(std::size_t attribute, std::uint32_t cell) const { return value_of_[attribute][cell]; }

 private:
  void part(const Scenario& scenario);
  void line_up(bool grows);
  std::uint32_t known_cell(const InstanceProfile& profile) const;
  bool append(std::uint32_t profile);

  std::vector<std::string> attributes_;
  std::vector<std::map<std::optional<std::string>, std::uint32_t>> numbers_;  ///< Numbers of the values, by attribute.
  std::map<std::vector<std::uint32_t>, std::uint32_t> cell_with_;  ///< Keyed by the values of its attributes.
  std::vector<std::uint32_t> profile_of_;                          ///< One entry per instance.
  std::vector<std::uint32_t> cell_of_profile_;  ///< kNoCell where a profile came later and is in none.
  std::vector<std::uint32_t> position_of_;
  std::vector<std::uint32_t> instance_at_;
  std::vector<std::uint32_t> begin_;  ///< One entry per cell; one more for the end of all positions.
  std::vector<std::uint32_t> end_;    ///< One entry per cell: the position behind its last instance.
  std::vector<std::vector<std::uint32_t>> value_of_;
};

}  // namespace bayplan::placement
