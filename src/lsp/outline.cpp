#include "lsp/outline.hpp"

#include <algorithm>
#include <string_view>

#include "importers/cloudformation.hpp"

namespace bayplan::lsp {
namespace {

using text::Value;

/// The lists whose elements people look for, and what an element says in short.
struct NamedList {
  std::string_view key;
  Symbol::Kind kind;
  std::string_view detail = {};
};
constexpr NamedList kLists[] = {{"containerDefinitions", Symbol::Kind::kFunction, "image"},
                                {"containers", Symbol::Kind::kFunction, "image"},
                                {"volumes", Symbol::Kind::kField},
                                {"loadBalancers", Symbol::Kind::kField, "targetGroupArn"},
                                {"capacityProviderStrategy", Symbol::Kind::kField},
                                {"taskDefinitions", Symbol::Kind::kClass},
                                {"containerInstances", Symbol::Kind::kObject, "count"},
                                {"capacityProviders", Symbol::Kind::kObject},
                                {"services", Symbol::Kind::kModule, "taskDefinition"},
                                {"tasks", Symbol::Kind::kModule, "taskDefinition"}};
constexpr std::string_view kNames[] = {"name", "serviceName",  "family",           "containerName",  "clusterName",
                                       "id",   "instanceType", "capacityProvider", "taskDefinition", "definition"};

Value first_text(Value object) {
  for (const auto key : kNames) {
    const Value value = object.find(key);
    if (value && value.is_string() && !value.text().empty()) return value;
  }
  return {};
}

/// Editors refuse a name outside of its symbol: a value may come from elsewhere in the file.
Span inside(Span name, Span whole) {
  const bool is_inside = whole.begin <= name.begin && name.end <= whole.end;
  return is_inside ? name : Span{whole.begin, whole.begin};
}

Symbol::Kind kind_of(std::string_view title) {
  return title == "task definition" ? Symbol::Kind::kClass : Symbol::Kind::kModule;
}

std::vector<Symbol> parts_of(Value object);

std::vector<Symbol> elements_of(Value list, const NamedList& named) {
  std::vector<Symbol> symbols;
  for (const Value element : list.children()) {
    const Value name = element.is_object() ? first_text(element) : element.is_string() ? element : Value();
    if (!name || name.text().empty()) continue;
    const Value detail = element.is_object() && !named.detail.empty() ? element.find(named.detail) : Value();
    symbols.push_back({std::string(name.text()), detail ? std::string(detail.text()) : std::string(), named.kind,
                       element.span(), inside(name.span(), element.span()),
                       element.is_object() ? parts_of(element) : std::vector<Symbol>()});
  }
  return symbols;
}

/// Named parts of an object, also below its objects: the cluster of a scenario has its instances.
std::vector<Symbol> parts_of(Value object) {
  std::vector<Symbol> symbols;
  for (const Value member : object.children()) {
    if (member.is_object()) {
      auto inner = parts_of(member);
      symbols.insert(symbols.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
    }
    const auto named = std::find_if(std::begin(kLists), std::end(kLists),
                                    [&](const NamedList& one) { return one.key == member.key(); });
    if (!member.is_array() || named == std::end(kLists)) continue;
    auto elements = elements_of(member, *named);
    symbols.insert(symbols.end(), std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()));
  }
  return symbols;
}

/// A resource of a template, of a plan or of code.
Symbol symbol_of(const importers::Subject& subject, const text::Document& file, const lint::Tools& tools) {
  const Value root = subject.document->root();
  const auto title = importers::schema_of(subject.kind, tools.schemas).get().root().title;
  const Value made_from = file.node(subject.origins.at(root.index()));
  // In a template the properties are a member of the resource.
  const Value resource = made_from.key() == "Properties" && made_from.parent() ? made_from.parent() : made_from;
  Span whole = resource.span();
  if (resource.key_span().length() > 0 && resource.key_span().begin < whole.begin)
    whole.begin = resource.key_span().begin;
  return {subject.name, std::string(title), kind_of(title), whole, inside(resource.key_span(), whole), parts_of(root)};
}

void write_kind(JsonWriter& json, const Symbol& symbol) {
  json.member("name", symbol.name).member("kind", static_cast<int>(symbol.kind));
}

void write_tree(JsonWriter& json, const std::vector<Symbol>& symbols, const SourcePositions& positions) {
  json.begin_array();
  for (const auto& symbol : symbols) {
    json.begin_object();
    write_kind(json, symbol);
    if (!symbol.detail.empty()) json.member("detail", symbol.detail);
    write_range(json, "range", positions.range(symbol.whole));
    write_range(json, "selectionRange", positions.range(symbol.name_span));
    json.key("children");
    write_tree(json, symbol.children, positions);
    json.end_object();
  }
  json.end_array();
}

void write_flat(JsonWriter& json, const std::vector<Symbol>& symbols, std::string_view container,
                const SourcePositions& positions, const OpenDocument& document) {
  for (const auto& symbol : symbols) {
    json.begin_object();
    write_kind(json, symbol);
    json.key("location").begin_object().member("uri", document.uri);
    write_range(json, "range", positions.range(symbol.whole));
    json.end_object();
    if (!container.empty()) json.member("containerName", container);
    json.end_object();
    write_flat(json, symbol.children, symbol.name, positions, document);
  }
}

}  // namespace

std::vector<Symbol> symbols_in(const text::Document& document, const Check& check, const lint::Tools& tools) {
  std::vector<Symbol> symbols;
  const Value root = document.root();
  if (!root) return symbols;
  if (check.is_linted && !check.report.subjects.empty()) {
    for (const auto& subject : check.report.subjects) {
      if (subject.document->root()) symbols.push_back(symbol_of(subject, document, tools));
    }
    return symbols;
  }
  const bool is_ours = check.is_linted || !check.own_errors.empty() || is_own_file(root);
  if (!is_ours) return symbols;
  // A describe answer has the definition as a member.
  const Value inner = root.is_object() ? root.find("taskDefinition") : Value();
  const Value definition = inner && inner.is_object() ? inner : root;
  if (definition.is_array()) return elements_of(definition, kLists[0]);
  if (!definition.is_object()) return symbols;
  const bool has_name = check.is_linted && bool(first_text(definition));
  if (!has_name) return parts_of(definition);
  const Value name = first_text(definition);
  const bool is_definition = bool(definition.find("containerDefinitions"));
  symbols.push_back({std::string(name.text()), is_definition ? "task definition" : "service",
                     is_definition ? Symbol::Kind::kClass : Symbol::Kind::kModule, definition.span(),
                     inside(name.span(), definition.span()), parts_of(definition)});
  return symbols;
}

void write_symbols(JsonWriter& json, const std::vector<Symbol>& symbols, const SourcePositions& positions,
                   const OpenDocument& document, const Client& client) {
  if (client.takes_outlines) return write_tree(json, symbols, positions);
  json.begin_array();
  write_flat(json, symbols, {}, positions, document);
  json.end_array();
}

}  // namespace bayplan::lsp
