#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/result.hpp"
#include "cli/options/command.hpp"
#include "lint/lint.hpp"
#include "model/variables.hpp"

namespace bayplan::cli {

/// Lines of NAME=VALUE; blank lines, `#` comments, `export `, quotes. Of a name given twice the last counts. The first
/// mistake is reported with its line.
Result<model::Variables> parse_env_file(std::string_view text, const std::string& file);

/// --env-file and --var of one run: what they say, and what was used of it.
class VariableOptions {
 public:
  void describe(OptionSet& options);

  /// All values: a later file wins over an earlier one, --var over files.
  Result<model::Variables> read(const Files& files);
  void take(const lint::FileReport& report);
  /// Tells what nothing used. No mistake: of the files of a hook the one that uses it may be missing.
  void finish(Streams& io) const;

 private:
  std::vector<std::string> texts_;  ///< NAME=VALUE
  std::vector<std::string> env_files_;
  std::vector<std::set<std::string, std::less<>>> names_in_files_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace bayplan::cli
