#include "study/sweep/sweep_scenarios.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/core.h>

#include "awscli/emit.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "base/version.hpp"
#include "placement/engine/not_placeable.hpp"
#include "scenario/load_scenario.hpp"
#include "shape/sources.hpp"
#include "study/in_flight.hpp"

namespace bayplan::study {

namespace {

/// FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
class Fingerprint {
 public:
  void add(std::string_view bytes);
  std::string text() const;  ///< 16 hexadecimal digits.

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Files of another file system, which keep account of all that was read of them: its content, not where it lies.
class HashedFiles : public Files {
 public:
  explicit HashedFiles(const Files& files) : files_(files) {}

  const Fingerprint& fingerprint() const { return fingerprint_; }

  Result<std::string> read(const std::string& path, std::size_t limit) const override;
  bool is_folder(const std::string& path) const override { return files_.is_folder(path); }
  bool exists(const std::string& path) const override { return files_.exists(path); }
  std::string absolute(const std::string& path) const override { return files_.absolute(path); }
  Result<std::vector<std::string>> list(const std::string& folder) const override { return files_.list(folder); }
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override { return Error{"is only read from", path}; }

 private:
  const Files& files_;
  mutable Fingerprint fingerprint_;
};

void Fingerprint::add(std::string_view bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (const char byte : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * kPrime;
  hash_ = (hash_ ^ bytes.size()) * kPrime;  // where one ends and the next begins
}

std::string Fingerprint::text() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned shift = 64; shift > 0; shift -= 4) text += kDigits[hash_ >> (shift - 4) & 15];
  return text;
}

Result<std::string> HashedFiles::read(const std::string& path, std::size_t limit) const {
  auto content = files_.read(path, limit);
  if (content) fingerprint_.add(*content);
  return content;
}

}  // namespace

using placement::Scenario;

namespace {

constexpr std::int64_t kCheckedSeeds = 4;  ///< One in this many is checked.

scenario::ScenarioRequest request_of(const WrittenGrid& grid, bool allow_partial) {
  scenario::ScenarioRequest request;
  request.allow_partial = allow_partial;
  request.takes_services = true;  // the points are variants of whatif
  request.takes_policy = true;
  if (grid.scenario.is_object()) {
    // A scenario inside the grid becomes a document of its own; its places stay those of the grid.
    text::Builder builder(grid.document->shared_source(), grid.document->format());
    awscli::emit_copy(builder, grid.scenario, 0);
    request.written = {std::move(builder).finish(), grid.file};
  } else {
    request.scenario = shape::relative_to(grid.file, grid.scenario.text());
  }
  return request;
}

/// Appends a point as `whatif` would write it.
void append(const WrittenPoint& point, WrittenVariant& variant) {
  variant.variations.insert(variant.variations.end(), point.variations.begin(), point.variations.end());
  variant.origin = point.origin;
}

template <class Is>
bool varies(const WrittenAxis& axis, Is is) {
  return std::any_of(axis.points.begin(), axis.points.end(), [&](const WrittenPoint& point) {
    return std::any_of(point.variations.begin(), point.variations.end(),
                       [&](const WrittenVariation& one) { return is(one.key); });
  });
}

bool varies_seed(const WrittenAxis& axis) {
  return axis.seeds || varies(axis, [](VariationKey key) { return key == VariationKey::kSeed; });
}

/// The others are events, which find the cluster as these leave it.
bool is_planned(VariationKey key) {
  switch (key) {
    case VariationKey::kInstances:
    case VariationKey::kReplace:
    case VariationKey::kStrategy:
    case VariationKey::kPlacementStrategy:
    case VariationKey::kPolicy:
    case VariationKey::kSeed:
    case VariationKey::kOrder:
      return true;
    default:
      return false;
  }
}

/// Policies by name in the points; wrong names are `check_points`' business.
void note_policies(GridScenario& grid) {
  std::set<placement::Policy> policies;
  if (grid.scenario.policy) policies.insert(*grid.scenario.policy);
  for (const auto& axis : grid.grid.axes) {
    for (const auto& point : axis.points) {
      for (const auto& one : point.variations) {
        const auto policy = placement::parse_policy(one.text);
        if (one.key == VariationKey::kPolicy && policy) policies.insert(*policy);
      }
    }
  }
  grid.policies.assign(policies.begin(), policies.end());
}

/// Looks up the flags of combinations of points, and keeps each fault once.
class PointCheck {
 public:
  PointCheck(const GridScenario& grid, const catalog::Catalog& catalog)
      : grid_(grid.grid), loader_(grid.scenario, catalog) {
    for (const auto& axis : grid_.axes) {
      if (!axis.seeds) axes_.push_back(&axis);
    }
  }

