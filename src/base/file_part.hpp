#pragma once
#include <string>

#include "base/files.hpp"

namespace bayplan {

/// "stack.yaml#Web": a file, and the name of what is meant in it.
struct FilePart {
  std::string file;
  std::string name;  ///< Empty when the whole file is meant.
};

/// Splits at the `#` before which a file is named. Names of files and names of resources may contain a `#` themselves,
/// so the longest path that exists is the file; where none exists, the first `#` separates.
FilePart parse_file_part(const std::string& text, const Files& files);

}  // namespace bayplan
