#include "rules/file/written_list.hpp"

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "text/read.hpp"

namespace bayplan::rules {

std::optional<std::vector<std::string>> read_written_list(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
  const auto document = text::read_document(std::string(text), {.format = text::Format::kJson});
  const text::Value root = document->root();
  if (!document->faults().empty() || !root || !root.is_array() || root.size() == 0) return std::nullopt;
  std::vector<std::string> words;
  for (const text::Value word : root.children()) {
    if (!word.is_string()) return std::nullopt;
    words.emplace_back(word.text());
  }
  return words;
}

std::string json_list(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  quoted.reserve(words.size());
  for (const auto& word : words) quoted.push_back(json_quoted(word));
  return "[" + join(quoted, ", ") + "]";
}

}  // namespace bayplan::rules
