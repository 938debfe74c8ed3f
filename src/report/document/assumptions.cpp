#include "report/document/assumptions.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "capacity/requirement.hpp"
#include "catalog/ecs_quotas.hpp"
#include "report/document/escape.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {
namespace {

constexpr std::size_t kShownSubjects = 3;
/// Texts of one sort that a first screen shows.
constexpr std::size_t kShownWithoutVerbose = 3;

/// What the input lacks, bayplan does not simulate or ECS does not allow may turn the answer, so that a first screen
/// shows it. The other assumptions are choices where AWS documents nothing.
bool is_gap(std::string_view id) {
  return id == catalog::kEcsQuotaExceeded || id.ends_with("-unknown") || id.ends_with("-not-described") ||
         id.ends_with("-not-simulated");
}

template <class Key>
std::vector<AssumptionGroup> grouped(const std::vector<Assumption>& assumptions, Key key_of) {
  std::vector<AssumptionGroup> groups;
  std::map<decltype(key_of(assumptions.front())), std::size_t> known;
  for (const auto& one : assumptions) {
    const auto [found, is_new] = known.try_emplace(key_of(one), groups.size());
    if (is_new) groups.push_back({.id = one.id, .text = one.text, .count = 0, .subjects = {}});
    auto& group = groups[found->second];
    ++group.count;
    if (!one.subject.empty()) group.subjects.push_back(one.subject);
  }
  return groups;
}

/// "web, api, etl and 4 more"
std::string joined_subjects(std::vector<std::string> subjects, bool is_whole) {
  const auto all = subjects.size();
  if (!is_whole && all > kShownSubjects + 1) subjects.resize(kShownSubjects);
  const auto more = all - subjects.size();
  return join(subjects, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

/// The text without its subject, if that is a separate word: what assumptions of one id have in common.
std::string template_of(const Assumption& one) {
  std::string text = one.text;
  if (one.subject.empty()) return text;
  const auto is_inside_word = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(one.subject); at != std::string::npos; at = text.find(one.subject, at)) {
    const std::size_t end = at + one.subject.size();
    if ((at > 0 && is_inside_word(at - 1)) || is_inside_word(end)) {
      at = end;
    } else {
      text.erase(at, one.subject.size());
    }
  }
  return text;
}

/// An array of objects with id, subject and text.
template <class T>
void write_texts_json(JsonWriter& json, std::string_view key, const std::vector<T>& list) {
  json.key(key).begin_array();
  for (const T& one : list) {
    json.begin_object(JsonWriter::Layout::kLine)
        .member("id", one.id)
        .member("subject", one.subject)
        .member("text", one.text)
        .end_object();
  }
  json.end_array();
}

}  // namespace

std::string AssumptionGroup::words() const {
  if (differing == 0) return std::string(text);
  return fmt::format("{}; {} {} in detail", text, differing, differing == 1 ? "differs" : "differ");
}

std::string AssumptionGroup::subject_words(bool is_whole) const {
  if (subjects.empty()) return count == 1 ? "" : count_of(count, "time");
  return joined_subjects(subjects, is_whole);
}

std::vector<AssumptionGroup> grouped_by_id(const std::vector<Assumption>& assumptions) {
  auto groups = grouped(assumptions, [](const Assumption& one) { return std::string_view(one.id); });
  std::map<std::string_view, std::pair<std::string, std::size_t>> firsts;  // by id: what the first says, its group
  for (std::size_t i = 0; i < groups.size(); ++i) firsts.emplace(groups[i].id, std::pair(std::string(), i));
  for (const auto& one : assumptions) {
    auto& [first, group] = firsts.at(one.id);
    if (one.text.data() == groups[group].text.data()) first = template_of(one);
    if (template_of(one) != first) ++groups[group].differing;
  }
  return groups;
}

std::vector<AssumptionGroup> grouped_by_text(const std::vector<Assumption>& assumptions) {
  return grouped(assumptions,
                 [](const Assumption& one) { return std::pair<std::string_view, std::string_view>(one.id, one.text); });
}

std::vector<std::string> notes_of(const std::vector<Assumption>& assumptions) {
  std::vector<std::string> notes;
  for (const auto& group : grouped_by_text(assumptions)) {
    if (group.id == capacity::kLaunchTypeNotEc2 || group.id == capacity::kNeuronNotManaged)
      notes.push_back(fmt::format("{}: {}", joined_subjects(group.subjects, false), group.text));
  }
  return notes;
}

void write_assumptions_text(std::ostream& out, const std::vector<Assumption>& assumptions, bool verbose,
                            const Style& style) {
  std::size_t left_out = 0;
  std::size_t shown = 0;
  for (const auto& group : grouped_by_text(assumptions)) {
    if (!verbose && (!is_gap(group.id) || shown == kShownWithoutVerbose)) {
      ++left_out;
      continue;
    }
    ++shown;
    const auto subjects = group.subject_words(verbose);
    const auto line =
        fmt::format("Assumption: {} [{}{}]", group.text, group.id, subjects.empty() ? "" : ": " + subjects);
    out << style.dim(wrapped(printable(line), 2)) << '\n';
  }
  if (left_out > 0)
    out << style.dim(count_of(static_cast<std::int64_t>(left_out), shown > 0 ? "more assumption" : "assumption") +
                     " (-v)")
        << '\n';
}

void write_cluster_findings_text(std::ostream& out, const std::vector<placement::ClusterFinding>& findings,
                                 bool verbose, const Style& style) {
  if (findings.empty()) return;
  const std::size_t shown = verbose ? findings.size() : std::min(kShownWithoutVerbose, findings.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& finding = findings[i];
    const auto line = wrapped(printable("note " + finding.id + " (" + finding.subject + "): " + finding.text), 2);
    out << style.yellow("note") << line.substr(std::string_view("note").size()) << '\n';
  }
  if (shown < findings.size())
    out << style.yellow(count_of(static_cast<std::int64_t>(findings.size() - shown), "more note")) << " (-v)\n";
}

void write_cluster_findings_json(JsonWriter& json, const std::vector<placement::ClusterFinding>& findings) {
  write_texts_json(json, "clusterFindings", findings);
}

void write_assumptions_json(JsonWriter& json, const std::vector<Assumption>& assumptions) {
  write_texts_json(json, "assumptions", assumptions);
  json.key("assumptionCounts").begin_object(JsonWriter::Layout::kLine);
  for (const auto& group : grouped_by_id(assumptions)) json.member(group.id, group.count);
  json.end_object();
}

}  // namespace bayplan::report
