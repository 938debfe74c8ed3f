#include "cli/man_command.hpp"

#include <algorithm>
#include <ostream>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "base/version.hpp"
#include "cli/man_page.hpp"
#include "cli/outputs.hpp"
#include "cli/stats.hpp"

namespace bayplan::cli {
namespace {

struct Page {
  std::string file;  ///< "bayplan-lint.1"
  std::string text;
};

std::vector<Page> pages(const std::vector<CommandRows>& commands) {
  const ManFacts facts{std::string(version()), BAYPLAN_PRICES_DATE};
  std::vector<Page> all{{"bayplan.1", program_page(commands, facts)}};
  for (const auto& command : commands) {
    if (!command.is_hidden) all.push_back({"bayplan-" + command.name + ".1", command_page(command, commands, facts)});
  }
  return all;
}

}  // namespace

void ManCommand::describe(OptionSet& options) {
  options.positional("COMMAND", names_, "The command; without it the page of bayplan itself", false);
  options.option("--folder", folder_, "DIR",
                 "Write every page into this folder, which must be there, and print nothing");
  options.examples(
      "  bayplan man lint | man -l -\n"
      "  bayplan man --folder /usr/local/share/man/man1");
}

int ManCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  if (names_.size() > 1 || (!names_.empty() && !folder_.empty()))
    return fail(io, {.message = "man wants one command, or --folder"});
  const auto commands = rows_of(all_commands());
  const auto all = pages(commands);
  if (!folder_.empty()) {
    for (const auto& page : all) {
      const auto path = folder_ + "/" + page.file;
      if (const auto written = io.files.write(path, page.text); !written)
        return fail(io, {.message = "cannot write: " + written.error().message, .file = path});
    }
    return kClean;
  }
  const std::string wanted = names_.empty() ? "bayplan.1" : "bayplan-" + names_.front() + ".1";
  const auto found = std::find_if(all.begin(), all.end(), [&](const Page& page) { return page.file == wanted; });
  if (found == all.end()) {
    std::vector<std::string_view> known;
    for (const auto& command : commands) {
      if (!command.is_hidden) known.push_back(command.name);
    }
    const auto near = nearest(names_.front(), known);
    return fail(io, {.message = "no manual page of '" + names_.front() + "'" +
                                (near ? "; did you mean '" + std::string(*near) + "'?" : ""),
                     .help = "It is " + one_of(known) + "."});
  }
  Stats stats(global.stats);
  stats.phase("report");
  const int code = write_outputs(*outputs, io, [&](std::string_view, std::ostream& out, bool) { out << found->text; });
  stats.print(io.err);
  return code;
}

}  // namespace bayplan::cli
