#pragma once
#include "capacity/fit.hpp"
#include "cli/io/load.hpp"
#include "cli/options/command.hpp"

namespace bayplan::cli {

/// bayplan fit TASKDEF... [--types GLOB...]
class FitCommand : public Command {
 public:
  std::string_view name() const override { return "fit"; }
  std::string_view summary() const override {
    return "Say which EC2 instance types hold a task, how often, at what price";
  }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<std::vector<const catalog::InstanceType*>> wanted_types(const catalog::Catalog& catalog) const;
  Result<capacity::FitOptions> fit_options(const GlobalOptions& global, const catalog::Catalog& catalog,
                                           Streams& io) const;

  std::vector<std::string> paths_;
  std::vector<std::string> types_;
  std::vector<std::string> daemons_;
  std::string region_ = "us-east-1";
  std::string sort_ = "price";
  std::string trunking_ = "off";
  std::int64_t reserved_memory_ = 0;
  bool gpu_only_ = false;
  bool no_lint_ = false;
};

}  // namespace bayplan::cli
