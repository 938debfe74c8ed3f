#pragma once
#include <string>
#include <vector>

#include "text/document.hpp"

namespace bayplan::text {

struct Decoded {
  std::string text;           ///< Well-formed UTF-8 without BOM and NUL.
  std::vector<Fault> faults;  ///< kEncoding; spans count bytes of `text`.
};

/// Bytes of any origin -> UTF-8. A BOM is dropped; UTF-16 with or without one is decoded; what is no text (stray bytes,
/// NUL, half surrogate pairs) becomes U+FFFD. One fault for each thing found.
Decoded decode(std::string bytes);

}  // namespace bayplan::text
