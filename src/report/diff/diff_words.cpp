#include "report/diff/diff_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <map>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/place/place_words.hpp"
#include "report/whatif/whatif_deployment.hpp"

namespace bayplan::report {

using capacity::FitRow;
using capacity::GpuForm;
using capacity::TaskRequirement;
using study::CapacityEffect;
using study::DefinitionDiff;
using study::DiffReport;
using study::Obstacle;
using study::TypeEffect;

namespace {

std::string gpu_words(const TaskRequirement& task) {
  switch (task.gpu_form) {
    case GpuForm::kNone:
      return "no GPU";
    case GpuForm::kCount:
      return fmt::format("{} GPU", task.gpu_count);
    case GpuForm::kAll:
      return "all GPUs";
    case GpuForm::kNeuron:
      return "all Neuron devices";
    case GpuForm::kFraction:
      return from_millionths(task.gpu_fraction_millionths) + " GPU";
    case GpuForm::kMps:
      break;
  }
  return fmt::format("{} MiB of a shared GPU", task.mps_memory);
}

std::optional<std::int64_t> gpu_millionths(const TaskRequirement& task) {
  if (task.gpu_form == GpuForm::kNone) return 0;
  if (task.gpu_form == GpuForm::kCount) return task.gpu_count * 1'000'000;
  if (task.gpu_form == GpuForm::kFraction) return task.gpu_fraction_millionths;
  return std::nullopt;
}

/// Whether `member` of the task or of a container is a placeholder.
bool is_unknown(const TaskRequirement& task, std::string_view member) {
  return std::any_of(task.unknown.begin(), task.unknown.end(), [&](const std::string& name) {
    return name == member || name.ends_with("." + std::string(member));
  });
}

using Members = std::array<std::string_view, 2>;
constexpr Members kGpuMembers{"resourceRequirements"};
constexpr Members kCpuMembers{"cpu"};
constexpr Members kMemoryMembers{"memory", "memoryReservation"};
constexpr Members kNetworkMembers{"networkMode", "portMappings"};

/// Whether one of them is not known on one side alone: then a difference cannot be known.
bool is_open(const TaskRequirement& before, const TaskRequirement& after, const Members& members) {
  return std::any_of(members.begin(), members.end(), [&](auto member) {
    return !member.empty() && is_unknown(before, member) != is_unknown(after, member);
  });
}

std::string_view sign(std::int64_t difference) {
  return difference < 0 ? "-" : "+";
}

void add_gpus(const TaskRequirement& before, const TaskRequirement& after, std::vector<std::string>& parts) {
  const std::string old_words = gpu_words(before);
  const std::string new_words = gpu_words(after);
  if (old_words == new_words) return;
  if (before.gpu_form == GpuForm::kMps && after.gpu_form == GpuForm::kMps) {
    const auto more = after.mps_memory - before.mps_memory;
    return parts.push_back(fmt::format("{}{} MiB of a shared GPU", sign(more), std::abs(more)));
  }
  const auto had = gpu_millionths(before);
  const auto has = gpu_millionths(after);
  if (!had || !has) return parts.push_back(new_words + " instead of " + old_words);
  parts.push_back(fmt::format("{}{} GPU", sign(*has - *had), from_millionths(std::abs(*has - *had))));
}

using Ports = std::vector<std::uint16_t>;

Ports missing_in(const Ports& ports, const Ports& others) {
  Ports rest;
  std::set_difference(ports.begin(), ports.end(), others.begin(), others.end(), std::back_inserter(rest));
  return rest;
}

void add_ports(std::string_view sign, std::string_view protocol, const Ports& ports, std::vector<std::string>& parts) {
  constexpr std::size_t kNamed = 3;
  if (ports.empty()) return;
  const auto count = count_of(static_cast<std::int64_t>(ports.size()), "host port");
  const auto named = ports.size() > kNamed ? std::string() : fmt::format(" {}", fmt::join(ports, ", "));
  parts.push_back(fmt::format("{}{} ({}{})", sign, count, protocol, named));
}

void add_network(const TaskRequirement& before, const TaskRequirement& after, std::vector<std::string>& parts) {
  if (const auto interfaces = after.network_interfaces - before.network_interfaces; interfaces != 0)
    parts.push_back(fmt::format("awsvpc: {}{} ENI", sign(interfaces), std::abs(interfaces)));
  if (const auto volumes = after.ebs_volumes - before.ebs_volumes; volumes != 0)
    parts.push_back(fmt::format("{}{}", sign(volumes), count_of(std::abs(volumes), "EBS volume")));
  add_ports("+", "TCP", missing_in(after.tcp_ports, before.tcp_ports), parts);
  add_ports("-", "TCP", missing_in(before.tcp_ports, after.tcp_ports), parts);
  add_ports("+", "UDP", missing_in(after.udp_ports, before.udp_ports), parts);
  add_ports("-", "UDP", missing_in(before.udp_ports, after.udp_ports), parts);
}

void add_architecture(const TaskRequirement& before, const TaskRequirement& after, std::vector<std::string>& parts) {
  if (before.architecture == after.architecture) return;
  const auto words = [](const auto& one) { return one ? *one : std::string("any architecture"); };
  parts.push_back(words(after.architecture) + " instead of " + words(before.architecture));
}

void add_attributes(const TaskRequirement& before, const TaskRequirement& after, std::vector<std::string>& parts) {
  const auto count_missing = [](const auto& names, const auto& others) {
    return std::count_if(names.begin(), names.end(),
                         [&](const auto& name) { return !std::binary_search(others.begin(), others.end(), name); });
  };
  const auto more = count_missing(after.required_attributes, before.required_attributes);
  const auto fewer = count_missing(before.required_attributes, after.required_attributes);
  if (more > 0) parts.push_back("+" + count_of(more, "required attribute"));
  if (fewer > 0) parts.push_back("-" + count_of(fewer, "required attribute"));
}

/// What becomes of the types, when it is worth a place in the first line.
std::string types_part(const CapacityEffect& effect) {
  if (!effect.before || !effect.after) return {};
  if (effect.before->runs_on_instances != effect.after->runs_on_instances)
    return effect.after->runs_on_instances ? "to instances from Fargate" : "to Fargate from instances";
  if (effect.before->requirement.unknown != effect.after->requirement.unknown) return {};  // as good as not known
  std::vector<std::size_t> changed;                                                        // positions in `reported`
  for (std::size_t i = 0; i < effect.reported.size(); ++i) {
    if (effect.reported[i].changes) changed.push_back(i);
  }
  if (changed.empty() || effect.fits_no_type()) return {};
  constexpr std::size_t kNamed = 2;
  if (effect.before->held_by != effect.after->held_by && changed.size() > kNamed)
    return fmt::format("fits {} types instead of {}", effect.after->held_by, effect.before->held_by);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(changed.size(), kNamed); ++i) {
    const TypeEffect row = effect.rows(changed[i], changed[i] + 1).front();
    parts.push_back(fmt::format("{}{} {} instead of {}", row.any().type->name, i == 0 ? " holds" : "",
                                copies_words(row.after), copies_words(row.before)));
  }
  if (changed.size() > kNamed)
    parts.push_back(
        fmt::format("{} change", count_of(static_cast<std::int64_t>(changed.size() - kNamed), "more type")));
  return join(parts, ", ");
}

std::string held_part(const study::SideCapacity& side, std::int64_t types) {
  if (!side.runs_on_instances) return "on Fargate";
  if (side.held_by == 0) return {};
  if (types == 1) return cheapest_words(side);
  return fmt::format("fits {} of {}, from {}", side.held_by, count_of(types, "type"), cheapest_words(side));
}

std::string held_services(const study::ClusterEffect& effect) {
  std::vector<std::string> names;
  for (const auto& rollout : effect.rollouts) {
    if (!rollout.finishes() && rollout.could_before) names.push_back(rollout.service);
  }
  return (names.size() == 1 ? "service " : "services ") + join(names, ", ");
}

std::string cluster_part(const DefinitionDiff& diff) {
  if (!diff.cluster || !diff.cluster->after || diff.cluster->fits_nowhere()) return {};
  const auto& effect = *diff.cluster;
  const bool is_same = effect.before && effect.before->copies == effect.after->copies;
  return is_same ? std::string() : room_words(effect);
}

std::string changed_part(const DefinitionDiff& diff) {
  if (diff.fields.empty()) return "no field changed";
  return count_of(static_cast<std::int64_t>(diff.fields.size()), "field") + " changed";
}

void add_if_any(std::string text, std::vector<std::string>& parts) {
  if (!text.empty()) parts.push_back(std::move(text));
}

std::string several_headline(const DiffReport& report) {
  std::vector<std::string> different;
  for (const auto& one : report.definitions) {
    if (one.differs()) different.push_back(one.name);
  }
  constexpr std::size_t kNamed = 4;
  const auto total = static_cast<std::int64_t>(report.definitions.size());
  std::vector<std::string> parts;
  std::string first = fmt::format("{} of {} {}", different.size(), count_of(total, "task definition"),
                                  different.size() == 1 ? "differs" : "differ");
  if (!different.empty() && different.size() <= kNamed) first += " (" + join(different, ", ") + ")";
  parts.push_back(std::move(first));
  for (const auto& one : report.definitions) {
    if (!one.obstacles.empty()) parts.push_back(one.name + " " + verdict_words(one));
  }
  study::FindingChanges all = report.other_findings;
  for (const auto& one : report.definitions) {
    all.appeared.insert(all.appeared.end(), one.findings.appeared.begin(), one.findings.appeared.end());
    all.vanished.insert(all.vanished.end(), one.findings.vanished.begin(), one.findings.vanished.end());
  }
  for (auto& count : finding_counts(report, all)) parts.push_back(std::move(count));
  return join(parts, "; ");
}

}  // namespace

