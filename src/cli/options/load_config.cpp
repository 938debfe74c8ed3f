#include "cli/options/load_config.hpp"

#include <ostream>

#include "cli/io/error_text.hpp"
#include "lint/config/config_options.hpp"

namespace bayplan::cli {

std::optional<lint::Config> load_config(const std::string& path, const lint::Tools& tools, Streams& io) {
  const std::string found = path.empty() ? lint::find_config(io.files).value_or("") : path;
  if (path.empty() && !io.is_quiet) {
    for (const auto& ignored : lint::ignored_configs(io.files)) io.err << error_text(ignored);
  }
  if (found.empty()) return lint::Config();
  auto read = path.empty() ? lint::read_found_config(found, io.files, tools.rule_data)
                           : lint::read_config(found, io.files, tools.rule_data);
  for (auto& error : read.errors) {
    if (!error.help.starts_with("did you mean") && !io.files.exists(found))
      error.help = "'bayplan lint --init' writes a first .bayplan.yaml.";
  }
  fail_all(io, read.errors);
  if (!read.errors.empty()) return std::nullopt;
  return std::move(read.config);
}

}  // namespace bayplan::cli
