#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "placement/scenario.hpp"
#include "text/document.hpp"
#include "text/json_reader.hpp"

namespace bayplan::placement {

/// The RunTask requests of a scenario. There may be a million of them, and few that differ: one that says the same as
/// an earlier one, but for `count`, `startAt` and `duration`, is one more call of it. Those of a JSON text are noted
/// while it is read, and only those that differ stay in the tree.
class TaskRequests {
 public:
  /// For `text::Keep`, of a scenario: every value but a request stays as it is.
  text::Keeping note_while_reading(text::Value closed);

  /// The requests that differ, in the order of the text. `list`: the scenario's `tasks`.
  std::vector<text::Value> distinct(text::Value list);

  /// So many tasks all requests are; and of the `list` that was given to `distinct` the request that makes them too
  /// many (kMostTasks), if one does. Then `calls` are of no use.
  std::int64_t tasks() const { return tasks_; }
  text::Value first_too_many(text::Value list) const;

  /// Every request after `distinct`; `Call::workload` is an index into that.
  const std::vector<Call>& calls() const { return calls_; }

  /// Where the first request stands that starts later than at 0, and the first that ends by itself.
  std::optional<Span> first_start_at() const { return first_start_at_; }
  std::optional<Span> first_duration() const { return first_duration_; }

 private:
  void forget();
  /// False when an earlier request says the same. `position`: of the request in what stays of its list.
  bool note(text::Value request, std::size_t position);

  std::unordered_map<std::string, std::uint32_t> known_;  ///< What a request says but for what its call says.
  std::vector<Call> calls_;
  std::int64_t tasks_ = 0;
  std::size_t kept_ = 0;  ///< Requests that stay in the tree, while a text is read.
  std::optional<std::size_t> first_too_many_;
  std::optional<Span> first_start_at_;
  std::optional<Span> first_duration_;
  std::string text_;
};

}  // namespace bayplan::placement
