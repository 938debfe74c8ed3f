#include "cli/application.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <new>
#include <optional>
#include <ostream>
#include <utility>

#include "base/expand_glob.hpp"
#include "base/file_part.hpp"
#include "base/files.hpp"
#include "base/result.hpp"
#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "base/version.hpp"
#include "cli/case/reported_case.hpp"
#include "cli/io/activity.hpp"
#include "cli/io/error_text.hpp"
#include "cli/io/guarded_files.hpp"
#include "cli/io/guarded_stream.hpp"
#include "cli/io/outputs.hpp"
#include "cli/options/command.hpp"
#include "cli/options/option_parser.hpp"
#include "report/document/terminal.hpp"
#include "report/error_report.hpp"

namespace bayplan::cli {

namespace {

/// A word as the files that it may name: web.json of `web.json=2`, of `file://web.json` and of `--key=file://web.json`.
std::vector<std::string> files_named_by(const std::string& word) {
  std::vector<std::string> names{word};
  if (const auto equals = word.rfind('='); equals != std::string::npos)
    names.insert(names.end(), {word.substr(0, equals), word.substr(equals + 1)});
  for (auto& name : names) {
    for (const std::string_view scheme : {"file://", "fileb://"}) {
      if (name.starts_with(scheme)) name.erase(0, scheme.size());
    }
  }
  return names;
}

bool names_file(const std::vector<std::string>& words, const std::string& file, const Files& files) {
  const std::string wanted = files.absolute(file);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    const auto names = files_named_by(word);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return !name.empty() && files.exists(name) && files.absolute(name) == wanted;
    });
  });
}

/// `-` alone, or in `-=3` of --task.
bool names_standard_input(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word == "-" || word.starts_with("-="); });
}

/// Why the line cannot run: a report would take the place of a file that the line names as an input. Told
/// before a long run; of the files that those refer to, and of lint, GuardedFiles know in the end.
std::optional<Error> report_over_input(const ParsedLine& parsed, const Files& files) {
  if (parsed.command->name() == "lint") return std::nullopt;
  const auto outputs = parse_outputs(parsed.global, parsed.command->formats());
  if (!outputs) return std::nullopt;  // the command says why
  for (const auto& output : *outputs) {
    const std::string& file = output.file;
    if (file.empty() || is_of_system(file) || !files.exists(file) || files.is_folder(file)) continue;
    if (names_file(parsed.input_words, file, files)) return GuardedFiles::report_over_input(file);
  }
  return std::nullopt;
}

/// TASKDEF of TASKDEF=COUNT, and the count with its sign.
std::pair<std::string, std::string> split_count(const std::string& value, std::string_view value_name) {
  const auto equals = value_name == "TASKDEF=COUNT" ? value.rfind('=') : std::string::npos;
  if (equals == std::string::npos) return {value, ""};
  return {value.substr(0, equals), value.substr(equals)};
}

/// Windows has backslashes between names, which are no part of a pattern there.
std::string with_slashes(std::string pattern) {
#ifdef _WIN32
  std::replace(pattern.begin(), pattern.end(), '\\', '/');
#endif
  return pattern;
}

/// Puts the files that a pattern matches in its place: for 'tasks/*.json' in quotes, and for shells that leave patterns
/// to the program. A value that is the name of a file stays.
std::optional<Error> expand_patterns(ParsedLine& parsed, const Files& files) {
  for (const auto& list : parsed.file_lists) {
    const bool takes_folders =
        list.value_name == "PATH" || list.value_name == "OLD NEW" || list.value_name == "RECORDS";
    const auto matches = takes_folders ? GlobMatches::kFilesAndFolders : GlobMatches::kFiles;
    std::vector<std::string> values;
    for (const auto& value : *list.values) {
      const auto [written, count] = split_count(value, list.value_name);
      // Only the file of stack.yaml#Web may be a pattern: addresses of Terraform have brackets, too.
      const auto part = parse_file_part(written, files);
      const bool is_pattern = is_path_glob(part.file) && written.find("://") == std::string::npos;
      if (!is_pattern || files.exists(part.file) || files.exists(value)) {
        values.push_back(value);
        continue;
      }
      const auto found = expand_glob(with_slashes(part.file), matches, files);
      if (found.empty()) {
        return Error{.message = "no file matches the pattern '" + part.file + "'",
                     .help = "Check the path; in a pattern, * matches within a name and ** any number of folders"};
      }
      for (const auto& path : found) {
        values.push_back(path + written.substr(part.file.size()) + count);
        parsed.input_words.push_back(path);
      }
    }
    *list.values = std::move(values);
  }
  return std::nullopt;
}

