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

/// The bins of one instance type, and the shapes that some of them take.
struct Kind {
  std::vector<std::uint32_t> bins;
  Shapes held;
};

/// What runs already, which is part of every set, and the instance types that a set may have.
struct Kinds {
  Kind standing;
  std::vector<Kind> to_buy;
};

Kinds find_kinds(const Market& market, const Question& question) {
  const PackingProblem& problem = question.problem;
  const auto add = [&](std::uint32_t bin, Kind& kind) {
    kind.bins.push_back(bin);
    for (std::size_t s = 0; s < problem.shapes.size(); ++s)
      kind.held[s] = kind.held[s] || packing::most_copies(problem, problem.shapes[s], bin) > 0;
  };
  Kind standing{{}, Shapes(problem.shapes.size())};
  std::vector<Kind> kinds;
  std::map<std::string_view, std::size_t> position;
  for (std::uint32_t bin = 0; bin < question.bins.size(); ++bin) {
    const Offer& offer = market.offers[question.bins[bin].offer];
    if (!offer.standing.empty()) {
      add(bin, standing);
    } else if (packing::is_of_use(problem, bin)) {
      const auto entry = position.emplace(offer.profile.instance_type, kinds.size()).first;
      if (entry->second == kinds.size()) kinds.push_back({{}, Shapes(problem.shapes.size())});
      add(bin, kinds[entry->second]);
    }
  }
  // A type that another one replaces, bin for bin at no higher price, is in no set that is needed. Of two types that
  // replace each other the first is kept.
  const auto replaces = [&](const Kind& a, const Kind& b) {
    return std::all_of(b.bins.begin(), b.bins.end(), [&](std::uint32_t old) {
      return std::any_of(a.bins.begin(), a.bins.end(),
                         [&](std::uint32_t bin) { return packing::is_no_worse(problem, bin, old); });
    });
  };
  std::vector<Kind> kept;
  for (std::size_t b = 0; b < kinds.size(); ++b) {
    bool is_replaced = false;
    for (std::size_t a = 0; a < kinds.size() && !is_replaced; ++a)
      is_replaced = a != b && replaces(kinds[a], kinds[b]) && (a < b || !replaces(kinds[b], kinds[a]));
    if (!is_replaced) kept.push_back(kinds[b]);
  }
  return {std::move(standing), std::move(kept)};
}

Shapes without(Shapes shapes, const Shapes& held) {
  for (std::size_t s = 0; s < shapes.size(); ++s) shapes[s] = shapes[s] && !held[s];
  return shapes;
}

std::vector<std::uint32_t> listed(const Shapes& shapes) {
  std::vector<std::uint32_t> list;
  for (std::uint32_t s = 0; s < shapes.size(); ++s) {
    if (shapes[s]) list.push_back(s);
  }
  return list;
}

/// Whether at most `more` types hold all of these shapes together. Some type must hold the first of them: the search
/// branches on which. True, too, if the steps do not suffice for all sets.
bool are_held(const Shapes& shapes, const std::vector<Kind>& kinds, std::size_t more, std::int64_t& steps) {
  const auto first = std::find(shapes.begin(), shapes.end(), true);
  if (first == shapes.end() || ++steps > kMaxSteps) return true;
  if (more == 0) return false;
  return std::any_of(kinds.begin(), kinds.end(), [&](const Kind& kind) {
    return kind.held[static_cast<std::size_t>(first - shapes.begin())] &&
           are_held(without(shapes, kind.held), kinds, more - 1, steps);
  });
}

/// Calls `take` with the bins of each set of exactly `more` types, from `next` on, that holds all shapes of `left`.
template <class Take>
void each_set(const std::vector<Kind>& kinds, std::size_t next, const std::vector<std::uint32_t>& bins,
              const Shapes& left, std::size_t more, const Take& take) {
  if (more == 0) {
    if (std::find(left.begin(), left.end(), true) == left.end()) take(bins);
    return;
  }
  for (std::size_t kind = next; kind + more <= kinds.size(); ++kind) {
    auto with = bins;
    with.insert(with.end(), kinds[kind].bins.begin(), kinds[kind].bins.end());
    each_set(kinds, kind + 1, with, without(left, kinds[kind].held), more - 1, take);
  }
}

}  // namespace

TypeSets type_sets(const Market& market, const Question& question, std::int64_t most_types) {
  const PackingProblem& problem = question.problem;
  const auto [standing, kinds] = find_kinds(market, question);
  const auto most = static_cast<std::size_t>(std::min<std::int64_t>(most_types, std::ssize(kinds)));
  const auto are_held_by_few = [&, &all_kinds = kinds](const Shapes& shapes) {
    std::int64_t steps = 0;
    return are_held(shapes, all_kinds, most, steps);
  };

  TypeSets sets;
  sets.is_of_all = most == kinds.size();
  Shapes wanted(problem.shapes.size());
  for (std::size_t s = 0; s < wanted.size(); ++s) wanted[s] = problem.shapes[s].count > 0 && !standing.held[s];
  if (!are_held_by_few(wanted)) {
    // The shapes that no set holds together, of which none can be spared, are the reason to report.
    Shapes needed = wanted;
    for (std::size_t s = needed.size(); s-- > 0;) {
      if (!needed[s]) continue;
      needed[s] = false;
      if (are_held_by_few(needed)) needed[s] = true;
    }
    sets.contradiction = listed(needed);
    // What is not placed: type after type is taken that holds the most of the remaining tasks.
    Shapes left = wanted;
    const auto tasks_of = [&](const Kind& kind) {
      std::int64_t tasks = 0;
      for (std::size_t s = 0; s < left.size(); ++s) tasks += left[s] && kind.held[s] ? problem.shapes[s].count : 0;
      return tasks;
    };
    for (std::size_t i = 0; i < most && !kinds.empty(); ++i) {
      const auto best = std::max_element(kinds.begin(), kinds.end(),
                                         [&](const Kind& a, const Kind& b) { return tasks_of(a) < tasks_of(b); });
      left = without(left, best->held);
    }
    sets.not_held = listed(left);
    return sets;
  }

  std::int64_t count = 1;  // of sets: a binomial coefficient, as far as it matters
  for (std::size_t i = 0; i < most && count <= kMaxSets; ++i)
    count = count * static_cast<std::int64_t>(kinds.size() - i) / static_cast<std::int64_t>(i + 1);
  if (count > kMaxSets) {
    sets.is_complete = false;
    return sets;
  }
  each_set(kinds, 0, standing.bins, wanted, most, [&](std::vector<std::uint32_t> bins) {
    std::sort(bins.begin(), bins.end());
    const auto bound = packing::volume_bound(problem, bins);
    sets.list.push_back({std::move(bins), bound.value_or(kNoFleet)});
  });
  std::stable_sort(sets.list.begin(), sets.list.end(),
                   [](const TypeSet& a, const TypeSet& b) { return a.at_least < b.at_least; });
  return sets;
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
