#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/command_rows.hpp"

namespace bayplan::cli::mcp {

/// A page of docs/ that is inside the program.
struct Page {
  std::string_view name;  ///< "house-rules"
  std::string_view text;
};

std::vector<Page> pages();

/// A page, or a document that the program prints: a rule, a JSON Schema, or the help of a command.
struct ResourceText {
  std::string uri;
  std::string_view type;           ///< MIME type.
  std::vector<std::string> words;  ///< The command line that prints it; empty for a page.
  std::string_view page = {};
};

/// Nothing for a URI of another scheme, or of a document that does not exist.
std::optional<ResourceText> find_resource(std::string_view uri, const std::vector<CommandRows>& commands);

/// The results of resources/list and resources/templates/list, as JSON on one line.
std::string list_resources(const std::vector<CommandRows>& commands);
std::string list_resource_templates();

}  // namespace bayplan::cli::mcp