std::vector<std::string> effect_parts(const TaskRequirement& before, const TaskRequirement& after) {
  std::vector<std::string> parts;
  if (!is_open(before, after, kGpuMembers)) add_gpus(before, after, parts);
  if (const auto cpu = after.cpu - before.cpu; cpu != 0 && !is_open(before, after, kCpuMembers))
    parts.push_back(fmt::format("{}{}", sign(cpu), capacity::describe_cpu(std::abs(cpu))));
  if (const auto memory = after.memory - before.memory; memory != 0 && !is_open(before, after, kMemoryMembers))
    parts.push_back(fmt::format("{}{} MiB", sign(memory), std::abs(memory)));
  if (!is_open(before, after, kNetworkMembers)) add_network(before, after, parts);
  add_architecture(before, after, parts);
  add_attributes(before, after, parts);
  return parts;
}

std::vector<std::string_view> open_parts(const TaskRequirement& before, const TaskRequirement& after) {
  std::vector<std::string_view> parts;
  if (is_open(before, after, kGpuMembers)) parts.emplace_back("GPUs");
  if (is_open(before, after, kCpuMembers)) parts.emplace_back("CPU");
  if (is_open(before, after, kMemoryMembers)) parts.emplace_back("memory");
  if (is_open(before, after, kNetworkMembers)) parts.emplace_back("network");
  return parts;
}

