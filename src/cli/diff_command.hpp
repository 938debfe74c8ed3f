#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/scenario_options.hpp"
#include "lint/config.hpp"
#include "study/diff.hpp"

namespace bayplan::cli {

/// bayplan diff OLD NEW
class DiffCommand : public Command {
 public:
  std::string_view name() const override { return "diff"; }
  std::string_view summary() const override { return "Say what a change of a task definition costs"; }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<study::CapacityRequest> capacity_request(const catalog::Catalog& catalog, const lint::Config& config) const;

  std::vector<std::string> paths_;
  std::vector<std::string> types_;
  ScenarioOptions scenario_;
  std::optional<std::string> region_;
  std::string config_file_;
  std::string trunking_;
  std::string fail_on_ = "error";
  std::optional<std::int64_t> reserved_memory_;
};

}  // namespace bayplan::cli
