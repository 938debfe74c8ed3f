#include "lint/config/found_config.hpp"

#include "base/path_sandbox.hpp"

namespace bayplan::lint {

ConfigFile read_found_config(const std::string& path, const Files& files, const Lazy<rules::RuleData>& data) {
  if (PathSandbox(files, folder_around(path)).contains(path)) return read_config(path, files, data);
  ConfigFile refused;
  refused.errors.push_back(
      {.message = "is a symbolic link to a file outside its folder, its project and the working directory",
       .file = path,
       .help = "pass the target explicitly: --config FILE"});
  return refused;
}

}  // namespace bayplan::lint
