#include "cli/application.hpp"

#include <exception>
#include <new>
#include <ostream>

#include "base/utf8.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/guarded_files.hpp"
#include "cli/guarded_stream.hpp"
#include "cli/option_parser.hpp"
#include "cli/outputs.hpp"
#include "cli/report_over_input.hpp"
#include "report/document/terminal.hpp"
#include "report/error_report.hpp"

namespace bayplan::cli {
namespace {

std::string version_text() {
  return "bayplan " + std::string(version()) +
         "\nECS model: " BAYPLAN_ECS_MODEL "\nnewest prices: " BAYPLAN_PRICES_DATE "\n";
}

/// Broken to fit; a command to paste stays whole, in a line of its own where it has to.
std::string fitting_help(const std::string& help) {
  constexpr std::size_t kIndent = 2;
  constexpr std::string_view kCommand = ": bayplan ";
  const auto colon = help.find(kCommand);
  const bool fits = display_width(help) + kIndent <= report::kTextColumns;
  if (fits || colon == std::string::npos) return report::wrapped(help, kIndent);
  return report::wrapped(help.substr(0, colon + 1), kIndent) + "\n    " + help.substr(colon + 2);
}

/// Where a command has no answer, the JSON that was asked for says why, for programs that do not read standard error. A
/// file that is there already stays: it may be an input that the command did not come to.
void report_errors(const ParsedLine& parsed, Streams& io) {
  auto outputs = parse_outputs(parsed.global, parsed.command->formats());
  if (!outputs) return;
  std::erase_if(*outputs, [&](const Output& output) {
    const std::string& file = output.file;
    return output.format != "json" || (!file.empty() && !is_of_system(file) && io.files.exists(file));
  });
  const auto errors = io.told;
  write_outputs(*outputs, io, [&](std::string_view, std::ostream& out, bool) {
    report::write_error_report(out, parsed.command->name(), errors);
  });
}

}  // namespace

int fail(Streams& io, const Error& error) {
  io.told.push_back(error);
  std::string text = "bayplan: ";
  if (!error.file.empty()) {
    text += printable(error.file);
    if (error.line > 0) (text += ':') += std::to_string(error.line);
    if (error.column > 0) (text += ':') += std::to_string(error.column);
    text += ": ";
  }
  (text += printable(error.message)) += '\n';
  if (!error.help.empty()) ((text += "  ") += fitting_help(printable(error.help))) += '\n';
  io.err << text;  // at once: there may be a hundred thousand, and standard error waits for each piece
  return kUnusable;
}

int fail_all(Streams& io, const std::vector<Error>& errors) {
  for (const auto& error : errors) fail(io, error);
  return kUnusable;
}

int internal_error(Streams& io, const std::vector<std::string>& mistakes) {
  io.err << "bayplan: internal error: the answer does not stand up to its own check\n";
  for (const auto& mistake : mistakes) io.err << "  " << mistake << '\n';
  io.err << "  Please report it with the command line and the input.\n";
  return kInternalError;
}

int run(const std::vector<std::string>& arguments, Streams given) {
  GuardedStream err(given.err, {.allows_progress = given.err_is_terminal});
  GuardedFiles files(given.files);
  Streams io{given.in,    given.out,        err, files, given.out_is_terminal, given.err_is_terminal, given.environment,
             given.clock, given.interrupted};
  io.guard = &files;
  try {
    const auto commands = all_commands();
    const auto parsed = parse_command_line(arguments, commands, version_text());
    if (parsed.command == nullptr) {
      (parsed.exit_code == kClean ? io.out : io.err) << parsed.text;
      return parsed.exit_code;
    }
    io.out_is_colored = report::wants_color(parsed.global.color, io.out_is_terminal, io.environment);
    if (const auto error = report_over_input(parsed, io.files)) return fail(io, *error);
    const int code = parsed.command->run(parsed.global, io);
    if (code == kUnusable && !io.has_reported && !io.told.empty()) report_errors(parsed, io);
    io.out.flush();
    return code;
  } catch (const std::bad_alloc&) {
    return fail(io, {.message = "the memory is not enough for these inputs"});
  } catch (const std::exception& problem) {
    io.err << "bayplan: internal error: " << problem.what()
           << "\n  Please report it with the command line and the input.\n";
    return kInternalError;
  }
}

}  // namespace bayplan::cli
