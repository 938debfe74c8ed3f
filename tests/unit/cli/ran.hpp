#pragma once
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/application.hpp"

namespace bayplan::cli {

/// What a command line came to.
struct Ran {
  int code;
  std::string out;
  std::string err;
};

/// `bayplan` and the arguments, where there are the files and no others, and nothing on standard input.
inline Ran run_with(Files& files, const std::vector<std::string>& arguments, bool (*interrupted)() = nullptr) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Streams streams{in, out, err, files};
  streams.interrupted = interrupted;
  const int code = run(arguments, streams);
  return {code, out.str(), err.str()};
}

inline bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

}  // namespace bayplan::cli
