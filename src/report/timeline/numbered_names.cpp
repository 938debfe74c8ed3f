#include "report/timeline/numbered_names.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::report {
namespace {

constexpr std::size_t kNamed = 3;
constexpr std::size_t kLongestNames = 60;  ///< A sentence begins with the names: more would drown it.

}  // namespace

void NumberedNames::add(std::string_view name, std::int64_t number) {
  auto entry = position_.find(name);
  if (entry == position_.end()) {
    entry = position_.emplace(std::string(name), names_.size()).first;
    names_.push_back({std::string(name), {}});
  }
  names_[entry->second].numbers.push_back(number);
}

void NumberedNames::add_unnumbered(std::string_view name) {
  if (others_.size() < kNamed) {
    others_.emplace_back(name);
  } else {
    ++left_out_;
  }
}

std::string NumberedNames::text() const {
  std::string text = join(others_, " ");
  std::size_t left_out = left_out_;
  for (auto [name, numbers] : names_) {
    std::sort(numbers.begin(), numbers.end());
    std::string_view separator = "#";
    for (std::size_t first = 0; first < numbers.size();) {
      std::size_t last = first;
      while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
      if (text.size() >= kLongestNames) {
        left_out += last - first + 1;
      } else {
        if (separator == "#") text += (text.empty() ? "" : " ") + name;
        text += fmt::format("{}{}", separator, numbers[first]);
        if (last > first) text += fmt::format("-{}", numbers[last]);
        separator = ",";
      }
      first = last + 1;
    }
  }
  return left_out == 0 ? text : text + fmt::format(" and {} more", left_out);
}

}  // namespace bayplan::report