  /// Each point alone.
  void check_each() {
    for (const auto* axis : axes_) {
      for (const auto& point : axis->points) {
        if (errors_.size() < kMaxErrors) check({&point});
      }
    }
  }

  std::int64_t combinations() const {
    std::int64_t count = 1;
    for (const auto* axis : axes_) count *= axis->size();  // no overflow: read_grid has looked
    return count;
  }

  /// What there can be only one of, from two axes: it would be unclear which counts.
  void check_settings() {
    check_one_axis("the seed", varies_seed);
    const auto check_keys = [&](std::string_view what, std::initializer_list<VariationKey> keys) {
      check_one_axis(what, [&](const WrittenAxis& axis) {
        return varies(axis,
                      [&](VariationKey varied) { return std::find(keys.begin(), keys.end(), varied) != keys.end(); });
      });
    };
    check_keys("the strategy or policy",
               {VariationKey::kStrategy, VariationKey::kPlacementStrategy, VariationKey::kPolicy});
    check_keys("the order", {VariationKey::kOrder});
    check_keys("the instances", {VariationKey::kInstances});
  }

  void check_all(std::vector<const WrittenPoint*> points, std::size_t axis) {
    if (errors_.size() >= kMaxErrors) return;
    if (axis == axes_.size()) return check(points);
    points.push_back(nullptr);
    for (const auto& point : axes_[axis]->points) {
      points.back() = &point;
      check_all(points, axis + 1);
    }
  }

  void check_pairs() {
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      for (std::size_t b = a + 1; b < axes_.size(); ++b) check_pairs(*axes_[a], *axes_[b]);
    }
  }

  bool has_errors() const { return !errors_.empty(); }

  std::vector<Error> take() {
    std::stable_sort(errors_.begin(), errors_.end(), [](const Error& a, const Error& b) {
      return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
    });
    return std::move(errors_);
  }

 private:
  template <class Sets>
  void check_one_axis(std::string_view what, Sets sets) {
    const WrittenAxis* first = nullptr;
    for (const auto& axis : grid_.axes) {
      if (!sets(axis)) continue;
      if (first != nullptr) {
        errors_.push_back({.message = fmt::format("axes '{}' and '{}' both set {}", first->name, axis.name, what),
                           .file = axis.origin.file,
                           .line = axis.origin.line,
                           .column = axis.origin.column,
                           .help = "keep one of them"});
      }
      first = &axis;
    }
  }

  void check(const std::vector<const WrittenPoint*>& points) {
    WrittenVariant variant;
    for (const auto* point : points) append(*point, variant);
    if (variant.variations.empty()) return;
    for (auto& error : loader_.load(variant).errors) {
      const auto key = std::tuple(error.file, error.line, error.column);  // all numbers of a range are in one place
      if (seen_.insert(key).second) errors_.push_back(std::move(error));
    }
  }

  void check_pairs(const WrittenAxis& a, const WrittenAxis& b) {
    std::int64_t left = kMaxPairs;
    for (const auto& first : a.points) {
      for (const auto& second : b.points) {
        if (errors_.size() >= kMaxErrors || left-- == 0) return;
        check({&first, &second});
      }
    }
  }

  static constexpr std::size_t kMaxErrors = 20;
  static constexpr std::int64_t kMaxPairs =
      100'000;  ///< Limit of value pairs of two axes; beyond it, fewer axes are checked together.

  const WrittenGrid& grid_;
  VariantLoader loader_;
  std::vector<const WrittenAxis*> axes_;
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> seen_;
  std::vector<Error> errors_;
};

}  // namespace

LoadedGrid load_grid(const std::string& path, const Files& files, catalog::Catalog& catalog, const Limits& limits,
                     bool allow_partial) {
  HashedFiles hashed(files);
  auto read = read_grid(path, hashed, limits);
  if (!read.grid) return {nullptr, std::move(read.errors)};
  auto loaded = load_settled(request_of(*read.grid, allow_partial), hashed, catalog, limits);
  if (!loaded.scenario) return {nullptr, std::move(loaded.errors)};
  Fingerprint fingerprint = hashed.fingerprint();
  fingerprint.add(kSweepSchema);
  fingerprint.add(version());
  auto grid = std::make_shared<GridScenario>(
      GridScenario{std::move(*read.grid), std::move(*loaded.scenario), {}, fingerprint.text()});
  if (!grid->scenario.not_simulated.empty()) return {nullptr, grid->scenario.not_simulated};
  if (grid->scenario.timetable.has_time) return {nullptr, placement::refuse_over_time(grid->scenario, "sweep")};
  if (std::any_of(grid->grid.axes.begin(), grid->grid.axes.end(), varies_seed)) {
    grid->scenario.ties = placement::TieOrder::kDrawn;
    grid->scenario.assumptions.push_back(
        {"tie-drawn", "", "the seed draws every tie between instances; ECS does not document its choice"});
  }
  note_policies(*grid);
  return {std::move(grid), {}};
}

