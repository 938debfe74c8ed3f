#include "report/explain/assumption_texts.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "embedded/assumptions_page.hpp"

namespace bayplan::report {
namespace {

/// Markdown without links: "([spot.md](spot.md))" is "(spot.md)".
std::string without_links(std::string_view text) {
  std::string plain;
  while (true) {
    const auto open = text.find('[');
    const auto middle = open == std::string_view::npos ? open : text.find("](", open);
    const auto close = middle == std::string_view::npos ? middle : text.find(')', middle);
    if (close == std::string_view::npos) return plain += text;
    (plain += text.substr(0, open)) += text.substr(open + 1, middle - open - 1);
    text.remove_prefix(close + 1);
  }
}

}  // namespace

std::vector<AssumptionText> assumption_texts() {
  constexpr std::string_view kHeading = "## ";
  constexpr std::string_view kRow = "| `";
  std::vector<AssumptionText> texts;
  std::string section;
  for (const auto line : split(embedded::assumptions_page(), '\n')) {
    if (line.starts_with(kHeading)) section = line.substr(kHeading.size());
    if (!line.starts_with(kRow)) continue;
    const auto cells = split(line, '|');
    constexpr std::size_t kCells = 5;  // nothing before the first bar and behind the last one
    if (cells.size() != kCells) continue;
    const auto id = trim(cells[1]);
    const auto meaning = trim(cells[2]);
    if (meaning == "see above") continue;
    texts.push_back(
        {std::string(id.substr(1, id.size() - 2)), section, without_links(meaning), without_links(trim(cells[3]))});
  }
  return texts;
}

std::vector<AssumptionText> find_assumption(std::string_view id) {
  auto texts = assumption_texts();
  std::erase_if(texts, [&](const AssumptionText& text) { return text.id != id; });
  return texts;
}

std::string assumption_page(const AssumptionText& text) {
  std::string anchor = lower(text.section);
  std::replace(anchor.begin(), anchor.end(), ' ', '-');
  return "docs/assumptions.md#" + anchor;
}

}  // namespace bayplan::report
