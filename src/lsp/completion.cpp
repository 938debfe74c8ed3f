#include "lsp/completion.hpp"

#include <algorithm>

#include "lsp/catalog_words.hpp"
#include "query/vocabulary.hpp"

namespace bayplan::lsp {
namespace {

using Place = CursorPlace::Kind;

class Completer {
 public:
  Completer(const CursorPlace& place, const ChosenSchema& schema, std::uint32_t cursor, const catalog::Catalog& catalog,
            const Client& client)
      : place_(place), schema_(schema), cursor_(cursor), catalog_(catalog), client_(client) {}

  std::vector<CompletionItem> run() && {
    if (place_.kind == Place::kKey) {
      keys();
    } else if (place_.kind == Place::kValue) {
      values(place_.path);
    }
    return std::move(items_);
  }

 private:
  // --- keys

  void keys() {
    if (schema_.guide == nullptr) return;
    const SchemaObjects said = schema_.said(place_.path);
    const auto properties = schema_.guide->properties(said);
    for (const auto& property : properties) key(property, "");
    if (!properties.empty() || place_.is_flow) return;
    if (place_.begins_element) return values(place_.path);
    // A list in block style: its elements begin with a dash.
    for (const auto& property : schema_.guide->properties(schema_.guide->elements(said))) key(property, "- ");
  }

  void key(const Property& property, std::string_view dash) {
    const std::string name(property.name);
    if (place_.present.contains(name)) return;
    CompletionItem item{.kind = CompletionItem::Kind::kKey, .label = name};
    item.detail = limits_of(property.said, *schema_.guide);
    item.documentation = description_of(property.said);
    item.replaced = place_.word;
    item.comma = place_.lacks_comma;
    item.is_deprecated = is_deprecated(property.said);
    item.order = (item.is_deprecated ? "2" : property.is_required ? "0" : "1") + name;
    const bool has_quotes = place_.is_flow || place_.is_quoted;  // flow style of YAML takes them too
    const std::string written = has_quotes ? "\"" + name + "\"" : name;
    item.filter = place_.is_quoted ? written : name;
    item.text = std::string(dash) + written;
    if (!place_.has_colon) add_value(item, property, dash.empty() ? 0 : 2);
    items_.push_back(std::move(item));
  }

  /// Adds what follows the colon: brackets or quotes with the cursor inside, if the client can place it.
  void add_value(CompletionItem& item, const Property& property, std::size_t dash) const {
    item.is_snippet = client_.takes_snippets;
    place_.is_flow ? add_flow_value(item, property) : add_block_value(item, property, dash);
  }

  void add_flow_value(CompletionItem& item, const Property& property) const {
    item.text += ": ";
    if (item.is_snippet) {
      const bool is_text = takes(property.said, "string");
      item.text += takes(property.said, "array")    ? "[$1]"
                   : takes(property.said, "object") ? "{$1}"
                   : is_text                        ? "\"$1\""
                                                    : "$1";
    }
    if (place_.wants_comma) item.text += ",";
  }

  void add_block_value(CompletionItem& item, const Property& property, std::size_t dash) const {
    const std::string inner = "\n" + std::string(place_.indent + dash + 2, ' ');
    const bool is_list = takes(property.said, "array");
    if (!item.is_snippet || (!is_list && !takes(property.said, "object"))) {
      const bool opens_block = is_list || (takes(property.said, "object") && !takes(property.said, "string"));
      item.text += opens_block ? ":" : ": ";
      item.is_snippet = false;
    } else {
      item.text += ":" + inner + (is_list ? "- $1" : "$1");
    }
  }

  // --- values

  void values(const Path& path) {
    const SchemaObjects said = schema_.said(path);
    const std::string key = key_of(path);
    if (key == "expression") return expression();
    for (const auto& value : list_values(said)) {
      const bool is_word = takes(said, "boolean") && (value == "true" || value == "false");
      add_item(CompletionItem::Kind::kEnumMember, value, {}, !is_word);
    }
    if (key == "instanceType" || key == "instanceTypes" || is_types_of_config(path)) {
      for (const auto& type : catalog_.types()) {
        add_item(CompletionItem::Kind::kConstant, type.name, type_in_words(type), true);
      }
    }
    if (is_gpu_count(path)) {
      for (const auto& count : gpu_counts(catalog_)) add_item(CompletionItem::Kind::kValue, count, "GPUs", true);
    }
  }

  static std::string key_of(const Path& path) {
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
      if (!step->is_element) return step->key;
    }
    return {};
  }

  static bool is_types_of_config(const Path& path) { return path.size() == 2 && path.front().key == "types"; }

  static bool is_gpu_count(const Path& path) {
    const auto size = path.size();
    return size >= 3 && path[size - 1].key == "value" && path[size - 2].is_element &&
           path[size - 3].key == "resourceRequirements";
  }

  void add_item(CompletionItem::Kind kind, const std::string& value, std::string detail, bool is_text) {
    CompletionItem item{.kind = kind, .label = value, .detail = std::move(detail)};
    item.replaced = place_.word;
    const bool has_quotes = is_text && (place_.is_flow || place_.is_quoted || is_number(value));
    item.text = has_quotes ? "\"" + value + "\"" : value;
    item.filter = place_.is_quoted ? "\"" + value + "\"" : value;
    if (place_.wants_blank) item.text = " " + item.text;
    if (place_.is_flow && place_.wants_comma) item.text += ",";
    item.order = order();
    items_.push_back(std::move(item));
  }

  /// In YAML a text that looks like a number needs quotes.
  static bool is_number(const std::string& value) { return value.find_first_not_of("0123456789") == std::string::npos; }

  /// Keeps the order of the proposals, because the catalog is sorted by size.
  std::string order() const {
    const std::string number = std::to_string(items_.size());
    return std::string(6 - std::min<std::size_t>(6, number.size()), '0') + number;
  }

  // --- expressions of the cluster query language

  void expression() {
    const auto at = place_in_expression(place_.typed);
    using Wants = ExpressionPlace::Wants;
    switch (at.wants) {
      case Wants::kNothing:
        return;
      case Wants::kSubject:
        add_part("attribute:", "an attribute of the instance", at.word);
        for (const auto& row : query::subjects()) add_part(std::string(row.name), "", at.word);
        return;
      case Wants::kAttribute:
        for (const auto name : known_attributes()) add_part(std::string(name), "", at.word);
        return;
      case Wants::kInstanceType:
        for (const auto& type : catalog_.types()) add_part(type.name, type_in_words(type), at.word);
        return;
    }
  }

  void add_part(std::string word, std::string detail, std::size_t length) {
    CompletionItem item{.kind = CompletionItem::Kind::kConstant, .label = word, .detail = std::move(detail)};
    item.replaced = {cursor_ - static_cast<std::uint32_t>(length), cursor_};
    item.text = word;
    item.filter = std::move(word);
    if (place_.typed.empty() && !place_.is_quoted && place_.is_flow) return;  // quotes first
    item.order = order();
    items_.push_back(std::move(item));
  }

  const CursorPlace& place_;
  const ChosenSchema& schema_;
  std::uint32_t cursor_;
  const catalog::Catalog& catalog_;
  const Client& client_;
  std::vector<CompletionItem> items_;
};

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
  return Completer(place, schema, cursor, catalog, client).run();
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
