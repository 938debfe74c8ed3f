#include "awscli/shorthand.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/utf8.hpp"

namespace bayplan::awscli {
namespace {

/// Objects and lists in each other; the AWS CLI would end in Python's own limit.
constexpr int kDeepest = 64;

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_key_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.#/:").find(c) != std::string_view::npos;
}

/// \s of Python's re, as far as ASCII goes; the others are in the range up to U+FFFF anyway.
bool is_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
}

/// Characters of a bare word are those of the AWS CLI's regular expressions, which end at U+FFFF.
bool in_word(char32_t c, std::string_view without) {
  if (c > 0xFFFF || c < 0x21) return false;
  return c > 0x7F || without.find(static_cast<char>(c)) == std::string_view::npos;
}

bool starts_word(char32_t c) {
  return in_word(c, "\"',=[{");
}

bool follows_in_first(char32_t c) {
  return is_space(c) || in_word(c, "\"',]}");
}

bool follows_in_second(char32_t c) {
  return is_space(c) || in_word(c, "\"',=");
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  ParsedShorthand parse() {
    ShorthandValue object;
    object.kind = ShorthandValue::Kind::kObject;
    do {
      if (!object.children.empty() && !expect(',')) break;
      ShorthandValue member;
      if (!member_of(member)) break;
      const bool is_known = std::any_of(object.children.begin(), object.children.end(),
                                        [&](const auto& other) { return other.key == member.key; });
      if (is_known) {
        fail(fmt::format("duplicate key '{}'", member.key), "separate the items of a list with spaces, not commas",
             member.key_span.begin);
        break;
      }
      object.children.push_back(std::move(member));
    } while (!at_end());
    if (fault_) return {std::nullopt, std::move(fault_)};
    object.span = {0, static_cast<std::uint32_t>(text_.size())};
    return {std::move(object), std::nullopt};
  }

 private:
  using Kind = ShorthandValue::Kind;

  bool at_end() const { return at_ >= text_.size(); }
  bool is_at(char c) const { return !at_end() && text_[at_] == c; }

  void skip_blanks() {
    while (!at_end() && is_blank(text_[at_])) ++at_;
  }

  bool fail(std::string message, std::string help, std::uint32_t at) {
    if (!fault_) fault_ = ShorthandFault{std::move(message), std::move(help), at};
    return false;
  }

  /// What is here, in words of messages.
  std::string seen() const {
    if (at_end()) return "the end";
    std::size_t next = at_;
    decode_utf8(text_, next);
    return "'" + std::string(text_.substr(at_, next - at_)) + "'";
  }

  bool try_char(char c, bool blanks) {
    if (blanks) skip_blanks();
    if (!is_at(c)) return false;
    ++at_;
    if (blanks) skip_blanks();
    return true;
  }

  bool expect(char c, bool blanks = true) {
    if (try_char(c, blanks)) return true;
    return fail(fmt::format("expected '{}', found {}", std::string(1, c), seen()), help_for(c), at_);
  }

  static std::string help_for(char c) {
    if (c == '=') return "shorthand is key=value,key=value; quote values that hold , = or quotes";
    return c == ',' ? "quote values that contain spaces, commas or quotes" : std::string();
  }

  /// key "=" value, or key "@=" file
  bool member_of(ShorthandValue& member) {
    ShorthandValue content;
    if (!key_of(member) || !values(content)) return false;
    content.key = std::move(member.key);
    content.key_span = member.key_span;
    member = std::move(content);
    return true;
  }

  bool key_of(ShorthandValue& member) {
    const std::uint32_t begin = at_;
    while (!at_end() && is_key_char(text_[at_])) ++at_;
    member.key = text_.substr(begin, at_ - begin);
    member.key_span = {begin, at_};
    may_name_file_ = try_char('@', true);
    return expect('=');
  }

  bool values(ShorthandValue& value) {
    if (at_end()) {
      value.span = {at_, at_};
      return true;
    }
    if (is_at('[')) return list(value);
    if (is_at('{')) return object(value);
    return value_or_list(value);
  }

  /// `b` or `b,c`: what follows a comma is one more value unless it is a key.
  bool value_or_list(ShorthandValue& value) {
    ShorthandValue first;
    const std::uint32_t begin = at_;
    if (!first_value(first)) return false;
    skip_blanks();
    if (!is_at(',')) {
      value = std::move(first);
      return true;
    }
    expect(',');
    std::vector<ShorthandValue> items;
    items.push_back(std::move(first));
    std::uint32_t end = items.back().span.end;
    while (true) {
      ShorthandValue next;
      const bool is_value = second_value(next);
      if (is_value) skip_blanks();
      if (is_value && at_end()) {
        end = next.span.end;
        items.push_back(std::move(next));
        break;
      }
      if (!is_value || !try_char(',', true)) {
        if (at_end()) return fail("expected a value after ',', found the end", "", at_);
        while (at_ > 0 && text_[at_] != ',') --at_;
        break;
      }
      end = next.span.end;
      items.push_back(std::move(next));
    }
    if (items.size() == 1) {
      value = std::move(items.front());
      return true;
    }
    value.kind = Kind::kList;
    value.children = std::move(items);
    value.span = {begin, end};
    return true;
  }

  bool list(ShorthandValue& value) {
    const std::uint32_t begin = at_;
    if (++depth_ > kDeepest) return fail("nested too deep", "", at_);
    expect('[');
    value.kind = Kind::kList;
    while (!is_at(']')) {
      ShorthandValue item;
      if (!explicit_value(item)) return false;
      value.children.push_back(std::move(item));
      if (!next_or(']')) return false;
    }
    ++at_;
    --depth_;
    value.span = {begin, at_};
    return true;
  }

  bool object(ShorthandValue& value) {
    const std::uint32_t begin = at_;
    if (++depth_ > kDeepest) return fail("nested too deep", "", at_);
    expect('{');
    value.kind = Kind::kObject;
    while (!is_at('}')) {
      ShorthandValue member;
      if (!key_of(member)) return false;
      ShorthandValue content;
      if (!explicit_value(content)) return false;
      content.key = std::move(member.key);
      content.key_span = member.key_span;
      if (!next_or('}')) return false;
      keep_last(value.children, std::move(content));
    }
    ++at_;
    --depth_;
    value.span = {begin, at_};
    return true;
  }

  /// In braces the AWS CLI lets the last of two equal keys win and says nothing.
  static void keep_last(std::vector<ShorthandValue>& members, ShorthandValue member) {
    for (auto& other : members) {
      if (other.key != member.key) continue;
      other = std::move(member);
      return;
    }
    members.push_back(std::move(member));
  }

  bool next_or(char closing) {
    skip_blanks();
    if (is_at(closing)) return true;
    if (!try_char(',', false)) {
      return fail(fmt::format("expected ',' or '{}', found {}", std::string(1, closing), seen()), help_for(','), at_);
    }
    skip_blanks();
    return true;
  }

  bool explicit_value(ShorthandValue& value) {
    if (is_at('[')) return list(value);
    return is_at('{') ? object(value) : first_value(value);
  }

  bool first_value(ShorthandValue& value) {
    if (is_at('\'') || is_at('"')) return quoted(value);
    word(value, follows_in_first);  // an empty one will do
    return true;
  }

  /// False without a fault where there is no value.
  bool second_value(ShorthandValue& value) {
    if (is_at('\'') || is_at('"')) return quoted(value);
    return word(value, follows_in_second);
  }

  bool word(ShorthandValue& value, bool (*follows)(char32_t)) {
    const std::uint32_t begin = at_;
    bool is_first = true;
    while (!at_end()) {
      if (text_.substr(at_).starts_with("\\,")) {
        at_ += 2;
      } else {
        std::size_t next = at_;
        const char32_t c = decode_utf8(text_, next);
        if (is_first ? !starts_word(c) : !follows(c)) break;
        at_ = static_cast<std::uint32_t>(next);
      }
      is_first = false;
    }
    std::string_view bare = text_.substr(begin, at_ - begin);
    while (!bare.empty() && is_space(static_cast<unsigned char>(bare.back()))) bare.remove_suffix(1);
    value.text = replaced(std::string(bare), "\\,", ",");
    value.span = {begin, begin + static_cast<std::uint32_t>(bare.size())};
    value.may_name_file = may_name_file_;
    return !is_first;
  }

  /// Where the quote that ends the text is. An escaped quote is the last resort, as it is for the expression
  /// '(?:\\\\|\\'|[^'])*' of the AWS CLI.
  std::optional<std::uint32_t> closing_quote(char quote) const {
    std::optional<std::uint32_t> escaped;
    for (std::uint32_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == quote) return i;
      if (text_[i] != '\\' || i + 1 >= text_.size()) continue;
      if (text_[i + 1] == quote) escaped = i + 1;
      if (text_[i + 1] == quote || text_[i + 1] == '\\') ++i;
    }
    return escaped;
  }

  bool quoted(ShorthandValue& value) {
    const char quote = text_[at_];
    const auto end = closing_quote(quote);
    if (!end) return fail(fmt::format("missing closing quote {}", std::string(1, quote)), "", at_);
    std::string text(text_.substr(at_ + 1, *end - at_ - 1));
    text = replaced(std::move(text), std::string("\\") + quote, std::string_view(&quote, 1));
    value.text = replaced(std::move(text), "\\\\", "\\");
    value.span = {at_, *end + 1};
    value.may_name_file = may_name_file_;
    at_ = *end + 1;
    return true;
  }

  std::string_view text_;
  std::uint32_t at_ = 0;
  int depth_ = 0;
  bool may_name_file_ = false;
  std::optional<ShorthandFault> fault_;
};

}  // namespace

ParsedShorthand parse_shorthand(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace bayplan::awscli
