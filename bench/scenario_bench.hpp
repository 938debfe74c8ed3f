#pragma once
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/files.hpp"
#include "scenario/load_scenario.hpp"

/// What programs have in common that take the processor time of what is done with a scenario.
namespace bayplan::bench {

inline double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// FILE [--plain] [--both] [--runs N]
struct Arguments {
  std::string file;
  bool plain = false;  ///< The plain counterpart of the tests in place of the engine.
  bool both = false;   ///< Then the other one too, and whether they give the same.
  int runs = 1;
};

/// Nothing when there is no file.
inline std::optional<Arguments> read_arguments(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: " << arguments[0] << " FILE [--plain] [--both] [--runs N]\n";
    return std::nullopt;
  }
  Arguments read{.file = arguments[1]};
  for (int i = 2; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--plain") read.plain = true;
    if (argument == "--both") read.both = true;
    if (argument == "--runs" && i + 1 < count) read.runs = std::max(1, std::atoi(arguments[++i]));
  }
  return read;
}

/// Nothing when there are errors; they are printed.
inline std::optional<placement::Scenario> load(const std::string& file) {
  DiskFiles files;
  auto catalog = catalog::Catalog::load();
  scenario::ScenarioRequest request;
  request.scenario = file;
  auto loaded = scenario::load_scenario(request, files, catalog);
  for (const auto& error : loaded.errors) std::cerr << error.message << '\n';
  return std::move(loaded.scenario);
}

/// Runs the work several times and returns the median in seconds. `result`: that of the last run.
template <typename Work, typename Result>
double median_seconds(int runs, Work work, Result& result) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    result = {};
    const std::clock_t begin = std::clock();
    result = work();
    times.push_back(seconds_since(begin));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Does the work once and compares its result with `result`; returns the exit code.
template <typename Work, typename Result, typename Equal>
int compare(Work work, const Result& result, Equal equal) {
  Result other;
  const double time = median_seconds(1, work, other);
  const bool is_equal = equal(result, other);
  fmt::print("{:.4f} s, {}\n", time, is_equal ? "equal" : "DIFFERENT");
  return is_equal ? 0 : 1;
}

}  // namespace bayplan::bench
