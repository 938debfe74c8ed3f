#include "text/yaml_faults.hpp"

#include <algorithm>
#include <string>

#include "base/excerpt.hpp"

namespace bayplan::text {
namespace {

constexpr std::string_view kUnclosedQuote = "a quote opens here and is not closed before the end of the text";

struct YamlLibraryMessage {
  std::string_view beginning;  ///< Of what the library says.
  std::string_view message;
  std::string_view help;
};

constexpr YamlLibraryMessage kYamlMessages[] = {
    {"end of sequence flow not found", "this '[' is not closed", "close it with ']'"},
    {"end of map flow not found", "this '{' is not closed", "close it with '}'"},
    {"illegal EOF in scalar", kUnclosedQuote, "close the string"},
    {"illegal map value", "a ':' is not possible here",
     "check the indentation of this line; quote the text if the ':' belongs to it"},
    {"illegal map key", "a key is not possible here", "check the indentation of this line"},
    {"illegal block entry", "a '- ' is not possible here",
     "check the indentation of this line; inside [ ] separate by ','"},
    {"end of map not found", "this is indented in a way that fits no level above",
     "give the keys of one object the same indentation"},
    {"end of sequence not found", "this is indented in a way that fits no level above",
     "give the items of one list the same indentation"},
    {"illegal flow end", "a closing bracket without an opening one", "delete it, or quote the text"},
    {"unknown token", "no value can begin with this character", "quote the text"},
    {"illegal tab", "a tab stands where YAML counts blanks", "indent with spaces"},
    {"illegal document indicator", "'---' or '...' stands inside a string", "indent it, or close the string before"},
    {"illegal character in scalar", "this character is not possible in a text without quotes", "quote the text"},
    {"the referenced anchor is not defined", "no value above has this anchor",
     "define it with '&' first, or quote the text if it is no alias"},
    {"alias not found", "a '*' without a name", "quote the text if it is no alias"},
    {"anchor not found", "a '&' without a name", "quote the text if it is no anchor"},
    {"illegal character found while scanning alias", "the name of an alias holds a character that is not possible",
     "quote the text if it is no alias"},
    {"illegal character found while scanning anchor", "the name of an anchor holds a character that is not possible",
     "quote the text if it is no anchor"},
    {"illegal character found while scanning tag", "a tag holds a character that is not possible",
     "quote the text if it is no tag"},
    {"tag handle with no suffix", "a tag without a name", "quote the text if it is no tag"},
    {"end of verbatim tag", "a '!<' without '>'", "quote the text if it is no tag"},
    {"cannot assign multiple tags", "two tags on one value", "keep one"},
    {"cannot assign multiple anchors", "two anchors on one value", "keep one"},
    {"cannot assign multiple aliases", "two aliases where one value stands", "keep one"},
    {"aliases can't have any content", "an alias takes no value, tag or anchor of its own",
     "put it on a line of its own"},
    {"bad character found while scanning hex", "a \\x, \\u or \\U escape needs hexadecimal digits",
     "write \\\\ for a backslash"},
    {"invalid unicode", "a \\u escape that is no character",
     "YAML has no surrogate pairs: write the character itself, or \\U and eight digits"},
    {"unknown escape character", "a backslash escape that YAML does not know",
     "write \\\\ for a backslash, or use single quotes"},
    {"cannot set zero indentation", "a text block cannot be indented by 0", "write a number from 1 to 9, or none"},
    {"unexpected character in block scalar", "only an indentation number, '+' or '-' may follow '|' or '>'",
     "begin the text on the next line"},
    {"YAML directives", "a %YAML line takes one version", "write %YAML 1.2, or leave the line out"},
    {"bad YAML version", "a %YAML line takes one version", "write %YAML 1.2, or leave the line out"},
    {"YAML major version", "this version of YAML does not exist", "write %YAML 1.2, or leave the line out"},
    {"repeated", "this directive is given twice", "keep one"},
    {"TAG directives", "a %TAG line takes a handle and a prefix", "leave the line out"},
};

YamlLibraryMessage wording_of(std::string_view said) {
  for (const YamlLibraryMessage& wording : kYamlMessages) {
    if (said.starts_with(wording.beginning)) return wording;
  }
  return {{}, "this is no YAML", "check the indentation and the quotes of this line"};
}

Fault syntax_fault(Span span, std::string_view message, std::string_view help) {
  return {FaultKind::kYamlSyntax, span, std::string(message), std::string(help), {}, {}};
}

/// The tab in the indentation of the line of `offset` or the line before, which the library notices only later.
std::optional<Span> indenting_tab(std::string_view text, std::uint32_t offset) {
  std::size_t end = offset;
  for (int line = 0; line < 2; ++line) {
    const std::size_t line_end = end == 0 ? std::string_view::npos : text.find_last_of("\r\n", end - 1);
    const std::size_t start = line_end == std::string_view::npos ? 0 : line_end + 1;
    for (std::size_t i = start; i < text.size() && (text[i] == ' ' || text[i] == '\t'); ++i) {
      if (text[i] == '\t') return Span{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1)};
    }
    if (start == 0) break;
    end = start - 1;
  }
  return std::nullopt;
}

/// Whether the line of `offset` goes on with the text of a `- &anchor text` above and stands no deeper than that
/// anchor: good YAML, which the library measures against the anchor and not against the dash.
bool goes_on_behind_anchor(std::string_view text, std::uint32_t offset) {
  constexpr auto kNone = std::string_view::npos;
  const auto line_of = [&](std::size_t at) { return at == 0 ? 0 : text.find_last_of("\r\n", at - 1) + 1; };
  const std::size_t column = offset - line_of(offset);
  const std::size_t end = text.substr(0, line_of(offset)).find_last_not_of(" \r\n");
  if (end == kNone) return false;
  const std::size_t line = line_of(end);
  const std::size_t dash = text.find_first_not_of(' ', line);
  const std::size_t anchor = text.find_first_not_of(' ', dash + 1);
  if (text[dash] != '-' || anchor > end || text[anchor] != '&') return false;
  const std::size_t behind = text.find_first_of(" \r\n", anchor);
  return behind < end && dash - line < column && column <= anchor - line;
}

}  // namespace

