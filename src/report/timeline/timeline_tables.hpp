#pragma once
#include <string>

#include "report/document/report_document.hpp"
#include "report/timeline/timeline_report.hpp"

/// Parts of the report of a run over time in a terminal.
namespace bayplan::report {

/// When each task started and ended; where they are many, a line for each name.
void add_task_times(ReportDocument& document, const TimelineReport& report);

/// How long tasks waited.
void add_wait_lines(ReportDocument& document, const TimelineReport& report);

/// How much of the GPU time that is paid for was used.
void add_gpu_time(ReportDocument& document, const TimelineReport& report);

void add_deployment_lines(ReportDocument& document, const TimelineReport& report, const Screen& screen);

/// What the groups behind capacity providers cost, and what of it they did not need.
void add_groups(ReportDocument& document, const TimelineReport& report);

/// Tasks that failed or have no place at the end, and why.
void add_unplaced_lines(ReportDocument& document, const TimelineReport& report, const Screen& screen);

/// Tasks that stopped before they were done, and what took their instance away.
void add_interrupted_lines(ReportDocument& document, const TimelineReport& report, const Screen& screen);

/// Instances that can never be drained, and why.
void add_drain_lines(ReportDocument& document, const TimelineReport& report, const Screen& screen);

/// "instances without a task", and with daemons "... but daemons".
std::string idle_words(const TimelineReport& report);

/// USD with cents, or as exact as small amounts want it.
std::string money(MicroUsd amount);

/// Utilization, tasks without a place, instances and cost over time, a line each, with a time axis; three lines each in
/// the wide form. A first screen has the rows that matter most.
std::string timeline_chart(const TimelineReport& report, const ClusterView& view, const TextOptions& options);

/// What happened, and why: one line for all events of an instant that are alike; of a continued run only what came
/// after. All of them with `-v`, else at most `room` lines with the heading, and only their number where that is not
/// enough for a few of them.
void add_log(ReportDocument& document, const TimelineReport& report, bool is_whole, std::size_t room);

}  // namespace bayplan::report
