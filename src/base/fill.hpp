#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace bayplan {

/// One value of a message: text or a whole number.
class FillArgument {
 public:
  FillArgument(std::string_view text) : text_(text) {}    // NOLINT: implicit on purpose
  FillArgument(const char* text) : text_(text) {}         // NOLINT: implicit on purpose
  FillArgument(const std::string& text) : text_(text) {}  // NOLINT: implicit on purpose
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>) FillArgument(Integer number)
      : number_(static_cast<std::int64_t>(number)), is_number_(true) {}  // NOLINT

  void append_to(std::string& out) const;

 private:
  std::string_view text_;
  std::int64_t number_ = 0;
  bool is_number_ = false;
};

/// `pattern` with each `{}` replaced by the next argument. Messages are built in every rule: this keeps the formatting
/// library out of their headers. The numbers of `{}` and of arguments must agree.
std::string fill(std::string_view pattern, std::initializer_list<FillArgument> arguments);

}  // namespace bayplan