Span word_at(std::string_view text, std::uint32_t offset) {
  const auto size = static_cast<std::uint32_t>(text.size());
  const std::uint32_t begin = std::min(offset, size);
  const auto end = static_cast<std::uint32_t>(std::min(text.find_first_of(" \t\r\n,]}", begin), text.size()));
  const auto least = static_cast<std::uint32_t>(end_of_character(text, std::min(begin + 1, size)));
  return {begin, std::max(end, least)};
}

Fault fault_of_library(std::string_view message, std::int64_t position, std::string_view text,
                       std::optional<std::uint32_t> open_bracket) {
  const YamlLibraryMessage wording = wording_of(message);
  const auto offset =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(position, 0, static_cast<std::int64_t>(text.size())));
  if (const auto tab = indenting_tab(text, offset)) {
    return syntax_fault(*tab, "a tab cannot indent YAML", "indent with spaces");
  }
  if (goes_on_behind_anchor(text, offset)) {
    return syntax_fault(word_at(text, offset),
                        "bayplan cannot read this text of an anchor in a list, though YAML allows it",
                        "indent the text deeper than its anchor");
  }
  const bool is_unclosed = message.find("flow not found") != std::string_view::npos;
  if (is_unclosed && open_bracket)
    return syntax_fault({*open_bracket, *open_bracket + 1}, wording.message, wording.help);
  if (wording.message.find(" escape ") != std::string_view::npos) {
    if (const auto backslash = text.substr(0, offset).rfind('\\'); backslash != std::string_view::npos) {
      return syntax_fault(
          {static_cast<std::uint32_t>(backslash), std::max(offset, static_cast<std::uint32_t>(backslash + 1))},
          wording.message, wording.help);
    }
  }
  return syntax_fault(word_at(text, offset), wording.message, wording.help);
}

void point_at_quote(std::string_view text, std::uint32_t values_end, Fault& fault) {
  if (fault.message != kUnclosedQuote) return;
  const std::size_t quote = text.find_first_of("\"'", values_end);
  if (quote == std::string_view::npos) return;
  const auto line_end = std::min(text.find_first_of("\r\n", quote), text.size());
  fault.span = {static_cast<std::uint32_t>(quote), static_cast<std::uint32_t>(line_end)};
}

std::optional<Fault> unreadable_character(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    return syntax_fault({0, 3}, "a second byte order mark stands here", "save it as UTF-8 without BOM");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 || c == '\t' || c == '\n' || c == '\r') continue;
    const auto at = static_cast<std::uint32_t>(i);
    return syntax_fault({at, at + 1}, "a control character cannot stand in YAML",
                        "delete it, or write it as an escape in a string with \" quotes");
  }
  return std::nullopt;
}

Fault second_root(std::string_view text, std::uint32_t begin, std::uint32_t first_end) {
  const std::size_t marker = text.substr(0, begin).rfind("\n---");
  if (marker != std::string_view::npos && marker + 1 >= first_end) {
    const auto at = static_cast<std::uint32_t>(marker + 1);
    return syntax_fault({at, at + 3}, "a second document begins here", "keep one document in a file");
  }
  if (text.substr(begin, 3) == "---")
    return syntax_fault({begin, begin + 3}, "a second document begins here", "keep one document in a file");
  return syntax_fault(word_at(text, begin), "this stands outside of the list or object above",
                      "check the indentation of this line");
}

}  // namespace bayplan::text