std::string version_text() {
  return "bayplan " + std::string(version()) + "\n" + report::wrapped("ECS model: " BAYPLAN_ECS_MODEL, 2) +
         "\nnewest prices: " BAYPLAN_PRICES_DATE "\n";
}

/// "password=hunter2" as "password=...": a page that is passed on must not pass on what was a secret on the command
/// line.
std::string without_secret(const std::string& argument) {
  const auto equals = argument.find('=');
  if (equals == std::string::npos) return argument;
  const auto name = lower(argument.substr(0, equals));
  constexpr std::array<std::string_view, 4> kSecrets = {"password", "secret", "token", "key"};
  const bool is_secret = std::any_of(kSecrets.begin(), kSecrets.end(),
                                     [&](std::string_view word) { return name.find(word) != std::string::npos; });
  return is_secret ? argument.substr(0, equals + 1) + "..." : argument;
}

/// "html=report.html" of "html=/home/me/report.html", likewise of "/home/me/web.json=3" and "stack=@/home/me/...".
std::string without_folders(const std::string& argument, std::string_view folder) {
  const auto root = argument.find('/');
  const bool begins_there = root == 0 || (root != std::string::npos && argument.find_first_of("=@") == root - 1);
  return begins_there ? argument.substr(0, root) + path_to_pass_on(std::string_view(argument).substr(root), folder)
                      : argument;
}

/// What to paste to have the same report again.
std::string pasted_line(const std::vector<std::string>& arguments) {
  std::string line = "bayplan";
  for (const auto& argument : arguments) line += ' ' + shell_word(without_secret(argument));
  return line;
}

/// The same on a page, which is passed on.
std::string line_to_pass_on(std::vector<std::string> arguments, std::string_view folder) {
  for (auto& argument : arguments) argument = without_folders(argument, folder);
  return pasted_line(arguments);
}

/// Where a command has no answer, the JSON that was asked for says why, for programs that do not read standard error. A
/// file that is there already stays: it may be an input that the command did not come to.
void report_errors(const Command& command, const std::vector<std::string>& asked, Streams& io) {
  const auto formats = command.formats();
  if (std::find(formats.begin(), formats.end(), "json") == formats.end()) return;
  std::vector<Output> outputs;
  for (const auto& one : asked) {
    const std::string format = one.substr(0, one.find('='));
    Output output{format, format.size() < one.size() ? one.substr(format.size() + 1) : std::string()};
    const bool is_there = !output.file.empty() && !is_of_system(output.file) && io.files.exists(output.file);
    const bool is_again =
        std::any_of(outputs.begin(), outputs.end(), [&](const Output& other) { return other.file == output.file; });
    if (format == "json" && !is_there && !is_again) outputs.push_back(std::move(output));
  }
  const auto errors = io.errors;
  write_outputs(outputs, io, [&](std::string_view, std::ostream& out, bool) {
    report::write_error_report(out, command.name(), errors);
  });
}

/// The values of some options on a command line that cannot be read as a whole.
std::vector<std::string> values_in(const std::vector<std::string>& arguments,
                                   std::initializer_list<std::string_view> names) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    for (const std::string_view name : names) {
      const std::string& word = arguments[i];
      if (word == name && i + 1 < arguments.size()) values.push_back(arguments[i + 1]);
      if (word.starts_with(std::string(name) + "=")) values.push_back(word.substr(name.size() + 1));
    }
  }
  return values;
}

