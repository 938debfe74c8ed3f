#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/scenario_options.hpp"
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
  Result<study::CapacityRequest> capacity_request(const catalog::Catalog& catalog) const;

  std::vector<std::string> paths_;
  std::vector<std::string> types_;
  ScenarioOptions scenario_;
  std::optional<std::string> region_;
  std::string trunking_ = "off";
  std::string fail_on_ = "error";
  std::int64_t reserved_memory_ = 0;
};

}  // namespace bayplan::cli
