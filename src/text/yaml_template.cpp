#include "text/yaml_template.hpp"

#include <algorithm>

#include "text/placeholder_syntax.hpp"
#include "text/template_language.hpp"
#include "text/yaml_blocks.hpp"

namespace bayplan::text {
namespace {

/// Stands for a hidden byte. No text holds DEL; one that does is not masked.
constexpr char kMask = '\x7F';

bool may_begin_template(char c) {
  return c == '$' || c == '{' || c == '<' || c == '#' || c == '%' || c == '@' || c == '_';
}

class Masker {
 public:
  explicit Masker(std::string_view text) : text_(text), blocks_(text) { masked_.text = text; }

  MaskedYaml run() && {
    for (std::size_t i = 0; i < text_.size();) i = step(i);
    return std::move(masked_);
  }

 private:
  /// Handles what stands at `i` and says where to go on.
  std::size_t step(std::size_t i) {
    const char c = text_[i];
    if (c == '\n' || c == '\r') return begin_line(i);
    if (quote_ != '\0') {
      if (const std::size_t length = quoting_expression_length(text_, i); length > 0) return mask(i, length);
      if (c == quote_) quote_ = '\0';
      return i + (c == '\\' && quote_ == '"' ? 2 : 1);
    }
    if ((c == '"' || c == '\'') && at_value()) {
      quote_ = before_ = last_ = c;
      return i + 1;
    }
    if (may_begin_template(c)) {
      if (const std::size_t end = hide(i); end != i) return end;
    }
    if (c == '#' && (before_ == '\n' || (i > 0 && text_[i - 1] == ' ')))
      return std::min(text_.find_first_of("\r\n", i), text_.size());
    if (c != ' ' && c != '\t') before_ = last_ = c;
    return i + 1;
  }

  std::size_t begin_line(std::size_t line_end) {
    quote_ = '\0';
    before_ = '\n';
    return text_[line_end] == '\r' ? line_end + 1 : blocks_.after_line(line_end);
  }

  /// A scalar may begin here, or goes on after an expression.
  bool at_value() const {
    return before_ == '\n' || before_ == ':' || before_ == '-' || before_ == ',' || before_ == '[' || before_ == '{';
  }

  std::size_t hide(std::size_t i) {
    if (const std::size_t length = template_statement_length(text_, i); length > 0 && before_ == '\n') {
      return blank(i, length);
    }
    const std::size_t length = placeholder_length(text_, i);
    if (length == 0 || (text_[i] == '#' && !at_value())) return i;
    const bool goes_on = i > 0 && text_[i - 1] != ' ' && text_[i - 1] != '\t';
    if (!at_value() && !goes_on) return i;
    if (before_ == '\n' && stands_for_lines(i, length)) return blank(i, length);
    before_ = last_ = kMask;
    return mask(i, length);
  }

  std::size_t mask(std::size_t i, std::size_t length) {
    std::fill_n(masked_.text.begin() + static_cast<std::ptrdiff_t>(i), length, kMask);
    masked_.hidden.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + length)});
    return i + length;
  }

  /// Lines stay lines.
  std::size_t blank(std::size_t i, std::size_t length) {
    const auto begin = masked_.text.begin() + static_cast<std::ptrdiff_t>(i);
    std::replace_if(
        begin, begin + static_cast<std::ptrdiff_t>(length), [](char c) { return c != '\n' && c != '\r'; }, ' ');
    return i + length;
  }

  /// `{{ include "labels" . }}` alone on its line, and no value of the key before it.
  bool stands_for_lines(std::size_t i, std::size_t length) const {
    if (text_.substr(i, 2) != "{{") return false;
    const std::size_t after = std::min(text_.find_first_not_of(" \t", i + length), text_.size());
    if (after < text_.size() && text_[after] != '\n' && text_[after] != '\r') return false;
    return last_ != ':';
  }

  std::string_view text_;
  YamlBlocks blocks_;
  MaskedYaml masked_;
  char quote_ = '\0';
  char last_ = '\n';    ///< The same, of the lines before too.
  char before_ = '\n';  ///< The last character that is no blank; a line end at the start of a line.
};

/// The tag of a line such as `  - !Sub |-`.
std::optional<UntaggedYaml::Tag> block_tag(std::string_view text, std::size_t line, std::size_t line_end) {
  std::size_t i = text.find_first_not_of(" -", line);
  if (i >= line_end || text[i] != '!' || i == line || text[i - 1] != ' ') return std::nullopt;
  if (text.substr(line, i - line).find('-') == std::string_view::npos) return std::nullopt;
  const std::size_t tag_end = std::min(text.find_first_of(" \t", i), line_end);
  const std::size_t block = std::min(text.find_first_not_of(" \t", tag_end), line_end);
  if (block == line_end || (text[block] != '|' && text[block] != '>')) return std::nullopt;
  return UntaggedYaml::Tag{static_cast<std::uint32_t>(block),
                           {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(tag_end)}};
}

}  // namespace

std::optional<UntaggedYaml> hide_block_tags(std::string_view text) {
  UntaggedYaml result;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t line_end = std::min(text.find_first_of("\r\n", line), text.size());
    if (const auto tag = block_tag(text, line, line_end)) result.tags.push_back(*tag);
    line = line_end + 1;
  }
  if (result.tags.empty()) return std::nullopt;
  result.text = text;
  for (const auto& tag : result.tags) std::fill_n(result.text.begin() + tag.span.begin, tag.span.length(), ' ');
  return result;
}

std::optional<MaskedYaml> mask_templates(std::string_view text) {
  if (text.find(kMask) != std::string_view::npos) return std::nullopt;
  const bool has_template = text.find("{{") != std::string_view::npos || text.find("{%") != std::string_view::npos ||
                            text.find("{#") != std::string_view::npos || text.find("${") != std::string_view::npos ||
                            text.find("#{") != std::string_view::npos ||
                            text.find("{INSERT ") != std::string_view::npos ||
                            text.find_first_of("%@") != std::string_view::npos;
  if (!has_template) return std::nullopt;
  auto masked = Masker(text).run();
  return masked.text == text ? std::nullopt : std::optional(std::move(masked));
}

bool holds_mask(std::string_view decoded) {
  return decoded.find(kMask) != std::string_view::npos;
}

std::string unmask(std::string_view decoded, Span span, std::string_view source, const MaskedYaml& masked) {
  std::string written;
  const auto first = std::lower_bound(masked.hidden.begin(), masked.hidden.end(), span.begin,
                                      [](Span hidden, std::uint32_t begin) { return hidden.begin < begin; });
  for (auto hidden = first; hidden != masked.hidden.end() && hidden->end <= span.end; ++hidden) {
    written += source.substr(hidden->begin, hidden->length());
  }
  std::string result(decoded);
  std::size_t next = 0;
  for (char& c : result) {
    if (c == kMask && next < written.size()) c = written[next++];
  }
  return result;
}

}  // namespace bayplan::text
