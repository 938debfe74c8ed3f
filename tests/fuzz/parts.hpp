#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// An input of several texts: lines `---8<---` stand between them. Those that are not there are empty.
inline std::vector<std::string> parts_of(const std::uint8_t* data, std::size_t size, std::size_t count) {
  constexpr std::string_view kCut = "\n---8<---\n";
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> parts;
  while (parts.size() + 1 < count) {
    const auto end = rest.find(kCut);
    parts.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + kCut.size());
  }
  parts.emplace_back(rest);
  return parts;
}

/// What stands between line feeds.
inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// Whether the text asks for so much that the answer takes long because there is much to do.
inline bool has_number_of(std::string_view text, std::size_t digits) {
  std::size_t run = 0;
  for (const char c : text) {
    run = c >= '0' && c <= '9' ? run + 1 : 0;
    if (run >= digits) return true;
  }
  return false;
}
