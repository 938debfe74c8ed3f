#pragma once
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>

namespace bayplan {

/// An index into a table, or none, in four bytes. None is not a number: it has to be asked for before the index is
/// used. A read of none throws, so that a missing question ends in an internal error, not in memory that is not ours.
class OptionalIndex {
 public:
  constexpr OptionalIndex() = default;
  constexpr OptionalIndex(std::nullopt_t) {}                        // NOLINT(google-explicit-constructor)
  constexpr OptionalIndex(std::uint32_t index) : stored_(index) {}  // NOLINT(google-explicit-constructor)

  constexpr bool has_value() const { return stored_ != kNone; }
  constexpr explicit operator bool() const { return has_value(); }
  constexpr std::uint32_t operator*() const {
    if (!has_value()) throw std::logic_error("an index was read that is none");
    return stored_;
  }
  constexpr std::uint32_t value_or(std::uint32_t other) const { return has_value() ? stored_ : other; }

  constexpr bool operator==(const OptionalIndex&) const = default;
  /// None comes after every index.
  constexpr auto operator<=>(const OptionalIndex&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t stored_ = kNone;
};

}  // namespace bayplan
