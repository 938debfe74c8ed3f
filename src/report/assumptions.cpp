#include "report/assumptions.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace bayplan::report {

void write_assumptions_text(std::ostream& out, const std::vector<Assumption>& assumptions, bool verbose,
                            const Style& style) {
  constexpr std::size_t kShown = 5;
  const std::size_t shown = verbose ? assumptions.size() : std::min(kShown, assumptions.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& assumption = assumptions[i];
    const std::string subject = assumption.subject.empty() ? "" : " (" + printable(assumption.subject) + ")";
    out << style.dim("assumed " + assumption.id + subject + ": " + assumption.text) << '\n';
  }
  if (shown < assumptions.size()) {
    out << style.dim("and " + std::to_string(assumptions.size() - shown) + " more (-v)") << '\n';
  }
}

void write_assumptions_json(JsonWriter& json, const std::vector<Assumption>& assumptions) {
  json.key("assumptions").begin_array();
  for (const auto& assumption : assumptions) {
    json.begin_object(JsonWriter::Layout::kLine)
        .member("id", assumption.id)
        .member("subject", assumption.subject)
        .member("text", assumption.text)
        .end_object();
  }
  json.end_array();
}

}  // namespace bayplan::report
