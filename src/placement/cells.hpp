#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "placement/scenario.hpp"

namespace bayplan::placement {

/// The instances, parted by their values of some attributes: those of one cell rank alike under every spread over one
/// of them. Instances without the attribute share a value of their own. Instances also have positions: cell by cell,
/// in file order within a cell.
class Cells {
 public:
  Cells(const Scenario& scenario, const std::vector<std::string>& attributes);

  std::size_t size() const { return begin_.size() - 1; }
  std::uint32_t cell_of(std::uint32_t instance) const { return cell_of_profile_[profile_of_[instance]]; }
  std::uint32_t profile_of(std::uint32_t instance) const { return profile_of_[instance]; }
  std::uint32_t position_of(std::uint32_t instance) const { return position_of_[instance]; }
  std::uint32_t instance_at(std::size_t position) const { return instance_at_[position]; }
  std::uint32_t begin_of(std::uint32_t cell) const { return begin_[cell]; }
  std::uint32_t end_of(std::uint32_t cell) const { return begin_[cell + 1]; }
  /// The first position of the cell whose instance is not before `instance`.
  std::uint32_t position_from(std::uint32_t cell, std::uint32_t instance) const;

  std::size_t values(std::size_t attribute) const { return values_[attribute]; }
  /// Number of the value that the instances of a cell have.
  std::uint32_t value_of(std::size_t attribute, std::uint32_t cell) const { return value_of_[attribute][cell]; }

 private:
  void part(const Scenario& scenario, const std::vector<std::string>& attributes);
  void line_up();

  std::vector<std::uint32_t> profile_of_;  ///< By instance.
  std::vector<std::uint32_t> cell_of_profile_;
  std::vector<std::uint32_t> position_of_;
  std::vector<std::uint32_t> instance_at_;
  std::vector<std::uint32_t> begin_;  ///< By cell; one more for the end.
  std::vector<std::size_t> values_;   ///< By attribute.
  std::vector<std::vector<std::uint32_t>> value_of_;
};

}  // namespace bayplan::placement
