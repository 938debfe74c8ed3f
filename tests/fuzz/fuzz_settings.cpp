// Three texts: a .bayplan.yaml, a baseline, a file of variables; a sound definition is linted under them. No crash:
// each is read, or there are errors that stand inside of it.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/memory_files.hpp"
#include "cli/options/load_config.hpp"
#include "cli/options/variable_options.hpp"
#include "fuzz.hpp"
#include "lint/config/baseline.hpp"
#include "lint/config/config.hpp"
#include "parts.hpp"

using namespace bayplan;

namespace {

constexpr const char* kWeb = R"({"family": "web", "containerDefinitions": [
  {"name": "nginx", "image": "nginx:${TAG}", "cpu": 0, "memory": 2, "essential": "true"}]})";

/// A carriage return ends a line too.
std::size_t lines_in(const std::string& text) {
  const auto ends = std::count_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; });
  return static_cast<std::size_t>(ends) + 1;
}

void check_errors(const std::vector<Error>& errors, const std::string& text) {
  for (const auto& error : errors) {
    require(!error.message.empty(), "an error says nothing");
    const bool is_plain = text.find('\0') == std::string::npos;  // UTF-16 has line ends that the bytes do not show
    require(!is_plain || error.line <= lines_in(text), "an error behind the end of the file");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lint::Tools tools;
  const auto parts = parts_of(data, size, 3);
  const MemoryFiles files({{".bayplan.yaml", parts[0]},
                           {"base.json", parts[1]},
                           {"other.yaml", "select: [BAY1]\nignore: [BAY113]\n"},
                           {"agent.json", kWeb}});
  lint::Options options;
  const auto config = lint::read_config(".bayplan.yaml", files, tools.rule_data);
  check_errors(config.errors, parts[0]);
  if (config.errors.empty()) options = lint::options_of(config.config);
  const auto baseline = lint::read_baseline("base.json", files);
  require((baseline.baseline != nullptr) == baseline.errors.empty(), "neither a baseline nor an error, or both");
  check_errors(baseline.errors, parts[1]);
  const auto variables = cli::parse_env_file(parts[2], "prod.env");
  if (variables) options.variables = *variables;
  if (!variables) check_errors({variables.error()}, parts[2]);
  auto report = lint::lint_document(kWeb, "web.json", options, tools);
  if (baseline.baseline) baseline.baseline->apply(report, options.selection, tools);
  return 0;
}
