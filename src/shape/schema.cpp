#include "shape/schema.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "text/read.hpp"

namespace bayplan::shape {

using text::Kind;
using text::Value;

const Member* Rule::find(std::string_view name) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.name == name; });
  return found == members.end() ? nullptr : &*found;
}

const Rule* Schema::definition(std::string_view name) const {
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : found->second;
}

bool Schema::is_editor_note(std::string_view key) const {
  return std::any_of(editor_notes_.begin(), editor_notes_.end(),
                     [&](std::string_view note) { return glob_matches(note, key); });
}

std::size_t Schema::count_uses(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(rules_.begin(), rules_.end(), [&](const auto& rule) { return rule->find(name) != nullptr; }));
}

namespace {

constexpr std::string_view kDefinitions = "#/$defs/";

std::vector<std::string_view> words(Value list) {
  std::vector<std::string_view> result;
  for (const Value word : list.children()) result.push_back(word.text());
  return result;
}

std::map<std::string_view, std::string_view> word_map(Value object) {
  std::map<std::string_view, std::string_view> result;
  for (const Value member : object.children()) result[member.key()] = member.text();
  return result;
}

/// False for a type that JSON Schema does not have.
bool add_type(std::string_view name, Types& types) {
  if (name == "string") {
    types.add(Kind::kString);
  } else if (name == "integer") {
    types.add(Kind::kInteger);
  } else if (name == "number") {
    types.add(Kind::kInteger);
    types.add(Kind::kNumber);
  } else if (name == "boolean") {
    types.add(Kind::kBoolean);
  } else if (name == "array") {
    types.add(Kind::kArray);
  } else if (name == "object") {
    types.add(Kind::kObject);
  } else if (name == "null") {
    types.add(Kind::kNull);
  } else {
    return false;
  }
  return true;
}

bool is_comment(std::string_view keyword) {
  return keyword == "$schema" || keyword == "$id" || keyword == "$comment" || keyword == "description" ||
         keyword == "deprecated" || keyword == "default" || keyword == "examples" || keyword == "format";
}

bool is_of_root(std::string_view keyword) {
  return keyword == "$defs" || keyword == "x-response-only" || keyword == "x-belongs-to" || keyword == "x-editor-notes";
}

/// A pattern with classes of Unicode costs a millisecond to compile, and few files have a value for it.
std::unique_ptr<const Lazy<Pattern>> lazy_pattern(std::string_view expression) {
  assert(Pattern::compile(expression).ok());
  return std::make_unique<const Lazy<Pattern>>([expression] { return *Pattern::compile(expression); });
}

std::optional<std::int64_t>* bound_named(Rule& rule, std::string_view keyword) {
  if (keyword == "minimum") return &rule.minimum;
  if (keyword == "maximum") return &rule.maximum;
  if (keyword == "minLength") return &rule.min_length;
  if (keyword == "maxLength") return &rule.max_length;
  if (keyword == "minItems") return &rule.min_items;
  if (keyword == "maxItems") return &rule.max_items;
  return nullptr;
}

}  // namespace

class Loader {
 public:
  Result<Schema> load(std::string_view text) {
    schema_.document_ = text::read_document(std::string(text), {.format = text::Format::kJson});
    const Value root = schema_.document_->root();
    if (!schema_.document_->faults().empty() || !root || !root.is_object())
      return Error{.message = "the schema is not a JSON object"};

    const Value definitions = root.find("$defs");
    if (definitions) {
      for (const Value one : definitions.children()) schema_.definitions_[one.key()] = make();
      for (const Value one : definitions.children()) resolve(one);
    }
    schema_.root_ = compile(root);
    annotations(root);
    if (!fault_.empty()) return Error{.message = fault_};
    return std::move(schema_);
  }

 private:
  Rule* make() { return schema_.rules_.emplace_back(std::make_unique<Rule>()).get(); }

  void refuse(Value at, std::string_view why) {
    if (fault_.empty()) fault_ = "schema " + at.pointer() + ": " + std::string(why);
  }

  void annotations(Value root) {
    if (const Value list = root.find("x-response-only")) schema_.response_only_ = words(list);
    if (const Value list = root.find("x-editor-notes")) schema_.editor_notes_ = words(list);
    if (const Value map = root.find("x-belongs-to")) schema_.belongs_to_ = word_map(map);
  }

  /// Rules made for $defs are filled in place, since references already point at them.
  void resolve(Value definition) {
    for (const auto& rule : schema_.rules_) {
      if (rule.get() == schema_.definitions_[definition.key()]) return fill(*rule, definition);
    }
  }

