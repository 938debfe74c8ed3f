#pragma once
#include <string_view>
#include <vector>

namespace bayplan::report {

/// A JSON Schema of a file that bayplan reads or writes.
struct Schema {
  std::string_view name;  ///< "fit-report": the NAME of "bayplan/NAME/1".
  std::string_view text;
};

/// Every schema of the project, by name.
std::vector<Schema> schemas();

}  // namespace bayplan::report
