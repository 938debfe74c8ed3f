#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "lint/lint_files.hpp"
#include "lint/run_summary.hpp"

namespace bayplan::cli {

/// What a first config is fitted to: the definitions that are there, and what is found in them.
class Inventory {
 public:
  void take(const lint::Outcome& outcome);

  /// A config for them, in which every setting but one is a comment: writing it changes no finding. `above`: a config
  /// further up, which it extends; else empty.
  std::string config(const std::string& above) const;
  /// "12 task definitions (8 FARGATE, 3 EC2, 1 that does not say)"
  std::string definitions() const;
  const lint::Summary& summary() const { return summary_; }

 private:
  void add(text::Value definition);
  std::string launch_type() const;
  std::string findings() const;

  lint::Summary summary_;
  std::int64_t definitions_ = 0;
  std::int64_t silent_ = 0;  ///< Number of definitions without requiresCompatibilities.
  std::int64_t with_gpu_ = 0;
  std::map<std::string, std::int64_t> launch_types_;
};

constexpr std::string_view kBaselineName = ".bayplan-baseline.json";

}  // namespace bayplan::cli
