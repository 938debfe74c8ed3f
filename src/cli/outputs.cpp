#include "cli/outputs.hpp"

#include <algorithm>
#include <sstream>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"

namespace bayplan::cli {

Result<std::vector<Output>> parse_outputs(const GlobalOptions& global, const std::vector<std::string_view>& known) {
  std::vector<Output> outputs;
  for (const auto& text : global.outputs) {
    const auto equals = text.find('=');
    Output output{text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)};
    if (std::find(known.begin(), known.end(), output.format) == known.end()) {
      const auto near = nearest(output.format, known);
      return Error{"unknown output format '" + output.format + "'" +
                       (near ? "; did you mean '" + std::string(*near) + "'?" : ""),
                   {},
                   0,
                   0,
                   "This command writes " + one_of(known) + "."};
    }
    if (equals != std::string::npos && output.file.empty())
      return Error{"--output " + text + " names no file after '='"};
    for (const auto& other : outputs) {
      if (other.file == output.file) {
        return Error{"two outputs go to " + (output.file.empty() ? "standard output" : "'" + output.file + "'"),
                     {},
                     0,
                     0,
                     "Write all but one to a file: --output " + output.format + "=FILE"};
      }
    }
    outputs.push_back(std::move(output));
  }
  if (outputs.empty()) outputs.push_back({std::string(known.front()), {}});
  return outputs;
}

int write_outputs(const std::vector<Output>& outputs, Streams& io,
                  const std::function<void(std::string_view, std::ostream&, bool)>& write) {
  int code = kClean;
  for (const auto& output : outputs) {
    if (output.file.empty()) {
      write(output.format, io.out, true);
      continue;
    }
    std::ostringstream text;
    write(output.format, text, false);
    const auto written = io.files.write(output.file, text.str());
    if (!written) code = fail(io, {"cannot write: " + written.error().message, output.file});
  }
  return code;
}

}  // namespace bayplan::cli
