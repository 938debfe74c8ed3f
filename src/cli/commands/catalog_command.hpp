#pragma once
#include "catalog/filter.hpp"
#include "cli/options/command.hpp"

namespace bayplan::cli {

/// bayplan catalog [GLOB...]
class CatalogCommand : public Command {
 public:
  std::string_view name() const override { return "catalog"; }
  std::string_view summary() const override {
    return "List EC2 instance types: sizes, GPUs, network interfaces, prices";
  }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<catalog::Filter> filter(const catalog::Catalog& catalog) const;
  void sort(std::vector<const catalog::InstanceType*>& types) const;

  std::vector<std::string> globs_;
  std::optional<std::string> region_;
  std::string min_memory_;
  std::string min_gpu_memory_;
  std::string compute_capability_;
  std::string architecture_;
  std::string sort_ = "name";
  std::int64_t min_gpus_ = 0;
  std::int64_t min_vcpus_ = 0;
  bool gpu_only_ = false;
  bool wide_ = false;
};

}  // namespace bayplan::cli
