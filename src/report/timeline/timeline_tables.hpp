#pragma once
#include <ostream>

#include "report/place/place_report.hpp"
#include "report/timeline/timeline_report.hpp"

/// Parts of the text report of a run over time.
namespace bayplan::report {

/// When each task started and ended; where they are many, a line for each name.
void write_task_times(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options);

/// How long tasks waited.
void write_waits(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options);

/// Spot interruptions by pool, and how long services were below their desired count.
void write_spot(std::ostream& out, const TimelineReport& report);

/// How much of the GPU time that is paid for was used.
void write_gpu_time(std::ostream& out, const TimelineReport& report);

void write_deployments(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options);

/// What the groups behind capacity providers cost, and what of it they did not need.
void write_groups(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options);

/// Tasks that failed or have no place at the end, and why.
void write_without_place(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options);

/// Tasks that stopped before they were done, and what took their instance away.
void write_cut_off(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options);

/// Instances that can never be drained, and why.
void write_held_drains(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options);

/// "instances without a task", and with daemons "... but daemons".
std::string idle_words(const TimelineReport& report);

/// USD with cents, or as exact as small amounts want it.
std::string money(MicroUsd amount);

/// Utilization, tasks without a place, instances and cost over time, a line each, with a time axis.
void write_timeline_chart(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options);

/// What happened, and why: one line for all events of an instant that are alike; of a continued run only what came
/// after. All of them with `verbose`, else at most `room` lines with the heading, and only their number where that is
/// not enough for a few of them.
void write_timeline_log(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options,
                        std::size_t room);

}  // namespace bayplan::report
