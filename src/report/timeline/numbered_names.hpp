#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::report {

/// Things named "<name>#<number>" drawn together, in the order of the first of each name: "train#1-3,5 web#2"; of very
/// many the first, and how many more.
class NumberedNames {
 public:
  void add(std::string_view name, std::int64_t number);
  void add_unnumbered(std::string_view name);  ///< Three of these names are shown.

  std::string text() const;

 private:
  struct Name {
    std::string name;
    std::vector<std::int64_t> numbers;
  };
  std::vector<Name> names_;
  std::map<std::string, std::size_t, std::less<>> position_;
  std::vector<std::string> others_;
  std::size_t left_out_ = 0;
};

}  // namespace bayplan::report
