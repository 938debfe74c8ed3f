#include "cli/options/option_parser.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "cli/options/command_rows.hpp"
#include "cli/options/global_options.hpp"
#include "cli/options/usage_hints.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::cli {
namespace {

constexpr std::size_t kHelpColumn = 30;      ///< Where the library begins the description of an option.
constexpr std::size_t kOverviewColumn = 14;  ///< Where it begins that of a command.

/// Places in a text are counted in 32 bits, and another encoding may grow by half when it is read.
constexpr std::int64_t kLargestInput = std::int64_t{1} << 31;

constexpr std::string_view kStart =
    R"(bayplan: no command given. What do you want to know?

  Is this file right?            bayplan lint train.json
  Which instance types hold it?  bayplan fit train.json
  Where would ECS place it?      bayplan place scenario.yaml
  Why was it not placed?         bayplan why train.json --cluster FOLDER
  What should I buy?             bayplan fleet scenario.yaml
  What if a zone is lost?        bayplan whatif scenario.yaml --each-az
  What does this message mean?   bayplan explain 'RESOURCE:GPU'

'bayplan lint' alone checks every task definition in this folder and below.
'bayplan collect --cluster NAME' prints the commands that save your cluster to
a FOLDER. 'bayplan help' lists all commands, 'bayplan help COMMAND' shows the
flags of one, with examples.
)";

constexpr std::string_view kDescription =
    "bayplan checks Amazon ECS task definitions, shows which EC2 instance types fit them, simulates where ECS would "
    "place them and finds the cheapest fleet. Offline; no AWS credentials.";
constexpr std::string_view kHelpFooter = "'bayplan help COMMAND' shows the flags of a command, with examples.";
constexpr std::string_view kExitCodes =
    "Exit codes: 0 no findings, everything placed; 1 findings, or tasks not placed; 2 wrong usage, or an input that "
    "cannot be read; 3 a bug in bayplan.";

/// Broken to fit the width behind `column`; the library indents what comes after a line break.
std::string help_lines(std::string_view help, std::size_t column = kHelpColumn) {
  std::string text = report::wrapped(help, column);
  const std::string indented = '\n' + std::string(column, ' ');
  for (auto at = text.find(indented); at != std::string::npos; at = text.find(indented, at + 1))
    text.erase(at + 1, column);
  return text;
}

/// The library would read 010 as 8.
std::string plain_integer(const std::string& given) {
  const auto number = to_integer(given);
  return number ? std::to_string(*number) : given;
}

/// What the library would make something of: 0x10, and the largest number of a larger one.
std::string integer_fault(const std::string& given) {
  if (to_integer(given)) return {};
  const bool is_negative = given.starts_with('-');
  const auto digits = std::string_view(given).substr(is_negative ? 1 : 0);
  if (digits.empty()) return " is empty (unset variable?)";
  if (!is_digits(digits)) return " must be a whole number, not '" + given + "'";
  return std::string(is_negative ? " is too small: " : " is too large: ") + given;
}

/// What is empty must not be taken for what was left out: `bayplan fleet "$SCENARIO"` would buy nothing, and pass.
/// The library puts the name before it.
std::string empty_fault(const std::string& given) {
  return given.empty() ? " is empty (unset variable?)" : "";
}

/// The option library behind the commands' own description.
class CliOptionSet : public OptionSet {
 public:
  explicit CliOptionSet(CLI::App& app) : app_(app) {}

