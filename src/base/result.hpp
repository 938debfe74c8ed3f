#pragma once
#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace bayplan {

/// "Cannot do the job": what `cli` prints before it exits with 2. Findings about a file are `Finding`s, never this.
struct Error {
  std::string message;       ///< One sentence, no full stop.
  std::string file;          ///< The name that the user gave; empty when no file is at fault.
  std::uint32_t line = 0;    ///< Counted from 1; 0 when unknown.
  std::uint32_t column = 0;  ///< Counted from 1, in Unicode code points; 0 when unknown.
  std::string help;          ///< What to write instead, or empty.
  std::string
      id;  ///< Identifies the error for code that answers in words of its own, such as "container-unknown"; else empty.
  std::string subject;  ///< What the id is about.
};

/// A value or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  Error& error() {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace bayplan
