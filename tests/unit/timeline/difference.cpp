#include "timeline/difference.hpp"

#include <algorithm>

namespace bayplan::timeline {
namespace {

using placement::Scenario;

std::string words(std::optional<Seconds> at) {
  return at ? std::to_string(*at) : "-";
}

std::string words_of(OptionalIndex index) {
  return index ? std::to_string(*index) : "-";
}

std::string task_name(const Scenario& scenario, const History& history, std::uint32_t task) {
  if (task >= history.tasks.size()) return "task " + std::to_string(task);
  const auto& own = history.tasks[task];
  if (own.running != kNoIndex) return scenario.running[*own.running].id;
  return scenario.workloads[*own.workload].name + "#" + std::to_string(own.number) + "[" + std::to_string(task) + "]";
}

std::string in_words(const Scenario& scenario, const History& history, std::uint32_t task) {
  const auto& own = history.tasks[task];
  std::string line = task_name(scenario, history, task) + ": workload " + words_of(own.workload) + ", deployment " +
                     words_of(own.deployment) + ", job " + words_of(own.job) + ", provider " +
                     words_of(own.capacity_provider) + ", instance " + words_of(own.instance) + ", arrived " +
                     words(own.arrived_at) + ", placed " + words(own.placed_at) + ", started " + words(own.started_at) +
                     ", stopped " + words(own.stopped_at) + " " + std::string(name_of(own.stop)) +
                     (own.failed ? ", failed" : "") + (own.tied ? ", tied" : "") + ", GPUs";
  for (const auto& container : own.gpus) {
    for (const auto device : container.devices) line += " " + std::to_string(device);
  }
  return line;
}

std::string in_words(const Instance& own) {
  return own.id + ": profile " + std::to_string(own.profile) + ", group " + words_of(own.group) + ", launched " +
         words(own.launched_at) + ", active " + words(own.active_at) + ", draining " + words(own.draining_at) +
         ", terminated " + words(own.terminated_at);
}

std::string in_words(const Deployment& own) {
  return "of service " + std::to_string(own.service) + ", workload " + std::to_string(own.workload) + ", started " +
         words(own.started_at) + ", ended " + words(own.ended_at) + ", state " +
         std::to_string(static_cast<int>(own.state)) + (own.is_stuck ? ", stuck" : "") + ", failed tasks " +
         std::to_string(own.failed_tasks);
}

std::string in_words(const Job& own) {
  return std::to_string(own.tasks.size()) + " tasks, started " + words(own.started_at) + (own.failed ? ", failed" : "");
}

std::string in_words(const Metric& own) {
  return "at " + words(own.at) + ", group " + std::to_string(own.group) + ", M " + std::to_string(own.needed) + ", N " +
         std::to_string(own.running) + ", " + std::to_string(own.percent_millionths) + ", desired " +
         std::to_string(own.desired_capacity);
}

bool is_like(Event a, Event b) {
  a.cause = b.cause;
  return a == b;
}

Task without_failure(Task task) {
  task.failure = kNoIndex;
  return task;
}

std::string lines(const Scenario& scenario, const History& history, std::size_t index) {
  std::string text;
  for (std::size_t i = index - std::min<std::size_t>(index, 3); i < std::min(index + 3, history.events.size()); ++i) {
    text += (i == index ? "  > " : "    ") + in_words(scenario, history, history.events[i]) + "\n";
  }
  return text;
}

std::string event_difference(const Scenario& scenario, const History& fast, const History& plain) {
  const std::size_t count = std::min(fast.events.size(), plain.events.size());
  std::size_t i = 0;
  while (i < count && is_like(fast.events[i], plain.events[i])) ++i;
  if (i == count && fast.events.size() == plain.events.size()) return {};
  return "event " + std::to_string(i) + "\n  fast:\n" + lines(scenario, fast, i) + "  plain:\n" +
         lines(scenario, plain, i);
}

/// The first that differs, both in words.
template <class T, class Words>
std::string first_difference(const char* what, const std::vector<T>& fast, const std::vector<T>& plain, Words words) {
  for (std::size_t i = 0; i < fast.size() && i < plain.size(); ++i) {
    if (fast[i] == plain[i]) continue;
    return std::string(what) + " " + std::to_string(i) + "\n  fast:  " + words(fast[i]) +
           "\n  plain: " + words(plain[i]);
  }
  if (fast.size() == plain.size()) return {};
  return std::to_string(fast.size()) + " and not " + std::to_string(plain.size()) + " of: " + what;
}

std::string task_difference(const Scenario& scenario, const History& fast, const History& plain) {
  for (std::uint32_t i = 0; i < fast.tasks.size() && i < plain.tasks.size(); ++i) {
    if (without_failure(fast.tasks[i]) == without_failure(plain.tasks[i])) continue;
    return "task\n  fast:  " + in_words(scenario, fast, i) + "\n  plain: " + in_words(scenario, plain, i);
  }
  return fast.tasks.size() == plain.tasks.size() ? "" : "number of tasks";
}

std::string end_difference(const History& fast, const History& plain) {
  if (fast.end == plain.end && fast.end_reason == plain.end_reason) return {};
  const auto end = [](const History& history) {
    return std::to_string(history.end) + " reason " + std::to_string(static_cast<int>(history.end_reason));
  };
  return "end " + end(fast) + " and not " + end(plain);
}

}  // namespace

std::string in_words(const Scenario& scenario, const History& history, const Event& event) {
  std::string line = std::to_string(event.at) + " " + std::string(name_of(event.kind));
  line +=
      " " + (is_about_task(event.kind) ? task_name(scenario, history, event.subject) : std::to_string(event.subject));
  if (event.instance < history.instances.size()) line += " on " + history.instances[*event.instance].id;
  if (event.stop != StopCause::kNone) line += " " + std::string(name_of(event.stop));
  if (event.value != 0) line += " value " + std::to_string(event.value);
  return line;
}

std::string difference(const Scenario& scenario, const History& fast, const History& plain) {
  if (fast.errors.size() != plain.errors.size()) {
    return "errors: " + (fast.errors.empty() ? "none" : fast.errors[0].message) + " and not " +
           (plain.errors.empty() ? "none" : plain.errors[0].message) + ", last " +
           event_difference(scenario, fast, plain);
  }
  std::string found = event_difference(scenario, fast, plain);
  if (found.empty() && !fast.errors.empty()) return {};
  if (found.empty()) found = task_difference(scenario, fast, plain);
  const auto say = [](const auto& own) { return in_words(own); };
  if (found.empty()) found = first_difference("instance", fast.instances, plain.instances, say);
  if (found.empty()) found = first_difference("deployment", fast.deployments, plain.deployments, say);
  if (found.empty()) found = first_difference("job", fast.jobs, plain.jobs, say);
  if (found.empty()) found = first_difference("metric", fast.metrics, plain.metrics, say);
  if (found.empty()) found = end_difference(fast, plain);
  return found;
}

}  // namespace bayplan::timeline