  void group(std::string_view title) override { app_.option_defaults()->group(std::string(title)); }
  void flag(std::string_view names, bool& target, std::string_view help) override {
    app_.add_flag(std::string(names), target, help_lines(help));
  }
  void option(std::string_view names, std::string& target, std::string_view value_name,
              std::string_view help) override {
    add(names, target, value_name, help)->check(empty_fault);
  }
  void option(std::string_view names, std::optional<std::string>& target, std::string_view value_name,
              std::string_view help) override {
    add(names, target, value_name, help)->check(empty_fault);
  }
  void option(std::string_view names, std::int64_t& target, std::string_view value_name,
              std::string_view help) override {
    add(names, target, value_name, help)->transform(plain_integer)->check(integer_fault);
  }
  void option(std::string_view names, std::optional<std::int64_t>& target, std::string_view value_name,
              std::string_view help) override {
    add(names, target, value_name, help)->transform(plain_integer)->check(integer_fault);
  }
  void repeated(std::string_view names, std::vector<std::string>& target, std::string_view value_name,
                std::string_view help, bool commas) override {
    auto* option = add(names, target, value_name, help);
    if (names_files(value_name)) file_lists_.push_back({&target, value_name});
    if (!commas) option->check(empty_fault);  // "BAY1," has an empty part
    option->expected(1)->take_all()->allow_extra_args(false);
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    if (commas) option->delimiter(',');
  }
  void choice(std::string_view names, std::string& target, std::vector<std::string> words,
              std::string_view help) override {
    const std::string shown = join(words, "|");
    add(names, target, shown, help)->check([words](const std::string& given) -> std::string {
      for (const auto& word : words) {
        if (word == given) return {};
      }
      const std::vector<std::string_view> views(words.begin(), words.end());
      const auto near = nearest_or_containing(given, views);
      if (given.empty()) return empty_fault(given);
      return " cannot be '" + given + "'" +
             (near ? "; did you mean '" + std::string(*near) + "'?" : "; use " + one_of(views));
    });
  }
  void positional(std::string_view name, std::vector<std::string>& target, std::string_view help,
                  bool required) override {
    auto* option = app_.add_option(std::string(name), target, help_lines(help))->type_name("");
    option->check(empty_fault);
    if (names_files(name)) file_lists_.push_back({&target, name});
    if (required) option->required();
  }
  void rest(std::vector<std::string>& target) override { rest_ = &target; }
  void examples(std::string_view text) override { app_.footer("Examples:\n" + std::string(text)); }

  std::vector<std::string>* rest_target() const { return rest_; }
  const std::vector<FileList>& file_lists() const { return file_lists_; }

 private:
  template <class T>
  CLI::Option* add(std::string_view names, T& target, std::string_view value_name, std::string_view help) {
    return app_.add_option(std::string(names), target, help_lines(help))->type_name(std::string(value_name));
  }

  CLI::App& app_;
  std::vector<std::string>* rest_ = nullptr;
  std::vector<FileList> file_lists_;
};

std::vector<std::string_view> command_names(const std::vector<std::unique_ptr<Command>>& commands) {
  std::vector<std::string_view> names;
  for (const auto& command : commands) names.push_back(command->name());
  return names;
}

const Command* find_command(std::string_view name, const std::vector<std::unique_ptr<Command>>& commands) {
  const auto found =
      std::find_if(commands.begin(), commands.end(), [&](const auto& one) { return one->name() == name; });
  return found == commands.end() ? nullptr : found->get();
}

/// Long option names of an app, with their dashes.
std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The word behind an option on the line, or behind its `=`; empty where another option follows.
std::string_view value_behind(const std::vector<std::string>& arguments, std::string_view option) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    const auto equals = argument.find('=');
    if (argument.substr(0, equals) != option) continue;
    if (equals != std::string_view::npos) return argument.substr(equals + 1);
    const bool has_next = i + 1 < arguments.size() && (arguments[i + 1] == "-" || !arguments[i + 1].starts_with('-'));
    return has_next ? std::string_view(arguments[i + 1]) : std::string_view();
  }
  return {};
}

/// A line and the command that it names, for what is said about its options.
struct RefusedLine {
  const std::vector<std::string>& arguments;
  const CLI::App& command;
  const std::vector<std::string_view>& formats;
};

ParsedLine refusal(const std::string& message, const std::string& help) {
  ParsedLine parsed;
  parsed.exit_code = kUnusable;
  parsed.refused = Error{.message = message, .help = help};
  return parsed;
}

std::string help_of(std::string_view command) {
  return "See 'bayplan help" + (command.empty() ? "" : " " + std::string(command)) + "'.";
}

