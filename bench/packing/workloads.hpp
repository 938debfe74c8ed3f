#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::bench {

/// A .vbp file: dimensions; capacities; number of shapes; a line a shape: sizes, count. Its bin costs one dollar.
packing::PackingProblem read_vbp(std::istream& in);

/// The shapes of a .vbp file of vCPU, GiB and GPUs, over the catalog's types of these globs in us-east-1.
packing::PackingProblem over_types(const packing::PackingProblem& tasks, const catalog::Catalog& catalog,
                                   const std::vector<std::string>& globs);

/// The pods of an openb list as whole-GPU tasks in CPU units, MiB and GPUs, over the same types.
packing::PackingProblem read_pods(std::istream& in, const catalog::Catalog& catalog,
                                  const std::vector<std::string>& globs);

struct RandomWorkload {
  std::uint64_t seed = 0;
  std::int64_t tasks = 0;
  std::size_t shapes = 0;
  bool gpus = false;  ///< A third of the shapes needs GPUs.
};

/// Tasks of round and odd sizes, over every type that has a price in us-east-1; of one architecture or the other.
packing::PackingProblem random_problem(const RandomWorkload& workload, const catalog::Catalog& catalog);

/// A random workload as a scenario in JSON: a RunTask call for each shape.
std::string scenario_of(const packing::PackingProblem& problem, const catalog::Catalog& catalog);

}  // namespace bayplan::bench
