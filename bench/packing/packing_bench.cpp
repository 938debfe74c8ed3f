// Plans fleets and prints a row each: bound, cost, gap, seconds of processor time.
//   packing_bench FILE.vbp...                      a single type of bin
//   packing_bench --types GLOB,GLOB FILE.vbp...    vCPU, GiB and GPUs over instance types
//   packing_bench --types GLOB,GLOB FILE.csv...    openb's pods over instance types
//   packing_bench --effort MILLIONS ...            labels to look at
//   packing_bench --threads N ...                  threads that share the work
//   packing_bench --trace ...                      a line a step, with the wall-clock time
//   packing_bench --check ...                      checks the certificate too
//   packing_bench --json ...                       one JSON object per row, with simple planners for comparison
//   packing_bench --scenario ...                   the scenario of a random workload in place of a plan
//   packing_bench --random TASKS SHAPES cpu|gpu SEEDS    one seed: 7..7
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "packing/baselines.hpp"
#include "packing/solve.hpp"
#include "packing/verify_packing.hpp"
#include "packing/workloads.hpp"

namespace {

using namespace bayplan;

struct Options {
  packing::SolveLimits limits;
  bool check = false;
  bool json = false;
  bool scenario = false;
};

double usd(MicroUsd amount) {
  return static_cast<double>(amount) / static_cast<double>(kMicroUsdPerUsd);
}

double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

long peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

const char* words(packing::Verdict verdict) {
  switch (verdict) {
    case packing::Verdict::kHolds:
      return "checked";
    case packing::Verdict::kFails:
      return "BOUND WRONG";
    case packing::Verdict::kTooHard:
      return "unchecked";
  }
  return "";
}

std::string in_usd(std::optional<MicroUsd> amount) {
  return amount ? fmt::format("{:.6f}", usd(*amount)) : "null";
}

void print_json(const std::string& name, const packing::PackingProblem& problem, const packing::Solution& solution,
                double seconds, long memory) {
  const std::clock_t begin = std::clock();
  const packing::Verdict verdict = packing::check(problem, solution.certificate);
  const double check_seconds = seconds_since(begin);
  const bool sound = !packing::fault_of(problem, solution.packing) && verdict != packing::Verdict::kFails;
  std::int64_t tasks = 0;
  for (const packing::Shape& shape : problem.shapes) tasks += shape.count;
  fmt::print(R"({{"name": "{}", "tasks": {}, "shapes": {}, "types": {}, "bound": {}, "ofCertificate": {}, "cost": {}, )"
             R"("bins": {}, "optimal": {}, "seconds": {:.3f}, "peakMiB": {}, "sound": {}, "certificate": "{}", )"
             R"("checkSeconds": {:.3f}, "firstFitDecreasing": {}, "singleType": {}}})"
             "\n",
             name, tasks, problem.shapes.size(), problem.types.size(), in_usd(solution.lower_bound),
             in_usd(packing::least_cost(problem, solution.certificate)), in_usd(solution.cost),
             packing::bins_of(solution.packing), solution.optimal, seconds, memory, sound, words(verdict),
             check_seconds, in_usd(bench::first_fit_decreasing(problem)), in_usd(bench::best_single_type(problem)));
}

void plan(const std::string& name, const packing::PackingProblem& problem, const Options& options) {
  const std::clock_t begin = std::clock();
  const packing::Solution solution = packing::solve(problem, options.limits);
  const double seconds = seconds_since(begin);
  const long memory = peak_mib();
  if (options.json) return print_json(name, problem, solution, seconds, memory);
  const double gap = 100 * (usd(solution.cost) / usd(solution.lower_bound) - 1);
  fmt::print("{:<26} bound {:>11.4f} cost {:>11.4f} bins {:>5} gap {:7.4f} % {} {:7.2f} s {:6.1f} M {:4} MiB\n", name,
             usd(solution.lower_bound), usd(solution.cost), packing::bins_of(solution.packing), gap,
             solution.optimal ? "optimal" : "open   ", seconds, static_cast<double>(solution.effort) * 1e-6, memory);
  std::fflush(stdout);
  if (const auto fault = packing::fault_of(problem, solution.packing)) fmt::print("  WRONG: {}\n", *fault);
  if (!options.check) return;
  const std::clock_t check_begin = std::clock();
  const packing::Verdict verdict = packing::check(problem, solution.certificate);
  fmt::print("  certificate {} in {:.2f} s\n", words(verdict), seconds_since(check_begin));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

void plan_file(const std::string& path, const std::vector<std::string>& globs, const catalog::Catalog& catalog,
               const Options& options) {
  std::ifstream in(path);
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(".csv")) {
    plan(name, bench::read_pods(in, catalog, globs), options);
  } else if (globs.empty()) {
    plan(name, bench::read_vbp(in), options);
  } else {
    plan(name, bench::over_types(bench::read_vbp(in), catalog, globs), options);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto catalog = catalog::Catalog::load();
  std::vector<std::string> globs;
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--types" && i + 1 < arguments.size()) {
      globs = split(arguments[++i]);
    } else if (arguments[i] == "--effort" && i + 1 < arguments.size()) {
      options.limits.effort = std::stoll(arguments[++i]) * 1'000'000;
    } else if (arguments[i] == "--threads" && i + 1 < arguments.size()) {
      options.limits.threads = static_cast<unsigned>(std::stoul(arguments[++i]));
    } else if (arguments[i] == "--check") {
      options.check = true;
    } else if (arguments[i] == "--json") {
      options.json = true;
    } else if (arguments[i] == "--scenario") {
      options.scenario = true;
    } else if (arguments[i] == "--trace") {
      options.limits.go_on = [begin = std::chrono::steady_clock::now(),
                              last = packing::Progress{}](const packing::Progress& progress) mutable {
        if (progress.cost == last.cost && progress.lower_bound == last.lower_bound) return true;
        last = progress;
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
        fmt::print("  {:6.2f} s bound {:.4f} cost {:.4f} effort {:.1f} M\n", elapsed.count(), usd(progress.lower_bound),
                   usd(progress.cost), static_cast<double>(progress.effort) * 1e-6);
        std::fflush(stdout);
        return true;
      };
    } else if (arguments[i] == "--random" && i + 4 < arguments.size()) {
      const bench::RandomWorkload base{0, std::stoll(arguments[i + 1]), std::stoul(arguments[i + 2]),
                                       arguments[i + 3] == "gpu"};
      const std::string& seeds = arguments[i + 4];
      const std::size_t dots = seeds.find("..");
      const std::uint64_t first = dots == std::string::npos ? 1 : std::stoull(seeds);
      const std::uint64_t last = std::stoull(dots == std::string::npos ? seeds : seeds.substr(dots + 2));
      for (std::uint64_t seed = first; seed <= last; ++seed) {
        bench::RandomWorkload workload = base;
        workload.seed = seed;
        const packing::PackingProblem problem = bench::random_problem(workload, catalog);
        if (options.scenario) {
          fmt::print("{}", bench::scenario_of(problem, catalog));
          continue;
        }
        plan(fmt::format("{} {} {} #{}", base.tasks, base.shapes, arguments[i + 3], seed), problem, options);
      }
      i += 4;
    } else {
      plan_file(arguments[i], globs, catalog, options);
    }
  }
}
