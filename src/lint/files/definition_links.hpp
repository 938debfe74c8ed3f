#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/lazy.hpp"
#include "lint/files/definitions.hpp"
#include "lint/files/find_files.hpp"
#include "lint/lint.hpp"

namespace bayplan::lint {

/// What every stage of a run over several files needs.
struct RunInput {
  const std::vector<Candidate>& candidates;
  const Options& options;
  const Tools& tools;
  const Files& files;
  unsigned jobs = 1;
};

/// The family of a file that is a whole task definition; empty for others.
std::string family_of(const ReadFile& file);

/// Files with task definitions, by family. A definition is bound when the first service asks for its family, and kept.
/// Safe to use from several threads after the last `add`.
class DefinitionFamilies {
 public:
  explicit DefinitionFamilies(const RunInput& run) : run_(run) {}

  /// `file` must outlive this. It is read again when a service asks, unless `document` is given, and kept.
  void add(const std::string& family, const Candidate& file, std::shared_ptr<const text::Document> document);
  /// The task definition that `reference` names; no task if it is not found or ambiguous.
  rules::NamedDefinition find(std::string_view reference, std::string_view asking_file) const;

 private:
  struct Source {
    const Candidate* file;
    std::shared_ptr<const text::Document> document;  ///< May be absent.
  };
  struct Family {
    explicit Family(const RunInput& run) : definitions([this, run] { return read(run, sources); }) {}

    std::vector<Source> sources;
    Lazy<Definitions> definitions;
  };

  static Definitions read(const RunInput& run, const std::vector<Source>& sources);

  RunInput run_;
  std::map<std::string, std::unique_ptr<Family>, std::less<>> by_family_;
};

/// Which definition each service of a run means: one of the run, else, for a service in a file that the user named, one
/// in the same folder. Safe to use from several threads.
class DefinitionLinks {
 public:
  /// `asking`: the candidates that hold services.
  DefinitionLinks(const RunInput& run, DefinitionFamilies of_run, const std::vector<const Candidate*>& asking);

  rules::NamedDefinition find(std::string_view reference, const Candidate& asking) const;

 private:
  /// The files of a folder that are not in the run. They are not reported.
  struct Beside {
    std::deque<Candidate> files;
    DefinitionFamilies families;
  };

  Beside look_beside(const std::string& folder) const;

  RunInput run_;
  DefinitionFamilies of_run_;
  std::map<std::string, std::unique_ptr<const Lazy<Beside>>, std::less<>> beside_;  ///< Keyed by folder.
};

}  // namespace bayplan::lint
