#pragma once
#include <map>
#include <string>
#include <vector>

#include "placement/scenario.hpp"

namespace bayplan::placement {

/// What is contradictory in the description of a live cluster: the first few of each kind in full, the rest counted.
class LiveNotes {
 public:
  void add(const std::string& id, std::string subject, std::string text) {
    auto& own = notes_[id];
    ++own.count;
    if (own.shown.size() < kShown) own.shown.push_back({id, std::move(subject), std::move(text)});
  }

  /// By id.
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

}  // namespace bayplan::placement
