#include "scenario/loading.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "model/scenario_file.hpp"
#include "placement/model/timetable.hpp"
#include "placement/model/totals.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using text::NodeRetention;
using text::Value;

namespace {

/// What a value says, apart from how it is written.
void add_text(Value value, std::string& text) {
  constexpr char kEnd = '\0';
  text += value.key();
  text += kEnd;
  text += static_cast<char>('a' + static_cast<int>(value.kind()));
  text += value.tag();
  text += kEnd;
  text += value.text();
  for (const Value child : value.children()) add_text(child, text);
  text += kEnd;
}

bool is_request(Value value) {
  if (!value.is_object()) return false;
  const Value list = value.parent();
  return list && list.is_array() && list.key() == "tasks" && list.parent() == list.document().root();
}

bool is_good_duration(Value written, std::optional<Seconds> duration) {
  return written.is_string() && duration && *duration <= kLongestDuration;
}

}  // namespace

TaskRequests::Noted TaskRequests::note(Value request, std::size_t position) {
  text_.clear();
  Call call;
  bool has_good_count = true;
  bool has_good_start = true;
  bool has_good_duration = true;
  for (const Value member : request.children()) {
    const std::string_view key = member.key();
    if (key == "count") {
      const auto count = member.integer();
      call.count = count.value_or(1);
      has_good_count = count && *count > 0 && *count <= kMaxTasks;
    } else if (key == "startAt") {
      const auto start = model::parse_duration(member.text());
      call.start_at = start.value_or(0);
      has_good_start = is_good_duration(member, start);
      if (call.start_at > 0 && !first_start_at_) first_start_at_ = member.span();
    } else if (key == "duration") {
      call.duration = model::parse_duration(member.text());
      has_good_duration = is_good_duration(member, call.duration);
      if (call.duration && !first_duration_) first_duration_ = member.span();
    } else {
      add_text(member, text_);
    }
  }
  const auto [entry, is_new] = known_.try_emplace(text_, static_cast<std::uint32_t>(known_.size()));
  call.workload = entry->second;
  calls_.push_back(call);
  tasks_ += std::clamp<std::int64_t>(call.count, 0, kMaxTasks + 1);
  if (tasks_ > kMaxTasks && !first_too_many_) first_too_many_ = position;
  return {is_new, has_good_count && has_good_start && has_good_duration};
}

void TaskRequests::forget() {
  known_.clear();
  calls_.clear();
  tasks_ = 0;
  kept_ = 0;
  first_too_many_.reset();
  first_start_at_.reset();
  first_duration_.reset();
}

NodeRetention TaskRequests::note_while_reading(Value closed) {
  if (!is_request(closed)) return NodeRetention::kWhole;
  const bool is_first = closed.index() == closed.parent().index() + 1;
  if (is_first) forget();  // for the first time, or again after the text was mended
  const auto [is_new, is_good] = note(closed, kept_);
  if (!is_new && is_good && first_too_many_ != kept_) return NodeRetention::kNothing;
  ++kept_;
  return NodeRetention::kWhole;
}

std::vector<Value> TaskRequests::distinct(Value list) {
  std::vector<Value> distinct;
  const bool is_noted = !calls_.empty();
  std::size_t position = 0;
  for (const Value request : list.children()) {
    if (is_noted || note(request, position).is_new) distinct.push_back(request);
    ++position;
  }
  return distinct;
}

Value TaskRequests::first_too_many(Value list) const {
  return first_too_many_ ? list.at(*first_too_many_) : Value();
}

Origin find_origin(const Sources& sources, text::Value at) {
  const Error place = sources.error_at(at, {});
  return {place.file, place.line, place.column};
}

void sort_by_place(std::vector<Error>& errors) {
  std::stable_sort(errors.begin(), errors.end(), [](const Error& a, const Error& b) {
    return std::tuple(a.line, a.column) < std::tuple(b.line, b.column);
  });
}

std::string help_among(const Loading& loading, std::string_view word, const std::vector<std::string_view>& known,
                       std::string_view intro) {
  constexpr std::size_t kMaxTold = 10;
  if (!gives_hints(loading)) return {};
  if (const auto near = nearest(word, known)) return fmt::format("did you mean '{}'?", *near);
  if (known.empty() || known.size() > kMaxTold) return {};
  return fmt::format("{} {}", intro, one_of(known, "and"));
}

}  // namespace bayplan::scenario
