#include "report/svg/place_svg.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "report/figures.hpp"
#include "report/place_words.hpp"
#include "report/svg/cluster_svg.hpp"
#include "report/timeline_headline.hpp"

namespace bayplan::report {
namespace {

std::string picture_totals(const PlaceReport& report) {
  const auto& summary = report.summary;
  std::vector<std::string> parts{count_of(summary.instances, "instance")};
  const auto add = [&](std::string_view name, const placement::Share& part) {
    if (part.registered > 0) parts.push_back(fmt::format("{} {}%", name, part.reserved * 100 / part.registered));
  };
  add("CPU", summary.cpu);
  add("memory", summary.memory);
  if (summary.gpu.total > 0)
    parts.push_back(fmt::format("{} of {} GPUs in use", summary.gpu_devices.reserved, summary.gpu.total));
  if (summary.gpu.stranded > 0) parts.push_back(fmt::format("{} stranded", summary.gpu.stranded));
  if (summary.hourly_cost) parts.push_back(fmt::format("${}/h", usd(*summary.hourly_cost)));
  return join(parts, ", ");
}

}  // namespace

void write_place_svg(std::ostream& out, const PlaceReport& report) {
  PictureWords words{headline(report), {picture_totals(report)}, left_out(report)};
  if (report.runs && report.summary.without_place() > 0) words.details.push_back("the worst: " + worst_run(report));
  write_cluster_svg(out, picture_of(report), 0, words);
}

void write_timeline_svg(std::ostream& out, const TimelineReport& report) {
  const auto end = report.history().end;
  PictureWords words{timeline_headline(report),
                     {fmt::format("the cluster at {}: {}", duration(end), picture_totals(report.cluster()))},
                     left_out(report)};
  if (report.booting() > 0)
    words.details.push_back(count_of(report.booting(), "more instance") + " launched and not there yet");
  write_cluster_svg(out, picture_of(report), end, words);
}

}  // namespace bayplan::report