/// Reports a command line that cannot be parsed: an unknown option, or one that is repeated. There are no parsed
/// options, so the output format is looked up in the arguments.
int refuse_line(const Error& error, const std::vector<std::string>& arguments,
                const std::vector<std::unique_ptr<Command>>& commands, Streams& io) {
  fail(io, error);
  for (const auto& command : commands) {
    if (arguments.empty() || arguments.front() != command->name()) continue;
    const auto files = values_in(arguments, {"--output-file"});
    report_errors(*command,
                  with_output_file(values_in(arguments, {"-f", "--output", "--format"}),
                                   files.empty() ? "" : files.back(), command->formats()),
                  io);
  }
  io.out.flush();
  return kUnusable;
}

/// Nothing in a run that writes a case already.
void tell_how_to_report(Streams& io) {
  if (io.case_command.empty()) return;
  io.err << "  Please report it. This command writes a case without your names:\n    " << io.case_command << '\n';
}

/// Writes the case that --anonymize asks for. Gives the exit code of the run, or kUnusable if there is no case.
int write_requested_case(const std::vector<std::string>& arguments, const GlobalOptions& global, int code,
                         Streams& io) {
  const auto& file = *global.anonymize;
  const RecordedRun recorded{without_anonymize(arguments), io.guard->contents()};
  const auto error = write_case(recorded, code, file, io.files,
                                [&](const RecordedRun& replaced) { return run_recorded(replaced, io); });
  if (error) return fail(io, *error);
  if (!io.is_quiet) {
    io.err << "bayplan: wrote " << file << ": the command and " << count_of(std::ssize(recorded.files), "input file")
           << " without names; it still ends with exit code " << code << "\n  Read it before you send it.\n";
  }
  return code;
}

/// Runs the chosen command; what it throws is an internal error.
int run_command(const ParsedLine& parsed, Streams& io) {
  try {
    const int code = parsed.command->run(parsed.global, io);
    if (code == kUnusable && !io.has_reported && !io.errors.empty())
      report_errors(*parsed.command, parsed.global.outputs, io);
    io.out.flush();
    return code;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& problem) {
    io.err << "bayplan: internal error: " << problem.what() << '\n';
    tell_how_to_report(io);
    return kInternalError;
  }
}

constexpr std::size_t kDefaultColumns = 80;

/// COLUMNS, else the terminal's own, else 80.
std::size_t columns_of(const Streams& io) {
  constexpr std::size_t kFewest = 40;
  constexpr std::size_t kMost = 200;
  const char* const text = io.environment == nullptr ? nullptr : io.environment("COLUMNS");
  const auto stated = text == nullptr ? std::nullopt : to_integer(text);
  const auto columns = stated && *stated > 0 ? static_cast<std::size_t>(*stated) : io.out_columns;
  return columns == 0 ? kDefaultColumns : std::clamp(columns, kFewest, kMost);
}

}  // namespace

int fail(Streams& io, const Error& error) {
  io.errors.push_back(error);
  io.err << error_text(error);  // at once: there may be a hundred thousand, and standard error waits for each piece
  return kUnusable;
}

int fail_all(Streams& io, const std::vector<Error>& errors) {
  for (const auto& error : errors) fail(io, error);
  return kUnusable;
}

int internal_error(Streams& io, const std::vector<std::string>& mistakes, Reported reported) {
  io.err << "bayplan: internal error: the result failed its own verification\n";
  for (const auto& mistake : mistakes) io.err << "  " << mistake << '\n';
  if (reported == Reported::kWhatHolds) io.err << "  The report leaves this out; everything in it was verified.\n";
  tell_how_to_report(io);
  return kInternalError;
}

