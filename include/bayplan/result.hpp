#pragma once
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bayplan/version.hpp"

namespace bayplan::v0 {

enum class ErrorKind : std::uint8_t {
  kInput,     ///< Options or input that cannot be read or understood: exit code 2 of the program.
  kInternal,  ///< An answer that failed its verification: a bug in bayplan, please report it (exit code 3).
};

/// Why there is no answer. A mistake in a linted file is a finding, not an error.
struct Error {
  ErrorKind kind = ErrorKind::kInput;
  std::string message;       ///< One sentence, no period.
  std::string file;          ///< The name given by the caller; empty if the error is not in a file.
  std::uint32_t line = 0;    ///< The first line is 1; 0 means unknown.
  std::uint32_t column = 0;  ///< The first column is 1; columns count Unicode code points; 0 means unknown.
  std::string help;          ///< The fix, or empty. Options have their command line names.
};

/// "scenario.yaml:4:12: message (help)", on one line. File names and values are not escaped: escape the text for its
/// destination.
std::string to_string(const Error& error);

/// A value, or all reasons why there is none: at least one, by file and position.
/// Accessing the value of a failure, or the errors of a value, aborts the program (std::abort) in every build; it never
/// throws.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  Result(Error error) : state_(std::in_place_index<1>) {                 // NOLINT: implicit on purpose
    std::get_if<1>(&state_)->push_back(std::move(error));
  }
  /// `errors` must not be empty.
  Result(std::vector<Error> errors)
      : state_(std::in_place_index<1>, std::move(errors)) {  // NOLINT: implicit on purpose
    require(!std::get_if<1>(&state_)->empty());
  }

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  T& value() & {
    require(has_value());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    require(has_value());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    require(has_value());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  template <class U>
  T value_or(U&& other) const& {
    return has_value() ? value() : static_cast<T>(std::forward<U>(other));
  }

  const std::vector<Error>& errors() const& {
    require(!has_value());
    return *std::get_if<1>(&state_);
  }
  std::vector<Error>&& errors() && {
    require(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  static void require(bool holds) {
    if (!holds) std::abort();
  }

  std::variant<T, std::vector<Error>> state_;
};

}  // namespace bayplan::v0
