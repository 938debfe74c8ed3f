#include "cli/io/read_input.hpp"

#include <istream>
#include <system_error>
#include <vector>

namespace bayplan::cli {
namespace {

Error unreadable(const std::error_code& code) {
  if (code == std::errc::bad_file_descriptor)
    return Error{.message = "standard input is closed", .help = "Name a file in place of -"};
  return Error{.message = "cannot read standard input: " + code.message()};
}

}  // namespace

Result<std::string> read_standard_input(std::istream& in, std::size_t limit) {
  std::string text;
  std::vector<char> block(1u << 16);
  in.exceptions(std::ios::badbit);  // lets the exceptions of StandardInput through
  try {
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
      text.append(block.data(), static_cast<std::size_t>(in.gcount()));
      if (text.size() > limit) {
        return Error{.message = "standard input is larger than " + std::to_string(limit) + " bytes",
                     .help = "--max-input BYTES changes the limit."};
      }
    }
  } catch (const std::system_error& problem) {
    return unreadable(problem.code());
  }
  return text;
}

}  // namespace bayplan::cli
