#include "cli/io/read_input.hpp"

#include <istream>
#include <vector>

namespace bayplan::cli {

Result<std::string> read_standard_input(std::istream& in, std::size_t limit) {
  std::string text;
  std::vector<char> block(1u << 16);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > limit) {
      return Error{.message = "standard input is larger than " + std::to_string(limit) + " bytes",
                   .help = "--max-input BYTES changes the limit."};
    }
  }
  return text;
}

}  // namespace bayplan::cli