std::vector<Error> check_points(const GridScenario& grid, const catalog::Catalog& catalog) {
  PointCheck points(grid, catalog);
  points.check_each();
  points.check_settings();
  if (points.has_errors()) return points.take();
  if (points.combinations() <= kMaxChecked) {
    points.check_all({}, 0);
  } else {
    points.check_pairs();
  }
  return points.take();
}

std::vector<std::int64_t> point_at(const WrittenGrid& grid, std::int64_t index) {
  std::vector<std::int64_t> point(grid.axes.size());
  for (std::size_t i = grid.axes.size(); i-- > 0;) {
    point[i] = index % grid.axes[i].size();
    index /= grid.axes[i].size();
  }
  return point;
}

/// One point of each axis that is not one of seeds: the variant, and the state that its planned part leaves.
struct SweepEvaluator::Choice {
  std::vector<std::int64_t> point;  ///< Seeds are 0.
  Variant events;                   ///< The variant without its planned part.
  std::vector<WrittenVariation> planned_words;
  Scenario scenario;  ///< The scenario with the planned part.
  std::unique_ptr<WhatIf> what_if;
  std::vector<std::string> mistakes;
};

SweepEvaluator::SweepEvaluator(const GridScenario& grid, const catalog::Catalog& catalog)
    : grid_(grid), loader_(grid.scenario, catalog) {}

SweepEvaluator::~SweepEvaluator() = default;

const std::vector<std::string>& SweepEvaluator::mistakes() const {
  return choice_->mistakes;
}

/// Looks up what the points say, unless it is what was looked up last.
Result<bool> SweepEvaluator::choose(const std::vector<std::int64_t>& point) {
  if (choice_ && choice_->point == point) return true;
  WrittenVariant written;
  for (std::size_t i = 0; i < point.size(); ++i) {
    const auto& axis = grid_.grid.axes[i];
    if (!axis.seeds) append(axis.points[static_cast<std::size_t>(point[i])], written);
  }
  Variant variant;
  if (!written.variations.empty()) {
    auto loaded = loader_.load(written);
    if (!loaded.errors.empty()) return loaded.errors.front();
    variant = std::move(loaded.variant);
  }
  const auto says_the_same = [](const WrittenVariation& a, const WrittenVariation& b) {
    return a.key == b.key && a.text == b.text;
  };
  std::erase_if(written.variations, [](const WrittenVariation& one) { return !is_planned(one.key); });
  if (!choice_ || !std::equal(choice_->planned_words.begin(), choice_->planned_words.end(), written.variations.begin(),
                              written.variations.end(), says_the_same)) {
    choice_ = std::make_unique<Choice>();
    choice_->planned_words = std::move(written.variations);
    choice_->scenario = with_changes(grid_.scenario, variant.changes);
  }
  choice_->point = point;
  variant.changes.clear();
  choice_->events = std::move(variant);
  return true;
}

Result<VariantResult> SweepEvaluator::evaluate(std::int64_t index) {
  auto point = point_at(grid_.grid, index);
  std::optional<std::uint64_t> seed;
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (const auto& seeds = grid_.grid.axes[i].seeds) seed = seeds->at(std::exchange(point[i], 0));
  }
  if (const auto chosen = choose(point); !chosen) return chosen.error();
  Choice& choice = *choice_;
  if (seed && choice.scenario.seed != *seed) {
    choice.what_if.reset();
    choice.scenario.seed = *seed;
  }
  if (!choice.what_if) choice.what_if = std::make_unique<WhatIf>(choice.scenario);
  auto result = choice.events.events.empty() ? choice.what_if->baseline() : choice.what_if->evaluate(choice.events);
  // The check costs three times what the placement does: seeds that differ in ties alone are checked in turn.
  choice.mistakes.clear();
  if (!seed || index % kCheckedSeeds == 0) choice.mistakes = choice.what_if->mistakes();
  return result;
}

}  // namespace bayplan::study
