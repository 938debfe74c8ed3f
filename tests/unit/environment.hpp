#pragma once
#include <cstdint>
#include <cstdlib>
#include <string>

namespace bayplan {

#ifndef BAYPLAN_FEWER_CASES
#define BAYPLAN_FEWER_CASES 1
#endif
/// The sanitizers take several times as long: tests of random cases, which `scripts/test` runs in full, then run with a
/// part of them.
constexpr int kFewerCases = BAYPLAN_FEWER_CASES;

/// A number by which somebody asks for more cases than a test's own, or for others: BAYPLAN_ENGINE_CASES=100000.
inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

/// How many random cases a test tries that tries `all` of them without sanitizers.
constexpr std::uint64_t random_cases(std::uint64_t all) {
  return all / kFewerCases;
}

/// The effort of a search that must come as far under the sanitizers.
constexpr std::int64_t search_effort(std::int64_t all) {
  return kFewerCases == 1 ? all : all / 6;
}

/// How often a test must see something that it must see `all` times without sanitizers. Few cases vary: a quarter of
/// their part is enough, which is none of what is rare. That it comes up is seen where all cases run.
constexpr int at_least(int all) {
  return kFewerCases == 1 ? all : all / (4 * kFewerCases);
}

}  // namespace bayplan