std::string task_words(const TaskRequirement& task) {
  auto text = describe(task);
  return task.unknown.empty() ? text : text + " (not known: " + join(task.unknown, ", ") + ")";
}

std::string obstacle_words(const DefinitionDiff& diff, Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::kRefused:
      return "ECS would reject it";
    case Obstacle::kNoPlace:
      return "no copy fits on the existing cluster";
    case Obstacle::kNoRollout:
      return "its deployment to " + held_services(*diff.cluster) + " does not finish";
    case Obstacle::kNoType:
      break;
  }
  const auto types = diff.capacity->types;
  return types == 1 ? "the instance type does not hold it"
                    : fmt::format("none of {} holds it", count_of(types, "instance type"));
}

std::string verdict_words(const DefinitionDiff& diff) {
  if (diff.obstacles.empty()) return {};
  std::vector<std::string> reasons;
  for (const auto obstacle : diff.obstacles) reasons.push_back(obstacle_words(diff, obstacle));
  return (diff.is_new() ? "cannot be deployed: " : "can no longer be deployed: ") + join(reasons, ", and ");
}

std::string_view name_of(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::kRefused:
      return "refused";
    case Obstacle::kNoType:
      return "noType";
    case Obstacle::kNoPlace:
      return "noPlace";
    case Obstacle::kNoRollout:
      break;
  }
  return "noRollout";
}

std::string room_words(const study::ClusterEffect& effect) {
  if (!effect.after) return "not tried on the cluster: " + effect.not_tried;
  const auto count = effect.after->copies;
  std::string text = count == 0 ? "no more copy fits" : count_of(count, "more copy fits", "more copies fit");
  text += " on the cluster";
  if (effect.before && effect.before->copies != count) text += fmt::format(" (was {})", effect.before->copies);
  return text;
}

std::string room_end_words(const study::Room& room) {
  return room.why ? why_not(*room.scenario, *room.why) : std::string();
}

