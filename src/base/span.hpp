#pragma once
#include <cstdint>

namespace bayplan {

/// Half-open byte range [begin, end) of a document's UTF-8 text without BOM. Inputs are at most 1 GiB.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::uint32_t length() const { return end - begin; }
  bool operator==(const Span&) const = default;
};

}  // namespace bayplan
