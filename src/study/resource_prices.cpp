#include "study/resource_prices.hpp"

#include "packing/linear_program.hpp"
#include "packing/money.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Question;
using packing::LinearProgram;

namespace {

/// What is in use of a resource, and how much there is.
struct Load {
  double used = 0;
  double there = 0;
};

std::vector<Load> loads_of(const Question& question, const packing::Packing& packing) {
  const auto& problem = question.problem;
  std::vector<Load> loads(problem.dimensions);
  for (const auto& filled : packing) {
    const auto bins = static_cast<double>(filled.bins);
    for (std::size_t d = 0; d < loads.size(); ++d) {
      loads[d].there += bins * static_cast<double>(problem.types[filled.pattern.type].capacity[d]);
      for (const auto& copies : filled.pattern.copies)
        loads[d].used += bins * static_cast<double>(copies.count * problem.shapes[copies.shape].size[d]);
    }
  }
  return loads;
}

/// How much of the problem's unit a person's unit is: vCPU, GiB, GPU.
double unit_of(const Question& question, const Market& market, std::size_t d) {
  if (question.dimensions[d] == "CPU") return kUnitsPerVcpu;
  if (question.dimensions[d] == "MEMORY") return kMiBPerGiB;
  for (std::size_t bin = 0; bin < question.bins.size(); ++bin) {
    const auto gpus = market.offers[question.bins[bin].offer].profile.gpu_count;
    if (gpus > 0) return static_cast<double>(question.problem.types[bin].capacity[d]) / static_cast<double>(gpus);
  }
  return 1;
}

bool is_told(const std::string& dimension) {
  return dimension == "CPU" || dimension == "MEMORY" || dimension == "GPU";
}

}  // namespace

std::vector<ResourcePrice> resource_prices(const Question& question, const Market& market,
                                           const packing::Packing& packing, const std::vector<std::int64_t>& worth) {
  const auto& problem = question.problem;
  const auto loads = loads_of(question, packing);
  LinearProgram program;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s)
    program.add_row(-LinearProgram::kInfinity, static_cast<double>(worth[s]) / packing::kNanoUsdPerUsd);
  std::vector<double> units;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    units.push_back(unit_of(question, market, d));
    std::vector<LinearProgram::Entry> entries;
    for (std::size_t s = 0; s < problem.shapes.size(); ++s)
      entries.push_back({static_cast<int>(s), static_cast<double>(problem.shapes[s].size[d]) / units[d]});
    const auto& load = loads[d];
    const double explained = load.there > 0 ? load.used / units[d] * (load.used / load.there) : 0;
    program.add_column(-explained, LinearProgram::kInfinity, entries);
  }
  std::vector<ResourcePrice> prices;
  if (!program.solve()) return prices;
  const auto values = program.values();
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    if (is_told(question.dimensions[d])) prices.push_back({question.dimensions[d], values[d]});
  }
  return prices;
}

}  // namespace bayplan::study
