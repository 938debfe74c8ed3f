#include "study/payment/load_curve.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "placement/model/event.hpp"
#include "placement/model/totals.hpp"
#include "shape/sources.hpp"
#include "study/payment/decimals.hpp"
#include "text/csv_lines.hpp"
#include "text/encoding.hpp"
#include "text/location.hpp"

namespace bayplan::study {

using placement::Scenario;
using placement::Seconds;
using placement::WorkloadKind;
using text::Value;

namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kMostFactor = 1'000'000;  ///< Times the stated count.

/// By name of a service or family: the workloads of that name, daemons left out.
using WorkloadsByName = std::map<std::string_view, std::vector<std::uint32_t>>;

WorkloadsByName workloads_by_name(const Scenario& scenario) {
  WorkloadsByName names;
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto& workload = scenario.workloads[i];
    if (workload.kind != WorkloadKind::kDaemon) names[workload.name].push_back(i);
  }
  return names;
}

/// Why a name has no load of its own, and what may have been meant.
Error unknown_name(const Scenario& scenario, const WorkloadsByName& names, std::string_view name) {
  const auto is_daemon = [&](const auto& workload) {
    return workload.kind == WorkloadKind::kDaemon && workload.name == name;
  };
  if (std::any_of(scenario.workloads.begin(), scenario.workloads.end(), is_daemon))
    return {.message = fmt::format("'{}' is a DAEMON service: one task runs on each instance", printable(name)),
            .help = "remove it from the load"};
  std::vector<std::string_view> known;
  for (const auto& entry : names) known.push_back(entry.first);
  const auto near = nearest(name, known);
  return {.message = fmt::format("no service or task family is called '{}'", printable(name)),
          .help = near ? fmt::format("did you mean '{}'?", *near) : "use the serviceName or the family of a task"};
}

/// Counts hour by hour, as they are collected.
using Hours = std::vector<std::vector<std::int64_t>>;

LoadCurve curve_of(const Hours& hours) {
  LoadCurve curve;
  std::map<std::vector<std::int64_t>, std::uint32_t> known;
  for (const auto& counts : hours) {
    const auto [level, is_new] = known.emplace(counts, static_cast<std::uint32_t>(curve.levels.size()));
    if (is_new) curve.levels.push_back({counts, 0});
    ++curve.levels[level->second].hours;
    curve.hours.push_back(level->second);
  }
  return curve;
}

std::vector<std::int64_t> stated_counts(const Scenario& scenario) {
  std::vector<std::int64_t> counts;
  for (const auto& workload : scenario.workloads)
    counts.push_back(workload.kind == WorkloadKind::kDaemon ? 0 : workload.count.value_or(0));
  return counts;
}

std::vector<std::int64_t> factors_of(Value list, shape::Sources& sources) {
  std::vector<std::int64_t> factors;
  for (const Value one : list.children()) {
    const auto factor = parse_millionths(one.text());
    if (!factor || *factor > kMostFactor * kMillion) {
      sources.fail(one, fmt::format("a load factor cannot be '{}'", printable(one.text())),
                   "use a plain number such as 0.25, with up to six decimals; 1 is the stated number of tasks");
      continue;
    }
    factors.push_back(*factor);
  }
  if (list.size() > kMostHours)
    sources.fail(list, fmt::format("{} hours are more than a year", list.size()),
                 fmt::format("state at most {} hours", kMostHours));
  return factors;
}

