#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// "a", "a, b and 3 more".
inline std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, names.size())));
  const std::string text = join(first, ", ");
  return names.size() <= kShown ? text : fmt::format("{} and {} more", text, names.size() - kShown);
}

/// What is contradictory in the description of a live cluster: the first few of each kind in full, the rest counted.
class LiveNotes {
 public:
  void add(const std::string& id, std::string subject, std::string text) {
    auto& own = notes_[id];
    ++own.count;
    if (own.shown.size() < kShown) own.shown.push_back({id, std::move(subject), std::move(text)});
  }

  /// Returns the findings sorted by ID.
  std::vector<ClusterFinding> findings() && {
    std::vector<ClusterFinding> all;
    for (auto& [id, own] : notes_) {
      const std::size_t rest = own.count - own.shown.size();
      for (auto& finding : own.shown) all.push_back(std::move(finding));
      if (rest > 0) all.push_back({id, std::to_string(rest) + " more", "the same"});
    }
    return all;
  }

 private:
  static constexpr std::size_t kShown = 3;
  struct Kind {
    std::size_t count = 0;
    std::vector<ClusterFinding> shown;
  };
  std::map<std::string, Kind> notes_;
};

}  // namespace bayplan::scenario
