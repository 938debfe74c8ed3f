#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "placement/model/scenario.hpp"
#include "study/whatif/load_variants.hpp"
#include "text/document.hpp"

/// A grid file as written: scenarios that differ along axes. Nothing that a flag names is looked up here.
namespace bayplan::study {

/// More scenarios than this are refused, and more points of an axis that is not one of seeds.
inline constexpr std::int64_t kMaxScenarios = 1'000'000'000;
inline constexpr std::int64_t kMaxPoints = 100'000;

/// The name of a point in reports: a number where a flag runs over numbers.
using PointName = std::variant<std::int64_t, std::string>;
std::string text_of(const PointName& name);

struct WrittenPoint {
  PointName name;
  std::vector<WrittenVariation> variations;  ///< None: the scenario as it is.
  placement::Origin origin;
};

/// Numbers in even steps.
struct Steps {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;

  std::int64_t at(std::int64_t position) const { return first + position * step; }
};

struct WrittenAxis {
  std::string name;
  std::vector<WrittenPoint> points;
  std::optional<Steps> seeds;  ///< Replaces the points of `vary: seed` by a range of numbers.
  placement::Origin origin;

  std::int64_t size() const { return seeds ? seeds->count : static_cast<std::int64_t>(points.size()); }
  /// Its points are not choices: seeds, and what may be lost or drained.
  bool is_circumstance() const;
};

struct WrittenGrid {
  std::string file;
  std::shared_ptr<const text::Document> document;
  text::Value scenario;  ///< The path, or the scenario itself.
  std::vector<WrittenAxis> axes;
};

struct ReadGrid {
  std::optional<WrittenGrid> grid;  ///< Nothing when there are errors.
  std::vector<Error> errors;        ///< All of them, by position.
};

/// Reads and checks a grid file. Every axis has a point, none has one twice, and all of them together make at most
/// `kMaxScenarios`.
ReadGrid read_grid(const std::string& path, const Files& files, const Limits& limits = {});

/// Scenarios of the grid: the product of the axes.
std::int64_t size_of(const WrittenGrid& grid);

}  // namespace bayplan::study
