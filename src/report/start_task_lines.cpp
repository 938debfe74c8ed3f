#include "report/start_task_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.hpp"

namespace bayplan::report {

using fleet::Offer;
using fleet::Question;
using placement::WorkloadKind;

namespace {

constexpr std::size_t kMostInstances = 10;  ///< Of one StartTask call (API_StartTask, containerInstances).

/// Hands out the tasks of a shape to its workloads in their order.
class Dealer {
 public:
  explicit Dealer(const Question& question) {
    for (const auto& shape : question.shapes) left_.push_back(shape.counts);
  }

  /// The next `count` tasks of the shape, by workload.
  void deal(const Question& question, std::uint32_t shape, std::int64_t count,
            std::map<std::uint32_t, std::int64_t>& workloads) {
    auto& left = left_[shape];
    for (std::size_t i = 0; i < left.size() && count > 0; ++i) {
      const auto taken = std::min(left[i], count);
      if (taken == 0) continue;
      left[i] -= taken;
      count -= taken;
      workloads[question.shapes[shape].workloads[i]] += taken;
    }
  }

 private:
  std::vector<std::vector<std::int64_t>> left_;
};

/// Names instances as the scenario with the purchases has them.
class Names {
 public:
  explicit Names(const FleetReport& report) : report_(report) {
    if (!report.request.keeps_cluster) return;
    for (const auto& instance : report.scenario.instances)
      ++numbers_[report.scenario.profiles[instance.profile].instance_type];
  }

  std::string next(const fleet::BinOrigin& bin) {
    const Offer& offer = report_.market.offers[bin.offer];
    const auto& standing = bin.standing.empty() ? offer.standing : bin.standing;
    if (!standing.empty()) {
      auto& used = standing_used_[standing.front()];
      return report_.scenario.instances[standing[std::min(used++, standing.size() - 1)]].id;
    }
    const auto& type = offer.profile.instance_type;
    return fmt::format("{}#{}", type, ++numbers_[type]);
  }

 private:
  const FleetReport& report_;
  std::map<std::string, std::int64_t> numbers_;
  std::map<std::uint32_t, std::size_t> standing_used_;
};

std::string line(const FleetReport& report, std::uint32_t workload, const std::vector<std::string>& instances) {
  const auto& scenario = report.scenario;
  const auto& own = scenario.workloads[workload];
  const auto& definition = scenario.task_definitions[own.task_definition];
  std::string text = "aws ecs start-task";
  if (!scenario.cluster_name.empty()) text += " --cluster " + scenario.cluster_name;
  text += " --task-definition " + (definition.is_registered ? definition.name : definition.family);
  if (own.group != "family:" + definition.family) text += " --group '" + own.group + "'";
  return text + " --container-instances " + join(instances, " ");
}

}  // namespace

std::vector<AssignedBins> assigned_bins(const FleetReport& report) {
  const auto& question = report.plan.question;
  Dealer dealer(question);
  Names names(report);
  std::vector<AssignedBins> result;
  for (const auto& filled : report.plan.solution.packing) {
    for (std::int64_t bin = 0; bin < filled.bins; ++bin) {
      std::map<std::uint32_t, std::int64_t> workloads;
      for (const auto& copies : filled.pattern.copies) dealer.deal(question, copies.shape, copies.count, workloads);
      std::vector<std::pair<std::uint32_t, std::int64_t>> tasks(workloads.begin(), workloads.end());
      if (bin == 0 || result.back().workloads != tasks) result.push_back({{}, std::move(tasks)});
      result.back().instances.push_back(names.next(question.bins[filled.pattern.type]));
    }
  }
  return result;
}

std::vector<std::string> start_task_lines(const FleetReport& report) {
  std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<std::string>> instances;  // by workload, nth task there
  for (const auto& bins : assigned_bins(report)) {
    for (const auto& [workload, count] : bins.workloads) {
      if (report.scenario.workloads[workload].kind != WorkloadKind::kTasks) continue;
      for (std::int64_t nth = 0; nth < count; ++nth) {
        auto& named = instances[{workload, nth}];
        named.insert(named.end(), bins.instances.begin(), bins.instances.end());
      }
    }
  }
  std::vector<std::string> lines;
  for (const auto& [key, named] : instances) {
    for (std::size_t begin = 0; begin < named.size(); begin += kMostInstances) {
      const auto end = std::min(named.size(), begin + kMostInstances);
      lines.push_back(
          line(report, key.first,
               {named.begin() + static_cast<std::ptrdiff_t>(begin), named.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
  }
  return lines;
}

}  // namespace bayplan::report
