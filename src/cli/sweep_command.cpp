#include "cli/sweep_command.hpp"

#include <algorithm>
#include <thread>

#include "cli/lint_gate.hpp"
#include "cli/scenario_options.hpp"
#include "cli/shard_option.hpp"
#include "cli/stats.hpp"
#include "cli/sweep_run.hpp"

namespace bayplan::cli {

namespace {

constexpr std::int64_t kMostThreads = 1024;

}  // namespace

void SweepCommand::describe(OptionSet& options) {
  options.positional("GRID", grids_, "A scenario and the axes along which it varies, YAML or JSON", true);
  options.option("--shard", shard_, "I/N",
                 "Only part I of N, from 1; slurm or aws-batch: as the array job says in its environment");
  options.option("-j,--jobs", jobs_, "N", "Threads (default: one a core)");
  options.flag("--fresh", fresh_, "Begin anew, whatever the file of an earlier run holds");
  describe_partial(options, allow_partial_);
  options.flag("--no-lint", no_lint_, "Simulate even definitions that ECS would refuse");
  options.examples(
      "  bayplan sweep examples/night-fleet/grid.yaml\n"
      "  bayplan sweep examples/night-fleet/grid.yaml --output jsonl=all.jsonl\n"
      "                                  # stopped? the same line goes on\n"
      "  bayplan sweep examples/night-fleet/grid.yaml --shard 1/2 \\\n"
      "    --output jsonl=part-1.jsonl\n"
      "  bayplan sweep examples/night-fleet/grid.yaml --shard 2/2 \\\n"
      "    --output jsonl=part-2.jsonl\n"
      "  cat part-*.jsonl > whole.jsonl &&\n"
      "    bayplan sweep examples/night-fleet/grid.yaml --output jsonl=whole.jsonl");
}

Result<study::Shard> SweepCommand::shard(const Streams& io) const {
  if (!shard_) return study::Shard{};
  return parse_shard(*shard_, io.environment);
}

unsigned SweepCommand::threads() const {
  return jobs_ > 0 ? static_cast<unsigned>(jobs_) : std::max(1u, std::thread::hardware_concurrency());
}

int SweepCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  if (grids_.size() > 1) return fail(io, {.message = "sweep takes one grid, not " + std::to_string(grids_.size())});
  if (jobs_ < 0 || jobs_ > kMostThreads)
    return fail(io, {.message = "--jobs wants a number from 1 to 1024, not " + std::to_string(jobs_)});
  const auto part = shard(io);
  if (!part) return fail(io, part.error());

  Stats stats(global.stats);
  stats.phase("catalog");
  auto catalog = catalog::Catalog::load();
  stats.phase("read");
  const auto loaded = study::load_grid(grids_.front(), io.files, catalog, input_limits(global), allow_partial_);
  if (!loaded.grid) return fail_all(io, loaded.errors);
  stats.phase("lint");
  if (!no_lint_ && !accept_definitions(loaded.grid->scenario, global, io)) return kUnusable;
  stats.phase("check");
  if (const auto errors = study::check_points(*loaded.grid, catalog); !errors.empty()) return fail_all(io, errors);
  stats.phase("sweep");
  const int code = SweepRun(*loaded.grid, catalog, {*part, threads(), fresh_, *outputs}, global, io).run();
  stats.print(io.err);
  return code;
}

}  // namespace bayplan::cli
