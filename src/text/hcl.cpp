#include "text/hcl.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>

#include "base/ascii.hpp"
#include "base/excerpt.hpp"
#include "base/hexadecimal.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace bayplan::text {

const HclAttribute* HclBody::find(std::string_view name) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const auto& one) { return one.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

namespace {

using Kind = HclExpression::Kind;
using Part = HclTemplatePart;

bool is_name_start(char c) {
  return is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_name_character(char c) {
  return is_name_start(c) || is_digit(c) || c == '-';
}

/// Operators of two operands, the loosest first. Source: spec.md, "Operations".
constexpr std::array<std::array<std::string_view, 4>, 6> kOperators{
    {{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}};

/// A parser by recursive descent over the bytes. After a fault every step returns at once, until the body that it is in
/// goes on behind the broken item.
class Parser {
 public:
  Parser(std::string_view text, const Limits& limits) : text_(text), limits_(limits) {}

  HclFile file() && {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    HclFile result{.body = body(false)};
    result.faults = std::move(faults_);
    return result;
  }

  HclTemplate template_text() && {
    HclTemplate result{.parts = parts(TemplateEnd::kText, "")};
    result.faults = std::move(faults_);
    return result;
  }

 private:
  enum class TemplateEnd : std::uint8_t { kText, kQuote };
  /// Lines that a body may have: kTooMany for one that should have ended on its first.
  enum class BodyLines : std::uint8_t { kMany, kOne, kTooMany };

  // Reading of bytes.

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool is_at_end() const { return at_ >= text_.size(); }
  bool sees(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  Span from(std::size_t begin) const { return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)}; }

  bool is_line_end() const { return peek() == '\n' || (peek() == '\r' && peek(1) == '\n'); }

  void skip_comment() {
    if (sees("/*")) {
      const auto end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) {
        fault({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + 2)}, "comment is not closed",
              "add */");
        at_ = text_.size();
      } else {
        at_ = end + 2;
      }
      return;
    }
    at_ = std::min(text_.find('\n', at_), text_.size());
  }

  bool sees_comment() const { return peek() == '#' || sees("//") || sees("/*"); }

  /// Blanks and comments; line ends only where they mean nothing.
  void skip_blanks(bool over_lines) {
    while (!is_at_end()) {
      const char c = peek();
      const bool is_blank = c == ' ' || c == '\t' || (over_lines && (c == '\n' || c == '\r'));
      if (is_blank) {
        ++at_;
      } else if (sees_comment()) {
        skip_comment();
      } else {
        return;
      }
    }
  }
  void skip_blanks() { skip_blanks(ignores_lines_); }

  std::string_view name() {
    if (!is_name_start(peek())) return {};
    const std::size_t begin = at_;
    while (!is_at_end() && is_name_character(peek())) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  bool takes(std::string_view word) {
    if (!sees(word)) return false;
    at_ += word.size();
    return true;
  }

  // Faults.

  void fault(Span span, std::string message, std::string help) {
    if (is_broken_) return;
    is_broken_ = true;
    constexpr std::size_t kMost = 100;
    if (faults_.size() < kMost)
      faults_.push_back({FaultKind::kHclSyntax, span, std::move(message), std::move(help), {}, {}, true});
  }

  void expected(std::string_view what) {
    const auto begin = static_cast<std::uint32_t>(std::min(at_, text_.size()));
    if (is_at_end()) return fault({begin, begin}, "unexpected end of file, expected " + std::string(what), "");
    if (is_line_end()) return fault({begin, begin}, "unexpected end of line, expected " + std::string(what), "");
    std::size_t end = at_ + 1;
    if (is_name_character(peek())) {
      while (end < text_.size() && end - at_ < 40 && is_name_character(text_[end])) ++end;
    }
    end = end_of_character(text_, end);
    const std::string seen(text_.substr(at_, end - at_));
    fault({begin, static_cast<std::uint32_t>(end)},
          "unexpected '" + printable(seen) + "', expected " + std::string(what), "");
  }

  /// Whether one more level may be opened.
  bool enter() {
    if (is_broken_) return false;
    if (depth_ < depth_limit()) {
      ++depth_;
      return true;
    }
    const auto begin = static_cast<std::uint32_t>(at_);
    is_broken_ = true;
    faults_.push_back({FaultKind::kTooDeep,
                       {begin, static_cast<std::uint32_t>(std::min(at_ + 1, text_.size()))},
                       "nested deeper than " + std::to_string(depth_limit()) + " levels",
                       {},
                       {},
                       {},
                       true});
    return false;
  }
  void leave() { --depth_; }
  /// One level of an expression takes a dozen calls, and WebAssembly has a stack of 1 MiB.
  std::uint32_t depth_limit() const { return std::min(limits_.depth, 100U); }

  // Bodies.

  HclBody body(bool is_block) {
    HclBody result{.span = {static_cast<std::uint32_t>(at_), 0}};
    std::set<std::string, std::less<>> names;
    for (;;) {
      skip_blanks(true);
      if (is_at_end() || (is_block && peek() == '}')) break;
      const std::size_t begin = at_;
      item(result, names);
      if (is_broken_) recover(begin, is_block);
      if (at_ == begin) ++at_;  // A closing brace too many, which was reported.
    }
    result.span.end = static_cast<std::uint32_t>(at_);
    return result;
  }

  /// A fault in something that can be read as it was meant.
  void note(std::size_t begin, std::size_t end, std::string message, std::string help) {
    faults_.push_back({FaultKind::kHclSyntax,
                       {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
                       std::move(message),
                       std::move(help),
                       {},
                       {}});
  }

  /// What Terraform before 0.12 accepted: one fault, for such code has it everywhere.
  void note_old(std::size_t begin, std::size_t end, std::string message, const std::string& help) {
    if (std::exchange(has_old_syntax_, true)) return;
    note(begin, end, std::move(message), help + "; only Terraform before 0.12 accepts them");
  }

  /// A block that begins on the line of its brace has to end there, with one argument or none. Terraform 0.11 accepts
  /// more (https://github.com/hashicorp/terraform/issues/20910), so it is read as it was meant, and noted once a block.
  void note_more_than_one_line(std::size_t begin, std::size_t end, std::string message) {
    if (lines_ != BodyLines::kOne) return;
    lines_ = BodyLines::kTooMany;
    note(begin, end, std::move(message),
         "begin a new line after { and before }; only Terraform before 0.12 accepts it so");
  }

  /// `"effect" = "Allow"`: Terraform before 0.12 accepted quotes around names, and made blocks of objects with one
  /// name.
  std::string_view quoted_name() {
    const std::size_t begin = at_;
    ++at_;
    const auto word = name();
    if (word.empty() || !takes("\"")) {
      at_ = begin;
      return {};
    }
    note_old(begin, at_, "argument name must not be quoted", "remove the quotes of all argument names");
    return word;
  }

  /// `"cost center" = "shop"` and `"${var.name}" = true`, which are no names of arguments: read and left out.
  void argument_of_other_name() {
    const std::size_t begin = at_;
    expression();
    const std::size_t end = at_;
    skip_blanks(false);
    if (is_broken_) return;
    if (peek() != '=' || peek(1) == '=') {
      at_ = begin;
      return expected("an argument or block");
    }
    if (!std::exchange(has_other_name_, true)) {
      note(begin, end, "argument name must be an identifier",
           "rename arguments with blanks or signs in their names; only Terraform before 0.12 accepts them");
    }
    ++at_;
    expression();
    if (!is_broken_) end_of_argument();
  }

  void item(HclBody& body, std::set<std::string, std::less<>>& names) {
    const std::size_t begin = at_;
    const bool is_quoted = peek() == '"';
    const auto word = is_quoted ? quoted_name() : name();
    const Span word_span = from(begin);
    if (word.empty()) return is_quoted ? argument_of_other_name() : expected("an argument or block");
    skip_blanks(false);
    if (peek() == '=' && peek(1) != '=') {
      ++at_;
      HclAttribute attribute{std::string(word), word_span, expression()};
      if (!is_broken_) end_of_argument();
      if (is_broken_) attribute.value = HclExpression{.span = attribute.value.span};
      if (!names.emplace(word).second && !is_quoted) {
        return fault(word_span, "argument \"" + std::string(word) + "\" is set twice", "keep one");
      }
      body.attributes.push_back(std::move(attribute));
      return;
    }
    HclBlock block{std::string(word), word_span, {}, word_span, {}};
    while (is_name_start(peek()) || peek() == '"') {
      if (!label(block)) return;
      skip_blanks(false);
    }
    if (peek() != '{') return expected(block.labels.empty() ? "'=' or '{'" : "'{'");
    note_more_than_one_line(begin, at_, "a block on one line cannot contain a block");
    ++at_;
    if (!enter()) return;
    const bool outer = std::exchange(ignores_lines_, false);
    skip_blanks(false);
    const auto outer_lines = std::exchange(lines_, is_line_end() ? BodyLines::kMany : BodyLines::kOne);
    block.body = this->body(true);
    lines_ = outer_lines;
    ignores_lines_ = outer;
    leave();
    if (!takes("}")) {
      fault(word_span, "block \"" + std::string(word) + "\" is not closed", "add }");
    } else {
      end_of_line("a new line after the block");
    }
    body.blocks.push_back(std::move(block));
  }

  bool label(HclBlock& block) {
    const std::size_t begin = at_;
    if (peek() != '"') {
      block.labels.emplace_back(name());
    } else {
      const HclExpression quoted = quoted_string();
      if (is_broken_) return false;
      std::string text;
      for (const auto& part : quoted.parts) {
        if (part.kind != Part::Kind::kText) {
          fault(part.span, "templates are not allowed in block labels", "write the text itself");
          return false;
        }
        text += part.text;
      }
      block.labels.push_back(std::move(text));
    }
    block.header.end = from(begin).end;
    return true;
  }

  void end_of_argument() {
    skip_blanks(false);
    if (peek() == ',') {
      note_old(at_, at_ + 1, "comma after an argument", "remove the commas between arguments");
      ++at_;
      if (lines_ == BodyLines::kOne) lines_ = BodyLines::kTooMany;
    }
    if (lines_ != BodyLines::kOne) return end_of_line("a new line after the argument");
    if (peek() != '}')
      note_more_than_one_line(at_, at_, "a block with an argument on the line of its { must end there");
  }

  void end_of_line(std::string_view what) {
    skip_blanks(false);
    if (is_at_end() || is_line_end()) return;
    // A heredoc ended the line already.
    if (at_ > 0 && text_[at_ - 1] == '\n') return;
    if (peek() != '}') return expected(what);
    if (depth_ > 0 && lines_ == BodyLines::kMany)
      note(at_, at_ + 1, "unexpected '}', expected " + std::string(what), "");
  }

  /// Goes on behind the item that begins at `begin`: behind its line, and what its brackets hold. If they do not
  /// close, at the next line without indentation.
  void recover(std::size_t begin, bool is_block) {
    is_broken_ = false;
    const std::size_t broke = at_;
    at_ = begin;
    std::size_t open = 0;
    while (!is_at_end()) {
      const char c = peek();
      if (sees_comment()) {
        skip_comment();
        is_broken_ = false;
        continue;
      }
      if (c == '"') {
        const auto line = std::min(text_.find('\n', at_), text_.size());
        for (++at_; at_ < line && peek() != '"'; ++at_) {
          if (peek() == '\\') ++at_;
        }
        at_ = std::min(at_, line);
        if (peek() == '"') ++at_;
        continue;
      }
      if (sees("<<")) {
        skip_heredoc();
        continue;
      }
      if (c == '{' || c == '[' || c == '(') ++open;
      if (c == '}' || c == ']' || c == ')') {
        if (open == 0 && c == '}' && is_block) return;
        if (open > 0) --open;
      }
      ++at_;
      if (c == '\n' && open == 0 && at_ > broke) return;
    }
    if (open == 0) return;
    for (at_ = broke; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n' && at_ + 1 < text_.size() && is_name_start(text_[at_ + 1])) {
        ++at_;
        return;
      }
    }
  }

  void skip_heredoc() {
    at_ += 2;
    if (peek() == '-') ++at_;
    const auto marker = name();
    if (marker.empty()) return;
    for (std::size_t line = text_.find('\n', at_); line != std::string_view::npos; line = text_.find('\n', line + 1)) {
      const auto end = std::min(text_.find('\n', line + 1), text_.size());
      if (trim(text_.substr(line + 1, end - line - 1)) == marker) {
        at_ = end;
        return;
      }
    }
    at_ = text_.size();
  }

  // Expressions.

  /// Reads with line ends that mean nothing, as inside of brackets.
  template <class Read>
  auto inside_brackets(Read read) {
    const bool outer = std::exchange(ignores_lines_, true);
    auto result = read();
    ignores_lines_ = outer;
    return result;
  }

  HclExpression expression() {
    if (!enter()) return {};
    HclExpression result = conditional();
    leave();
    return result;
  }

  HclExpression conditional() {
    skip_blanks();
    const std::size_t begin = at_;
    HclExpression condition = binary(0);
    if (is_broken_) return condition;
    skip_blanks();
    if (!takes("?")) return condition;
    HclExpression yes = expression();
    skip_blanks();
    if (!is_broken_ && !takes(":")) expected("':' of the conditional");
    HclExpression no = expression();
    HclExpression result{.kind = Kind::kConditional, .span = from(begin)};
    result.children.push_back(std::move(condition));
    result.children.push_back(std::move(yes));
    result.children.push_back(std::move(no));
    return result;
  }

  std::string_view binary_operator(std::size_t level) {
    for (const auto sign : kOperators[level]) {
      if (sign.empty() || !sees(sign)) continue;
      if (sign == "/" && sees_comment()) continue;
      return sign;
    }
    return {};
  }

  HclExpression binary(std::size_t level) {
    if (level == kOperators.size()) return unary();
    skip_blanks();
    const std::size_t begin = at_;
    HclExpression left = binary(level + 1);
    for (;;) {
      if (is_broken_) return left;
      const std::size_t before = at_;
      skip_blanks();
      const auto sign = binary_operator(level);
      if (sign.empty() || (sign == "%" && peek(1) == '{')) {
        at_ = before;
        return left;
      }
      at_ += sign.size();
      HclExpression right = binary(level + 1);
      HclExpression both{.kind = Kind::kBinary, .span = from(begin), .text = std::string(sign)};
      both.children.push_back(std::move(left));
      both.children.push_back(std::move(right));
      left = std::move(both);
    }
  }

  HclExpression unary() {
    skip_blanks();
    const std::size_t begin = at_;
    if (peek() != '!' && peek() != '-') return postfix();
    const std::string sign(1, peek());
    ++at_;
    if (!enter()) return {};
    HclExpression operand = unary();
    leave();
    HclExpression result{.kind = Kind::kUnary, .span = from(begin), .text = sign};
    result.children.push_back(std::move(operand));
    return result;
  }

  HclExpression postfix() {
    const std::size_t begin = at_;
    return steps(term(), begin);
  }

  /// `.name`, `.0`, `.*`, `[x]` and `[*]` after a term.
  HclExpression steps(HclExpression base, std::size_t begin) {
    std::size_t count = 0;
    for (;;) {
      if (is_broken_) return base;
      const std::size_t before = at_;
      skip_blanks();
      const bool is_dot = peek() == '.' && !sees("...");
      if (!is_dot && peek() != '[') {
        at_ = before;
        return base;
      }
      // A chain nests as its expression does.
      if (++count > depth_limit()) {
        expected("a shorter chain of attributes");
        return base;
      }
      ++at_;
      HclExpression step{.kind = Kind::kAttribute};
      step.children.push_back(std::move(base));
      if (is_dot) {
        skip_blanks();
        if (peek() == '*') {
          ++at_;
          return splat(std::move(step), begin, false);
        }
        if (is_digit(peek())) {
          const std::size_t number = at_;
          while (is_digit(peek())) ++at_;
          step.kind = Kind::kIndex;
          step.children.push_back(
              {.kind = Kind::kNumber, .span = from(number), .text = std::string(text_.substr(number, at_ - number))});
        } else {
          step.text = std::string(name());
          if (step.text.empty()) expected("an attribute name");
        }
      } else {
        const std::size_t inner = at_;
        skip_blanks(true);
        if (peek() == '*') {
          ++at_;
          skip_blanks(true);
          if (!takes("]")) expected("']'");
          return splat(std::move(step), begin, true);
        }
        at_ = inner;
        step.kind = Kind::kIndex;
        step.children.push_back(inside_brackets([&] {
          HclExpression index = expression();
          skip_blanks();
          return index;
        }));
        if (!is_broken_ && !takes("]")) expected("']'");
      }
      step.span = from(begin);
      base = std::move(step);
    }
  }

  /// `x.*.name` goes on with attributes alone, `x[*]` with all steps.
  HclExpression splat(HclExpression step, std::size_t begin, bool is_full) {
    step.kind = Kind::kSplat;
    HclExpression item{.kind = Kind::kSplatItem, .span = from(at_)};
    if (is_full) {
      item = steps(std::move(item), at_);
    } else {
      while (peek() == '.' && (is_name_start(peek(1)) || is_digit(peek(1)))) {
        const std::size_t from_here = at_++;
        HclExpression inner{.kind = Kind::kAttribute};
        inner.children.push_back(std::move(item));
        if (is_digit(peek())) {
          const std::size_t number = at_;
          while (is_digit(peek())) ++at_;
          inner.kind = Kind::kIndex;
          inner.children.push_back(
              {.kind = Kind::kNumber, .span = from(number), .text = std::string(text_.substr(number, at_ - number))});
        } else {
          inner.text = std::string(name());
        }
        inner.span = from(from_here);
        item = std::move(inner);
      }
    }
    step.children.push_back(std::move(item));
    step.span = from(begin);
    return is_full ? std::move(step) : steps(std::move(step), begin);
  }

  HclExpression term() {
    skip_blanks();
    const std::size_t begin = at_;
    const char c = peek();
    if (is_digit(c)) return number();
    if (c == '"') return quoted_string();
    if (sees("<<")) return heredoc();
    if (c == '(') {
      ++at_;
      HclExpression inner = inside_brackets([&] {
        HclExpression in = expression();
        skip_blanks();
        return in;
      });
      if (!is_broken_ && !takes(")")) expected("')'");
      return inner;
    }
    if (c == '[') return tuple();
    if (c == '{') return object();
    if (is_name_start(c)) return name_or_call(begin);
    expected("an expression");
    return {.span = from(begin)};
  }

  HclExpression number() {
    const std::size_t begin = at_;
    while (is_digit(peek())) ++at_;
    if (peek() == '.' && is_digit(peek(1))) {
      ++at_;
      while (is_digit(peek())) ++at_;
    }
    const bool has_sign = peek(1) == '+' || peek(1) == '-';
    if ((peek() == 'e' || peek() == 'E') && is_digit(peek(has_sign ? 2 : 1))) {
      at_ += has_sign ? 2 : 1;
      while (is_digit(peek())) ++at_;
    }
    if (is_name_start(peek())) expected("a number without letters");
    return {.kind = Kind::kNumber, .span = from(begin), .text = std::string(text_.substr(begin, at_ - begin))};
  }

  HclExpression name_or_call(std::size_t begin) {
    std::string word(name());
    while (sees("::") && is_name_start(peek(2))) {
      at_ += 2;
      word += "::";
      word += name();
    }
    const Span span = from(begin);
    const std::size_t before = at_;
    skip_blanks();
    if (peek() == '(') return call(std::move(word), begin);
    at_ = before;
    if (word == "null") return {.kind = Kind::kNull, .span = span};
    if (word == "true" || word == "false") return {.kind = Kind::kBoolean, .span = span, .text = std::move(word)};
    return {.kind = Kind::kName, .span = span, .text = std::move(word)};
  }

  HclExpression call(std::string function, std::size_t begin) {
    ++at_;
    HclExpression result{.kind = Kind::kCall, .text = std::move(function)};
    inside_brackets([&] {
      for (;;) {
        skip_blanks();
        if (is_broken_ || takes(")")) break;
        result.children.push_back(expression());
        skip_blanks();
        if (is_broken_) break;
        if (takes("...")) {
          result.expands = true;
          skip_blanks();
          takes(",");
          skip_blanks();
          if (!takes(")")) expected("')'");
          break;
        }
        if (takes(")")) break;
        if (!takes(",")) expected("',' or ')'");
      }
      return 0;
    });
    result.span = from(begin);
    return result;
  }

  bool sees_for(std::size_t ahead) {
    const std::size_t before = at_;
    at_ += ahead;
    skip_blanks(true);
    const bool is_for =
        name() == "for" && !is_at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r');
    skip_blanks(true);
    const bool is_key = peek() == '=' || peek() == ':';  // `for = 1`
    at_ = before;
    return is_for && !is_key;
  }

  HclExpression tuple() {
    const std::size_t begin = at_;
    if (sees_for(1)) return for_expression(begin, "]");
    ++at_;
    HclExpression result{.kind = Kind::kTuple};
    inside_brackets([&] {
      for (;;) {
        skip_blanks();
        if (is_broken_ || takes("]")) break;
        result.children.push_back(expression());
        skip_blanks();
        if (is_broken_ || takes("]")) break;
        if (!takes(",")) expected("',' or ']'");
      }
      return 0;
    });
    result.span = from(begin);
    return result;
  }

  HclExpression object() {
    const std::size_t begin = at_;
    if (sees_for(1)) return for_expression(begin, "}");
    ++at_;
    HclExpression result{.kind = Kind::kObject};
    const bool outer = std::exchange(ignores_lines_, false);
    for (;;) {
      skip_blanks(true);
      if (is_broken_ || takes("}")) break;
      result.children.push_back(object_key());
      skip_blanks(false);
      if (is_broken_) break;
      if (!takes("=") && !takes(":")) {
        expected("'=' or ':'");
        break;
      }
      // HCL refuses a line end between '=' and the value.
      result.children.push_back(expression());
      if (is_broken_) break;
      skip_blanks(false);
      const bool is_separated = is_line_end() || takes(",") || (at_ > 0 && text_[at_ - 1] == '\n');
      if (!is_separated && peek() != '}') expected("',', '}' or a new line");
    }
    ignores_lines_ = outer;
    if (result.children.size() % 2 == 1) result.children.pop_back();
    result.span = from(begin);
    return result;
  }

  /// A bare name is the key itself.
  HclExpression object_key() {
    HclExpression key = expression();
    if (key.kind == Kind::kName || key.kind == Kind::kNull || key.kind == Kind::kBoolean) {
      const bool is_bare = text_[key.span.begin] != '(' && (key.span.begin == 0 || text_[key.span.begin - 1] != '(');
      if (is_bare) {
        Part part{.span = key.span,
                  .text = std::string(text_.substr(key.span.begin, key.span.length())),
                  .is_as_written = true};
        key = {.kind = Kind::kTemplate, .span = key.span};
        key.parts.push_back(std::move(part));
      }
    }
    return key;
  }

  HclExpression for_expression(std::size_t begin, std::string_view close) {
    ++at_;
    HclExpression result{.kind = close == "]" ? Kind::kForTuple : Kind::kForObject};
    inside_brackets([&] {
      skip_blanks();
      name();  // for
      for_header(result.key_name, result.value_name, result.children);
      skip_blanks();
      if (!is_broken_ && !takes(":")) expected("':'");
      result.children.push_back(expression());
      skip_blanks();
      if (result.kind == Kind::kForObject) {
        if (!is_broken_ && !takes("=>")) expected("'=>'");
        result.children.push_back(expression());
        skip_blanks();
        if (takes("...")) result.expands = true;
        skip_blanks();
      }
      if (!is_broken_ && sees("if") && !is_name_character(peek(2))) {
        at_ += 2;
        result.children.push_back(expression());
        skip_blanks();
      }
      if (!is_broken_ && !takes(close)) expected(close == "]" ? "']'" : "'}'");
      return 0;
    });
    result.span = from(begin);
    return result;
  }

  /// `k, v in x`
  void for_header(std::string& key_name, std::string& value_name, std::vector<HclExpression>& collection) {
    skip_blanks();
    value_name = std::string(name());
    if (value_name.empty()) return expected("a name after 'for'");
    skip_blanks();
    if (takes(",")) {
      skip_blanks();
      key_name = std::exchange(value_name, std::string(name()));
      if (value_name.empty()) return expected("a name after ','");
      skip_blanks();
    }
    if (name() != "in") return expected("'in'");
    collection.push_back(expression());
  }

  // Strings.

  HclExpression quoted_string() {
    const std::size_t begin = at_++;
    HclExpression result{.kind = Kind::kTemplate};
    result.parts = parts(TemplateEnd::kQuote, "");
    if (!is_broken_ && !takes("\"")) {
      fault({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(at_, text_.size()))},
            "string is not closed on its line", "add \" at its end, or use a heredoc");
    }
    result.span = from(begin);
    return result;
  }

  HclExpression heredoc() {
    const std::size_t begin = at_;
    at_ += 2;
    const bool is_indented = takes("-");
    const std::string marker(name());
    if (marker.empty()) {
      expected("the marker of a heredoc");
      return {.span = from(begin)};
    }
    while (peek() == ' ' || peek() == '\t') ++at_;
    if (!is_line_end()) {
      expected("a new line after the marker of a heredoc");
      return {.span = from(begin)};
    }
    at_ = text_.find('\n', at_) + 1;
    const std::size_t content = at_;
    std::size_t line = at_;
    std::size_t indentation = SIZE_MAX;
    for (;;) {
      if (line >= text_.size()) {
        fault({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(content - 1)}, "heredoc is not closed",
              "end it with a line " + marker);
        at_ = text_.size();
        return {.span = from(begin)};
      }
      const auto end = std::min(text_.find('\n', line), text_.size());
      const auto written = text_.substr(line, end - line);
      const auto shown = trim(written);
      if (shown == marker) break;
      if (!shown.empty()) indentation = std::min(indentation, written.find_first_not_of(" \t"));
      line = end + 1;
    }
    const std::size_t after = std::min(text_.find('\n', line), text_.size());
    // What a template of the heredoc opens must close inside of it.
    const std::string_view all = std::exchange(text_, text_.substr(0, line));
    heredoc_indentation_ = is_indented && indentation != SIZE_MAX ? indentation : 0;
    at_line_start_ = true;
    HclExpression result{.kind = Kind::kTemplate, .is_heredoc = true};
    result.parts = parts(TemplateEnd::kText, "");
    heredoc_indentation_ = 0;
    text_ = all;
    if (!is_broken_)
      at_ = after > 0 && after <= text_.size() && text_.substr(0, after).ends_with('\r') ? after - 1 : after;
    result.span = {static_cast<std::uint32_t>(begin),
                   static_cast<std::uint32_t>(line + trim_end(text_.substr(line, after - line)))};
    return result;
  }

  static std::size_t trim_end(std::string_view line) {
    const auto last = line.find_last_not_of(" \t\r\n");
    return last == std::string_view::npos ? 0 : last + 1;
  }

  static void add_text(std::vector<Part>& parts, Span span, std::string text, bool is_as_written) {
    if (text.empty() && span.length() == 0) return;
    parts.push_back({.span = span, .text = std::move(text), .is_as_written = is_as_written});
  }

  /// Reads parts up to the end of the text, the closing quote, or a directive that ends `inside` ("if", "else", "for").
  std::vector<Part> parts(TemplateEnd end, std::string_view inside) {
    std::vector<Part> result;
    if (!enter()) return result;
    const std::size_t indentation = std::exchange(heredoc_indentation_, 0);
    std::size_t begin = at_;
    const auto flush = [&] {
      if (at_ > begin) add_text(result, from(begin), std::string(text_.substr(begin, at_ - begin)), true);
    };
    bool line_start = std::exchange(at_line_start_, false);
    while (!is_broken_) {
      if (line_start && indentation > 0) {
        flush();
        for (std::size_t i = 0; i < indentation && (peek() == ' ' || peek() == '\t'); ++i) ++at_;
        begin = at_;
      }
      line_start = false;
      if (is_at_end()) {
        flush();
        if (!inside.empty() && end == TemplateEnd::kText)
          expected("%{ end" + std::string(inside == "else" ? "if" : inside) + " }");
        break;
      }
      const char c = peek();
      if (end == TemplateEnd::kQuote && (c == '"' || c == '\n')) {
        flush();
        break;
      }
      if ((c == '$' || c == '%') && peek(1) == c && peek(2) == '{') {
        flush();
        const std::size_t escape = at_;
        at_ += 3;
        add_text(result, from(escape), std::string(1, c) + "{", false);
        begin = at_;
        continue;
      }
      if ((c == '$' || c == '%') && peek(1) == '{') {
        flush();
        heredoc_indentation_ = 0;
        if (c == '$') {
          result.push_back(interpolation());
        } else if (!directive(result, end, inside, indentation)) {
          begin = at_;
          break;
        }
        begin = at_;
        continue;
      }
      if (c == '\\' && end == TemplateEnd::kQuote) {
        flush();
        escape(result);
        begin = at_;
        continue;
      }
      ++at_;
      if (c == '\n') {
        flush();
        begin = at_;
        line_start = true;
      }
    }
    leave();
    heredoc_indentation_ = indentation;
    return result;
  }

  void escape(std::vector<Part>& result) {
    const std::size_t begin = at_++;
    const char c = peek();
    ++at_;
    constexpr std::string_view kNames = "ntr\"\\";
    constexpr std::string_view kMeant = "\n\t\r\"\\";
    if (const auto known = kNames.find(c); known != std::string_view::npos && c != '\0')
      return add_text(result, from(begin), std::string(1, kMeant[known]), false);
    const std::size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
    char32_t code = 0;
    std::size_t count = 0;
    for (; count < digits; ++count) {
      const auto digit = hex_digit(peek());
      if (!digit) break;
      code = code * 16 + static_cast<char32_t>(*digit);
      ++at_;
    }
    at_ = std::min(at_, text_.size());
    if (digits == 0 || count < digits || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
      return fault({static_cast<std::uint32_t>(begin),
                    static_cast<std::uint32_t>(end_of_character(text_, std::min(begin + 2, text_.size())))},
                   "unknown escape in a string", R"(known are \n, \r, \t, \", \\, \uNNNN and \UNNNNNNNN)");
    std::string text;
    append_utf8(text, code);
    add_text(result, from(begin), std::move(text), false);
  }

  Part interpolation() {
    const std::size_t begin = at_;
    at_ += 2;
    Part part{.kind = Part::Kind::kValue};
    part.trims_before = takes("~");
    part.expression.push_back(inside_brackets([&] {
      HclExpression value = expression();
      skip_blanks();
      return value;
    }));
    part.trims_after = !is_broken_ && takes("~");
    if (!is_broken_ && !takes("}")) expected("'}' of the interpolation");
    part.span = from(begin);
    return part;
  }

  /// Reads `%{ ... }`. False when it ends what it is inside of.
  bool directive(std::vector<Part>& result, TemplateEnd end, std::string_view inside, std::size_t indentation) {
    const std::size_t begin = at_;
    at_ += 2;
    Part part;
    part.trims_before = takes("~");
    skip_blanks(true);
    const std::string word(name());
    const auto close = [&] {
      skip_blanks(true);
      const bool trims = !is_broken_ && takes("~");
      if (!is_broken_ && !takes("}")) expected("'}' of the directive");
      return trims;
    };
    const auto inner = [&](std::string_view of) {
      heredoc_indentation_ = indentation;
      return parts(end, of);
    };
    const bool is_end = (word == "endif" && (inside == "if" || inside == "else")) ||
                        (word == "else" && inside == "if") || (word == "endfor" && inside == "for");
    if (is_end) {
      ended_by_ = word;
      // The marks of an ending are kept as a text without bytes.
      Part mark{.span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin)},
                .trims_before = part.trims_before};
      ended_trims_after_ = close();
      if (mark.trims_before) result.push_back(std::move(mark));
      return false;
    }
    if (word == "if") {
      part.kind = Part::Kind::kIf;
      inside_brackets([&] {
        part.expression.push_back(expression());
        return 0;
      });
      const bool trims_then = close();
      part.inner = inner("if");
      if (trims_then) trim_first(part.inner);
      if (!is_broken_ && ended_by_ == "else") {
        const bool trims_else = ended_trims_after_;
        part.otherwise = inner("else");
        if (trims_else) trim_first(part.otherwise);
      }
    } else if (word == "for") {
      part.kind = Part::Kind::kFor;
      inside_brackets([&] {
        for_header(part.key_name, part.value_name, part.expression);
        return 0;
      });
      const bool trims = close();
      part.inner = inner("for");
      if (trims) trim_first(part.inner);
    } else {
      at_ = begin + 2;
      expected("if, else, endif, for or endfor");
    }
    part.trims_after = ended_trims_after_;
    part.span = from(begin);
    result.push_back(std::move(part));
    return true;
  }

  static void trim_first(std::vector<Part>& parts) {
    Part mark{.trims_after = true};
    if (!parts.empty()) mark.span = {parts.front().span.begin, parts.front().span.begin};
    parts.insert(parts.begin(), std::move(mark));
  }

  std::string_view text_;
  const Limits& limits_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
  bool ignores_lines_ = false;
  BodyLines lines_ = BodyLines::kMany;  ///< Of the body that is read.
  bool is_broken_ = false;
  bool has_old_syntax_ = false;
  bool has_other_name_ = false;
  std::size_t heredoc_indentation_ = 0;
  bool at_line_start_ = false;
  std::string ended_by_;
  bool ended_trims_after_ = false;
  std::vector<Fault> faults_;
};

}  // namespace

HclFile read_hcl(std::string_view text, const Limits& limits) {
  return Parser(text, limits).file();
}

HclTemplate read_hcl_template(std::string_view text, const Limits& limits) {
  return Parser(text, limits).template_text();
}

}  // namespace bayplan::text
