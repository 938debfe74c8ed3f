#include "lint/files/find_files.hpp"

#include <algorithm>
#include <set>

#include "base/root_folder.hpp"
#include "lint/files/folder_search.hpp"

namespace bayplan::lint {
namespace {

void leave_out_excluded(const FilePatterns& exclude, std::string_view why, const Files& files, FoundFiles& found) {
  found.excluded += std::erase_if(found.candidates, [&](const Candidate& candidate) {
    if (!exclude.hold(files.absolute(candidate.path))) return false;
    found.passed_over.push_back({candidate.path, PassReason::kExcluded, std::string(why)});
    return true;
  });
}

}  // namespace

FoundFiles find_files(const std::vector<std::string>& paths, const Files& files, const SearchOptions& options) {
  FoundFiles found;
  for (const auto& path : paths) {
    if (is_root_folder(files, path)) {
      found.errors.push_back(root_not_searched(path));
    } else if (files.is_folder(path)) {
      found.has_folders = true;
      search_folder(path, files, options, found);
    } else {
      found.candidates.push_back({path, Search::kNamed, {}});
    }
  }
  if (options.exclude != nullptr) leave_out_excluded(*options.exclude, "excluded by the config", files, found);
  if (options.exclude_by_flag != nullptr)
    leave_out_excluded(*options.exclude_by_flag, "excluded by --exclude", files, found);
  std::set<std::string> seen;
  std::erase_if(found.candidates, [&](const Candidate& candidate) { return !seen.insert(candidate.path).second; });
  std::erase_if(found.passed_over, [&](const PassedOver& one) { return !seen.insert(one.path).second; });
  sort_by_path(found.passed_over);
  return found;
}

bool may_be_linted(std::string_view bytes) {
  const bool is_wide = bytes.size() > 1 && (bytes.substr(0, 2) == "\xff\xfe" || bytes.substr(0, 2) == "\xfe\xff");
  if (is_wide) return true;
  for (const std::string_view word :
       {"ontainerDefinitions", "ontainer_definitions", "image", "taskDefinition", "desiredCount",
        "AWS::ECS::", "aws_ecs_", "apacityProvider", "autoScalingGroupProvider", "managedInstancesProvider",
        "serviceConnectDefaults", "primaryContainer", "daemonTaskDefinitionArn", "ecs:runTask", "EcsParameters",
        "ontainerProperties", "ecsProperties"}) {
    if (bytes.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace bayplan::lint
