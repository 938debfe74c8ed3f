#include "cli/commands/show_rule.hpp"

#include <sstream>

#include "base/memory_files.hpp"
#include "base/strings.hpp"
#include "cli/application.hpp"

namespace bayplan::cli {
namespace {

/// A rule that is off by default is asked for, unless the example says how.
std::vector<std::string> lint_arguments(const rules::RuleRow& row, const rules::Example& example) {
  std::vector<std::string> arguments{"lint"};
  if (!row.on_by_default && example.arguments.empty()) {
    arguments.insert(arguments.end(), {"--extend-select", std::string(row.code)});
  }
  arguments.insert(arguments.end(), example.arguments.begin(), example.arguments.end());
  for (const auto& file : example.files) {
    if (!file.name.starts_with('.')) arguments.emplace_back(file.name);  // a config is found, not named
  }
  return arguments;
}

std::string quoted(const std::string& argument) {
  return argument.find_first_of("*?[ $'\"") == std::string::npos ? argument : "'" + argument + "'";
}

std::string command_line(const std::vector<std::string>& arguments) {
  std::string line = "bayplan";
  for (const auto& argument : arguments) line += " " + quoted(argument);
  return line;
}

report::ShownExample show(const rules::RuleRow& row, const rules::Example& example, bool colored, bool is_linted) {
  report::ShownExample shown;
  std::map<std::string, std::string> texts;
  for (const auto& file : example.files) {
    shown.files.push_back({std::string(file.name), file.text()});
    texts.emplace(file.name, shown.files.back().text);
  }
  auto arguments = lint_arguments(row, example);
  shown.command = command_line(arguments);
  // A house rule is that of a config, which its examples do not have: lint --test-rules checks them.
  if (!row.implemented || !is_linted || rules::is_house_code(row.code)) return shown;

  arguments.insert(arguments.end(), {"--color", colored ? "always" : "never"});
  MemoryFiles files(std::move(texts));
  std::istringstream in;
  std::ostringstream out;
  shown.exit_code = run(arguments, {in, out, out, files});
  shown.output = out.str();
  return shown;
}

}  // namespace

report::ExplainedRule show_rule(const rules::RuleRow& row, bool colored, bool brief) {
  const bool lints_good = !brief || !row.good.arguments.empty();
  return {&row, show(row, row.bad, colored, true), show(row, row.good, colored, lints_good)};
}

}  // namespace bayplan::cli