/// Reads the load of a scenario file: a list of factors for all workloads, or an object of lists by name.
Hours read_factors(const Scenario& scenario, Value load, shape::Sources& sources) {
  const WorkloadsByName names = workloads_by_name(scenario);
  std::map<std::uint32_t, std::vector<std::int64_t>> factors;  // by workload
  if (load.is_array()) {
    const auto all = factors_of(load, sources);
    for (const auto& [name, workloads] : names) {
      for (const auto workload : workloads) factors[workload] = all;
    }
  } else {
    for (const Value member : load.children()) {
      const auto found = names.find(member.key());
      if (found == names.end()) {
        auto error = sources.place_of(member);
        const auto unknown = unknown_name(scenario, names, member.key());
        error.message = unknown.message;
        error.help = unknown.help;
        sources.fail(std::move(error));
        continue;
      }
      const auto list = factors_of(member, sources);
      for (const auto workload : found->second) factors[workload] = list;
    }
  }
  if (sources.has_errors()) return {};

  // The longest list has the hours; shorter ones are repeated.
  std::size_t most = 1;
  for (const auto& [workload, list] : factors) most = std::max(most, list.size());
  for (const auto& [workload, list] : factors) {
    if (most % list.size() == 0) continue;
    sources.fail(load,
                 fmt::format("{} has {} hours, which do not repeat evenly in the {} hours of another",
                             scenario.workloads[workload].name, list.size(), most),
                 "use lists of 24 and 168 hours, or of equal length");
    return {};
  }
  Hours hours(most, stated_counts(scenario));
  for (const auto& [workload, list] : factors) {
    for (std::size_t hour = 0; hour < most; ++hour) {
      auto& count = hours[hour][workload];
      const auto product = std::min(count, placement::kMaxTasks) * list[hour % list.size()];
      count = (product + kMillion - 1) / kMillion;  // rounded up: half a task is a task
    }
  }
  return hours;
}

/// A cell of a CSV of counts.
struct Cell {
  std::string_view text;
  std::size_t offset = 0;
};

std::vector<Cell> cells_of(const text::CsvLine& line) {
  std::vector<Cell> cells;
  for (const auto part : split(line.text, ',')) {
    auto text = trim(part);
    if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    const auto offset = part.empty() ? part.data() - line.text.data() : text.data() - line.text.data();
    cells.push_back({text, line.offset + static_cast<std::size_t>(offset)});
  }
  return cells;
}

/// Reads a CSV of counts: a column for each service or family, a row for each hour. The columns `hour`, `time` and
/// `date` label the rows and are not read.
Hours read_counts(const Scenario& scenario, std::string_view text, const std::string& file,
                  std::vector<Error>& errors) {
  const text::LineIndex lines(text);
  const auto fail_with = [&](std::size_t offset, Error error) {
    constexpr std::size_t kMaxErrors = 20;
    if (errors.size() >= kMaxErrors) return;
    const auto at = lines.location(static_cast<std::uint32_t>(std::min(offset, text.size())));
    error.file = file;
    error.line = at.line;
    error.column = at.column;
    errors.push_back(std::move(error));
  };
  const auto fail = [&](std::size_t offset, std::string message, std::string help) {
    fail_with(offset, {.message = std::move(message), .help = std::move(help)});
  };

  text::CsvLines rows(text);
  text::CsvLine line;
  if (!rows.next(line)) {
    fail(0, "the file is empty", "its first line names the services: hour,web,api");
    return {};
  }
  const auto names = workloads_by_name(scenario);
  std::vector<std::optional<std::uint32_t>> columns;  // the workload of each; nothing of a label
  std::set<std::string_view> seen;
  for (const auto& cell : cells_of(line)) {
    columns.emplace_back();
    if (!seen.insert(cell.text).second) {
      fail(cell.offset, fmt::format("duplicate column {}", printable(cell.text)), "keep one of them");
    } else if (const auto found = names.find(cell.text); found == names.end()) {
      const bool is_label = equal_ignoring_case(cell.text, "hour") || equal_ignoring_case(cell.text, "time") ||
                            equal_ignoring_case(cell.text, "date");
      if (!is_label) fail_with(cell.offset, unknown_name(scenario, names, cell.text));
    } else if (found->second.size() > 1) {
      fail(cell.offset, fmt::format("{} has several requests that differ", printable(cell.text)),
           "state factors in the scenario instead");
    } else {
      columns.back() = found->second.front();
    }
  }
  const bool has_workload = std::any_of(columns.begin(), columns.end(), [](const auto& one) { return one; });
  if (!has_workload && errors.empty())
    fail(line.offset, "no column is a service or task family", "the first line names them: hour,web,api");
  if (!errors.empty()) return {};

  Hours hours;
  while (rows.next(line)) {
    if (hours.size() == kMostHours) {
      fail(line.offset, "the file has more hours than a year", fmt::format("state at most {} hours", kMostHours));
      return {};
    }
    auto& counts = hours.emplace_back(stated_counts(scenario));
    const auto cells = cells_of(line);
    if (cells.size() != columns.size()) {
      fail(line.offset,
           fmt::format("the row has {}, the first line {}", count_of(std::ssize(cells), "cell"), columns.size()),
           "state a count for every service in every hour");
      continue;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!columns[i]) continue;
      const auto count = to_integer(cells[i].text);
      if (count && *count >= 0 && *count <= placement::kMaxTasks) {
        counts[*columns[i]] = *count;
      } else {
        fail(cells[i].offset,
             fmt::format("the count of {} cannot be '{}'", scenario.workloads[*columns[i]].name,
                         printable(cells[i].text)),
             fmt::format("a whole number from 0 to {}", placement::kMaxTasks));
      }
    }
  }
  if (hours.empty()) fail(0, "the file has no hours", "each row below the first is an hour");
  return hours;
}

