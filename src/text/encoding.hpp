#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.hpp"

namespace bayplan::text {

/// How the bytes of a text are written.
struct Encoding {
  enum class Form : std::uint8_t { kUtf8, kUtf16Little, kUtf16Big };
  Form form = Form::kUtf8;
  bool has_mark = false;
};

struct Decoded {
  std::string text;           ///< Well-formed UTF-8 without BOM and NUL.
  std::vector<Fault> faults;  ///< kEncoding; spans count bytes of `text`.
  Encoding encoding;
};

/// Bytes of any origin -> UTF-8. A BOM is dropped; UTF-16 with or without one is decoded; what is no text (stray bytes,
/// NUL, half surrogate pairs) becomes U+FFFD. One fault for each thing found.
Decoded decode(std::string bytes);

/// The bytes of well-formed UTF-8 in another encoding. What was decoded without loss comes back byte for byte.
std::string encode(std::string_view text, Encoding encoding);

}  // namespace bayplan::text
