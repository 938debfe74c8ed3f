#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/memory_files.hpp"
#include "bayplan/result.hpp"
#include "bayplan/scenario.hpp"
#include "catalog/catalog.hpp"
#include "scenario/load_scenario.hpp"

namespace bayplan::v0 {

/// Texts that the caller holds, with the disk behind them or without. Writes nothing.
class InputFiles : public bayplan::Files {
 public:
  InputFiles(const std::map<std::string, std::string>& texts, bool reads_disk)
      : texts_(texts), reads_disk_(reads_disk) {}

  bayplan::Result<std::string> read(const std::string& path, std::size_t limit) const override;
  bool is_folder(const std::string& path) const override;
  bool exists(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  bayplan::Result<std::vector<std::string>> list(const std::string& folder) const override;
  bayplan::Result<std::unique_ptr<bayplan::NewFile>> create(const std::string& path) override;

 private:
  bool has_text(const std::string& path) const { return texts_.content.contains(path); }

  bayplan::MemoryFiles texts_;
  bayplan::DiskFiles disk_;
  bool reads_disk_;
};

bayplan::Limits limits_of(const ScenarioInput& input);

/// Converts the options for the loader; an error if they contradict each other.
Result<bayplan::scenario::ScenarioRequest> request_of(const ScenarioInput& input,
                                                      const bayplan::catalog::Catalog& catalog);

/// Reads the scenario. `catalog` takes up its own instance types and must outlive it.
Result<bayplan::placement::Scenario> load(const bayplan::scenario::ScenarioRequest& request, const InputFiles& files,
                                          bayplan::catalog::Catalog& catalog, const bayplan::Limits& limits);

/// Why ECS would refuse definitions of the scenario; nothing when it would not, or `input` does not ask.
std::vector<Error> refused_definitions(const ScenarioInput& input, const bayplan::placement::Scenario& scenario);

}  // namespace bayplan::v0
