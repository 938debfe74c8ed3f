// Random documents, printed in several styles with known places: every span, key and value is read back as printed.
#include <algorithm>
#include <random>

#include "environment.hpp"
#include "span_check.hpp"
#include "text/read.hpp"

using namespace bayplan;
using text::Format;
using text::Kind;
using text::Style;

namespace {

struct Made {
  Kind kind = Kind::kNull;
  std::string text;  ///< Decoded.
  std::string key;   ///< Of a member.
  std::vector<Made> children;
  // Set by the printer.
  Style style = Style::kPlain;
  Span span;
  Span key_span;
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : generator_(seed) {}
  std::size_t below(std::size_t bound) { return generator_() % bound; }
  bool one_in(std::size_t bound) { return below(bound) == 0; }
  template <class List>
  auto pick(const List& list) {
    return *(std::begin(list) + below(std::size(list)));
  }

 private:
  std::mt19937_64 generator_;
};

constexpr const char* kStrings[] = {
    "web",     "repo/web:1.27",    "it's",      "say \"hi\"", "",       "256", "true",  "null", "Köln 東京",
    "a # b",   "key: value",       "- dash",    "tab\tin",    "a\\b",   "~",   "*star", "&and", "${X}y",
    "[list]",  "{brace}",          "two words", "a,b",        "C:\\x",  "?",   "!bang", "%per", "end:",
    " padded", "several\nlines\n", "0x1F",      "1e3",        "\u2028", "@at", "`tick", "-",    "http://x/#y"};
constexpr const char* kNumbers[] = {"0", "7", "-1", "256", "9223372036854775807"};

Made make_scalar(Dice& dice) {
  switch (dice.below(6)) {
    case 0:
      return {.kind = Kind::kNull, .text = "null"};
    case 1:
      return {.kind = Kind::kBoolean, .text = dice.one_in(2) ? "true" : "false"};
    case 2:
      return {.kind = Kind::kInteger, .text = dice.pick(kNumbers)};
    case 3:
      return {.kind = Kind::kNumber, .text = dice.one_in(2) ? "0.5" : "-1.5e+3"};
    default:
      return {.kind = Kind::kString, .text = dice.pick(kStrings)};
  }
}

Made make_value(Dice& dice, int depth) {
  if (depth == 0 || dice.one_in(3)) return make_scalar(dice);
  Made made{.kind = dice.one_in(2) ? Kind::kArray : Kind::kObject};
  const std::size_t count = dice.below(5);
  for (std::size_t i = 0; i < count; ++i) {
    made.children.push_back(make_value(dice, depth - 1));
    if (made.kind == Kind::kObject) made.children.back().key = dice.pick(kStrings) + std::to_string(i);
  }
  return made;
}

/// What all printers share: the text so far and where its parts lie.
class Printer {
 public:
  explicit Printer(std::uint64_t seed) : dice_(seed), line_end_(dice_.one_in(3) ? "\r\n" : "\n") {}
  virtual ~Printer() = default;

  /// Prints the tree and notes in it where everything lies.
  std::string print(Made& root) {
    document(root);
    return text_;
  }

 protected:
  virtual void document(Made& root) = 0;

  std::uint32_t here() const { return static_cast<std::uint32_t>(text_.size()); }
  Span add(std::string_view part) {
    const std::uint32_t begin = here();
    text_ += part;
    return {begin, here()};
  }

