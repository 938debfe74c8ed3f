#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "lint/files/definitions.hpp"
#include "lint/files/find_files.hpp"
#include "lint/lint.hpp"
#include "lint/lint_files.hpp"

namespace bayplan::lint {

/// The task definitions of a run, for the services in it. Nothing is read before the first service asks; then every
/// file is looked at once for its family, and only definitions that a service names are kept. Safe to use from
/// several threads.
class RunDefinitions {
 public:
  RunDefinitions(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools,
                 const Files& files)
      : candidates_(candidates), options_(options), tools_(tools), files_(files) {}

  /// What `asking` means by `reference`: a definition of the run, else, for a file that the user named, one beside it.
  rules::NamedDefinition find(std::string_view reference, const Candidate& asking);

 private:
  using Paths = std::map<std::string, std::vector<Candidate>, std::less<>>;  ///< Keyed by family.

  void index(const Candidate& candidate, Search search, Paths& paths) const;
  void index_run();
  const Paths& beside(const std::string& folder);
  const Definitions& list_definitions(const std::string& family, const std::vector<Candidate>& candidates,
                                      std::map<std::string, Definitions, std::less<>>& loaded) const;
  FileReport whole_definition(const Candidate& candidate, Search search) const;

  const std::vector<Candidate>& candidates_;
  const Options& options_;
  const Tools& tools_;
  const Files& files_;
  std::mutex mutex_;
  bool is_indexed_ = false;
  Paths of_run_;
  std::map<std::string, Paths, std::less<>> beside_;               ///< Keyed by folder.
  std::map<std::string, Definitions, std::less<>> loaded_of_run_;  ///< Keyed by family.
  std::map<std::string, std::map<std::string, Definitions, std::less<>>, std::less<>> loaded_beside_;
};

/// Reads and checks single candidates of a run. Safe to use from several threads.
class CandidateCheck {
 public:
  CandidateCheck(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools,
                 const Files& files, const Amend& amend)
      : options_(options),
        tools_(tools),
        files_(files),
        amend_(amend),
        definitions_(candidates, options, tools, files) {}

  Result<std::string> read(const Candidate& candidate) const;
  FileReport check(const Candidate& candidate, std::string bytes);

 private:
  const Options& options_;
  const Tools& tools_;
  const Files& files_;
  const Amend& amend_;
  RunDefinitions definitions_;
};

/// Whether it is looked at: what a search found is passed over when its bytes do not even look like a definition.
bool is_looked_at(const Candidate& candidate, std::string_view bytes);

}  // namespace bayplan::lint
