// Events: what happens to the cluster as it stands.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/totals.hpp"
#include "study/whatif/variant_in_work.hpp"
#include "study/whatif/variant_subjects.hpp"

namespace bayplan::study {

using placement::AddInstances;
using placement::DrainInstances;
using placement::InstanceProfile;
using placement::RemoveInstances;
using placement::Scale;
using placement::TerminateInstances;

namespace {

using Indexes = std::vector<std::uint32_t>;

void sort_unique(Indexes& indexes) {
  std::sort(indexes.begin(), indexes.end());
  indexes.erase(std::unique(indexes.begin(), indexes.end()), indexes.end());
}

bool holds(const Indexes& sorted, std::uint32_t index) {
  return std::binary_search(sorted.begin(), sorted.end(), index);
}

class EventLoader {
 public:
  explicit EventLoader(VariantInWork& work) : work_(work), planned_(work.scenario, work.variant().changes) {}

  void run() {
    check_zones();
    lose_zones();
    if (work_.knows_instances) happen_to_instances();
    scale();
    deploy();
  }

 private:
  void check_zones() {
    if (!work_.written.each_az) return;
    const auto& profiles = planned_.profiles();
    const auto has_zone = [](const auto* profile) { return !profile->availability_zone.empty(); };
    if (std::any_of(profiles.begin(), profiles.end(), has_zone)) return;
    const auto& origin = work_.written.origin;
    work_.fail_at(origin,
                  {.message = fmt::format("{}each-az: no instance states its zone", origin.line == 0 ? "--" : ""),
                   .help = "set zones after @ in --instances, or with availabilityZone"});
  }

  void happen_to_instances() {
    terminate();
    drain();
    remove();
    add();
  }

  void lose_zones() {
    if (work_.scenario.timetable.has_time) return lose_over_time();
    work_.each(VariationKey::kLoseAz, [&](const auto& one) {
      lost_zones_.insert(one.text);
      take(one, instances_in(planned_, one.text), lost_);
    });
  }

  void terminate() {
    if (work_.scenario.timetable.has_time) return;
    work_.each(VariationKey::kTerminate,
               [&](const auto& one) { take(one, instances_named(planned_, one.text), terminated_); });
    lost_.insert(lost_.end(), terminated_.begin(), terminated_.end());
    sort_unique(terminated_);
    sort_unique(lost_);
    if (!lost_.empty()) work_.variant().events.emplace_back(TerminateInstances{lost_, {}});
  }

  /// Instances come and go in a run: which are meant, it finds out by itself.
  void lose_over_time() {
    std::set<std::string_view> zones;
    for (const auto& profile : work_.scenario.profiles) zones.insert(profile.availability_zone);
    zones.erase("");
    const std::vector<std::string_view> known(zones.begin(), zones.end());
    work_.each(VariationKey::kLoseAz, [&](const auto& one) {
      lost_zones_.insert(one.text);
      if (!zones.contains(one.text)) {
        work_.fail(one, fmt::format("no instance and no group is in {}", one.text),
                   known.empty() ? "none states its zone" : "zones are " + one_of(known, "and"));
      }
    });
  }

  void take(const WrittenVariation& one, const Result<Indexes>& found, Indexes& all) {
    if (!found) return work_.fail(one, found.error());
    all.insert(all.end(), found->begin(), found->end());
  }

  void drain() {
    if (work_.scenario.timetable.has_time) return;
    Indexes drained;
    work_.each(VariationKey::kDrain, [&](const auto& one) {
      Indexes named;
      take(one, instances_named(planned_, one.text), named);
      const auto both = std::find_if(named.begin(), named.end(), [&](auto i) { return holds(terminated_, i); });
      if (both != named.end()) {
        return work_.fail(one, fmt::format("{} is both drained and terminated", planned_.instances()[*both].id),
                          "a terminated instance is removed at once, a drained one after its tasks have moved");
      }
      // An instance of a lost zone is gone before it could drain.
      const std::size_t before = drained.size();
      std::set_difference(named.begin(), named.end(), lost_.begin(), lost_.end(), std::back_inserter(drained));
      if (drained.size() == before && !named.empty())
        work_.fail(one, "the variant loses the zone of what it drains", "drain what stays");
    });
    sort_unique(drained);
    if (!drained.empty()) work_.variant().events.emplace_back(DrainInstances{std::move(drained), {}});
  }

  void remove() {
    std::map<std::string, std::int64_t> removed;
    std::vector<std::string> order;
    work_.each(VariationKey::kRemove, [&](const auto& one) {
      const auto wanted = work_.count_of(one, {});
      if (!wanted) return;
      const auto& [type, count] = *wanted;
      if (planned_.count_of(type) == 0) return work_.fail(one, no_such_type(work_.scenario, planned_, type));
      const std::int64_t left = count_left(type) - removed[type];
      if (count > left) {
        return work_.fail(one, fmt::format("only {} of {} can be removed", bayplan::count_of(left, "instance"), type),
                          lost_.empty() ? "" : "what the variant loses is gone already");
      }
      if (removed[type] == 0) order.push_back(type);
      removed[type] += count;
    });
    for (const auto& type : order) work_.variant().events.emplace_back(RemoveInstances{type, removed[type]});
  }

