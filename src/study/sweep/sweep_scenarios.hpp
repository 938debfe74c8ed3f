#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "placement/model/scenario.hpp"
#include "study/sweep/grid.hpp"
#include "study/whatif/load_variants.hpp"
#include "study/whatif/what_if.hpp"

/// A grid with its scenario: what each index means.
namespace bayplan::study {

/// Schema of the lines that a sweep writes. What earlier lines mean changes with it, so the fingerprint includes it.
inline constexpr std::string_view kSweepSchema = "bayplan/sweep-report/1";

/// Loaded, every flag of every point looked up. The catalog outlives it.
struct GridScenario {
  WrittenGrid grid;
  placement::Scenario scenario;  ///< Ties are drawn where an axis varies the seed.
  /// Policies that the scenario or a point sets, in the order of the enumeration. ECS offers none of them.
  std::vector<placement::Policy> policies;
  std::string fingerprint;  ///< 16 hexadecimal digits of all that the results depend on.
};

struct LoadedGrid {
  std::shared_ptr<const GridScenario> grid;  ///< Null when there are errors.
  std::vector<Error> errors;                 ///< All of them, by position.
};

/// Reads the grid and the scenario that it names or holds.
LoadedGrid load_grid(const std::string& path, const Files& files, catalog::Catalog& catalog, const Limits& limits = {},
                     bool allow_partial = false);

/// What the flags name that does not exist, and which points of different axes contradict each other. Looks at every
/// combination of a grid of up to `kMaxChecked`, seeds left out; of a larger one at every two points.
inline constexpr std::int64_t kMaxChecked = 20'000;
std::vector<Error> check_points(const GridScenario& grid, const catalog::Catalog& catalog);

/// Position of each axis' point.
std::vector<std::int64_t> point_at(const WrittenGrid& grid, std::int64_t index);

/// Answers for one scenario after the other; neighbors that differ in events alone share their baseline. One thread.
class SweepEvaluator {
 public:
  SweepEvaluator(const GridScenario& grid, const catalog::Catalog& catalog);
  ~SweepEvaluator();
  SweepEvaluator(const SweepEvaluator&) = delete;
  SweepEvaluator& operator=(const SweepEvaluator&) = delete;

  /// An error where points of three axes or more contradict each other, and `check_points` did not look that far.
  Result<VariantResult> evaluate(std::int64_t index);
  /// What `verify` says against the last answer: faults of the program.
  const std::vector<std::string>& mistakes() const;

 private:
  struct Choice;

  Result<bool> choose(const std::vector<std::int64_t>& point);

  const GridScenario& grid_;
  VariantLoader loader_;
  std::unique_ptr<Choice> choice_;
};

}  // namespace bayplan::study
