#include "placement/task_requests.hpp"

namespace bayplan::placement {

using text::Keeping;
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

/// A count that is no good stays for the schema to find.
bool has_good_count(Value request) {
  constexpr std::int64_t kMost = 10'000'000;
  const Value count = request.find("count");
  const std::int64_t stated = count ? count.integer().value_or(0) : 1;
  return stated > 0 && stated <= kMost;
}

}  // namespace

bool TaskRequests::note(Value request) {
  text_.clear();
  std::int64_t count = 1;
  for (const Value member : request.children()) {
    if (member.key() == "count") {
      count = member.integer().value_or(1);
    } else {
      add_text(member, text_);
    }
  }
  const auto [entry, is_new] = known_.try_emplace(text_, static_cast<std::uint32_t>(known_.size()));
  calls_.push_back({entry->second, count});
  return is_new;
}

Keeping TaskRequests::note_while_reading(Value closed) {
  if (!is_request(closed)) return Keeping::kWhole;
  const bool is_first = closed.index() == closed.parent().index() + 1;
  if (is_first) {  // for the first time, or again after the text was mended
    known_.clear();
    calls_.clear();
  }
  return note(closed) || !has_good_count(closed) ? Keeping::kWhole : Keeping::kNothing;
}

std::vector<Value> TaskRequests::distinct(Value list) {
  std::vector<Value> distinct;
  const bool is_noted = !calls_.empty();
  for (const Value request : list.children()) {
    if (is_noted || note(request)) distinct.push_back(request);
  }
  return distinct;
}

}  // namespace bayplan::placement
