#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "base/version.hpp"
#include "cli/commands/commands.hpp"
#include "cli/completion/shell_completion.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/command_rows.hpp"

namespace bayplan::cli {

/// bayplan man [COMMAND]: for packagers, and for `bayplan man lint | man -l -`.
class ManCommand : public Command {
 public:
  std::string_view name() const override { return "man"; }
  std::string_view summary() const override { return "Print the manual page of bayplan or of a command"; }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::vector<std::string> names_;
  std::string folder_;
};

namespace {

struct ManFacts {
  std::string version;  ///< "0.1.0"
  std::string date;     ///< ISO 8601 day: of the newest data inside.
};

constexpr std::string_view kExitStatus = R"(.SH EXIT STATUS
.TP
.B 0
No findings; everything placed, in every tie order that was tried.
.TP
.B 1
Findings at or above
.BR \-\-fail\-on ;
tasks not placed; a definition that fits no instance type.
.TP
.B 2
Wrong usage, or a path, config or input that cannot be read or understood.
.TP
.B 3
Internal error: please report it.
)";

constexpr std::string_view kEnvironment = R"(.SH ENVIRONMENT
.TP
.BR NO_COLOR ", " FORCE_COLOR
Text output without color, or with color even in pipes and files;
.B \-\-color
wins.
.TP
.B COLUMNS
Width of text output; default: that of the terminal, else 80.
.TP
.BR LC_ALL ", " LC_CTYPE ", " LANG
Whether text output uses more than ASCII.
)";

constexpr std::string_view kFiles = R"(.SH FILES
.TP
.I .bayplan.yaml
Settings of
.BR "bayplan lint" ,
the nearest one in the working folder or above.
)";

/// Text in the middle of a line: no escape of roff, and a hyphen that can be pasted.
std::string man_inline_text(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    if (character == '\\') {
      escaped += "\\e";
    } else if (character == '-') {
      escaped += "\\-";
    } else if (character == '\'') {
      escaped += "\\(aq";
    } else if (character == '"') {
      escaped += "\\(dq";
    } else if (character == '`') {
      escaped += "\\(ga";
    } else if (character == '^') {
      escaped += "\\(ha";
    } else if (character == '~') {
      escaped += "\\(ti";
    } else {
      escaped += character;
    }
  }
  return escaped;
}

/// A line of its own: one that begins with a dot would be a request.
std::string man_line(std::string_view text) {
  const auto escaped = man_inline_text(text);
  return (escaped.starts_with('.') ? "\\&" : "") + escaped + "\n";
}

std::string man_bold(std::string_view text) {
  return "\\fB" + man_inline_text(text) + "\\fR";
}

std::string man_italic(std::string_view text) {
  return "\\fI" + man_inline_text(text) + "\\fR";
}

std::string man_upper(std::string_view text) {
  std::string capitals(text);
  for (char& character : capitals) {
    if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 'a' + 'A');
  }
  return capitals;
}

std::string man_title(const std::string& name, const ManFacts& facts) {
  return ".TH " + man_inline_text(man_upper(name)) + " 1 " + facts.date + " \"bayplan " + facts.version +
         "\" \"bayplan manual\"\n";
}

/// A sentence: the help has no full stop.
std::string man_sentence(std::string_view text) {
  return man_line(std::string(text) + (text.ends_with('.') ? "" : "."));
}

std::string man_entry(const OptionRow& row) {
  std::vector<std::string> names;
  for (const auto& name : row.names) names.push_back(man_bold(name));
  std::string head = join(names, ", ");
  if (!row.value_name.empty()) head += " " + man_italic(row.value_name);
  std::string text = ".TP\n" + head + "\n" + man_sentence(row.help);
  if (row.commas) text += "Commas separate several values.\n";
  return text;
}

std::string man_positional_entry(const OptionRow& row) {
  return ".TP\n" + man_italic(row.names.front()) + "\n" + man_sentence(row.help);
}

std::string man_synopsis(const CommandRows& command) {
  std::string text = ".SH SYNOPSIS\n" + man_bold("bayplan " + command.name) + " [" + man_italic("OPTIONS") + "]";
  for (const auto* row : command.positionals()) {
    if (command.takes_rest) continue;
    const auto name = man_italic(row->names.front()) + "...";
    text += row->required ? " " + name : " [" + name + "]";
  }
  if (command.takes_rest) text += " " + man_bold("--") + " " + man_italic("LINE") + "...";
  return text + "\n";
}

/// Writes the examples unchanged, line by line.
std::string man_examples(const CommandRows& command) {
  if (command.examples.empty()) return {};
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (auto example : split(command.examples, '\n')) {
    if (example.starts_with("  ")) example.remove_prefix(2);
    text += man_line(example);
  }
  return text + ".fi\n";
}

/// The options under the headings that the help has, in its order. Those without one come first.
std::string man_option_groups(const CommandRows& command) {
  std::vector<std::string> groups;
  for (const auto* row : command.options()) {
    if (!is_among(row->group, groups)) groups.push_back(row->group);
  }
  std::string text;
  for (const auto& group : groups) {
    if (!group.empty()) text += ".SS " + man_inline_text(group) + "\n";
    for (const auto* row : command.options()) {
      if (row->group == group) text += man_entry(*row);
    }
  }
  return text;
}