  void double_quoted(std::string_view content, bool is_json) {
    text_ += '"';
    for (const char c : content) {
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (c == '\n') {
        text_ += "\\n";
      } else if (c == '\t') {
        text_ += "\\t";
      } else if (c == 'a' && dice_.one_in(3)) {
        text_ += is_json || dice_.one_in(2) ? "\\u0061" : "\\x61";
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  Dice dice_;
  std::string line_end_;
  std::string text_;
};

class JsonPrinter : public Printer {
 public:
  using Printer::Printer;

 private:
  void blanks() {
    while (dice_.one_in(3)) text_ += dice_.one_in(2) ? " " : dice_.one_in(2) ? "\t" : line_end_;
  }

  void document(Made& root) override {
    blanks();
    value(root);
    blanks();
  }

  void value(Made& made) {
    made.style = Style::kJson;
    made.span.begin = here();
    if (made.kind == Kind::kString) {
      double_quoted(made.text, true);
    } else if (made.kind == Kind::kArray || made.kind == Kind::kObject) {
      members(made);
    } else {
      add(made.text);
    }
    made.span.end = here();
  }

  void members(Made& made) {
    const bool is_object = made.kind == Kind::kObject;
    text_ += is_object ? '{' : '[';
    blanks();
    for (auto& child : made.children) {
      if (&child != &made.children.front()) text_ += ',';
      blanks();
      if (is_object) {
        child.key_span.begin = here();
        double_quoted(child.key, true);
        child.key_span.end = here();
        blanks();
        text_ += ':';
        blanks();
      }
      value(child);
      blanks();
    }
    text_ += is_object ? '}' : ']';
  }
};

bool is_plain_in_yaml(const std::string& content) {
  static constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /.-'";
  if (content.empty() || content.find_first_not_of(kSafe) != std::string::npos) return false;
  const bool starts_well = std::isalpha(static_cast<unsigned char>(content.front())) != 0;
  return starts_well && content.back() != ' ' && content != "true" && content != "null";
}

class YamlPrinter : public Printer {
 public:
  YamlPrinter(std::uint64_t seed, bool prefers_flow) : Printer(seed), prefers_flow_(prefers_flow) {}

 private:
  void document(Made& root) override {
    if (dice_.one_in(4)) line("---");
    if (dice_.one_in(4)) line("# a comment: [ \" '");
    node(root, 0, false);
    if (text_.empty() || text_.back() != '\n') text_ += line_end_;
  }

  void line(std::string_view content) {
    text_ += content;
    text_ += line_end_;
  }

  void end_line() {
    if (dice_.one_in(6)) text_ += dice_.one_in(2) ? "  # note" : " \t";
    text_ += line_end_;
    while (dice_.one_in(8)) line(dice_.one_in(2) ? "" : "   # a line of its own");
  }

  /// Not before a block in a list: the YAML library refuses `- &a |`.
  void properties(const Made& made) {
    has_properties_ = false;
    const std::size_t before = text_.size();
    if (dice_.one_in(12)) text_ += "&a" + std::to_string(here()) + " ";
    if (made.kind == Kind::kString && dice_.one_in(12)) text_ += "!!str ";
    has_properties_ = text_.size() != before;
  }

  /// At the place where a value may begin, a blank already written. `indent` is that of the parent's lines.
  void node(Made& made, std::size_t indent, bool in_flow) {
    const bool is_collection = made.kind == Kind::kArray || made.kind == Kind::kObject;
    if (is_collection && !in_flow && !made.children.empty() && !(prefers_flow_ && dice_.one_in(2)) && !text_at_value())
      return block(made, indent);
    properties(made);
    made.span.begin = here();
    if (is_collection) {
      flow(made, indent);
    } else {
      scalar(made, indent, in_flow);
    }
    made.span.end = here();
  }

  /// Block collections are begun by `member` on a line of their own; only the root gets here otherwise.
  bool text_at_value() const { return !text_.empty() && text_.back() == ' '; }

  void scalar(Made& made, std::size_t indent, bool in_flow) {
    if (made.kind != Kind::kString) {
      made.style = Style::kPlain;
      add(made.text);
    } else {
      string(made.text, made.style, in_flow, indent);
    }
  }

  void string(const std::string& content, Style& style, bool in_flow, std::size_t indent) {
    const bool is_tame = content.find_first_of("\n\t") == std::string::npos && content != "\u2028";
    if (is_plain_in_yaml(content) && dice_.one_in(2)) {
      style = Style::kPlain;
      add(content);
    } else if (!in_flow && !has_properties_ && content == "several\nlines\n" && dice_.one_in(2)) {
      style = Style::kBlock;
      const std::string start(indent + 2, ' ');
      add("|" + line_end_ + start + "several" + line_end_ + start + "lines");
    } else if (is_tame && dice_.one_in(2)) {
      style = Style::kSingleQuoted;
      text_ += '\'';
      for (const char c : content) text_ += c == '\'' ? "''" : std::string(1, c);
      text_ += '\'';
    } else {
      style = Style::kDoubleQuoted;
      double_quoted(content, false);
    }
  }

  void key(Made& child) {
    Style style{};
    child.key_span.begin = here();
    string(child.key, style, true, 0);
    child.key_span.end = here();
    if (dice_.one_in(10)) text_ += ' ';
    text_ += ':';
  }

  void flow_blank(std::size_t indent) {
    if (dice_.one_in(6)) {
      if (dice_.one_in(3)) text_ += " # in between";
      text_ += line_end_ + std::string(indent + 2 + dice_.below(3), ' ');
    } else if (dice_.one_in(2)) {
      text_ += ' ';
    }
  }

  void flow(Made& made, std::size_t indent) {
    const bool is_object = made.kind == Kind::kObject;
    made.style = Style::kPlain;
    text_ += is_object ? '{' : '[';
    flow_blank(indent);
    for (auto& child : made.children) {
      if (is_object) {
        key(child);
        text_ += ' ';
      }
      node(child, indent, true);
      flow_blank(indent);
      if (&child != &made.children.back() || dice_.one_in(6)) text_ += ',';
      flow_blank(indent);
    }
    text_ += is_object ? '}' : ']';
  }

  /// On a line of its own, at column `indent`.
  void block(Made& made, std::size_t indent) {
    made.style = Style::kPlain;
    bool is_first = true;
    for (auto& child : made.children) {
      if (!is_first) text_.append(indent, ' ');
      if (is_first) made.span.begin = here();
      is_first = false;
      if (made.kind == Kind::kObject) {
        key(child);
      } else {
        text_ += '-';
      }
      member(child, indent, made.kind == Kind::kArray);
      made.span.end = child.span.end;
      if (text_.back() == '\n') continue;
      if (child.style == Style::kBlock) {
        text_ += line_end_;  // a comment would be its text
      } else {
        end_line();
      }
    }
  }

  void member(Made& child, std::size_t indent, bool in_list) {
    const bool is_collection = child.kind == Kind::kArray || child.kind == Kind::kObject;
    if (child.kind == Kind::kNull && dice_.one_in(3)) {  // nothing at all
      child.text.clear();
      child.style = Style::kPlain;
      child.span = {here(), here()};
    } else if (is_collection && !child.children.empty() && !(prefers_flow_ && dice_.one_in(2))) {
      nested(child, indent, in_list);
    } else {
      text_.append(1 + dice_.below(2), ' ');
      node(child, indent, false);
    }
  }

  void nested(Made& child, std::size_t indent, bool in_list) {
    const bool is_compact = in_list && dice_.one_in(2);
    if (is_compact) {
      const std::size_t blanks = 1 + dice_.below(3);
      text_.append(blanks, ' ');
      return block(child, indent + 1 + blanks);
    }
    if (dice_.one_in(10)) text_ += " &c" + std::to_string(here());
    end_line();
    const bool is_flush = !in_list && child.kind == Kind::kArray && dice_.one_in(2);
    const std::size_t inner = is_flush ? indent : indent + 1 + dice_.below(4);
    text_.append(inner, ' ');
    block(child, inner);
  }

  bool prefers_flow_;
  bool has_properties_ = false;  ///< Of the value being printed.
};

std::string place(Span span) {
  return "[" + std::to_string(span.begin) + "," + std::to_string(span.end) + ")";
}

/// The first difference between what was printed and what was read; empty when there is none.
std::string difference(const Made& made, text::Value read) {
  const std::string at = "at '" + read.pointer() + "': ";
  if (read.kind() != made.kind) return at + "read as " + std::string(text::name_of(read.kind()));
  if (read.span() != made.span) return at + "span " + place(read.span()) + ", printed at " + place(made.span);
  if (read.key() != made.key) return at + "key " + std::string(read.key());
  if (!made.key.empty() && read.key_span() != made.key_span)
    return at + "key span " + place(read.key_span()) + ", printed at " + place(made.key_span);
  if (read.size() != made.children.size()) return at + "size " + std::to_string(read.size());
  const bool is_collection = made.kind == Kind::kArray || made.kind == Kind::kObject;
  if (!is_collection && read.text() != made.text) return at + "text '" + std::string(read.text()) + "'";
  // YAML that is JSON too is read as JSON.
  const bool is_json = read.document().format() == Format::kJson;
  if (!is_collection && read.style() != (is_json ? Style::kJson : made.style))
    return at + "style " + std::to_string(int(read.style()));
  for (std::size_t i = 0; i < made.children.size(); ++i) {
    if (std::string found = difference(made.children[i], read.at(i)); !found.empty()) return found;
  }
  return {};
}

void check(Made root, Printer&& printer, Format format, std::uint64_t seed) {
  const std::string printed = printer.print(root);
  const auto document = text::read_document(printed, {.format = format});
  CAPTURE(seed, printed);
  for (const auto& fault : document->faults()) {
    if (fault.kind != text::FaultKind::kEncoding) FAIL_CHECK(fault.message);
  }
  REQUIRE(document->root());
  REQUIRE(difference(root, document->root()) == "");
}

}  // namespace

TEST_CASE("generated JSON is read back with every span") {
  for (std::uint64_t seed = 1; seed <= random_cases(2'000); ++seed) {
    Dice dice(seed);
    check(make_value(dice, 4), JsonPrinter(seed), Format::kJson, seed);
  }
}

TEST_CASE("generated YAML is read back with every span") {
  const bool prefers_flow = GENERATE(false, true);
  for (std::uint64_t seed = 1; seed <= random_cases(2'000); ++seed) {
    Dice dice(seed);
    check(make_value(dice, 4), YamlPrinter(seed, prefers_flow), Format::kYaml, seed);
  }
}
