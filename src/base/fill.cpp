#include "base/fill.hpp"

#include <cassert>

namespace bayplan {

void FillArgument::append_to(std::string& out) const {
  if (is_number_) {
    out += std::to_string(number_);
  } else {
    out += text_;
  }
}

std::string fill(std::string_view pattern, std::initializer_list<FillArgument> arguments) {
  std::string result;
  auto next = arguments.begin();
  for (auto at = pattern.find("{}"); at != std::string_view::npos; at = pattern.find("{}")) {
    result += pattern.substr(0, at);
    pattern.remove_prefix(at + 2);
    assert(next != arguments.end());
    (next++)->append_to(result);
  }
  assert(next == arguments.end());
  return result += pattern;
}

}  // namespace bayplan
