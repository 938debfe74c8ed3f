#include "text/json_elements.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/excerpt.hpp"
#include "base/utf8.hpp"
#include "text/json_reader.hpp"

namespace bayplan::text {
namespace {

bool is_one_of(const std::vector<std::string_view>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// A set of bytes to look for. `find_first_of` asks the set anew at every byte, which large snapshots feel.
class Bytes {
 public:
  constexpr explicit Bytes(std::string_view members) {
    for (const char c : members) is_member_[static_cast<unsigned char>(c)] = true;
  }
  std::size_t find_in(std::string_view text, std::size_t from) const {
    while (from < text.size() && !is_member_[static_cast<unsigned char>(text[from])]) ++from;
    return from;
  }

 private:
  std::array<bool, 256> is_member_{};
};

constexpr Bytes kBrackets("\"[]{}");
constexpr Bytes kEnds("\"[]{},: \t\r\n");  ///< What ends a number or literal, and what opens other values.
constexpr Bytes kStringMarks("\"\\");

/// A reader with a cursor, and with the object and the element at hand, which faults refer to.
class Walker {
 public:
  Walker(std::string_view text, const ElementsWanted& wanted, const Limits& limits,
         const std::function<bool(const JsonElement&)>& sink)
      : text_(text), wanted_(wanted), limits_(limits), sink_(sink) {}

  ElementsWalk run() {
    for (std::size_t position = 0; !stopped_ && skip_blanks(); ++position) {
      if (!top_level_value(position)) break;
    }
    return std::move(walk_);
  }

 private:
  /// False at the end of the text.
  bool skip_blanks() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ < text_.size();
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool fail(std::string_view expected) {
    const auto offset = static_cast<std::uint32_t>(at_);
    Fault fault{FaultKind::kJsonSyntax, {offset, offset}, {}, {}, {}, {}, true};
    if (at_ >= text_.size()) {
      fault.message = "unexpected end of file, expected " + std::string(expected);
    } else {
      const std::size_t end = end_of_character(text_, at_ + 1);
      fault.span.end = static_cast<std::uint32_t>(end);
      fault.message = "unexpected '" + printable(text_.substr(at_, end - at_)) + "', expected " + std::string(expected);
    }
    return refuse(std::move(fault));
  }

  bool refuse(Fault fault) {
    if (!inside_) inside_ = page_;
    if (inside_) inside_->span.end = fault.span.begin;
    walk_.broken = BrokenJson{std::move(fault), inside_};
    return false;
  }

  bool top_level_value(std::size_t position) {
    if (peek() == '{') return page(position, false);
    if (peek() != '[') return fail("'{' or '['");
    return list([this](std::size_t index) { return peek() == '{' ? page(index, true) : skip_value(); });
  }

  /// `item(index)` reads each element of the list at hand.
  template <class Item>
  bool list(Item item) {
    ++at_;
    skip_blanks();
    if (peek() == ']') return ++at_, true;
    for (std::size_t index = 0;; ++index) {
      skip_blanks();
      if (!item(index) || stopped_) return false;
      skip_blanks();
      if (peek() == ']') return ++at_, true;
      if (peek() != ',') return fail("',' or ']' after the value");
      ++at_;
    }
  }

  bool page(std::size_t position, bool is_listed) {
    const std::size_t begin = at_;
    bool holds_wanted = false;
    const auto around = std::exchange(page_, JsonElement{{}, is_listed, position, span_from(begin)});
    if (!members(holds_wanted) || stopped_) return false;
    page_ = around;
    walk_.holds_wanted |= holds_wanted;
    return holds_wanted || hand_over({{}, is_listed, position, span_from(begin)});
  }

  bool members(bool& holds_wanted) {
    ++at_;
    skip_blanks();
    if (peek() == '}') return ++at_, true;
    for (;;) {
      skip_blanks();
      std::string_view key;
      if (peek() != '"') return fail("a key in double quotes");
      if (!string(&key)) return false;
      skip_blanks();
      if (peek() != ':') return fail("':' after the key");
      ++at_;
      skip_blanks();
      if (!member(key, holds_wanted) || stopped_) return false;
      skip_blanks();
      if (peek() == '}') return ++at_, true;
      if (peek() != ',') return fail("',' or '}' after the value");
      ++at_;
    }
  }

  bool member(std::string_view key, bool& holds_wanted) {
    if (is_one_of(wanted_.members, key)) {
      if (peek() == '{') return holds_wanted = true, element({key, false, 0, {}});
      if (peek() == '[') return elements(key, holds_wanted);
    }
    if (is_one_of(wanted_.wrappers, key) && peek() == '{') return holds_wanted = true, page(0, false);
    return skip_value();
  }

  /// A list of other things than objects (names, ARNs) is no list of elements; an empty one is.
  bool elements(std::string_view key, bool& holds_wanted) {
    bool is_empty = true;
    bool has_objects = false;
    std::size_t others = 0;
    std::size_t first = 0;
    const bool whole = list([&](std::size_t index) {
      is_empty = false;
      if (peek() != '{') {
        if (others++ == 0) first = at_;
        return skip_value();
      }
      has_objects = true;
      return element({key, true, index, {}});
    });
    holds_wanted |= is_empty || has_objects;
    if (has_objects) pass_over(others, first);
    return whole;
  }

  void pass_over(std::size_t count, std::size_t first) {
    if (count > 0 && walk_.passed_over == 0) walk_.first_passed_over = static_cast<std::uint32_t>(first);
    walk_.passed_over += count;
  }

  bool element(JsonElement element) {
    const std::size_t begin = at_;
    element.span = span_from(begin);
    inside_ = element;
    if (!skip_value()) return false;
    inside_.reset();
    element.span = span_from(begin);
    return hand_over(element);
  }

  bool hand_over(const JsonElement& element) {
    stopped_ = !sink_(element);
    return !stopped_;
  }

  Span span_from(std::size_t begin) const {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }

  /// The string at hand, without decoding it.
  bool string(std::string_view* content = nullptr) {
    const std::size_t begin = at_++;
    for (;;) {
      at_ = kStringMarks.find_in(text_, at_);
      if (at_ >= text_.size()) return fail("'\"' at the end of the string");
      if (text_[at_] == '"') break;
      at_ = std::min(at_ + 2, text_.size());
    }
    ++at_;
    if (content != nullptr) *content = text_.substr(begin + 1, at_ - begin - 2);
    return true;
  }

  /// Brackets and strings only.
  bool skip_value() {
    open_.clear();
    const std::size_t begin = at_;
    do {
      at_ = (open_.empty() ? kEnds : kBrackets).find_in(text_, at_);
      if (open_.empty() && at_ > begin) return true;  // number or literal
      if (at_ >= text_.size()) return fail(open_.empty() ? "a value" : open_.back() == '[' ? "']'" : "'}'");
      if (!skip_token()) return false;
    } while (!open_.empty());
    return true;
  }

  bool skip_token() {
    const char c = peek();
    if (c == '"') return string();
    if (c == '[' || c == '{') {
      if (open_.size() >= limits_.depth) return refuse(too_deep());
      open_ += c;
    } else if (c == ']' || c == '}') {
      if (open_.empty()) return fail("a value");
      if (open_.back() != (c == ']' ? '[' : '{')) return fail(open_.back() == '[' ? "']'" : "'}'");
      open_.pop_back();
    } else {
      return fail("a value");
    }
    ++at_;
    return true;
  }

  Fault too_deep() const {
    const auto offset = static_cast<std::uint32_t>(at_);
    return {FaultKind::kTooDeep,
            {offset, offset + 1},
            "nested deeper than " + std::to_string(limits_.depth) + " levels",
            {},
            {},
            {},
            true};
  }

  std::string_view text_;
  const ElementsWanted& wanted_;
  const Limits& limits_;
  const std::function<bool(const JsonElement&)>& sink_;
  std::size_t at_ = 0;
  std::string open_;  ///< Brackets of the value that is being skipped.
  bool stopped_ = false;
  std::optional<JsonElement> inside_;  ///< The element at hand.
  std::optional<JsonElement> page_;    ///< The object that holds it.
  ElementsWalk walk_;
};

}  // namespace

ElementsWalk for_each_element(std::string_view text, const ElementsWanted& wanted, const Limits& limits,
                              const std::function<bool(const JsonElement&)>& sink) {
  return Walker(text, wanted, limits, sink).run();
}

std::shared_ptr<const Document> parse_element(std::string_view text, Span span, const Limits& limits) {
  Builder builder(std::string(text.substr(span.begin, span.length())), Format::kJson);
  if (span.length() > limits.definition_bytes) {
    builder.fault({FaultKind::kTooLarge,
                   {0, 1},
                   "one element has " + std::to_string(span.length()) + " bytes; the maximum is " +
                       std::to_string(limits.definition_bytes),
                   "change the limit with --max-input",
                   {},
                   {}});
  } else if (auto fault = read_json(builder.source(), limits, builder)) {
    builder.fault(std::move(*fault));
  }
  return std::move(builder).finish();
}

}  // namespace bayplan::text
