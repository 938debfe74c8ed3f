#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::lint {

using TextSet = std::set<std::string, std::less<>>;

bool is_yaml(std::string_view name);

/// A JSON or YAML file that a script names.
struct NamedFile {
  std::string pattern;      ///< `tasks/web-*.json` for `$DIR/tasks/web-${STAGE}.json`.
  bool is_written = false;  ///< The script makes it: `> task.json`.
};

std::vector<NamedFile> files_named_in(std::string_view script);
TextSet patterns_of(const std::vector<NamedFile>& files);

}  // namespace bayplan::lint
