#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "cli/options/command.hpp"
#include "importers/hcl_folder.hpp"
#include "importers/hcl_variables.hpp"
#include "lint/lint.hpp"
#include "model/variables.hpp"

namespace bayplan::cli {

/// Lines of NAME=VALUE; blank lines, `#` comments, `export `, quotes. Of a name given twice the last counts. The first
/// mistake is reported with its line.
Result<model::Variables> parse_env_file(std::string_view text, const std::string& file);

/// --var and --var-file of commands that read Terraform code and render no placeholders.
class TerraformVariables {
 public:
  void describe(OptionSet& options);

  bool is_given() const { return !texts_.empty() || !files_.empty(); }
  Result<model::Variables> parse() const;  ///< --var
  const std::vector<std::string>& files() const { return files_; }
  /// Both, with the files read.
  Result<importers::GivenVariables> read(const Files& files, const Limits& limits) const;

 private:
  std::vector<std::string> texts_;
  std::vector<std::string> files_;
};

/// --env-file, --var and --var-file of one run: what they say, and what was used of it.
class VariableOptions {
 public:
  void describe(OptionSet& options);

  /// All values: a later file wins over an earlier one, --var over files.
  Result<model::Variables> read(const Files& files);
  const std::vector<std::string>& texts() const { return texts_; }  ///< NAME=VALUE of --var
  std::vector<std::string> file_flags() const;                      ///< "--env-file production.env"
  /// The files of --var-file.
  Result<std::vector<std::shared_ptr<const importers::HclSource>>> read_variable_files(const Files& files,
                                                                                       const Limits& limits);
  void take(const lint::FileReport& report);
  /// Reports values that Terraform rejects, which is kUnusable, and, if `reports_unused`, what nothing used. That is no
  /// mistake: of the files of a hook the one that uses it may be missing.
  int finish(bool reports_unused, Streams& io) const;

 private:
  std::vector<std::string> texts_;  ///< NAME=VALUE
  std::vector<std::string> env_files_;
  std::vector<std::string> variable_files_;
  std::vector<std::set<std::string, std::less<>>> names_in_files_;
  std::vector<std::shared_ptr<const importers::HclSource>> read_files_;  ///< Those of `variable_files_`.
  std::set<std::string, std::less<>> used_;
  std::map<std::string, Error> refused_;  ///< By place and message: each file of a module has them.
};

}  // namespace bayplan::cli
