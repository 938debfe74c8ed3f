#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::cli {

/// What a command accepts, described without the option library: `option_parser.cpp` alone knows that one.
/// A declared option writes into the variable given when the command line has been understood.
class OptionSet {
 public:
  virtual ~OptionSet() = default;

  /// The heading of the options that follow, in the help and the manual; "Options" without one.
  virtual void group(std::string_view title) = 0;
  virtual void flag(std::string_view names, bool& target, std::string_view help) = 0;
  /// `value_name` is shown in the help ("FILE").
  virtual void option(std::string_view names, std::string& target, std::string_view value_name,
                      std::string_view help) = 0;
  virtual void option(std::string_view names, std::optional<std::string>& target, std::string_view value_name,
                      std::string_view help) = 0;
  virtual void option(std::string_view names, std::int64_t& target, std::string_view value_name,
                      std::string_view help) = 0;
  virtual void option(std::string_view names, std::optional<std::int64_t>& target, std::string_view value_name,
                      std::string_view help) = 0;
  /// May be given several times. `commas`: one argument may hold several values.
  virtual void repeated(std::string_view names, std::vector<std::string>& target, std::string_view value_name,
                        std::string_view help, bool commas = false) = 0;
  /// Adds an option that accepts only the listed words.
  virtual void choice(std::string_view names, std::string& target, std::vector<std::string> words,
                      std::string_view help) = 0;
  virtual void positional(std::string_view name, std::vector<std::string>& target, std::string_view help,
                          bool required) = 0;
  /// Everything behind `--`, as it is.
  virtual void rest(std::vector<std::string>& target) = 0;
  /// Printed below the options: at least two examples a command.
  virtual void examples(std::string_view text) = 0;
};

/// Accepted by every command.
struct GlobalOptions {
  std::string color = "auto";  ///< auto, always, never.
  bool quiet = false;
  bool verbose = false;
  bool stats = false;
  std::vector<std::string> outputs;      ///< FORMAT or FORMAT=FILE, in order.
  std::string output_file;               ///< What --output-file says, until `run` has joined it to `outputs`.
  std::int64_t max_input = 0;            ///< Bytes; 0 = the limits of `Limits`.
  std::optional<std::string> anonymize;  ///< File for the run without names; of `replay` for one disagreement.
};

}  // namespace bayplan::cli
