#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/placeholder.hpp"
#include "model/task_definition.hpp"
#include "rules/service/service_context.hpp"
#include "text/document.hpp"

namespace bayplan::lint {

/// The task definition that a `taskDefinition` means; one without a task when that is unknown.
using FindDefinition = std::function<rules::NamedDefinition(std::string_view reference)>;

/// Task definitions of files, found by what services call them. Never guesses: of two that may be meant it gives none.
class Definitions {
 public:
  /// Takes the definition in `document` when it is whole and says its family. `root` holds its members.
  void add(const std::string& file, std::shared_ptr<const text::Document> document, text::Value root,
           const model::Placeholders& placeholders);
  /// Adds a definition of a scenario, whose loader has counted the revisions.
  void add(std::string file, std::string family, std::int64_t revision, const model::TaskDefinition& task);

  /// "web", "web:3" or an ARN that ends so. Among several of the family: the one of that revision, or the newest when
  /// none is asked for and all of them say theirs; then the one in the folder of `asking_file`.
  rules::NamedDefinition find(std::string_view reference, std::string_view asking_file) const;

 private:
  struct Entry {
    std::string file;
    std::optional<std::int64_t> revision;
    std::shared_ptr<const text::Document> document;
    model::TaskDefinition task;
  };

  std::map<std::string, std::vector<Entry>, std::less<>> by_family_;
};

}  // namespace bayplan::lint
