#include "packing/linear_program.hpp"

#include <coin/ClpSimplex.hpp>

namespace bayplan::packing {
namespace {

/// What a call costs however small the program.
constexpr std::int64_t kCall = 300;

}  // namespace

struct LinearProgram::Solver {
  ClpSimplex simplex;
  std::int64_t work = 0;

  /// Columns that the program does not know yet: each call that adds some moves all that it has.
  struct NewColumns {
    std::vector<double> costs;
    std::vector<double> uppers;
    std::vector<CoinBigIndex> starts = {0};
    std::vector<int> rows;
    std::vector<double> factors;
  } added;

  void take_added() {
    if (added.costs.empty()) return;
    simplex.addColumns(static_cast<int>(added.costs.size()), nullptr, added.uppers.data(), added.costs.data(),
                       added.starts.data(), added.rows.data(), added.factors.data());
    added = {};
  }
};

LinearProgram::LinearProgram() : solver_(std::make_unique<Solver>()) {
  solver_->simplex.setLogLevel(0);
}
LinearProgram::~LinearProgram() = default;
LinearProgram::LinearProgram(LinearProgram&&) noexcept = default;
LinearProgram& LinearProgram::operator=(LinearProgram&&) noexcept = default;

void LinearProgram::add_row(double lower, double upper) {
  solver_->simplex.addRow(0, nullptr, nullptr, lower, upper);
}

void LinearProgram::add_column(double cost, double upper, std::span<const Entry> entries) {
  Solver::NewColumns& added = solver_->added;
  added.costs.push_back(cost);
  added.uppers.push_back(upper);
  for (const Entry& entry : entries) {
    added.rows.push_back(entry.row);
    added.factors.push_back(entry.factor);
  }
  added.starts.push_back(static_cast<CoinBigIndex>(added.rows.size()));
}

void LinearProgram::add_row(double lower, double upper, std::span<const ColumnEntry> entries) {
  std::vector<int> columns;
  std::vector<double> factors;
  for (const ColumnEntry& entry : entries) {
    columns.push_back(entry.column);
    factors.push_back(entry.factor);
  }
  solver_->take_added();
  solver_->simplex.addRow(static_cast<int>(columns.size()), columns.data(), factors.data(), lower, upper);
}

void LinearProgram::set_row(int row, double lower, double upper) {
  solver_->simplex.setRowBounds(row, lower, upper);
}
void LinearProgram::set_upper(int column, double upper) {
  solver_->take_added();
  solver_->simplex.setColumnUpper(column, upper);
}

bool LinearProgram::solve() {
  solver_->take_added();
  ClpSimplex& simplex = solver_->simplex;
  simplex.primal();
  const std::int64_t size = simplex.numberRows() + simplex.numberColumns();
  solver_->work += kCall + size + simplex.numberIterations() * size / 4;
  return simplex.isProvenOptimal();
}

double LinearProgram::objective() const {
  return solver_->simplex.objectiveValue();
}

std::vector<double> LinearProgram::values() const {
  const ClpSimplex& simplex = solver_->simplex;
  const double* solution = simplex.primalColumnSolution();
  std::vector<double> values(solution, solution + simplex.numberColumns());
  values.resize(values.size() + solver_->added.costs.size());
  return values;
}

std::vector<double> LinearProgram::duals() const {
  const ClpSimplex& simplex = solver_->simplex;
  const double* duals = simplex.dualRowSolution();
  return {duals, duals + simplex.numberRows()};
}

std::int64_t LinearProgram::work() const {
  return solver_->work;
}

}  // namespace bayplan::packing
