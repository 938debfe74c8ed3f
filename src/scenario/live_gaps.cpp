#include "scenario/live_gaps.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/service_terms.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement
namespace {

using model::DescribedTask;
using text::Value;

constexpr std::string_view kHelp = "collect the snapshot again; --allow-partial goes on with what there is";

/// Where what is missing is reported: as errors, and as findings where a partial snapshot is allowed.
struct Gaps {
  Loading& loading;
  LiveNotes& notes;
  const std::string& cluster;
  std::size_t count = 0;

  void report(const Origin& origin, std::string message) {
    ++count;
    if (loading.allows_partial) return notes.add("snapshot-incomplete", cluster, std::move(message));
    loading.sources.fail(Error{std::move(message), origin.file, origin.line, origin.column, std::string(kHelp)});
  }
};

std::string described(std::int64_t count) {
  return count == 1 ? "1 is described" : fmt::format("{} are described", count);
}

/// Compares ARNs by their last part, which differs within one cluster.
template <class T>
bool report_listed(Gaps& gaps, const std::vector<WithOrigin<std::string>>& listed,
                   const std::vector<WithOrigin<T>>& found, std::string_view one) {
  std::set<std::string_view> known;
  for (const auto& each : found) known.insert(each.what.arn);
  std::vector<std::string> missing;
  const Origin* first = nullptr;
  for (const auto& each : listed) {
    if (!known.insert(each.what).second) continue;
    missing.push_back(each.what.substr(each.what.rfind('/') + 1));
    if (first == nullptr) first = &each.origin;
  }
  if (first == nullptr) return false;
  if (gaps.loading.allows_partial) return true;  // `listed-not-described` says it
  const auto count = static_cast<std::int64_t>(missing.size());
  gaps.report(*first, fmt::format("{} listed here {} not described: {}", count_of(count, one),
                                  count == 1 ? "is" : "are", some_of(missing)));
  return true;
}

template <class T, class Member>
bool report_counted(Gaps& gaps, const DescribedFiles& files, const std::vector<WithOrigin<T>>& found,
                    std::string_view one, Member count_in) {
  const auto there = static_cast<std::int64_t>(
      std::count_if(found.begin(), found.end(), [](const auto& each) { return each.what.is_counted(); }));
  for (const auto& each : files.clusters) {
    const std::int64_t counted = count_in(each.what);
    if (each.what.name != gaps.cluster || counted <= there) continue;
    gaps.report(each.origin,
                fmt::format("cluster {} counts {}, and {}", gaps.cluster, count_of(counted, one), described(there)));
    return true;
  }
  return false;
}

void report_instances(Gaps& gaps, const DescribedFiles& files) {
  constexpr std::string_view kOne = "container instance";
  if (report_listed(gaps, files.listed_instances, files.instances, kOne)) return;
  report_counted(gaps, files, files.instances, kOne,
                 [](const auto& one) { return one.registered_instances.value_or(0); });
}

/// A service whose tasks run is there, though nothing but they say so; only who moves them needs to know it.
void report_services(Gaps& gaps, const DescribedFiles& files) {
  const bool is_reported =
      report_listed(gaps, files.listed_services, files.services, "service") ||
      report_counted(gaps, files, files.services, "service", [](const auto& one) { return one.active_services; });
  const bool allows_partial = gaps.loading.allows_partial;
  if (!gaps.loading.takes_services || (is_reported && !allows_partial)) return;
  constexpr std::string_view kGroup = "service:";
  std::set<std::string, std::less<>> known;
  for (const auto& found : files.services) known.insert(found.what.name);
  for (const auto& found : files.tasks) {
    const auto& task = found.what;
    if (!task.is_counted() || task.instance_arn.empty() || !task.group.starts_with(kGroup)) continue;
    const std::string name = task.group.substr(kGroup.size());
    if (!known.insert(name).second) continue;
    if (!is_reported)
      gaps.report(found.origin, fmt::format("task {} belongs to service {}, which is not described", task.id, name));
    if (allows_partial) {
      assume(gaps.loading.scenario, "service-constraints-unknown", name,
             "not described: its subnets, constraints and healthy percents are unknown, and its tasks are taken to go "
             "wherever their definition may");
    }
  }
}

/// Tasks that have not stopped, by what `key` says of them.
template <class Key>
std::map<std::string, std::int64_t, std::less<>> count_tasks(const DescribedFiles& files, Key key) {
  std::map<std::string, std::int64_t, std::less<>> counts;
  for (const auto& found : files.tasks) counts[key(found.what)] += found.what.is_counted() ? 1 : 0;
  return counts;
}

/// Reports the first of lists, cluster, services and instances that counts more than there are; the others would repeat
/// it.
void report_tasks(Gaps& gaps, const DescribedFiles& files) {
  constexpr std::string_view kOne = "task";
  if (report_listed(gaps, files.listed_tasks, files.tasks, kOne)) return;
  if (report_counted(gaps, files, files.tasks, kOne,
                     [](const auto& one) { return one.running_tasks + one.pending_tasks; }))
    return;
  const std::size_t before = gaps.count;
  const auto by_group = count_tasks(files, [](const DescribedTask& task) { return task.group; });
  const auto check = [&](const auto& counts, const std::string& key, const Origin& origin, std::int64_t counted,
                         const std::string& name) {
    const auto found = counts.find(key);
    const std::int64_t there = found == counts.end() ? 0 : found->second;
    if (counted > there)
      gaps.report(origin, fmt::format("{} counts {}, and {}", name, count_of(counted, kOne), described(there)));
  };
  std::set<std::string_view> elsewhere;  // their tasks take no room of the cluster
  for (const auto& service : gaps.loading.scenario.services) {
    if (runs_elsewhere(service)) elsewhere.insert(service.name);
  }
  for (const auto& found : files.services) {
    const auto& service = found.what;
    if (elsewhere.contains(service.name)) continue;
    check(by_group, "service:" + service.name, found.origin, service.running_count + service.pending_count,
          "service " + service.name);
  }
  if (gaps.count > before || gaps.loading.allows_partial) return;  // `tasks-not-described` reports it for each instance
  const auto by_instance = count_tasks(files, [](const DescribedTask& task) { return task.instance_arn; });
  for (const auto& found : files.instances) {
    const auto& instance = found.what;
    check(by_instance, instance.arn, found.origin,
          instance.running_tasks.value_or(0) + instance.pending_tasks.value_or(0), "container instance " + instance.id);
  }
}

/// Reads only what runs on instances: other tasks take no room of the cluster.
void report_definitions(Gaps& gaps, const DescribedFiles& files) {
  std::set<std::string, std::less<>> known;
  for (const auto& definition : gaps.loading.scenario.task_definitions) known.insert(definition.name);
  const auto check = [&](const std::string& definition, const Origin& origin, const std::string& user) {
    if (definition.empty() || !known.insert(definition).second) return;
    gaps.report(origin, fmt::format("{} uses task definition {}, which is not described", user, definition));
  };
  for (const auto& service : gaps.loading.scenario.services) {
    const bool is_idle =
        service.kind != WorkloadKind::kDaemon && service.desired_count == 0 && service.running_count == 0;
    if (!runs_elsewhere(service) && !is_idle) check(service.task_definition, service.origin, "service " + service.name);
  }
  for (const auto& found : files.tasks) {
    const auto& task = found.what;
    if (task.is_counted() && !task.instance_arn.empty()) check(task.task_definition, found.origin, "task " + task.id);
  }
}

void report_incomplete(Gaps& gaps, Value at, const std::string& what) {
  if (gaps.loading.allows_partial) return gaps.notes.add("snapshot-incomplete", gaps.cluster, what);
  gaps.loading.sources.fail(at, "the snapshot is incomplete: " + what, std::string(kHelp));
}

/// What ECS does not answer is missing; what EC2 and Auto Scaling do not is assumed, and reported where it matters.
void check_call(Gaps& gaps, Value manifest, Value call) {
  const Value file = call.find("file");
  const auto name = call.find("call").text();
  if (call.find("exitCode").integer().value_or(0) != 0) {
    const Value error = call.find("error");
    const std::string said = error ? ": " + std::string(error.text()) : std::string();
    const auto what = fmt::format("aws {} failed, so that {} is incomplete{}", name, file.text(), said);
    if (name.starts_with("ecs ")) return report_incomplete(gaps, call, what);
    return gaps.notes.add("snapshot-incomplete", gaps.cluster, what);
  }
  if (!gaps.loading.sources.files().exists(relative_to(gaps.loading.sources.file_of(manifest), file.text())))
    report_incomplete(gaps, file, fmt::format("{} is missing, which aws {} filled", file.text(), name));
}

void check_manifest(Gaps& gaps, Value manifest) {
  const Value of = manifest.find("snapshotOf");
  if (!gaps.cluster.empty() && of.text() != gaps.cluster) {
    return gaps.loading.sources.fail(
        of, fmt::format("this is the manifest of cluster {}, and {} is described", of.text(), gaps.cluster),
        "use a separate folder for each cluster");
  }
  if (!manifest.find("endedAt")) report_incomplete(gaps, manifest, "its script did not come to its end");
  for (const Value call : manifest.find("calls").children()) check_call(gaps, manifest, call);
  const Value changed = manifest.find("changed");
  if (!changed || changed.size() == 0) return;
  std::vector<std::string> calls;
  for (const Value call : changed.children()) calls.emplace_back(call.text());
  gaps.notes.add(
      "changed-while-collected", gaps.cluster,
      fmt::format(
          "{} answered differently at the end ({}) than at the beginning ({}): the answers are of different times",
          some_of(calls), manifest.find("endedAt") ? manifest.find("endedAt").text() : "unknown",
          manifest.find("startedAt").text()));
}

}  // namespace

void check_gaps(Loading& loading, LiveNotes& notes, const DescribedFiles& files, const std::string& cluster) {
  Gaps gaps{loading, notes, cluster};
  for (const auto& manifest : files.manifests) check_manifest(gaps, manifest->root());
  // What is missing because a call failed or a file cannot be read would only repeat that.
  if (loading.sources.has_errors()) return;
  // Instances and definitions that are missing are findings and assumptions of their own.
  if (!loading.allows_partial) report_instances(gaps, files);
  report_services(gaps, files);
  report_tasks(gaps, files);
  if (!loading.allows_partial) report_definitions(gaps, files);
}

}  // namespace bayplan::scenario
