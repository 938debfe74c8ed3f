#pragma once
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bayplan {

/// "web#12". Reports of a million tasks have millions of them: a short one allocates nothing.
inline std::string numbered_name(std::string_view name, std::int64_t number) {
  std::array<char, 20> digits;
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const auto count = static_cast<std::size_t>(end - digits.data());
  std::string text;
  text.reserve(name.size() + 1 + count);
  text.append(name).push_back('#');
  return text.append(digits.data(), count);
}

}  // namespace bayplan