  /// A reference whose object holds nothing else but texts is the definition itself.
  const Rule* compile(Value value) {
    const auto children = value.children();
    const bool bare = std::all_of(children.begin(), children.end(),
                                  [](Value keyword) { return is_comment(keyword.key()) || keyword.key() == "$ref"; });
    if (const Value reference = value.find("$ref"); reference && bare) return target(reference);
    Rule* rule = make();
    fill(*rule, value);
    return rule;
  }

  const Rule* target(Value reference) {
    const auto text = reference.text();
    const Rule* found = text.starts_with(kDefinitions) ? schema_.definition(text.substr(kDefinitions.size())) : nullptr;
    if (found == nullptr) refuse(reference, "a $ref must name one of $defs");
    return found;
  }

  void fill(Rule& rule, Value value) {
    if (!value.is_object()) return refuse(value, "a schema must be an object");
    if (const Value reference = value.find("$ref"); reference && target(reference) != nullptr)
      fill_referenced(rule, reference);
    for (const Value keyword : value.children()) {
      if (keyword.key() != "$ref") fill_keyword(rule, keyword);
    }
  }

  /// The definition that others refine may not be filled yet, so it is read again.
  void fill_referenced(Rule& rule, Value reference) {
    constexpr int kMostInARow = 8;
    if (++references_ > kMostInARow) return refuse(reference, "circular $ref");
    fill(rule, schema_.document_->root().find("$defs").find(reference.text().substr(kDefinitions.size())));
    --references_;
  }

  void fill_keyword(Rule& rule, Value keyword) {
    const auto name = keyword.key();
    if (is_comment(name)) return;
    if (is_of_root(name)) {
      if (keyword.parent().parent()) refuse(keyword, "is allowed at the root only");
      return;
    }
    if (auto* bound = bound_named(rule, name)) return set_bound(*bound, keyword);
    if (name.starts_with("x-")) return fill_annotation(rule, keyword);
    if (fill_text(rule, keyword) || fill_structure(rule, keyword)) return;
    refuse(keyword, "unsupported keyword");
  }

  void set_bound(std::optional<std::int64_t>& bound, Value keyword) {
    bound = keyword.integer();
    if (!bound) refuse(keyword, "must be an integer");
  }

  void fill_annotation(Rule& rule, Value keyword) {
    const auto name = keyword.key();
    if (name == "x-aliases") {
      rule.aliases = word_map(keyword);
    } else if (name == "x-not-for-daemons") {
      rule.not_for_daemons = words(keyword);
    } else if (name == "x-fixed") {
      rule.fixed = keyword.boolean().value_or(false);
    } else if (name == "x-empty" && keyword.text() == "refused") {
      rule.empty = Empty::kRefused;
    } else if (name == "x-empty" && keyword.text() == "unused") {
      rule.empty = Empty::kUnused;
    } else {
      refuse(keyword, "unknown annotation");
    }
  }

  bool fill_text(Rule& rule, Value keyword) {
    const auto name = keyword.key();
    if (name == "title") {
      rule.title = keyword.text();
    } else if (name == "enum") {
      rule.values = words(keyword);
      for (const Value one : keyword.children()) {
        if (!one.is_string()) refuse(one, "only strings are supported");
      }
    } else if (name == "const") {
      rule.values = {keyword.text()};
      if (!keyword.is_string()) refuse(keyword, "only a string is supported");
    } else if (name == "pattern") {
      rule.pattern = lazy_pattern(keyword.text());
    } else {
      return false;
    }
    return true;
  }

  bool fill_structure(Rule& rule, Value keyword) {
    const auto name = keyword.key();
    if (name == "type") {
      fill_types(rule, keyword);
    } else if (name == "properties") {
      for (const Value member : keyword.children()) rule.members.push_back({member.key(), compile(member)});
    } else if (name == "required") {
      rule.required = words(keyword);
    } else if (name == "additionalProperties") {
      rule.closed = keyword.boolean() == false;
      if (keyword.is_object()) rule.others = compile(keyword);
    } else if (name == "items") {
      rule.elements = compile(keyword);
    } else if (name == "anyOf" || name == "oneOf") {
      for (const Value branch : keyword.children()) rule.any_of.push_back(compile(branch));
    } else {
      return false;
    }
    return true;
  }

  void fill_types(Rule& rule, Value keyword) {
    rule.types = {};
    if (keyword.is_array()) {
      for (const Value one : keyword.children()) {
        if (!add_type(one.text(), rule.types)) refuse(one, "unknown type");
      }
    } else if (!add_type(keyword.text(), rule.types)) {
      refuse(keyword, "unknown type");
    }
  }

  Schema schema_;
  std::string fault_;
  int references_ = 0;
};

Result<Schema> Schema::load(std::string_view text) {
  return Loader().load(text);
}

}  // namespace bayplan::shape
