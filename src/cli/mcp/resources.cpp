#include "cli/mcp/resources.hpp"

#include <algorithm>
#include <sstream>

#include "base/json_writer.hpp"
#include "report/schemas.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::cli::mcp {
namespace {

constexpr std::string_view kRules = "bayplan://rules/";
constexpr std::string_view kSchemas = "bayplan://schemas/";
constexpr std::string_view kHelp = "bayplan://help/";
constexpr std::string_view kDocs = "bayplan://docs/";
constexpr std::string_view kMarkdown = "text/markdown";
constexpr std::string_view kPlain = "text/plain";
constexpr std::string_view kSchema = "application/schema+json";

void write_resource(JsonWriter& json, std::string_view folder, std::string_view name, std::string_view title,
                    std::string_view type) {
  json.begin_object().member("uri", std::string(folder) + std::string(name)).member("name", name);
  json.member("title", title).member("mimeType", type).end_object();
}

/// "House rules" of "# House rules".
std::string_view heading(std::string_view page) {
  const auto line = page.substr(0, page.find('\n'));
  return line.substr(line.starts_with("# ") ? 2 : 0);
}

void write_template(JsonWriter& json, std::string_view folder, std::string_view variable, std::string_view name,
                    std::string_view description, std::string_view type) {
  json.begin_object().member("uriTemplate", std::string(folder) + "{" + std::string(variable) + "}");
  json.member("name", name).member("description", description).member("mimeType", type).end_object();
}

}  // namespace

std::optional<ResourceText> find_resource(std::string_view uri, const std::vector<CommandRows>& commands) {
  const std::string name(uri.substr(std::min(uri.size(), uri.rfind('/') + 1)));
  if (uri == std::string(kRules) + name) {
    const auto data = rules::RuleData::load();
    const auto* row = data.find(name);
    if (row == nullptr) return std::nullopt;
    return ResourceText{std::string(uri), kPlain, {"explain", std::string(row->code)}};
  }
  if (uri == std::string(kSchemas) + name) {
    const auto all = report::schemas();
    if (std::none_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; })) return std::nullopt;
    return ResourceText{std::string(uri), kSchema, {"schema", name}};
  }
  if (uri == std::string(kHelp) + name) {
    if (std::none_of(commands.begin(), commands.end(), [&](const auto& one) { return one.name == name; }))
      return std::nullopt;
    return ResourceText{std::string(uri), kPlain, {"help", name}};
  }
  if (uri == std::string(kDocs) + name) {
    const auto all = pages();
    const auto page = std::find_if(all.begin(), all.end(), [&](const Page& one) { return one.name == name; });
    if (page != all.end()) return ResourceText{std::string(uri), kMarkdown, {}, page->text};
  }
  return std::nullopt;
}

std::string list_resources(const std::vector<CommandRows>& commands) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object(JsonWriter::Layout::kLine).key("resources").begin_array();
  for (const auto& command : commands)
    write_resource(json, kHelp, command.name, "bayplan " + command.name + ": " + command.summary, kPlain);
  for (const auto& page : pages()) write_resource(json, kDocs, page.name, heading(page.text), kMarkdown);
  for (const auto& schema : report::schemas())
    write_resource(json, kSchemas, schema.name, "JSON Schema of " + std::string(schema.name), kSchema);
  const auto data = rules::RuleData::load();
  for (const auto& row : data.rows()) {
    if (row.implemented) write_resource(json, kRules, row.code, row.summary, kPlain);
  }
  json.end_array().end_object();
  return out.str();
}

std::string list_resource_templates() {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object(JsonWriter::Layout::kLine).key("resourceTemplates").begin_array();
  write_template(json, kRules, "code", "rule", "A rule of lint: why it exists, a bad and a good example, the source",
                 kPlain);
  write_template(json, kSchemas, "name", "schema", "JSON Schema of a file that bayplan reads or writes", kSchema);
  write_template(json, kHelp, "command", "help", "The options of a command, with examples", kPlain);
  write_template(json, kDocs, "page", "docs", "A page of the documentation: house-rules, formats, placement",
                 kMarkdown);
  json.end_array().end_object();
  return out.str();
}

}  // namespace bayplan::cli::mcp
