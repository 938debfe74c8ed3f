#include "report/timeline/timeline_tables.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/figures.hpp"
#include "report/timeline/timeline_words.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kLinesBeside = 3;  ///< A blank line, the heading, "and 3 more (-v)".
constexpr std::size_t kFewestLines = 2;  ///< Fewer say less than their number.

struct Line {
  Seconds at = 0;
  std::vector<const Event*> events;
};

struct Log {
  std::vector<Line> lines;
  std::size_t left_out = 0;  ///< Lines past the most that were asked for.
};

/// All events from `first` on, those of one instant that are alike drawn together at the place of the first of them.
Log fold(const TimelineReport& report, std::size_t first, std::size_t most) {
  const auto& events = report.history().events;
  Log log;
  std::map<EventKey, std::size_t> open;
  Seconds instant = -1;
  for (std::size_t i = first; i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.at != instant) open.clear();
    instant = event.at;
    if (goes_without_saying(report, event)) continue;
    const auto [entry, is_new] = open.try_emplace(key_of(report, event), log.lines.size() + log.left_out);
    if (is_new && entry->second < most) log.lines.push_back({event.at, {}});
    if (entry->second < most) {
      log.lines[entry->second].events.push_back(&event);
    } else if (is_new) {
      ++log.left_out;
    }
  }
  return log;
}

std::size_t first_event(const TimelineReport& report) {
  if (!report.continued()) return 0;
  const auto& events = report.history().events;
  const auto is_reported = [&](const Event& event) { return event.at <= report.continued()->end; };
  return static_cast<std::size_t>(std::partition_point(events.begin(), events.end(), is_reported) - events.begin());
}

}  // namespace

void add_log(ReportDocument& document, const TimelineReport& report, bool is_whole, std::size_t room) {
  const std::size_t most =
      is_whole ? std::numeric_limits<std::size_t>::max() : std::max(room, kLinesBeside + kFewestLines) - kLinesBeside;
  const auto [lines, left_out] = fold(report, first_event(report), most);
  if (lines.empty()) return;
  if (!is_whole && left_out > 0 && room < kLinesBeside + kFewestLines)
    return document.line(0, count_of(static_cast<std::int64_t>(lines.size() + left_out), "event") + " (-v)");
  std::size_t width = 0;
  for (const auto& line : lines) width = std::max(width, duration(line.at).size());
  document.gap();
  document.line(0, report.continued() ? "Events since" : "Events");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_new = i == 0 || lines[i].at != lines[i - 1].at;
    document.paragraph({.text = event_words(report, lines[i].events),
                        .lead = fmt::format("{:>{}} ", is_new ? duration(lines[i].at) : "", width),
                        .indent = 2,
                        .lead_tone = Tone::kFaint});
  }
  document.left_out(left_out);
}

}  // namespace bayplan::report