LoadedCurve finished(const Hours& hours, std::vector<Error> errors, const std::string& file) {
  if (!errors.empty()) return {std::nullopt, std::move(errors)};
  auto curve = curve_of(hours);
  const auto peak = curve.peak();
  std::int64_t tasks = 0;
  for (const auto count : peak) tasks += std::min(count, placement::kMaxTasks + 1);
  if (tasks <= placement::kMaxTasks) return {std::move(curve), {}};
  return {std::nullopt,
          {{.message = fmt::format("the load has more than {} tasks at its peak", placement::kMaxTasks),
            .file = file,
            .help = "state fewer tasks or smaller factors"}}};
}

LoadedCurve curve_of_file(const Scenario& scenario, const std::string& path, std::string bytes) {
  const auto decoded = text::decode(std::move(bytes));
  std::vector<Error> errors;
  const auto hours = read_counts(scenario, decoded.text, path, errors);
  return finished(hours, std::move(errors), path);
}

}  // namespace

std::int64_t LoadLevel::tasks() const {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::vector<std::int64_t> LoadCurve::peak() const {
  if (levels.empty()) return {};
  std::vector<std::int64_t> most = levels.front().counts;
  for (const auto& level : levels) {
    for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], level.counts[i]);
  }
  return most;
}

std::optional<std::uint32_t> LoadCurve::peak_level() const {
  const auto most = peak();
  for (std::uint32_t i = 0; i < levels.size(); ++i) {
    if (levels[i].counts == most) return i;
  }
  return std::nullopt;
}

LoadedCurve load_curve(const Scenario& scenario, const std::string& path, const Files& files, const Limits& limits) {
  if (!path.empty()) {
    auto bytes = files.read(path, limits.definition_bytes);
    if (!bytes) {
      Error error = bytes.error();
      if (error.file.empty()) error.file = path;
      return {std::nullopt, {std::move(error)}};
    }
    return curve_of_file(scenario, path, std::move(*bytes));
  }
  const Value load = scenario.document ? scenario.document->root().find("load") : Value();
  if (!load) return {};
  shape::Sources sources(files, limits);
  sources.add(scenario.document, scenario.file, 1);
  if (load.is_string()) {
    const auto named = shape::relative_to(scenario.file, load.text());
    if (!sources.may_name(load, named)) return {std::nullopt, std::move(sources).take_errors()};
    auto bytes = files.read(named, limits.definition_bytes);
    if (bytes) return curve_of_file(scenario, named, std::move(*bytes));
    const auto& message = bytes.error().message;
    sources.fail(load, message.find(named) == std::string::npos ? named + ": " + message : message, bytes.error().help);
    return {std::nullopt, std::move(sources).take_errors()};
  }
  const auto hours = read_factors(scenario, load, sources);
  return finished(hours, std::move(sources).take_errors(), scenario.file);
}