/// `written`: the option as the line has it, where `argument` has a dash more.
ParsedLine unknown_option(const RefusedLine& line, const std::string& argument, std::string_view written = {}) {
  const std::string name = argument.substr(0, argument.find('='));
  const auto names = long_names(line.command);
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string command = line.command.get_name() == "bayplan" ? "" : line.command.get_name();
  const std::string message = "unknown option '" + std::string(written.empty() ? name : written) + "'";
  const auto suggested = [&](const std::string& instead) { return message + "; did you mean '" + instead + "'?"; };
  if (const auto hint = hint_for_option(
          {command, name, value_behind(line.arguments, written.empty() ? name : written), known, line.formats})) {
    constexpr std::string_view kProgram = "bayplan ";
    const auto other = hint->instead.starts_with(kProgram) ? hint->instead.substr(kProgram.size()) : command;
    return refusal(hint->instead.empty() ? message : suggested(hint->instead),
                   hint->help.empty() ? help_of(other.substr(0, other.find(' '))) : hint->help);
  }
  const auto near = nearest_or_containing(name, known);
  return refusal(near ? suggested(std::string(*near)) : message, help_of(command));
}

/// An option of several letters behind one dash, as Go programs have them: -fix, -json, -var-file. The library would
/// take it for several options of one letter.
std::optional<ParsedLine> long_option_with_one_dash(const RefusedLine& line) {
  const auto names = long_names(line.command);
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const auto& argument : line.arguments) {
    if (argument == "--") break;
    const std::string name = argument.substr(0, argument.find('='));
    const bool has_one_dash = name.size() > 2 && name[0] == '-' && is_letter(name[1]) && is_letter(name[2]);
    if (!has_one_dash) continue;
    const auto is_meant = [&](const std::string& option) {
      return hint_for_option({line.command.get_name(), option, "", known, line.formats}).has_value();
    };
    const std::string with_two = "-" + name;
    if (is_meant(name)) return unknown_option(line, argument);
    if (std::find(known.begin(), known.end(), with_two) != known.end())
      return refusal("unknown option '" + name + "'; did you mean '" + with_two + "'?",
                     help_of(line.command.get_name()));
    if (is_meant(with_two)) return unknown_option(line, "-" + argument, name);
  }
  return std::nullopt;
}

/// Splits CLI11's "--jobs:  must be a whole number, not 'abc'": our own texts follow the name.
std::string validation_message(const std::string& text) {
  const auto colon = text.find(':');
  const bool follows = colon != std::string::npos && text.compare(colon, 3, ":  ") == 0;
  return follows ? text.substr(0, colon) + text.substr(colon + 2) : text;
}

/// Rewords the library's "--lose-az: 1 required ZONE missing".
std::string value_missing_message(const std::string& text) {
  constexpr std::string_view kCount = ": 1 required ";
  constexpr std::string_view kEnd = " missing";
  const auto count = text.find(kCount);
  if (count == std::string::npos || !text.ends_with(kEnd)) return text;
  const auto begin = count + kCount.size();
  return "missing value: " + text.substr(0, count) + " " + text.substr(begin, text.size() - kEnd.size() - begin);
}

/// The AWS CLI takes a list after one option: --placement-strategy type=spread,... type=binpack,...
/// Here every value gets its option.
std::vector<std::string> with_an_option_each(const std::vector<std::string>& arguments) {
  std::vector<std::string> spread;
  std::string list;
  bool has_value = false;
  for (const auto& argument : arguments) {
    if (has_value && argument.starts_with("type=")) {
      spread.push_back(list);
    } else if (list.empty() || has_value) {
      const bool is_list = argument == "--placement-strategy" || argument == "--placement-constraints";
      list = is_list ? argument : std::string();
    }
    has_value = !list.empty() && argument != list;
    spread.push_back(argument);
  }
  return spread;
}

