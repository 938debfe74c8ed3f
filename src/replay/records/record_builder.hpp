#pragma once
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "replay/records/history.hpp"
#include "replay/records/json_cursor.hpp"

namespace bayplan::replay {

/// Takes the records of a log, one after another and in any order, into a History.
class RecordBuilder {
 public:
  /// One record in any of its forms: an event of EventBridge, a record of CloudTrail, an event of lookup-events or of
  /// CloudWatch Logs with the record inside a string.
  void add(std::string_view json, RecordPlace place);
  /// Notes records that could not be read.
  void add_broken(RecordPlace place, std::string text);

  History& history() { return history_; }
  /// Sorts, drops duplicates and counts gaps. Nothing may be added after it.
  History finish() &&;

  std::uint32_t task_index(std::string_view arn, RecordPlace place);
  std::uint32_t instance_index(std::string_view arn);

 private:
  struct Envelope;
  struct TaskFields;

  Envelope read_envelope(JsonCursor& cursor);
  TaskFields read_task(JsonCursor& cursor);
  void read_containers(JsonCursor& cursor, TaskFields& task);
  void add_event(const Envelope& envelope, RecordPlace place);
  void add_call(const Envelope& envelope, RecordPlace place);
  void add_task(std::string_view detail, const Envelope& envelope, RecordPlace place);
  void add_instance(std::string_view detail, std::string_view time, RecordPlace place, bool is_event);
  void add_service_action(const Envelope& envelope, RecordPlace place);
  void add_run_task(const Envelope& envelope, RecordPlace place, bool is_start);
  void add_service(const Envelope& envelope, RecordPlace place, bool is_update);
  void add_instances_of(const Envelope& envelope, RecordPlace place);
  void add_state_change(const Envelope& envelope, RecordPlace place);
  std::string_view calling_instance(std::string_view caller);
  void add_stopped_task(const Envelope& envelope, RecordPlace place);
  void merge(const TaskFields& fields, RecordPlace place, bool is_event);
  void note_version(RecordedTask& task, const TaskFields& fields, RecordPlace place, bool is_event);
  void note_cluster(NameId cluster);
  void check_clocks(std::string_view envelope_time, Milliseconds own, RecordPlace place);

  History history_;
  std::unordered_map<NameId, std::uint32_t> task_of_;      ///< By ARN; looked up only.
  std::unordered_map<NameId, std::uint32_t> instance_of_;  ///< By ARN; looked up only.
  std::unordered_map<NameId, std::size_t> state_hash_;     ///< By ARN: attributes and registered resources.
  std::unordered_set<std::string> seen_ids_;               ///< Of calls and service actions; looked up only.
  std::unordered_set<std::uint64_t> high_versions_;        ///< Of tasks, above 64; looked up only.
  /// A text of the record at hand, which lives until the next one.
  std::string_view text(JsonCursor& cursor);

  int wrappers_ = 0;  ///< Texts around the record at hand.
  std::string buffer_;
  std::deque<std::string> kept_;  ///< Texts of the record at hand that have escapes.
};

}  // namespace bayplan::replay
