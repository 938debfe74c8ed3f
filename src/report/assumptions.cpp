#include "report/assumptions.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/wrap.hpp"

namespace bayplan::report {
namespace {

constexpr std::size_t kShown = 5;
constexpr std::size_t kShownSubjects = 3;

std::string line_of(const std::string& id, const std::string& subject, const std::string& text) {
  return "assumed " + id + (subject.empty() ? "" : " (" + printable(subject) + ")") + ": " + printable(text);
}

void write_lines(std::ostream& out, const std::vector<std::string>& lines, bool verbose, const Style& style) {
  const std::size_t shown = verbose ? lines.size() : std::min(kShown, lines.size());
  for (std::size_t i = 0; i < shown; ++i) out << style.dim(lines[i]) << '\n';
  if (shown < lines.size()) out << style.dim("and " + std::to_string(lines.size() - shown) + " more (-v)") << '\n';
}

/// "web, api, etl and 4 more"
std::string joined_subjects(std::vector<std::string> subjects, bool verbose) {
  const auto all = subjects.size();
  if (!verbose && all > kShownSubjects + 1) subjects.resize(kShownSubjects);
  const auto more = all - subjects.size();
  return join(subjects, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

}  // namespace

void write_assumptions_text(std::ostream& out, const std::vector<Assumption>& assumptions, bool verbose,
                            const Style& style) {
  std::vector<std::string> lines;
  for (const auto& one : assumptions) lines.push_back(wrapped(line_of(one.id, one.subject, one.text), 2));
  write_lines(out, lines, verbose, style);
}

void write_joined_assumptions_text(std::ostream& out, const std::vector<Assumption>& assumptions, bool verbose,
                                   const Style& style) {
  std::vector<std::pair<const Assumption*, std::vector<std::string>>> joined;  // the first, and all subjects
  for (const auto& one : assumptions) {
    const auto known = std::find_if(joined.begin(), joined.end(), [&](const auto& other) {
      return other.first->id == one.id && other.first->text == one.text;
    });
    auto& subjects =
        known == joined.end() ? joined.emplace_back(&one, std::vector<std::string>()).second : known->second;
    if (!one.subject.empty()) subjects.push_back(one.subject);
  }
  std::vector<std::string> lines;
  for (const auto& [first, subjects] : joined)
    lines.push_back(wrapped(line_of(first->id, joined_subjects(subjects, verbose), first->text), 2));
  write_lines(out, lines, verbose, style);
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
