#pragma once
#include <cstdint>
#include <cstdlib>
#include <string>

namespace bayplan {

/// A number by which somebody asks for more cases than a test's own, or for others: BAYPLAN_ENGINE_CASES=100000.
inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

/// How many times fewer random cases are tried: 1, or what BAYPLAN_FEWER_CASES says, which CTest sets where the
/// sanitizers take several times as long. `scripts/test` tries all.
inline std::uint64_t fewer_cases() {
  static const std::uint64_t fewer = from_environment("BAYPLAN_FEWER_CASES", 1);
  return fewer;
}

/// How many random cases a test tries that tries `all` of them otherwise.
inline std::uint64_t random_cases(std::uint64_t all) {
  return all / fewer_cases();
}

/// The effort of a search that must come as far with fewer cases.
inline std::int64_t search_effort(std::int64_t all) {
  return fewer_cases() == 1 ? all : all / 6;
}

/// How often a test must see something that it must see `all` times in all cases. Few cases vary: a quarter of their
/// part is enough, which is none of what is rare. That it comes up is seen where all cases run.
template <class Count = int>
Count at_least(Count all) {
  return fewer_cases() == 1 ? all : all / (4 * static_cast<Count>(fewer_cases()));
}

}  // namespace bayplan
