#pragma once
// What instrumented sources call. A site holds up to seven mutants: its number plus 1 to 7; at most one mutant is
// awake.
#include <cstdint>
#include <functional>
#include <type_traits>
#include <unordered_set>

namespace bayplan::mutation {

using Number = std::uint64_t;

/// The one global of the project: instrumented code has no other way to learn which mutant is awake.
struct State {
  Number awake = 0;                               ///< 0: the program as it is.
  std::unordered_set<Number>* noticed = nullptr;  ///< When set: takes the mutants that would have changed a value.
};
extern State state;

inline void note(Number mutant, bool differs) {
  if (differs) state.noticed->insert(mutant);
}

inline bool changed(Number site, bool value) {
  if (state.noticed != nullptr) {
    note(site + 1, !value);
    note(site + 2, value);
    note(site + 3, true);
  }
  if (state.awake <= site || state.awake > site + 3) return value;
  return state.awake == site + 3 ? !value : state.awake == site + 1;
}

/// A condition: +1 makes it true, +2 false, +3 the contrary.
template <class T>
constexpr bool test(Number site, const T& value) {
  if (std::is_constant_evaluated()) return static_cast<bool>(value);
  return changed(site, static_cast<bool>(value));
}

/// `as_is`, or at +1 `moved`: the comparison with its boundary moved.
constexpr bool bound(Number site, bool as_is, bool moved) {
  if (std::is_constant_evaluated()) return as_is;
  if (state.noticed != nullptr) note(site + 1, as_is != moved);
  return state.awake == site + 1 ? moved : as_is;
}

template <class A, class B>
constexpr bool less(Number site, const A& a, const B& b) {
  return bound(site, a < b, a <= b);
}
template <class A, class B>
constexpr bool at_most(Number site, const A& a, const B& b) {
  return bound(site, a <= b, a < b);
}
template <class A, class B>
constexpr bool more(Number site, const A& a, const B& b) {
  return bound(site, a > b, a >= b);
}
template <class A, class B>
constexpr bool at_least(Number site, const A& a, const B& b) {
  return bound(site, a >= b, a > b);
}

/// What was looked up; at +1 nothing.
template <class T>
constexpr std::remove_cvref_t<T> found(Number site, T&& value) {
  if (std::is_constant_evaluated()) return static_cast<T&&>(value);
  if (state.noticed != nullptr) note(site + 1, static_cast<bool>(value));
  if (state.awake == site + 1) return {};
  return static_cast<T&&>(value);
}

/// Whether the body of a function is left out: +1.
inline bool removed(Number site) {
  if (state.noticed != nullptr) note(site + 1, true);
  return state.awake == site + 1;
}

}  // namespace bayplan::mutation
