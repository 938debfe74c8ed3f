#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "cli/mcp/root_files.hpp"
#include "cli/options/command_rows.hpp"
#include "text/document.hpp"

namespace bayplan::cli::mcp {

/// An argument of a tool that the command takes without a flag.
struct Input {
  std::string_view name;
  std::string_view help;
  bool is_list = false;
  bool is_required = false;
  bool is_file = true;
};

/// A tool: a command of the program with its options. Types and texts of options are those of the command.
struct Tool {
  std::string_view name;
  std::string_view command;
  std::vector<Input> inputs;
  /// Long names, without dashes, of the options that the tool does not offer: those that write files or start programs,
  /// that affect only the text report, or that repeat another option.
  std::vector<std::string_view> left_out;
  std::vector<std::string_view> reports;  ///< The schemas of its JSON report, one of which holds.
  bool takes_text = false;                ///< The content of a file may be passed as `text`, and is named "-".
};

const std::vector<Tool>& tools();
const Tool* find_tool(std::string_view name);

/// The result of tools/list, as JSON on one line.
std::string list_tools(const std::vector<CommandRows>& commands);

/// A command line and its standard input.
struct ToolCall {
  const Tool* tool = nullptr;
  std::vector<std::string> words;
  std::string text;
  std::vector<std::string> paths;  ///< What the arguments name as files, to be compared with the roots.
};

/// Reads the arguments of a call, an object or absent. An error says which argument is wrong.
Result<ToolCall> read_call(const Tool& tool, text::Value arguments, const std::vector<CommandRows>& commands);

/// JSON without line breaks: there are none inside of its strings.
std::string on_one_line(std::string_view json);

}  // namespace bayplan::cli::mcp
