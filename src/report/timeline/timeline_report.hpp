#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "report/place/place_report.hpp"
#include "study/whatif/rollout.hpp"
#include "timeline/final_state.hpp"
#include "timeline/history.hpp"
#include "timeline/run_figures.hpp"

namespace bayplan::report {

/// A task without a place: for good, or when the run ends.
struct TaskWithoutPlace {
  std::uint32_t task = 0;  ///< Index into History::tasks.
  timeline::Seconds at = 0;
  enum class State : std::uint8_t { kFailed, kWaiting, kProvisioning } state = State::kFailed;
  /// Why; null for a task that was not tried because others were before it, and for one that failed with its job.
  const placement::Failure* why = nullptr;
};

/// The run of which this one is the continuation.
struct ContinuedFrom {
  std::string file;
  timeline::Seconds end = 0;
  std::size_t events = 0;  ///< That both have.
};

/// All that the reports of a run over time show. Refers to the scenario and the history, which must outlive it.
class TimelineReport {
 public:
  TimelineReport(const placement::Scenario& scenario, const timeline::History& history,
                 std::optional<ContinuedFrom> continued = std::nullopt,
                 std::vector<study::BlockedDeployment> held = {});
  TimelineReport(const TimelineReport&) = delete;
  TimelineReport& operator=(const TimelineReport&) = delete;

  const placement::Scenario& scenario() const { return scenario_; }
  const timeline::History& history() const { return history_; }
  const timeline::Figures& figures() const { return figures_; }
  /// Returns the scenario with every instance of the history, with the same numbers, to which failures refer.
  const placement::Scenario& everything() const { return everything_; }
  /// The cluster at the end of the run.
  const PlaceReport& cluster() const { return cluster_; }
  std::int64_t booting() const { return final_.booting; }  ///< Instances that are launched and not there yet.
  const std::vector<TaskWithoutPlace>& without_place() const { return without_place_; }
  const std::optional<ContinuedFrom>& continued() const { return continued_; }

  /// Why the deployment does not finish; null for one that does, or that was not studied.
  const study::BlockedDeployment* held(std::uint32_t deployment) const;

  const std::vector<std::uint32_t>& unfinished() const { return figures_.unfinished; }
  /// Tasks of failed jobs that had a place and held it for the others.
  std::int64_t failed_with_job() const { return failed_with_job_; }
  bool has_daemons() const { return has_daemons_; }

  /// A task has no place or was cut off, a deployment did not finish, or a drain cannot.
  bool has_failures() const;

  /// Why the task has or had no place, where somebody looked; null else.
  const placement::Failure* why(const timeline::Task& task) const;
  /// `why_not` of such a failure; worked out once, for thousands of tasks share one.
  const std::string& why_words(const placement::Failure& failure) const;

 private:
  static PlaceReport make_cluster(const timeline::FinalState& end, const placement::Scenario& scenario);
  void collect_failures();
  void count();

  const placement::Scenario& scenario_;
  const timeline::History& history_;
  std::optional<ContinuedFrom> continued_;
  std::vector<study::BlockedDeployment> held_;
  timeline::Figures figures_;
  placement::Scenario everything_;
  timeline::FinalState final_;
  PlaceReport cluster_;
  std::vector<TaskWithoutPlace> without_place_;
  std::int64_t failed_with_job_ = 0;
  bool has_daemons_ = false;
  mutable std::mutex why_words_lock_;  ///< Reports are written by several threads.
  mutable std::map<const placement::Failure*, std::string> why_words_;
};

/// The answer, what it costs, when each task ran, the run as a chart, what happened and why, and the cluster at the
/// end. `view`: of a terminal; with one, the report is not cut to a first screen.
ReportDocument timeline_document(const TimelineReport& report, const ClusterView& view = {});

/// The cluster at the end of the run.
void write_timeline_svg(std::ostream& out, const TimelineReport& report);

/// schemas/place-report.schema.json with "timeline", streamed.
void write_timeline_json(std::ostream& out, const TimelineReport& report, const PlaceJsonOptions& options);

/// The members of "timeline" that sum a run up, from "end" to "groups".
void write_timeline_figures(JsonWriter& json, const TimelineReport& report);

/// What a page plays of a run, as members of an object: the cluster over time, figures of each bucket, and events.
void write_page_run(JsonWriter& json, const TimelineReport& report);

/// The run as RFC 4180: a row of names, then one a bucket; numbers with a point, times in seconds.
void write_timeline_csv(std::ostream& out, const timeline::Series& series);

}  // namespace bayplan::report