std::string rollout_words(const study::ServiceRollout& rollout) {
  auto text = deployment_headline(*rollout.deployed);
  if (!rollout.finishes() && !rollout.could_before) text += "; the old deployment does not finish either";
  return text;
}

std::string copies_words(const std::optional<FitRow>& row) {
  if (!row) return "-";
  if (row->fits == capacity::Fits::kNo) return "0";
  if (!row->copies) return "any";
  if (!row->copies_max || row->copies_min == row->copies_max) return std::to_string(*row->copies);
  return fmt::format("{}-{}", row->copies_min.value_or(0), *row->copies_max);
}

std::string changed(const std::string& before, const std::string& after) {
  return before == after ? after : before + " -> " + after;
}

std::string copy_price_words(const std::optional<capacity::FitRow>& row, std::string_view currency) {
  return row && row->price_per_copy ? fmt::format("{}{}", currency, usd(*row->price_per_copy)) : "-";
}

std::string cheapest_words(const study::SideCapacity& side) {
  if (side.held_by == 0) return "no type";
  if (!side.cheapest) return "an unknown price";
  return fmt::format("${}/h ({}/month) per copy on {}", usd(*side.cheapest->price_per_copy),
                     monthly(*side.cheapest->price_per_copy), side.cheapest->type->name);
}

std::vector<std::string> finding_counts(const DiffReport& report, const study::FindingChanges& changes) {
  std::vector<std::string> counts;
  for (const auto severity : std::array{Severity::kError, Severity::kWarning, Severity::kInfo, Severity::kStyle}) {
    const auto count = std::count_if(changes.appeared.begin(), changes.appeared.end(), [&](const auto& place) {
      return study::finding_at(report.after, place).severity == severity;
    });
    const bool has_plural = severity == Severity::kError || severity == Severity::kWarning;
    const std::string one = "new " + std::string(bayplan::name_of(severity)) + (has_plural ? "" : " finding");
    if (count > 0) counts.push_back(count_of(count, one));
  }
  if (!changes.vanished.empty())
    counts.push_back(count_of(static_cast<std::int64_t>(changes.vanished.size()), "finding") + " gone");
  return counts;
}

std::string diff_sentence(const DiffReport& report, const DefinitionDiff& diff) {
  if (!diff.differs()) return "no difference (order and defaults ignored)";
  std::vector<std::string> parts;
  if (!diff.obstacles.empty()) parts.push_back(verdict_words(diff));
  if (diff.is_removed()) return "removed";
  const auto& effect = *diff.capacity;
  if (diff.is_new()) {
    parts.push_back("new, " + task_words(effect.after->requirement));
    add_if_any(held_part(*effect.after, effect.types), parts);
  } else {
    parts.push_back(changed_part(diff));
    const auto change = effect_parts(effect.before->requirement, effect.after->requirement);
    if (!change.empty()) parts.push_back(join(change, ", ") + " per task");
    if (const auto open = open_parts(effect.before->requirement, effect.after->requirement); !open.empty())
      parts.push_back(one_of({open.begin(), open.end()}, "and") + " not known");
    add_if_any(types_part(effect), parts);
  }
  add_if_any(cluster_part(diff), parts);
  for (auto& count : finding_counts(report, diff.findings)) parts.push_back(std::move(count));
  return join(parts, "; ");
}

std::string diff_headline(const DiffReport& report) {
  if (report.definitions.size() != 1) return several_headline(report);
  const auto& only = report.definitions.front();
  std::string line = only.name + ": " + diff_sentence(report, only);
  const auto others = finding_counts(report, report.other_findings);
  if (!others.empty()) line += "; outside of it " + join(others, ", ");
  return line;
}

capacity::PriceRange find_price_range(const study::DiffReport& report) {
  std::map<std::string, const catalog::InstanceType*> by_name;
  for (const auto& one : report.definitions) {
    if (!one.capacity) continue;
    for (const auto& shown : one.capacity->reported) by_name.emplace(shown.type->name, shown.type);
    for (const auto* side : {&one.capacity->before, &one.capacity->after}) {
      if (*side && (*side)->cheapest) by_name.emplace((*side)->cheapest->type->name, (*side)->cheapest->type);
    }
  }
  std::vector<const catalog::InstanceType*> types;
  for (const auto& [name, type] : by_name) types.push_back(type);
  return capacity::price_range(types, report.region);
}

}  // namespace bayplan::report