namespace {

/// A run, and what it looked at if it is to be repeated.
struct Done {
  int code = kClean;
  std::optional<std::map<std::string, std::string>> stamps = {};
};

/// Without a stamp of the operating system: the content, or the names in a folder.
std::string content_stamp(const std::string& path, const Files& files) {
  if (!files.is_folder(path)) {
    const auto text = files.read(path, std::string::npos);
    return text ? "=" + *text : std::string();
  }
  const auto names = files.list(path);
  return names ? join(*names, "\n") : std::string();
}

Done run_once(const std::vector<std::string>& arguments, const Streams& given) {
  Activity activity(given.err, given.err_is_terminal, given.err_columns == 0 ? kDefaultColumns : given.err_columns,
                    given.on_progress);
  ActivityStream lines(given.err, activity, false);
  ActivityStream reports(given.out, activity, true);
  GuardedStream err(lines, {});
  GuardedFiles files(given.files);
  const auto stamp = [&](const std::string& path) {
    return given.stamp != nullptr ? given.stamp(path) : content_stamp(path, given.files);
  };
  const bool shares_terminal = given.out_is_terminal && given.err_is_terminal;
  Streams io{given.in,
             shares_terminal ? static_cast<std::ostream&>(reports) : given.out,
             err,
             files,
             given.out_is_terminal,
             given.err_is_terminal,
             given.environment,
             given.clock,
             given.interrupted,
             given.on_progress};
  io.run_program = given.run_program;
  io.activity = &activity;
  io.guard = &files;
  const report::TextWidth width(columns_of(given));
  io.folder = files.absolute(".");
  io.command_line = line_to_pass_on(arguments, io.folder);
  try {
    const auto commands = all_commands();
    auto parsed = parse_command_line(arguments, commands, version_text());
    if (parsed.refused) return {refuse_line(*parsed.refused, arguments, commands, io)};
    if (parsed.command == nullptr) {
      (parsed.exit_code == kClean ? io.out : io.err) << parsed.text;
      return {parsed.exit_code};
    }
    parsed.global.outputs =
        with_output_file(std::move(parsed.global.outputs), parsed.global.output_file, parsed.command->formats());
    io.is_quiet = parsed.global.quiet;
    io.out_is_colored = report::wants_color(parsed.global.color, io.out_is_terminal, io.environment);
    if (const auto error = expand_patterns(parsed, io.files)) return {fail(io, *error)};
    if (names_standard_input(parsed.input_words)) files.serve_standard_input(io.in);
    if (const auto error = report_over_input(parsed, io.files)) return {fail(io, *error)};
    const bool writes_case = parsed.global.anonymize && !parsed.command->anonymize_help();
    if (!writes_case) {
      if (!parsed.command->anonymize_help()) io.case_command = pasted_line(with_anonymize(arguments));
      if (!parsed.command->watches()) return {run_command(parsed, io)};
      files.keep_stamps(stamp);
      const int code = run_command(parsed, io);
      auto stamps = files.stamps();
      const bool has_begun = !stamps.empty();  // else its options do not go together
      return {code, has_begun ? std::optional(std::move(stamps)) : std::nullopt};
    }
    files.keep_contents();
    return {write_requested_case(arguments, parsed.global, run_command(parsed, io), io)};
  } catch (const std::bad_alloc&) {
#ifdef __EMSCRIPTEN__
    return {fail(io, {.message = "out of memory for these inputs: WebAssembly has at most 2 GB"})};
#else
    return {fail(io, {.message = "out of memory for these inputs"})};
#endif
  } catch (const std::exception& problem) {
    io.err << "bayplan: internal error: " << problem.what()
           << "\n  Please report it with the command line and the input.\n";
    return {kInternalError};
  }
}

/// Waits until a file or folder is no longer as the stamp says; false when the user has interrupted it.
bool wait_for_change(const std::map<std::string, std::string>& stamps, const Streams& io) {
  const auto is_changed = [&](const auto& one) {
    const auto& [path, stamp] = one;
    return (io.stamp != nullptr ? io.stamp(path) : content_stamp(path, io.files)) != stamp;
  };
  while (io.interrupted == nullptr || !io.interrupted()) {
    if (std::any_of(stamps.begin(), stamps.end(), is_changed)) return true;
    if (io.pause != nullptr) io.pause();
  }
  return false;
}

}  // namespace

int run(const std::vector<std::string>& arguments, Streams given) {
  while (true) {
    const auto done = run_once(arguments, given);
    if (!done.stamps) return done.code;
    given.err << "bayplan: watching " << count_of(std::ssize(*done.stamps), "path") << "; Ctrl-C ends\n";
    given.out.flush();
    if (!wait_for_change(*done.stamps, given)) return done.code;
    // As a terminal's `clear`. Flushed, because errors of the next run go to another stream.
    if (given.out_is_terminal) given.out << "\x1b[H\x1b[2J\x1b[3J" << std::flush;
  }
}

}  // namespace bayplan::cli
