#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "model/placeholder.hpp"
#include "model/scenario.hpp"
#include "placement/scenario.hpp"
#include "query/query.hpp"
#include "shape/schema.hpp"
#include "text/document.hpp"
#include "text/location.hpp"

/// Between the files of the folder that make a scenario; nobody else includes this.
namespace bayplan::placement {

/// The documents read so far and all that is wrong with them.
class Sources {
 public:
  Sources(const Files& files, const Limits& limits) : files_(files), limits_(limits) {}

  /// Read JSON or YAML; null when that failed, with the errors noted. `from`: the value that names the file, if any.
  const text::Document* read_definition(const std::string& path, text::Value from) {
    return read(path, limits_.definition_bytes, from);
  }
  /// Of a scenario or cluster, which may be far larger.
  const text::Document* read_snapshot(const std::string& path, text::Value from) {
    return read(path, limits_.snapshot_bytes, from);
  }
  /// Runs a schema over `value`; false when something was found, which is noted.
  bool check_shape(std::string_view schema, text::Value value);

  void fail(text::Value at, std::string message, std::string help = {});
  void fail_at(Span span, text::Value in, std::string message,
               std::string help = {});  ///< `span` in the same document.
  void fail(Error error);               ///< Of the command line.
  bool has_errors() const { return !errors_.empty(); }

  Error error_at(text::Value at, std::string message, std::string help = {}) const;
  Origin origin(text::Value at) const;
  std::string file_of(text::Value at) const;

  const Files& files() const { return files_; }
  std::vector<Error> take_errors() &&;  ///< By file in the order of reading, then by position.
  std::vector<std::shared_ptr<const text::Document>> documents() const;

 private:
  struct Source {
    std::shared_ptr<const text::Document> document;
    std::string file;
    text::LineIndex lines;
  };

  const text::Document* read(const std::string& path, std::size_t limit, text::Value from);
  bool check_known(text::Value value);
  const Source& source_of(const text::Document& document) const;

  const Files& files_;
  Limits limits_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::map<const text::Document*, const Source*> by_document_;
  std::vector<Error> errors_;
};

/// Path as written in `file`, from where the program runs.
std::string relative_to(const std::string& file, std::string_view path);
/// Files that match a path with `*`, `?` and `[...]`, sorted; the path itself when it holds none of these.
std::vector<std::string> expand_glob(const Files& files, const std::string& pattern);

/// What every step of the loading shares.
struct Loading {
  Sources& sources;
  catalog::Catalog& catalog;
  const model::Placeholders& placeholders;
  Scenario& scenario;
  std::map<std::string, std::string, std::less<>> subnet_zones = {};
  std::map<std::string, std::int64_t> instances_of_type = {};
  /// By family, in the order of the files: index into the scenario's definitions.
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> definitions_of = {};
};

void add_own_types(Loading& loading, const model::Scenario& written);
void add_instances(Loading& loading, const model::Cluster& cluster);
void add_instances(Loading& loading, std::string_view instances_argument);
/// Zones of the subnets, stated or as instances have them.
void add_subnets(Loading& loading, const model::Scenario& written);
/// Definitions of a scenario's list.
void add_task_definitions(Loading& loading, text::Value list);
/// Definitions of one file; the index of the last of them, or nothing.
std::optional<std::uint32_t> add_definition_file(Loading& loading, const std::string& path, text::Value from);
/// Index of the definition "train" (its newest revision), "train:2" or the ARN that ends so; an error without a place.
Result<std::uint32_t> find_definition(const Loading& loading, std::string_view reference);
void add_workloads(Loading& loading, const model::Scenario& written);
void note_not_simulated(Loading& loading, const model::Scenario& written);

/// Parses the expression of a memberOf constraint; nothing with the error noted.
std::optional<Constraint> resolve_constraint(Loading& loading, const model::PlacementConstraint& written);

void assume(Scenario& scenario, std::string id, std::string subject, std::string text);  ///< Once an id and subject.

}  // namespace bayplan::placement
