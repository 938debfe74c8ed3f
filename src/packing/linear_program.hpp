#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace bayplan::packing {

/// Minimizes cost over columns of at least 0, between the rows' bounds. Answers are floating point: whoever needs a
/// proof rounds them and checks in integers.
class LinearProgram {
 public:
  struct Entry {
    int row = 0;
    double factor = 0;
  };

  static constexpr double kInfinity = 1e30;

  LinearProgram();
  ~LinearProgram();
  LinearProgram(LinearProgram&&) noexcept;
  LinearProgram& operator=(LinearProgram&&) noexcept;

  void add_row(double lower, double upper);
  void add_column(double cost, double upper, std::span<const Entry> entries);

  struct ColumnEntry {
    int column = 0;
    double factor = 0;
  };
  void add_row(double lower, double upper, std::span<const ColumnEntry> entries);

  void set_row(int row, double lower, double upper);
  void set_upper(int column, double upper);

  /// Solves from the end of the last call; false when there is no optimum.
  bool solve();

  double objective() const;
  std::vector<double> values() const;  ///< One a column; 0 for those added since.
  std::vector<double> duals() const;   ///< One a row.

  /// Pivots of all calls so far, each counted with a part of the size; in the unit of Effort.
  std::int64_t work() const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace bayplan::packing
