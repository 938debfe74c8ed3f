#include <algorithm>

#include "base/memory_files.hpp"
#include "base/strings.hpp"
#include "catch.hpp"
#include "cli/completion/shell_completion.hpp"
#include "cli/options/command.hpp"
#include "cli/ran.hpp"

using namespace bayplan;
using namespace bayplan::cli;

namespace {

std::string completion_for_powershell() {
  MemoryFiles files;
  const auto ran = run_with(files, {"completion", "powershell"});
  REQUIRE(ran.code == kClean);
  return ran.out;
}

/// What a reader of PowerShell would stop at: a quote or a bracket that is not closed. Empty when there is none.
std::string first_fault(std::string_view script) {
  std::string open;
  std::size_t line = 1;
  for (std::size_t i = 0; i < script.size(); ++i) {
    const char c = script[i];
    if (c == '\n') ++line;
    if (static_cast<unsigned char>(c) >= 0x80)
      return "not ASCII in line " + std::to_string(line);  // a quote may be one
    if (c == '#') {
      while (i + 1 < script.size() && script[i + 1] != '\n') ++i;
    } else if (c == '\'' || c == '"') {
      // Two single quotes in a text are one of it; a backtick, which would quote, is nowhere.
      const auto end = script.find(c, i + 1);
      if (end == std::string_view::npos) return "a text without an end in line " + std::to_string(line);
      line += static_cast<std::size_t>(std::count(script.begin() + static_cast<std::ptrdiff_t>(i),
                                                  script.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end;
    } else if (c == '(' || c == '{' || c == '[') {
      open += c;
    } else if (c == ')' || c == '}' || c == ']') {
      const char wanted = c == ')' ? '(' : c == '}' ? '{' : '[';
      if (open.empty() || open.back() != wanted) return "a bracket too many in line " + std::to_string(line);
      open.pop_back();
    } else if (c == '`') {
      return "a backtick in line " + std::to_string(line);
    }
  }
  return open.empty() ? "" : "a bracket that is not closed";
}

}  // namespace

TEST_CASE("the completion for PowerShell closes every quote and bracket") {
  const auto script = completion_for_powershell();
  CHECK(first_fault(script).empty());
  CHECK(first_fault(script + "'") != "");
  CHECK(first_fault(script + "}") != "");
}

TEST_CASE("the completion for PowerShell has every option of every command") {
  const auto script = completion_for_powershell();
  for (const auto& command : make_rows(all_commands())) {
    CAPTURE(command.name);
    const auto begin = script.find("        '" + command.name + "' = @(\n");
    REQUIRE(begin != std::string::npos);
    const auto own = script.substr(begin, script.find("\n        )\n", begin) - begin);
    for (const auto* row : command.options()) {
      CAPTURE(row->names);
      CHECK(says(own, "'" + join(row->names, "', '") + "'"));
      for (const auto& word : row->words) CHECK(says(own, "'" + word + "'"));
    }
  }
}

TEST_CASE("no completion offers a format that the command does not have") {
  for (const auto& command : make_rows(all_commands())) {
    CAPTURE(command.name);
    const bool has_output = std::any_of(command.rows.begin(), command.rows.end(),
                                        [](const OptionRow& row) { return is_among("--output", row.names); });
    CHECK(has_output == !command.formats.empty());
  }
}
