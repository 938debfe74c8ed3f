#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command.hpp"
#include "study/sweep/sweep.hpp"

namespace bayplan::cli {

/// bayplan sweep GRID [--shard I/N]
class SweepCommand : public Command {
 public:
  std::string_view name() const override { return "sweep"; }
  std::string_view summary() const override { return "Place a grid of scenarios on all cores, whole or in shards"; }
  std::vector<std::string_view> formats() const override { return {"text", "jsonl"}; }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<study::Shard> shard(const Streams& io) const;
  unsigned threads() const;

  std::vector<std::string> grids_;
  std::optional<std::string> shard_;
  std::int64_t jobs_ = 0;
  bool fresh_ = false;
  bool allow_partial_ = false;
  bool no_lint_ = false;
};

}  // namespace bayplan::cli
