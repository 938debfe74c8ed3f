#include "cli/options/global_options.hpp"

#include <string>

#include "base/strings.hpp"

namespace bayplan::cli {
namespace {

/// "Report format: text (default), json; repeat it for several at once".
std::string format_help(const std::vector<std::string_view>& formats) {
  if (formats.size() == 1) return "Write to a file: " + std::string(formats.front()) + "=FILE";
  std::string help = "Report format: ";
  for (std::size_t i = 0; i < formats.size(); ++i) {
    if (i > 0) help += ", ";
    help += formats[i];
    if (i == 0) help += " (default)";
  }
  return help + "; repeat for several";
}

}  // namespace

void describe_global_options(OptionSet& options, GlobalOptions& global, const Command& command) {
  options.group(kOptionsOfEveryCommand);
  options.choice("--color", global.color, {"auto", "always", "never"},
                 "Color in text output (also NO_COLOR, FORCE_COLOR)");
  options.flag("-q,--quiet", global.quiet, "Print only the result");
  options.flag("-v,--verbose", global.verbose, "Print everything: all rows, reasons and assumptions");
  options.flag("--stats", global.stats, "Print time and size of each phase on standard error");
  if (const auto formats = command.formats(); !formats.empty()) {
    options.repeated("-f,--output,--format", global.outputs, "FORMAT[=FILE]", format_help(formats), false);
    options.option(
        "--output-file", global.output_file, "FILE",
        "Write the report to FILE instead of standard output; without --output, its extension sets the format");
  }
  options.option("--anonymize", global.anonymize, "FILE",
                 command.anonymize_help().value_or(
                     "Also write the command and its inputs without their names to FILE, for a bug report"));
  options.option("--max-input", global.max_input, "BYTES", "Largest input read (default 16 MiB, snapshots 1 GiB)");
}

}  // namespace bayplan::cli
