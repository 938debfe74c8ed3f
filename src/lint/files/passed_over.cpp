#include "lint/files/passed_over.hpp"

#include <algorithm>

namespace bayplan::lint {

std::string_view name_of(PassReason reason) {
  switch (reason) {
    case PassReason::kUnrecognized:
      return "unrecognized";
    case PassReason::kGitignored:
      return "gitignored";
    case PassReason::kExcluded:
      return "excluded";
    case PassReason::kToolFolder:
      return "tool-folder";
    case PassReason::kLinkOutside:
      return "link-outside";
  }
  return {};
}

void sort_by_path(std::vector<PassedOver>& passed_over) {
  std::sort(passed_over.begin(), passed_over.end(),
            [](const PassedOver& a, const PassedOver& b) { return a.path < b.path; });
}

std::size_t SearchSummary::count(PassReason reason) const {
  return static_cast<std::size_t>(std::count_if(passed_over.begin(), passed_over.end(),
                                                [&](const PassedOver& one) { return one.reason == reason; }));
}

}  // namespace bayplan::lint