std::string man_see_also(const std::vector<CommandRows>& commands, std::string_view but) {
  std::vector<std::string> pages;
  if (!but.empty()) pages.push_back(".BR bayplan (1)");
  for (const auto& command : commands) {
    if (command.name != but) pages.push_back(".BR " + man_inline_text("bayplan-" + command.name) + " (1)");
  }
  return ".SH SEE ALSO\n" + join(pages, ",\n") + "\n";
}

/// bayplan(1): the commands, what they share, exit codes, environment, files.
std::string program_page(const std::vector<CommandRows>& commands, const ManFacts& facts) {
  std::string text = man_title("bayplan", facts);
  text += ".SH NAME\nbayplan \\- lint, fit, place and plan Amazon ECS tasks, offline\n";
  text += ".SH SYNOPSIS\n" + man_bold("bayplan") + " " + man_italic("COMMAND") + " [" + man_italic("OPTIONS") + "] [" +
          man_italic("ARGUMENT") + "...]\n";
  text += ".SH DESCRIPTION\n";
  text +=
      "Checks Amazon ECS task definitions before they are registered, shows which EC2 instance types fit them,\n"
      "simulates where ECS would place the tasks on a described cluster, and finds the cheapest fleet.\n"
      "It needs neither a network nor AWS credentials.\n";
  text += ".SH COMMANDS\nEach has a manual page; \n.B bayplan help COMMAND\nprints a summary.\n";
  for (const auto& command : commands) {
    text += ".TP\n" + man_bold(command.name) + "\n" + man_sentence(command.summary);
  }
  text += ".SH OPTIONS\n";
  for (const auto& option : program_options()) {
    std::vector<std::string> names;
    for (const auto name : split(option.names, ',')) names.push_back(man_bold(name));
    text += ".TP\n" + join(names, ", ") + "\n" + man_sentence(option.help);
  }
  text += std::string(kExitStatus) + std::string(kEnvironment) + std::string(kFiles);
  return text + man_see_also(commands, {});
}

/// bayplan-lint(1) and the like.
std::string command_page(const CommandRows& command, const std::vector<CommandRows>& commands, const ManFacts& facts) {
  const std::string name = "bayplan-" + command.name;
  std::string text = man_title(name, facts);
  text += ".SH NAME\n" + man_inline_text(name) + " \\- " + man_inline_text(command.summary) + "\n";
  text += man_synopsis(command);
  if (!command.positionals().empty()) text += ".SH ARGUMENTS\n";
  for (const auto* row : command.positionals()) text += man_positional_entry(*row);
  text += ".SH OPTIONS\n.TP\n" + man_bold("-h") + ", " + man_bold("--help") + "\nPrint a summary of this page.\n";
  text += man_option_groups(command);
  text += std::string(kExitStatus);
  return text + man_examples(command) + man_see_also(commands, command.name);
}

struct Page {
  std::string file;  ///< "bayplan-lint.1"
  std::string text;
};

std::vector<Page> pages(const std::vector<CommandRows>& commands) {
  const ManFacts facts{std::string(version()), BAYPLAN_PRICES_DATE};
  std::vector<Page> all{{"bayplan.1", program_page(commands, facts)}};
  for (const auto& command : commands) {
    all.push_back({"bayplan-" + command.name + ".1", command_page(command, commands, facts)});
  }
  return all;
}

}  // namespace

void ManCommand::describe(OptionSet& options) {
  options.positional("COMMAND", names_, "The command (default: the page of bayplan itself)", false);
  options.option("--folder", folder_, "DIR", "Write all pages to this existing folder and print nothing");
  options.examples(
      "  bayplan man lint | man -l -\n"
      "  bayplan man --folder .");
}

int ManCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  if (names_.size() > 1 || (!names_.empty() && !folder_.empty()))
    return fail(io, {.message = "man takes one command or --folder"});
  const auto commands = make_rows(all_commands());
  const auto all = pages(commands);
  if (!folder_.empty()) {
    for (const auto& page : all) {
      const auto path = folder_ + "/" + page.file;
      if (const auto written = io.files.write(path, page.text); !written)
        return fail(io, cannot_write(written.error(), path));
    }
    return kClean;
  }
  const std::string wanted = names_.empty() ? "bayplan.1" : "bayplan-" + names_.front() + ".1";
  const auto found = std::find_if(all.begin(), all.end(), [&](const Page& page) { return page.file == wanted; });
  if (found == all.end()) {
    std::vector<std::string_view> known;
    for (const auto& command : commands) known.push_back(command.name);
    const auto near = nearest(names_.front(), known);
    return fail(io, {.message = "no manual page for '" + names_.front() + "'" +
                                (near ? "; did you mean '" + std::string(*near) + "'?" : ""),
                     .help = "Commands: " + join({known.begin(), known.end()}, ", ") + "."});
  }
  Stats stats(global.stats, io);
  stats.phase("report");
  const int code = write_outputs(*outputs, io, [&](std::string_view, std::ostream& out, bool) { out << found->text; });
  stats.print();
  return code;
}

std::unique_ptr<Command> man_command() {
  return std::make_unique<ManCommand>();
}

}  // namespace bayplan::cli