  std::int64_t count_left(const std::string& type) const {
    std::int64_t left = 0;
    for (std::uint32_t i = 0; i < planned_.instances().size(); ++i)
      left += planned_.profile_of(i).instance_type == type && !holds(lost_, i) ? 1 : 0;
    return left;
  }

  void add() {
    std::map<std::string, std::int64_t> numbers;  // instances of each type, if any are added
    NewInstances added;
    work_.each(VariationKey::kAdd, [&](const auto& one) {
      const auto argument = work_.instances_of(one);
      if (!argument) return;
      const auto pattern = one_more_of(planned_, work_.catalog, argument->instance_type);
      if (!pattern) return work_.fail(one, pattern.error());
      const auto& zones = argument->availability_zones;
      const auto lost =
          std::find_if(zones.begin(), zones.end(), [&](const auto& z) { return lost_zones_.contains(z); });
      if (lost != zones.end())
        return work_.fail(one, fmt::format("the variant loses {}", *lost), "add to a zone that stays");
      note_new(zones);
      if (numbers.empty()) numbers = list_types(planned_);
      deal(work_, planned_, *pattern, zones.empty() ? zones_to_fill() : zones, argument->count,
           numbers[pattern->instance_type], added);
    });
    if (added.instances.empty()) return;
    work_.variant().events.emplace_back(AddInstances{std::move(added.profiles), std::move(added.instances)});
  }

  void note_new(const std::vector<std::string>& zones) {
    const auto& profiles = planned_.profiles();
    for (const auto& zone : zones) {
      const auto is_there = [&](const InstanceProfile* profile) { return profile->availability_zone == zone; };
      if (std::none_of(profiles.begin(), profiles.end(), is_there))
        work_.assume({"zone-new", zone, fmt::format("the cluster has no instance in {} yet", zone)});
    }
  }

  /// Zones that stay, those with the fewest instances first, then by name.
  std::vector<std::string> zones_to_fill() const {
    std::map<std::string, std::int64_t> counts;
    for (std::uint32_t i = 0; i < planned_.instances().size(); ++i) {
      const auto& zone = planned_.profile_of(i).availability_zone;
      if (!zone.empty() && !lost_zones_.contains(zone)) counts[zone] += holds(lost_, i) ? 0 : 1;
    }
    std::vector<std::string> zones;
    for (const auto& [zone, count] : counts) zones.push_back(zone);
    std::stable_sort(zones.begin(), zones.end(), [&](const auto& a, const auto& b) { return counts[a] < counts[b]; });
    if (zones.empty()) zones.emplace_back();  // none is stated
    return zones;
  }

  void scale() {
    std::set<std::uint32_t> scaled;
    work_.each(VariationKey::kScale, [&](const auto& one) {
      const auto wanted = work_.count_of(one, {0, placement::kMaxTasks});
      if (!wanted) return;
      auto workloads = scalable_named(work_.scenario, wanted->name);
      if (!workloads) return work_.fail(one, workloads.error());
      if (!scaled.insert(workloads->front()).second)
        return work_.fail(one, fmt::format("'{}' is scaled twice", wanted->name), "keep one of them");
      work_.variant().events.emplace_back(Scale{std::move(*workloads), wanted->count});
    });
  }

  void deploy() {
    std::set<std::uint32_t> deployed;
    work_.each(VariationKey::kDeploy, [&](const auto& one) {
      const auto names = work_.split_pair(one);
      if (!names) return;
      const auto service = service_named(work_.scenario, names->left);
      if (!service) return work_.fail(one, service.error());
      const auto definition = definition_named(work_.scenario, names->right);
      if (!definition) return work_.fail(one, definition.error());
      if (!deployed.insert(*service).second)
        return work_.fail(one, fmt::format("'{}' is deployed twice", names->left), "keep one of them");
      // A run may have come to another definition by then.
      const auto now = work_.scenario.workloads[*service].task_definition;
      if (*definition == now && !work_.scenario.timetable.has_time) {
        return work_.fail(one,
                          fmt::format("'{}' has {} already", names->left, work_.scenario.task_definitions[now].name),
                          "name its replacement: a file, or another revision");
      }
      work_.variant().deployments.push_back({*service, *definition});
    });
  }

  VariantInWork& work_;
  const PlannedInstances planned_;
  std::set<std::string> lost_zones_;
  Indexes terminated_;
  Indexes lost_;  ///< The terminated ones, and those of lost zones.
};

}  // namespace

void load_events(VariantInWork& work) {
  EventLoader(work).run();
}

}  // namespace bayplan::study
