#include "placement/live_contradictions.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/fill.hpp"
#include "base/strings.hpp"

namespace bayplan::placement {
namespace {

void note_clusters(LiveNotes& notes, const DescribedFiles& files, const std::string& cluster) {
  for (const auto& found : files.clusters) {
    const auto& described = found.what;
    const auto count =
        static_cast<std::int64_t>(std::count_if(files.instances.begin(), files.instances.end(),
                                                [](const auto& instance) { return instance.what.is_counted(); }));
    if (described.name != cluster || !described.registered_instances || *described.registered_instances == count)
      continue;
    notes.add("instances-not-described", cluster,
              fill("the cluster registers {}, {} described", {count_of(*described.registered_instances, "instance"),
                                                              count == 1 ? "1 is" : fill("{} are", {count})}));
  }
}

void note_services(LiveNotes& notes, const DescribedFiles& files) {
  for (const auto& found : files.services) {
    const auto& service = found.what;
    const std::int64_t has = service.running_count + service.pending_count;
    if (!service.desired_count || has >= *service.desired_count) continue;
    notes.add("service-below-desired", service.name,
              fill("wants {} and has {}: ECS will place the rest on room that counts as free here",
                   {count_of(*service.desired_count, "task"), has}));
  }
}

/// Developer guide, cluster auto scaling: the largest type of a group decides how many instances a scale-out starts,
/// and what the smallest cannot hold starts none.
void note_providers(const Loading& loading, LiveNotes& notes) {
  std::map<std::string_view, std::set<std::string>> types_of;
  for (const auto& profile : loading.scenario.profiles) {
    const auto found = loading.described_providers.find(profile.capacity_provider_name);
    if (found != loading.described_providers.end() && found->second)
      types_of[profile.capacity_provider_name].insert(profile.instance_type);
  }
  for (const auto& [provider, types] : types_of) {
    if (types.size() < 2) continue;
    notes.add("several-types-in-managed-provider", std::string(provider),
              fill("scales by itself and has {}: ECS counts a scale-out in its largest type, and starts nothing for "
                   "a task that its smallest cannot hold; a provider for each type avoids both",
                   {some_of({types.begin(), types.end()})}));
  }
}

/// An instance whose agent does not register takes no task, and its group launches no other in its place.
void note_groups(LiveNotes& notes, const DescribedFiles& files) {
  std::set<std::string_view> registered;
  for (const auto& found : files.instances) registered.insert(found.what.ec2_instance_id);
  for (const auto& found : files.groups) {
    std::vector<std::string> others;
    for (const auto& id : found.what.in_service) {
      if (!registered.contains(id)) others.push_back(id);
    }
    if (others.empty()) continue;
    notes.add(
        "group-instance-not-registered", found.what.name,
        fill("{} InService in this Auto Scaling group and not registered with the cluster: {}",
             {others.size() == 1 ? "1 instance is" : fill("{} instances are", {others.size()}), some_of(others)}));
  }
}

template <class T>
void note_listed(LiveNotes& notes, const std::vector<Found<std::string>>& listed,
                 const std::vector<Found<T>>& described, std::string_view one) {
  std::set<std::string_view> names;
  for (const auto& found : listed) names.insert(found.what);
  for (const auto& found : described) names.erase(found.what.arn);
  if (names.empty()) return;
  notes.add("listed-not-described", std::string(names.begin()->substr(names.begin()->rfind('/') + 1)),
            fill("{} listed and not described: what {} not known",
                 {names.size() == 1 ? fill("1 {} is", {one}) : fill("{} {}s are", {names.size(), one}),
                  one == "instance"   ? "runs there is"
                  : one == "service"  ? "ECS keeps running is"
                  : names.size() == 1 ? "it takes is"
                                      : "they take is"}));
}

void note_files(LiveNotes& notes, const DescribedFiles& files, const std::string& cluster) {
  note_listed(notes, files.listed_instances, files.instances, "instance");
  note_listed(notes, files.listed_tasks, files.tasks, "task");
  note_listed(notes, files.listed_services, files.services, "service");
  for (const auto& one : files.notes) notes.add(one.id, one.subject, one.text);
  for (const auto& found : files.failures) {
    notes.add("describe-failure", found.what.arn, fill("was asked for and not found: {}", {found.what.reason}));
  }
  for (const auto& file : files.other_files)
    notes.add("file-not-used", file, "holds nothing that aws ecs describe-... prints");
  for (const auto& file : files.empty_files)
    notes.add("file-not-used", file, "is empty: right only where there is nothing to describe");
  if (files.superseded > 0) {
    notes.add("described-twice", cluster,
              fill("{} described in two versions; the newer counts",
                   {files.superseded == 1 ? "1 element is" : fill("{} elements are", {files.superseded})}));
  }
}

}  // namespace

void note_contradictions(const Loading& loading, LiveNotes& notes, const DescribedFiles& files,
                         const std::string& cluster) {
  note_clusters(notes, files, cluster);
  if (!loading.takes_services) note_services(notes, files);  // else the rest is placed
  note_providers(loading, notes);
  note_groups(notes, files);
  note_files(notes, files, cluster);
}

}  // namespace bayplan::placement
