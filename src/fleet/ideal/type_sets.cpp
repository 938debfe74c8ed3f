#include "fleet/ideal/type_sets.hpp"

#include <algorithm>
#include <map>

#include "packing/undominated_types.hpp"
#include "packing/volume_bound.hpp"

namespace bayplan::fleet {

using packing::PackingProblem;

namespace {

constexpr std::int64_t kMaxSets = 20'000;
constexpr std::int64_t kMaxSteps = 200'000;  ///< Limit of the search for types that hold some shapes together.

/// Shapes, one entry each.
using Shapes = std::vector<bool>;

struct Kind {
  std::vector<std::uint32_t> bins;
  Shapes held;
};

class Sets {
 public:
  Sets(const Market& market, const Question& question, std::int64_t most)
      : market_(market), question_(question), problem_(question.problem) {
    find_kinds();
    most_ = static_cast<std::size_t>(std::min<std::int64_t>(most, std::ssize(kinds_)));
  }

  TypeSets run() {
    result_.is_of_all = most_ == kinds_.size();
    Shapes all(problem_.shapes.size());
    for (std::size_t s = 0; s < all.size(); ++s) all[s] = problem_.shapes[s].count > 0 && !standing_.held[s];
    if (!are_held(all)) {
      result_.contradiction = fewest_not_held(all);
      result_.not_held = left_by_many(all);
    } else if (is_few()) {
      choose(0, standing_.bins, all, most_);
      std::stable_sort(result_.list.begin(), result_.list.end(),
                       [](const TypeSet& a, const TypeSet& b) { return a.at_least < b.at_least; });
    } else {
      result_.is_complete = false;
    }
    return std::move(result_);
  }

 private:
  void find_kinds() {
    std::map<std::string_view, std::size_t> position;
    standing_.held.resize(problem_.shapes.size());
    for (std::uint32_t bin = 0; bin < question_.bins.size(); ++bin) {
      const Offer& offer = market_.offers[question_.bins[bin].offer];
      if (!offer.standing.empty()) {
        add(bin, standing_);
      } else if (packing::is_of_use(problem_, bin)) {
        const auto entry = position.emplace(offer.profile.instance_type, kinds_.size()).first;
        if (entry->second == kinds_.size()) kinds_.push_back({{}, Shapes(problem_.shapes.size())});
        add(bin, kinds_[entry->second]);
      }
    }
    std::vector<Kind> kept;
    for (std::size_t b = 0; b < kinds_.size(); ++b) {
      bool is_replaced = false;
      for (std::size_t a = 0; a < kinds_.size() && !is_replaced; ++a)
        is_replaced = a != b && replaces(kinds_[a], kinds_[b]) && (a < b || !replaces(kinds_[b], kinds_[a]));
      if (!is_replaced) kept.push_back(kinds_[b]);
    }
    kinds_ = std::move(kept);
  }

  void add(std::uint32_t bin, Kind& kind) const {
    kind.bins.push_back(bin);
    for (std::size_t s = 0; s < problem_.shapes.size(); ++s)
      kind.held[s] = kind.held[s] || packing::most_copies(problem_, problem_.shapes[s], bin) > 0;
  }

  bool replaces(const Kind& a, const Kind& b) const {
    return std::all_of(b.bins.begin(), b.bins.end(), [&](std::uint32_t old) {
      return std::any_of(a.bins.begin(), a.bins.end(),
                         [&](std::uint32_t bin) { return packing::is_no_worse(problem_, bin, old); });
    });
  }

  /// How many sets there are at most.
  bool is_few() const {
    std::int64_t sets = 1;
    for (std::size_t i = 0; i < most_ && sets <= kMaxSets; ++i)
      sets = sets * static_cast<std::int64_t>(kinds_.size() - i) / static_cast<std::int64_t>(i + 1);
    return sets <= kMaxSets;
  }

  static bool is_none(const Shapes& shapes) { return std::find(shapes.begin(), shapes.end(), true) == shapes.end(); }

