#pragma once
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "rules/context.hpp"

namespace bayplan::lint {

/// Who deploys each file of a run, according to the configurations of ecspresso, the GitHub Actions workflows and the
/// scripts in its folder and in those above, up to the root of the repository; without one up to the current folder.
/// Scripts in other folders below that root count where they name the file with its folder. Each of these files is read
/// once. Safe to use from several threads.
class Deployers {
 public:
  Deployers(const Files& files, const Limits& limits) : files_(files), limits_(limits) {}

  rules::Deployment find(const std::string& path) const;
  /// Who deploys what is made of a template: a workflow that gives an action a file that is not there yet.
  rules::Deployment find_for_template(const std::string& path) const;
  /// Whether a configuration of ecspresso names the file as that of its service.
  bool name_as_service(const std::string& path) const;

 private:
  /// One file that a configuration or a workflow names.
  struct Use {
    std::string path = {};     ///< From the root; empty for a file that is made only when the workflow runs.
    std::string pattern = {};  ///< Or its path below the folder, with `*` for what only the workflow knows.
    rules::Deployment deployment = {};
    bool is_service = false;

    /// Whether the pattern, unless it names every file, names this one.
    bool matches(const std::string& absolute, const std::string& folder) const;
  };

  /// What a script, makefile, guide or pipeline adds to files before they are registered.
  struct Completion {
    std::set<std::string, std::less<>> files;  ///< Glob patterns of paths: variables of the script are `*`.
    rules::Deployment deployment;
  };

  /// A completion and the folder of its script.
  struct CompletionElsewhere {
    std::string folder;
    const Completion* completion = nullptr;
  };

  const std::vector<Use>& uses_in(const std::string& folder) const;
  const std::vector<Completion>& completions_in(const std::string& folder) const;
  const std::vector<CompletionElsewhere>& completions_below(const std::string& top) const;
  static std::vector<Completion> read_script(std::string_view text, const std::string& named_by, bool is_code);
  std::vector<Use> read_ecspresso(const std::string& folder, const std::string& name) const;
  std::vector<Use> read_workflow(const std::string& folder, const std::string& name) const;

  const Files& files_;
  Limits limits_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::vector<Use>, std::less<>> by_folder_;
  mutable std::map<std::string, std::vector<Completion>, std::less<>> completions_by_folder_;
  mutable std::map<std::string, std::vector<CompletionElsewhere>, std::less<>> completions_below_;
};

/// Adds what another file says about the deployment; `named_by` and `client` stay if they are set.
void add_deployment(const rules::Deployment& from, rules::Deployment& to);

}  // namespace bayplan::lint
