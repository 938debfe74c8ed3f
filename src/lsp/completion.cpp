#include "lsp/completion.hpp"

#include <algorithm>

#include "importers/cloudformation.hpp"
#include "lsp/catalog_words.hpp"
#include "query/vocabulary.hpp"

namespace bayplan::lsp {
namespace {

using Place = CursorPlace::Kind;
using shape::takes;

/// What follows an argument of Terraform code, or the type of a block.
void add_value_of_code(CompletionItem& item, const Property& property, bool takes_snippets) {
  item.is_snippet = takes_snippets;
  const std::string cursor = takes_snippets ? "$1" : "";
  const bool is_text = takes(property.said, "string");
  if (property.is_block) {
    item.text += takes_snippets ? " {\n  $1\n}" : " {";
  } else if (item.label == "container_definitions") {
    item.text += takes_snippets ? " = jsonencode([{\n  $1\n}])" : " = ";
  } else if (!takes_snippets) {
    item.text += " = ";
  } else if (takes(property.said, "array")) {
    item.text += " = [$1]";
  } else if (takes(property.said, "object") && !is_text) {
    item.text += " = {\n  $1\n}";
  } else {
    item.text += is_text ? " = \"$1\"" : " = $1";
  }
}

/// What follows the colon of a key: brackets or quotes with the cursor inside, if the client can place it.
void add_value(CompletionItem& item, const CursorPlace& place, const Property& property, std::size_t dash,
               bool takes_snippets) {
  item.is_snippet = takes_snippets;
  const bool is_list = takes(property.said, "array");
  const bool is_object = takes(property.said, "object");
  const bool is_text = takes(property.said, "string");
  if (place.is_flow) {
    item.text += ": ";
    if (item.is_snippet) item.text += is_list ? "[$1]" : is_object ? "{$1}" : is_text ? "\"$1\"" : "$1";
    if (place.wants_comma) item.text += ",";
  } else if (item.is_snippet && (is_list || is_object)) {
    item.text += ":\n" + std::string(place.indent + dash + 2, ' ') + (is_list ? "- $1" : "$1");
  } else {
    item.text += is_list || (is_object && !is_text) ? ":" : ": ";
    item.is_snippet = false;
  }
}

/// Proposes a key, if it is not there yet. `dash`: "- " before the first key of an element.
void add_key(const Property& property, std::string_view dash, const CursorPlace& place, const SchemaGuide& guide,
             bool takes_snippets, std::vector<CompletionItem>& items) {
  const std::string name(property.name);
  // A block of a list may be there more than once.
  const bool may_repeat = property.is_block && takes(property.said, "array");
  if (place.present.contains(name) && !may_repeat) return;
  CompletionItem item{.kind = CompletionItem::Kind::kKey, .label = name};
  item.detail = shape::limits_of(property.said, guide);
  item.documentation = shape::description_of(property.said);
  item.replaced = place.word;
  item.comma = place.lacks_comma;
  item.is_deprecated = shape::is_deprecated(property.said);
  item.order = (item.is_deprecated ? "2" : property.is_required ? "0" : "1") + name;
  const bool has_quotes = (place.is_flow && !place.is_hcl) || place.is_quoted;  // flow style of YAML takes them too
  const std::string written = has_quotes ? "\"" + name + "\"" : name;
  item.filter = place.is_quoted ? written : name;
  item.text = std::string(dash) + written;
  if (!place.has_colon && place.is_hcl) {
    add_value_of_code(item, property, takes_snippets);
  } else if (!place.has_colon) {
    add_value(item, place, property, dash.size(), takes_snippets);
  }
  items.push_back(std::move(item));
}

/// Keeps the order of the proposals, because the catalog is sorted by size.
std::string next_order(const std::vector<CompletionItem>& items) {
  const std::string number = std::to_string(items.size());
  return std::string(6 - std::min<std::size_t>(6, number.size()), '0') + number;
}

/// Proposals inside an expression of the cluster query language.
std::vector<CompletionItem> complete_expression(const CursorPlace& place, std::uint32_t cursor,
                                                const catalog::Catalog& catalog) {
  std::vector<CompletionItem> items;
  if (place.typed.empty() && !place.is_quoted && place.is_flow) return items;  // quotes first
  const auto at = place_in_expression(place.typed);
  const auto add = [&](std::string word, std::string detail) {
    CompletionItem item{.kind = CompletionItem::Kind::kConstant, .label = word, .detail = std::move(detail)};
    item.replaced = {cursor - static_cast<std::uint32_t>(at.word), cursor};
    item.text = word;
    item.filter = std::move(word);
    item.order = next_order(items);
    items.push_back(std::move(item));
  };
  using Wants = ExpressionPlace::Wants;
  switch (at.wants) {
    case Wants::kNothing:
      break;
    case Wants::kSubject:
      add("attribute:", "an attribute of the instance");
      for (const auto& row : query::subjects()) add(std::string(row.name), "");
      break;
    case Wants::kAttribute:
      for (const auto name : known_attributes()) add(std::string(name), "");
      break;
    case Wants::kInstanceType:
      for (const auto& type : catalog.types()) add(type.name, type_in_words(type));
      break;
  }
  return items;
}

std::vector<CompletionItem> complete_value(const CursorPlace& place, const ChosenSchema& schema, std::uint32_t cursor,
                                           const catalog::Catalog& catalog) {
  const bool is_type_of_resource =
      place.path.size() == 3 && place.path[0].key == "Resources" && place.path[2].key == "Type";
  const Path path = schema.in_schema(place.path).value_or(place.path);
  const auto step = std::find_if(path.rbegin(), path.rend(), [](const auto& one) { return !one.is_element; });
  const std::string key = step == path.rend() ? std::string() : step->key;
  if (key == "expression") return complete_expression(place, cursor, catalog);
  std::vector<CompletionItem> items;
  const auto add = [&](CompletionItem::Kind kind, const std::string& value, std::string detail, bool is_text) {
    CompletionItem item{.kind = kind, .label = value, .detail = std::move(detail)};
    item.replaced = place.word;
    // In YAML a text that looks like a number needs quotes.
    const bool is_number = value.find_first_not_of("0123456789") == std::string::npos;
    const bool has_quotes = is_text && (place.is_flow || place.is_quoted || is_number);
    item.text = has_quotes ? "\"" + value + "\"" : value;
    item.filter = place.is_quoted ? "\"" + value + "\"" : value;
    if (place.wants_blank) item.text = " " + item.text;
    if (place.is_flow && place.wants_comma) item.text += ",";
    item.order = next_order(items);
    items.push_back(std::move(item));
  };
  if (is_type_of_resource) {
    for (const auto& type : importers::cloudformation_types())
      add(CompletionItem::Kind::kEnumMember, std::string(type.name), {}, true);
  }
  const SchemaObjects said = schema.said(place.path);
  for (const auto& value : shape::list_values(said)) {
    const bool is_word = takes(said, "boolean") && (value == "true" || value == "false");
    add(CompletionItem::Kind::kEnumMember, value, {}, !is_word);
  }
  const bool is_types_of_config = path.size() == 2 && path.front().key == "types";
  if (key == "instanceType" || key == "instanceTypes" || is_types_of_config) {
    for (const auto& type : catalog.types()) add(CompletionItem::Kind::kConstant, type.name, type_in_words(type), true);
  }
  const auto size = path.size();
  const bool is_gpu_count = size >= 3 && path[size - 1].key == "value" && path[size - 2].is_element &&
                            path[size - 3].key == "resourceRequirements";
  if (is_gpu_count) {
    for (const auto& count : gpu_counts(catalog)) add(CompletionItem::Kind::kValue, count, "GPUs", true);
  }
  return items;
}

void write_item(JsonWriter& json, const CompletionItem& item, const Range& range, const Positions& positions,
                const Client& client) {
  json.begin_object(JsonWriter::Layout::kLine).member("label", item.label);
  json.member("kind", static_cast<int>(item.kind));
  if (!item.detail.empty()) json.member("detail", item.detail);
  if (!item.documentation.empty()) json.member("documentation", item.documentation);
  if (item.is_deprecated && client.takes_tags) json.key("tags").begin_array().value(1).end_array();
  json.member("sortText", item.order).member("filterText", item.filter);
  json.member("insertTextFormat", item.is_snippet ? 2 : 1);
  json.key("textEdit").begin_object();
  write_range(json, "range", range);
  json.member("newText", item.text).end_object();
  if (item.comma) {
    json.key("additionalTextEdits").begin_array().begin_object();
    write_range(json, "range", positions.range({*item.comma, *item.comma}));
    json.member("newText", ",").end_object().end_array();
  }
  json.end_object();
}

}  // namespace

std::vector<CompletionItem> completions(const CursorPlace& place, const ChosenSchema& schema, std::uint32_t cursor,
                                        const catalog::Catalog& catalog, const Client& client) {
  if (place.kind == Place::kValue) return complete_value(place, schema, cursor, catalog);
  if (place.kind != Place::kKey || schema.guide == nullptr) return {};
  std::vector<CompletionItem> items;
  const auto properties = schema.properties(place.path);
  for (const auto& property : properties) add_key(property, "", place, *schema.guide, client.takes_snippets, items);
  if (!properties.empty() || place.is_flow) return items;
  if (place.begins_element) return complete_value(place, schema, cursor, catalog);
  // A list in block style: its elements begin with a dash.
  Path element = place.path;
  element.push_back({{}, true});
  for (const auto& property : schema.properties(element))
    add_key(property, "- ", place, *schema.guide, client.takes_snippets, items);
  return items;
}

void write_completions(JsonWriter& json, const std::vector<CompletionItem>& items, const Positions& positions,
                       const Client& client) {
  json.begin_object().member("isIncomplete", false).key("items").begin_array();
  Span last;
  Range range;
  for (const auto& item : items) {
    if (&item == &items.front() || !(item.replaced == last)) range = positions.range(item.replaced);
    last = item.replaced;
    write_item(json, item, range, positions, client);
  }
  json.end_array().end_object();
}

}  // namespace bayplan::lsp
