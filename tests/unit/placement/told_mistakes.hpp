#pragma once
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "placement/model/outcome.hpp"

/// For tests of the verifier: outcomes made wrong, and what it says of them.
namespace bayplan::placement::test {

inline bool tells(const std::vector<std::string>& mistakes, std::string_view words) {
  return std::any_of(mistakes.begin(), mistakes.end(),
                     [&](const std::string& mistake) { return mistake.find(words) != std::string::npos; });
}

/// Changes what the failure lists.
template <class Change>
void change_rows(Failure& failure, Change change) {
  std::vector<Rejection> rows(failure.instances.begin(), failure.instances.end());
  change(rows);
  failure.instances = Rejections(std::move(rows));
}

}  // namespace bayplan::placement::test