  static Shapes without(Shapes shapes, const Shapes& held) {
    for (std::size_t s = 0; s < shapes.size(); ++s) shapes[s] = shapes[s] && !held[s];
    return shapes;
  }

  void choose(std::size_t next, const std::vector<std::uint32_t>& bins, const Shapes& left, std::size_t more) {
    if (more == 0) return add_set(bins, left);
    for (std::size_t kind = next; kind + more <= kinds_.size(); ++kind) {
      auto with = bins;
      with.insert(with.end(), kinds_[kind].bins.begin(), kinds_[kind].bins.end());
      choose(kind + 1, with, without(left, kinds_[kind].held), more - 1);
    }
  }

  void add_set(std::vector<std::uint32_t> bins, const Shapes& left) {
    if (!is_none(left)) return;
    std::sort(bins.begin(), bins.end());
    const auto bound = packing::volume_bound(problem_, bins);
    result_.list.push_back({std::move(bins), bound.value_or(kNoFleet)});
  }

  /// Whether some types, as many as there may be, hold all of these. True also where nobody could look at all sets.
  bool are_held(const Shapes& shapes) const {
    std::int64_t steps = 0;
    return are_held(shapes, most_, steps);
  }

  bool are_held(const Shapes& shapes, std::size_t more, std::int64_t& steps) const {
    const auto first = std::find(shapes.begin(), shapes.end(), true);
    if (first == shapes.end() || ++steps > kMaxSteps) return true;
    if (more == 0) return false;
    return std::any_of(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
      return kind.held[static_cast<std::size_t>(first - shapes.begin())] &&
             are_held(without(shapes, kind.held), more - 1, steps);
    });
  }

  /// None of them can be spared.
  std::vector<std::uint32_t> fewest_not_held(Shapes shapes) const {
    for (std::size_t s = shapes.size(); s-- > 0;) {
      if (!shapes[s]) continue;
      shapes[s] = false;
      if (are_held(shapes)) shapes[s] = true;
    }
    return listed(shapes);
  }

  /// Type after type is taken that holds the most tasks.
  std::vector<std::uint32_t> left_by_many(Shapes shapes) const {
    const auto tasks_of = [&](const Kind& kind) {
      std::int64_t tasks = 0;
      for (std::size_t s = 0; s < shapes.size(); ++s) tasks += shapes[s] && kind.held[s] ? problem_.shapes[s].count : 0;
      return tasks;
    };
    for (std::size_t i = 0; i < most_ && !kinds_.empty(); ++i) {
      const auto best = std::max_element(kinds_.begin(), kinds_.end(),
                                         [&](const Kind& a, const Kind& b) { return tasks_of(a) < tasks_of(b); });
      shapes = without(shapes, best->held);
    }
    return listed(shapes);
  }

  static std::vector<std::uint32_t> listed(const Shapes& shapes) {
    std::vector<std::uint32_t> list;
    for (std::uint32_t s = 0; s < shapes.size(); ++s) {
      if (shapes[s]) list.push_back(s);
    }
    return list;
  }

  const Market& market_;
  const Question& question_;
  const PackingProblem& problem_;
  std::vector<Kind> kinds_;
  Kind standing_;
  std::size_t most_ = 0;
  TypeSets result_;
};

}  // namespace

TypeSets type_sets(const Market& market, const Question& question, std::int64_t most) {
  return Sets(market, question, most).run();
}

std::vector<std::uint32_t> bins_of_types(const Market& market, const Question& question,
                                         const std::vector<std::string>& types) {
  std::vector<std::uint32_t> bins;
  for (std::uint32_t bin = 0; bin < question.bins.size(); ++bin) {
    const Offer& offer = market.offers[question.bins[bin].offer];
    if (!offer.standing.empty() || std::binary_search(types.begin(), types.end(), offer.profile.instance_type))
      bins.push_back(bin);
  }
  return bins;
}

}  // namespace bayplan::fleet
