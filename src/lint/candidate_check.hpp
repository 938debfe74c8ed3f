#pragma once
#include <string>
#include <vector>

#include "base/files.hpp"
#include "lint/lint_files.hpp"
#include "lint/run_definitions.hpp"

namespace bayplan::lint {

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
