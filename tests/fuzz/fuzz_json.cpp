// Any bytes as a file named .json: no crash, all spans in order.
#include <cstddef>
#include <cstdint>

#include "fuzz.hpp"
#include "text/read.hpp"

using namespace bayplan;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document =
      text::read_document(std::string(reinterpret_cast<const char*>(data), size), {.format = text::Format::kJson});
  const bool is_expanded = document->format() == text::Format::kYaml;
  const std::string broken = first_broken_span(*document, is_expanded);
  require(broken.empty(), broken);
  return 0;
}