/// What the library says, in the words of this program.
std::string explain(const CLI::ParseError& problem, const CLI::App& app) {
  if (dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr) {
    const auto rest = app.remaining();
    return rest.empty() ? std::string(problem.what()) : "unexpected argument '" + rest.front() + "'";
  }
  if (dynamic_cast<const CLI::ValidationError*>(&problem) != nullptr) return validation_message(problem.what());
  if (dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr) {
    const std::string text = problem.what();
    return "missing argument: " + text.substr(0, text.rfind(" is required"));
  }
  // Options are strings in CLI11, so only a flag with a value fails to convert: `--changed=HEAD`.
  if (dynamic_cast<const CLI::ConversionError*>(&problem) != nullptr) {
    const std::string text = problem.what();
    const auto name = text.find("--");
    const auto equals = text.find(" = ");
    if (name == std::string::npos || equals == std::string::npos || equals < name) return text;
    return text.substr(name, equals - name) + " does not take a value, got '" + text.substr(equals + 3) + "'";
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&problem) != nullptr) return value_missing_message(problem.what());
  return problem.what();
}

/// The first argument that the library could not place, where it looks like an option. It comes before all else that is
/// wrong: `bayplan fit --watch` lacks no TASKDEF first.
std::optional<std::string> unplaced_option(const CLI::App& app) {
  for (const auto& argument : app.remaining()) {
    if (argument.size() > 1 && argument.front() == '-' && argument != "--") return argument;
  }
  return std::nullopt;
}

