#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::lint {

/// Why a search in folders did not lint something.
enum class PassReason : std::uint8_t {
  kUnrecognized,  ///< Read, and it holds nothing that is linted.
  kGitignored,
  kExcluded,     ///< `exclude` of the config matches it.
  kToolFolder,   ///< node_modules, cdk.out ...
  kLinkOutside,  ///< A link to a file outside of the project.
};

std::string_view name_of(PassReason reason);  ///< "gitignored", as reports say it.

struct PassedOver {
  std::string path;  ///< A folder ends with a slash; what it holds is not listed.
  PassReason reason = PassReason::kUnrecognized;
  std::string message;  ///< "Compose file", "ignored by .gitignore".
};

void sort_by_path(std::vector<PassedOver>& passed_over);

/// Counts what searches in folders came by.
struct SearchSummary {
  bool has_folders = false;    ///< False when files were named, of which only the recognized ones count.
  std::size_t looked_at = 0;   ///< Files whose content was read to see what they are.
  std::size_t recognized = 0;  ///< Counts those that were linted.
  std::vector<PassedOver> passed_over;

  std::size_t count(PassReason reason) const;
};

}  // namespace bayplan::lint