namespace {

constexpr Seconds kHour = 3'600;

/// When tasks of one request run.
struct Period {
  std::uint32_t workload = 0;
  std::int64_t count = 0;
  Seconds begin = 0;
  std::optional<Seconds> end;  ///< Nothing = they do not end.
};

std::vector<Period> periods_of(const Scenario& scenario) {
  const auto& timings = scenario.timetable.tasks;
  const auto end_of = [&](std::uint32_t workload, Seconds begin, std::optional<Seconds> own) {
    const auto duration = own ? own : timings[workload].duration;
    return duration ? std::optional(begin + timings[workload].start_delay + *duration) : std::nullopt;
  };
  std::vector<Period> periods;
  std::vector<bool> has_calls(scenario.workloads.size());
  for (const auto& call : scenario.calls) {
    has_calls[call.workload] = true;
    if (scenario.workloads[call.workload].kind != WorkloadKind::kTasks) continue;
    periods.push_back({call.workload, call.count, call.start_at, end_of(call.workload, call.start_at, call.duration)});
  }
  for (std::uint32_t w = 0; w < scenario.workloads.size(); ++w) {
    const auto& workload = scenario.workloads[w];
    if (has_calls[w] || workload.kind != WorkloadKind::kTasks) continue;
    periods.push_back({w, workload.count.value_or(0), 0, end_of(w, 0, std::nullopt)});
  }
  return periods;
}

/// The most tasks of one workload that run at a time, by hour. `changes`: times and how many tasks more.
std::vector<std::int64_t> most_by_hour(std::vector<std::pair<Seconds, std::int64_t>> changes, std::size_t hours) {
  std::sort(changes.begin(), changes.end());  // tasks that end make room for those that begin
  std::vector<std::int64_t> most(hours);
  std::int64_t running = 0;
  std::size_t next = 0;
  for (std::size_t hour = 0; hour < hours; ++hour) {
    const auto begin = static_cast<Seconds>(hour) * kHour;
    for (; next < changes.size() && changes[next].first <= begin; ++next) running += changes[next].second;
    most[hour] = running;
    for (; next < changes.size() && changes[next].first < begin + kHour; ++next) {
      running += changes[next].second;
      most[hour] = std::max(most[hour], running);
    }
  }
  return most;
}

}  // namespace

LoadedCurve curve_over_time(const Scenario& scenario) {
  const auto periods = periods_of(scenario);
  Seconds end = 0;
  for (const auto& period : periods) end = std::max(end, period.end.value_or(0));
  const auto refuse = [&](std::string message, std::string help) {
    return LoadedCurve{std::nullopt, {{.message = std::move(message), .file = scenario.file, .help = std::move(help)}}};
  };
  if (end == 0) return refuse("no task ends, so the load has no end", "state durations, or the load by hour: load:");
  const auto hours = static_cast<std::size_t>((end + kHour - 1) / kHour);
  if (hours > kMostHours)
    return refuse(fmt::format("the tasks run for {} hours, which is more than a year", hours),
                  fmt::format("state at most {} hours", kMostHours));
  std::map<std::uint32_t, std::vector<std::pair<Seconds, std::int64_t>>> changes;  // by workload
  for (const auto& period : periods) {
    auto& own = changes[period.workload];
    own.emplace_back(period.begin, period.count);
    if (period.end) own.emplace_back(*period.end, -period.count);
  }
  Hours counts(hours, stated_counts(scenario));
  for (auto& [workload, own] : changes) {
    const auto most = most_by_hour(std::move(own), hours);
    for (std::size_t hour = 0; hour < hours; ++hour) counts[hour][workload] = most[hour];
  }
  return finished(counts, {}, scenario.file);
}

Scenario without_times(Scenario scenario) {
  scenario.over_time.clear();
  scenario.timetable.has_time = false;
  for (auto& call : scenario.calls) {
    call.start_at = 0;
    call.duration.reset();
  }
  return scenario;
}

LoadCurve constant_load(const Scenario& scenario) {
  return curve_of({stated_counts(scenario)});
}

Scenario with_counts(Scenario scenario, const std::vector<std::int64_t>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    auto& workload = scenario.workloads[i];
    if (workload.kind != WorkloadKind::kDaemon) workload.count = counts[i];
  }
  return scenario;
}

}  // namespace bayplan::study