/// The subcommand that the line names, or the program itself.
const CLI::App& chosen_of(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

/// "'train.json' looks like a file": a word with a dot or a slash is no command with a typo.
bool looks_like_file(const std::string& word) {
  return word.find_first_of("./") != std::string::npos;
}

/// A first word that is no command; nothing when it is one, or an option.
std::optional<ParsedLine> unknown_command(const std::vector<std::string>& arguments,
                                          const std::vector<std::string_view>& names) {
  if (arguments.empty()) return std::nullopt;
  const std::string& word = arguments.front();
  if (word.empty()) return refusal("COMMAND is empty (unset variable?)", "See 'bayplan help'.");
  if (word == "help" || word == "version") return std::nullopt;
  if (std::find(names.begin(), names.end(), word) != names.end()) return std::nullopt;
  if (word.front() == '-') {
    const auto is_command = [&](const std::string& one) {
      return std::find(names.begin(), names.end(), one) != names.end();
    };
    const auto command = std::find_if(arguments.begin(), arguments.end(), is_command);
    const bool is_own = word == "--help" || word == "-h" || word == "--version" || word == "-V";
    if (is_own || command == arguments.end()) return std::nullopt;
    return refusal("'" + word + "' must follow the command", "Write: bayplan " + *command + " " + word + " ...");
  }
  if (const auto hint = hint_for_command(word)) {
    const auto command = hint->instead.substr(0, hint->instead.find(' '));
    return refusal(
        "unknown command '" + word + "'" + (hint->instead.empty() ? "" : "; did you mean '" + hint->instead + "'?"),
        hint->help.empty() ? help_of(command) : hint->help);
  }
  const auto near = nearest(word, names);
  if (!near && looks_like_file(word))
    return refusal("no command given before '" + word + "'", "To check this file: bayplan lint " + word);
  return refusal("unknown command '" + word + "'" + (near ? "; did you mean '" + std::string(*near) + "'?" : ""),
                 help_of(near.value_or("")));
}

/// `help` and `version` as words: `bayplan help lint` is `bayplan lint --help`.
std::vector<std::string> with_words_as_flags(std::vector<std::string> arguments) {
  if (arguments.empty()) return arguments;
  if (arguments.front() == "version" && arguments.size() == 1) return {"--version"};
  if (arguments.front() != "help" || arguments == std::vector<std::string>{"help", "--help"}) return arguments;
  arguments.erase(arguments.begin());
  if (arguments.empty() || arguments.front() != "--help") arguments.emplace_back("--help");
  return arguments;
}

/// `bayplan help place fleet`: one command at a time.
std::optional<ParsedLine> too_much_help(const std::vector<std::string>& words) {
  if (words.size() < 3 || words.front() != "help") return std::nullopt;
  const std::vector<std::string> commands(words.begin() + 1, words.end());
  if (std::any_of(commands.begin(), commands.end(), [](const auto& word) { return word.starts_with('-'); }))
    return std::nullopt;
  return refusal(fmt::format("help takes one command, not {}: {}", commands.size(), join(commands, ", ")),
                 "Write: bayplan help " + commands.front());
}

/// Words that are no commands of their own, for the overview and for `bayplan help help`.
void describe_words(CLI::App& app) {
  const auto add = [&](const std::string& word, std::string_view says, const std::string& examples) {
    app.add_subcommand(word, help_lines(says, kOverviewColumn))->group("Help")->footer("Examples:\n" + examples);
  };
  add("help", "Show all commands, or the flags of one with examples", "  bayplan help\n  bayplan help place");
  add("version", "Print the version and the dates of the built-in data", "  bayplan version\n  bayplan -V");
}

/// Suggests what to type instead of a command line that is refused.
std::string usage_help(const CLI::ParseError& problem, const CLI::App& chosen, const CLI::App& app) {
  if (&chosen == &app) return "See 'bayplan help'.";
  const std::string_view text = problem.what();
  if (chosen.get_name() == "lint" && text.find("--changed = ") != std::string_view::npos)
    return "Write: bayplan lint --changed-since " + shell_word(std::string(text.substr(text.find(" = ") + 3)));
  const auto rest = app.remaining(true);
  const bool names_cluster = dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr &&
                             chosen.get_name() == "collect" && rest.size() == 1 && !rest.front().starts_with('-');
  if (names_cluster) return "Write: bayplan collect --cluster " + shell_word(rest.front());
  return "See 'bayplan help " + chosen.get_name() + "'.";
}

/// An AWS CLI line without `--` before it: its options would be taken for those of the command.
std::optional<ParsedLine> line_without_mark(const std::vector<std::string>& arguments, bool takes_rest) {
  if (!takes_rest || std::find(arguments.begin(), arguments.end(), "--") != arguments.end()) return std::nullopt;
  const auto aws = std::find(arguments.begin(), arguments.end(), "aws");
  if (aws == arguments.end()) return std::nullopt;
  return refusal("the AWS CLI command must follow --",
                 "Write: bayplan " + join({arguments.begin(), aws}, " ") + " -- " + join({aws, arguments.end()}, " "));
}

/// Moves what follows `--` to the command that takes it.
std::vector<std::string> without_rest(const std::vector<std::string>& arguments, std::vector<std::string>* target) {
  const auto mark = std::find(arguments.begin(), arguments.end(), "--");
  if (target == nullptr || mark == arguments.end()) return arguments;
  target->assign(mark + 1, arguments.end());
  return {arguments.begin(), mark};
}

/// The options before the command; the flag goes to `wants_version`.
void describe_program(CLI::App& app, bool& wants_version) {
  app.set_help_flag("-h,--help", "Print this help (also: bayplan help)");
  app.option_defaults()->always_capture_default(false);
  app.add_flag("-V,--version", wants_version, "Print the version and the dates of the built-in data");
  app.require_subcommand(0, 1);
  app.failure_message(CLI::FailureMessage::simple);
  app.get_formatter()->column_width(kHelpColumn);  // of the commands; they take it over
  app.footer(report::wrapped(kHelpFooter, 0) + "\n\n" + report::wrapped(kExitCodes, 0));
}

/// The command without its options: enough for a line that does not name it.
CLI::App& add_command(CLI::App& app, const Command& command) {
  auto& subcommand = *app.add_subcommand(std::string(command.name()), help_lines(command.summary(), kOverviewColumn));
  if (command.is_hidden()) subcommand.group("");
  return subcommand;
}

/// Settings of a command that are applied after its options are parsed.
struct AddedOptions {
  std::vector<std::string>* rest = nullptr;  ///< Receives the arguments after `--`.
  std::vector<FileList> file_lists;
};

/// The options of the command and the global ones.
AddedOptions add_options(CLI::App& subcommand, Command& command, GlobalOptions& global) {
  CliOptionSet options(subcommand);
  command.describe(options);
  describe_global_options(options, global, command);
  // The library lists groups in the order of their first options, and -h was one of its own from the beginning.
  subcommand.set_help_flag("-h,--help", "Print this help");
  return {options.rest_target(), options.file_lists()};
}

/// Returns the words given to the chosen command, in no order.
std::vector<std::string> input_words(const CLI::App& command, const std::vector<std::string>* rest) {
  auto words = rest == nullptr ? std::vector<std::string>() : *rest;
  for (const auto* option : command.get_options()) {
    const bool is_flag = option->get_items_expected_max() == 0;
    if (is_flag || option->check_lname("output") || option->check_lname("output-file") ||
        option->check_lname("continue-from") || option->check_lname("anonymize"))
      continue;
    words.insert(words.end(), option->results().begin(), option->results().end());
  }
  return words;
}

/// The library leaves two empty lines between groups of options.
std::string without_double_gaps(std::string text) {
  for (auto at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
  return text;
}

/// What the parser says instead of a command: the help that was asked for, or why the line is refused. `formats`: of
/// the command that the line names.
std::optional<ParsedLine> parse_with(CLI::App& app, const std::vector<std::string>& arguments,
                                     const std::vector<std::string_view>& formats) {
  const auto spread = with_an_option_each(arguments);
  std::vector<std::string> reversed(spread.rbegin(), spread.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const CLI::App& chosen = chosen_of(app);
    ParsedLine help;
    help.text = &chosen == &app ? app.help() : without_double_gaps(chosen.help("bayplan"));
    return help;
  } catch (const CLI::ParseError& problem) {
    const CLI::App& chosen = chosen_of(app);
    if (const auto option = unplaced_option(chosen)) return unknown_option({arguments, chosen, formats}, *option);
    return refusal(explain(problem, chosen), usage_help(problem, chosen, app));
  }
  return std::nullopt;
}

}  // namespace

ParsedLine parse_command_line(const std::vector<std::string>& words,
                              const std::vector<std::unique_ptr<Command>>& commands, const std::string& version) {
  if (auto refused = too_much_help(words)) return std::move(*refused);
  const auto arguments = with_words_as_flags(words);
  ParsedLine parsed;
  CLI::App app(report::wrapped(kDescription, 0), "bayplan");
  bool wants_version = false;
  describe_program(app, wants_version);
  describe_words(app);
  std::vector<std::string>* rest = nullptr;
  for (const auto& command : commands) {
    auto& subcommand = add_command(app, *command);
    // The options of all commands would take most of the time of a short run.
    if (std::find(arguments.begin(), arguments.end(), command->name()) == arguments.end()) continue;
    auto added = add_options(subcommand, *command, parsed.global);
    if (arguments.front() != command->name()) continue;
    rest = added.rest;
    parsed.file_lists = std::move(added.file_lists);
  }
  const auto overview = std::make_shared<CLI::Formatter>();
  overview->column_width(kOverviewColumn);
  app.formatter(overview);

  if (auto refused = unknown_command(arguments, command_names(commands))) return std::move(*refused);
  if (auto refused = line_without_mark(arguments, rest != nullptr)) return std::move(*refused);
  const auto own = without_rest(arguments, rest);
  if (const auto* chosen = find_command(arguments.empty() ? "" : arguments.front(), commands)) {
    const auto formats = chosen->formats();
    if (auto refused = long_option_with_one_dash({own, *app.get_subcommand(std::string(chosen->name())), formats}))
      return std::move(*refused);
    if (auto answered = parse_with(app, own, formats)) return std::move(*answered);
  } else if (auto answered = parse_with(app, own, {})) {
    return std::move(*answered);
  }
  if (const CLI::Option* limit = chosen_of(app).get_option_no_throw("--max-input"); limit != nullptr && *limit) {
    if (parsed.global.max_input < 1 || parsed.global.max_input > kLargestInput)
      return refusal("--max-input must be a number of bytes from 1 to " + std::to_string(kLargestInput),
                     "For example: --max-input 33554432");
  }
  if (wants_version) {
    parsed.text = version;
    return parsed;
  }
  for (const auto& command : commands) {
    if (app.got_subcommand(std::string(command->name()))) parsed.command = command.get();
  }
  if (parsed.command == nullptr) {  // nothing was checked: no script may take that for a clean run
    parsed.text = kStart;
    parsed.exit_code = kUnusable;
  }
  parsed.input_words = input_words(chosen_of(app), rest);
  return parsed;
}

}  // namespace bayplan::cli
