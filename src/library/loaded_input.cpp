#include "library/loaded_input.hpp"

#include <cstdint>
#include <limits>
#include <set>

#include "catalog/region.hpp"
#include "library/errors.hpp"
#include "study/dry_run/refused_definitions.hpp"
#include "study/in_flight.hpp"

namespace bayplan::v0 {

bayplan::Limits limits_of(const ScenarioInput& input) {
  bayplan::Limits limits;
  if (input.max_bytes > 0) limits.definition_bytes = limits.snapshot_bytes = input.max_bytes;
  return limits;
}

Result<bayplan::scenario::ScenarioRequest> request_of(const ScenarioInput& input,
                                                      const bayplan::catalog::Catalog& catalog) {
  if (input.region) {
    if (const auto region = bayplan::catalog::known_region(catalog, *input.region); !region)
      return public_error(region.error());
  }
  if (input.seed && *input.seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return Error{.message = "the seed is larger than 2^63 - 1"};
  bayplan::scenario::ScenarioRequest request;
  request.scenario = input.path;
  request.cluster = input.cluster;
  request.allow_partial = input.allow_partial;
  request.parameters = input.parameters;
  request.instances = input.instances;
  request.tasks = input.tasks;
  request.region = input.region;
  if (input.seed) request.seed = static_cast<std::int64_t>(*input.seed);
  return request;
}

Result<bayplan::placement::Scenario> load(const bayplan::scenario::ScenarioRequest& request, const InputFiles& files,
                                          bayplan::catalog::Catalog& catalog, const bayplan::Limits& limits) {
  auto loaded = bayplan::study::load_settled(request, files, catalog, limits);
  if (!loaded.scenario) return public_errors(std::move(loaded.errors));
  return std::move(*loaded.scenario);
}

std::vector<Error> refused_definitions(const ScenarioInput& input, const bayplan::placement::Scenario& scenario) {
  if (!input.lint) return {};
  const bayplan::lint::Tools tools;
  return refusals(bayplan::study::refused_definitions(scenario, tools, input.parameters));
}

bayplan::Result<std::string> InputFiles::read(const std::string& path, std::size_t limit) const {
  return reads_disk_ && !has_text(path) ? disk_.read(path, limit) : texts_.read(path, limit);
}

bool InputFiles::is_folder(const std::string& path) const {
  return texts_.is_folder(path) || (reads_disk_ && !has_text(path) && disk_.is_folder(path));
}

bool InputFiles::exists(const std::string& path) const {
  return texts_.exists(path) || (reads_disk_ && disk_.exists(path));
}

std::string InputFiles::absolute(const std::string& path) const {
  return reads_disk_ && !has_text(path) ? disk_.absolute(path) : path;
}

bayplan::Result<std::vector<std::string>> InputFiles::list(const std::string& folder) const {
  auto held = texts_.list(folder);
  if (!reads_disk_) return held;
  auto found = disk_.list(folder);
  if (!found) return texts_.is_folder(folder) && !held->empty() ? held : found;
  std::set<std::string> names(held->begin(), held->end());
  names.insert(found->begin(), found->end());
  return std::vector<std::string>(names.begin(), names.end());
}

bayplan::Result<std::unique_ptr<bayplan::NewFile>> InputFiles::create(const std::string& path) {
  return bayplan::Error{.message = "the library writes no files", .file = path};
}

}  // namespace bayplan::v0
