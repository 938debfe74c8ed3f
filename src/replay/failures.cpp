#include "replay/failures.hpp"

#include <numeric>
#include <set>
#include <utility>

namespace bayplan::replay {
namespace {

void note_failure(JudgedFailure judged, std::optional<std::uint32_t> task_class,
                  const std::vector<std::uint32_t>& instances, RecordedCluster& cluster, ReplayResult& result) {
  judged.is_known = task_class.has_value();
  if (task_class) {
    judged.fails = !Judge(cluster).is_placeable(*task_class, {});
    std::set<std::string> reasons;
    std::vector<std::uint32_t> asked = instances;
    if (asked.empty()) {
      asked.resize(cluster.size());
      std::iota(asked.begin(), asked.end(), 0);
    }
    for (const auto instance : asked) {
      const auto failed = cluster.filter(*task_class).failing(instance, cluster.states()[instance], {});
      for (const auto check : failed.list()) reasons.insert(reason_text(check, cluster.profile(instance).status));
    }
    judged.has_reason = reasons.contains(judged.reason);
    judged.simulated.assign(reasons.begin(), reasons.end());
    ++result.failures_known;
    result.failures_agreeing += judged.fails ? 1 : 0;
    result.failures_with_reason += judged.has_reason ? 1 : 0;
  }
  if (result.failures.size() < kMostListed) result.failures.push_back(std::move(judged));
}

}  // namespace

void judge_failure(const RecordedFailure& failure, const History& history, RecordedCluster& cluster, Requests& requests,
                   ReplayResult& result) {
  const std::string name(history.names.text(failure.service));
  JudgedFailure judged;
  judged.name = name;
  judged.reason = std::string(history.names.text(failure.reason));
  judged.at = failure.at;
  judged.place = failure.place;
  std::vector<std::uint32_t> instances;
  for (const auto arn : failure.instances) {
    if (const auto instance = cluster.find(history.names.text(arn))) instances.push_back(*instance);
  }
  if (instances.size() == 1) judged.instance = cluster.scenario().instances[instances.front()].id;
  std::optional<std::uint32_t> task_class;
  if (const auto terms = requests.terms_of_service(name))
    task_class = requests.class_of_failure(*terms, requests.terms(*terms).task_definition, "service:" + name);
  note_failure(std::move(judged), task_class, instances, cluster, result);
}

void judge_call_failures(std::uint32_t number, const History& history, RecordedCluster& cluster, Requests& requests,
                         ReplayResult& result) {
  const RecordedCall& call = history.calls[number];
  const auto terms = requests.terms_of_call(number);
  std::string name = requests.terms(terms).task_definition;
  std::string group = "family:" + name.substr(0, name.find(':'));
  if (!call.tasks.empty()) {
    const auto& task = history.tasks[call.tasks.front()];
    name = std::string(history.names.text(task.definition));
    group = std::string(history.names.text(task.group));
  }
  const auto task_class = requests.class_of_failure(terms, name, group);
  for (const auto& [arn, reason] : call.failures) {
    JudgedFailure judged;
    judged.name = name;
    judged.reason = std::string(history.names.text(reason));
    judged.at = call.at;
    judged.place = call.place;
    std::vector<std::uint32_t> instances;
    if (const auto instance = cluster.find(history.names.text(arn))) {
      instances.push_back(*instance);
      judged.instance = cluster.scenario().instances[*instance].id;
    }
    note_failure(std::move(judged), task_class, instances, cluster, result);
  }
}

}  // namespace bayplan::replay
