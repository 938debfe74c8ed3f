#include "scenario/scenario_text.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/json_writer.hpp"
#include "base/path_sandbox.hpp"
#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "placement/model/timetable.hpp"
#include "scenario/arguments.hpp"
#include "text/read.hpp"

namespace bayplan::scenario {
namespace {

/// A text as a YAML scalar: plain where no reader can take it for anything else, else in JSON's quotes, which YAML has
/// too.
std::string yaml(std::string_view text) {
  constexpr std::string_view kSigns = "_-/.:#";
  constexpr std::string_view kReserved[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  const auto is_word = [&](char c) { return is_letter(c) || is_digit(c) || kSigns.find(c) != std::string_view::npos; };
  const bool is_plain = !text.empty() && (is_letter(text.front()) || text.starts_with("../")) && text.back() != ':' &&
                        std::all_of(text.begin(), text.end(), is_word) &&
                        std::find(std::begin(kReserved), std::end(kReserved), lower(text)) == std::end(kReserved);
  return is_plain ? std::string(text) : json_quoted(text);
}

std::string yaml_list(const std::vector<std::string>& texts) {
  std::vector<std::string> words;
  for (const auto& text : texts) words.push_back(yaml(text));
  return "[" + join(words, ", ") + "]";
}

/// A path of the command line, as it is written in a file of `folder`.
std::string path_from(const std::string& folder, const std::string& path, const Files& files) {
  // Of "/tmp" or ".." to "a.json" only the file system knows the way.
  const auto base = std::filesystem::path(folder).lexically_normal();
  auto relative = std::filesystem::path(path).lexically_relative(base);
  if (relative.empty() || *base.begin() == "..")
    relative = std::filesystem::path(files.absolute(path)).lexically_relative(files.absolute(folder));
  return relative.empty() ? path : relative.generic_string();
}

std::string instances_text(const std::vector<std::string>& arguments) {
  std::string text = "cluster:\n  containerInstances:\n";
  for (const auto& argument : arguments) {
    const auto instances = parse_instances_argument(argument);
    if (!instances) continue;  // refused when it was loaded
    text += fmt::format("    - instanceType: {}\n      count: {}\n", yaml(instances->instance_type), instances->count);
    if (const auto& zones = instances->availability_zones; !zones.empty())
      text += fmt::format("      availabilityZones: {}\n", yaml_list(zones));
    if (const auto& provider = instances->capacity_provider; !provider.empty())
      text += fmt::format("      capacityProviderName: {}\n", yaml(provider));
    if (!instances->attributes.empty()) text += "      attributes:\n";
    for (const auto& [name, value] : instances->attributes)
      text += fmt::format("        {}: {}\n", yaml(name), json_quoted(value));
  }
  return text;
}

/// Strategies, constraints and providers, keys that services and RunTask share. The constraints of the definition come
/// with it and are left out.
std::string placement_text(const Workload& workload, const TaskDefinition& definition) {
  std::string text;
  if (!workload.strategies.empty()) text += "    placementStrategy:\n";
  for (const auto& strategy : workload.strategies) {
    const auto type = strategy.type == StrategyType::kSpread    ? "spread"
                      : strategy.type == StrategyType::kBinpack ? "binpack"
                                                                : "random";
    text += fmt::format("      - type: {}\n", type);
    if (!strategy.field.empty()) text += fmt::format("        field: {}\n", yaml(strategy.field));
  }
  const std::size_t inherited = definition.constraints.size();
  if (workload.constraints.size() > inherited) text += "    placementConstraints:\n";
  for (std::size_t i = inherited; i < workload.constraints.size(); ++i) {
    const auto& constraint = workload.constraints[i];
    const bool is_distinct = constraint.type == ConstraintType::kDistinctInstance;
    text += fmt::format("      - type: {}\n", is_distinct ? "distinctInstance" : "memberOf");
    if (!is_distinct) text += fmt::format("        expression: {}\n", json_quoted(constraint.source));
  }
  return text;
}

std::string providers_text(const Workload& workload) {
  if (workload.capacity_providers.empty()) return {};
  std::string text = "    capacityProviderStrategy:\n";
  for (const auto& share : workload.capacity_providers) {
    text += fmt::format("      - capacityProvider: {}\n        base: {}\n        weight: {}\n",
                        yaml(share.capacity_provider), share.base, share.weight);
  }
  return text;
}

/// A service of a template or plan. Subnets whose zones are known go by the names of their zones.
std::string service_text(const Workload& workload, const TaskDefinition& definition) {
  std::string text =
      fmt::format("  - serviceName: {}\n    taskDefinition: {}\n", yaml(workload.name), yaml(definition.name));
  if (workload.kind == WorkloadKind::kDaemon) {
    text += "    schedulingStrategy: DAEMON\n";
  } else {
    text += fmt::format("    desiredCount: {}\n", workload.count.value_or(0));
  }
  text += placement_text(workload, definition) + providers_text(workload);
  if (const auto& zones = workload.availability_zones)
    text +=
        fmt::format("    networkConfiguration:\n      awsvpcConfiguration:\n        subnets: {}\n", yaml_list(*zones));
  if (workload.minimum_healthy_percent != 100 || workload.maximum_percent != 200)
    text += fmt::format("    deploymentConfiguration:\n      minimumHealthyPercent: {}\n      maximumPercent: {}\n",
                        workload.minimum_healthy_percent, workload.maximum_percent);
  return text;
}

std::string tasks_text(const Scenario& loaded, const Workload& workload, std::int64_t count) {
  const auto& definition = loaded.task_definitions[workload.task_definition];
  return fmt::format("  - taskDefinition: {}\n    count: {}\n", yaml(definition.name), count) +
         placement_text(workload, definition);
}

/// What the user may add, with names of this cluster. `command_line`: the file and the options that it needs.
std::string examples_text(const Scenario& loaded, const std::string& command_line) {
  const auto& instances = loaded.instances;
  const std::string instance = instances.empty() ? "ID" : instances.front().id;
  const std::string zone = loaded.profiles.empty() || loaded.profiles.front().availability_zone.empty()
                               ? loaded.region + "a"
                               : loaded.profiles.front().availability_zone;
  return fmt::format(
      "\n# What happens later, simulated with: bayplan place {0} --until 2h\n"
      "# events:\n#   - at: 10m\n#     drain: {1}\n#   - at: 1h\n#     loseAvailabilityZone: {2}\n"
      "\n# Changes that are compared, with: bayplan whatif {0}\n"
      "# variants:\n#   zone lost:\n#     lose-az: {2}\n",
      command_line, yaml(instance), zone);
}

/// Why the scenario cannot be loaded from where it goes: a file may not name all that a command line may.
std::optional<Error> find_unreadable(const std::string& text, const std::string& file, const ScenarioRequest& request,
                                     const Files& files, const Limits& limits) {
  auto catalog = catalog::Catalog::load();
  const ScenarioRequest again{
      .parameters = request.parameters,
      .variables = request.variables,
      .variable_files = request.variable_files,
      .written = WrittenScenario{text::read_document(text, {.format = text::Format::kYaml}), file},
      .takes_policy = true,
      .allow_partial = request.allow_partial};
  const auto loaded = load_scenario(again, files, catalog, limits);
  if (loaded.scenario) return std::nullopt;
  const Error& first = loaded.errors.front();
  return Error{.message = fmt::format("{} would not work: {}", file, first.message),
               .help = "write it next to the files that it names, or copy these into its folder"};
}

}  // namespace

Result<std::string> scenario_text(const ScenarioRequest& request, const LoadedScenario& result, const std::string& file,
                                  const Files& files, const Limits& limits) {
  const Scenario& loaded = *result.scenario;
  if (result.has_scenario_file)
    return Error{.message = "--write-scenario starts a scenario, and '" + request.scenario + "' is one already",
                 .help = "Copy it, or describe cluster and tasks with --cluster or --instances, and --task."};
  if (request.cluster && !request.instances.empty())
    return Error{.message = "--write-scenario cannot write --cluster and --instances: a scenario names one cluster",
                 .help = "Omit one of them."};
  const std::string folder = folder_around(file);
  if (!files.exists(folder)) return folder_not_found(file);
  const std::string& cluster = request.cluster ? *request.cluster : request.scenario;
  const auto is_standard_input = [](const auto& definition) { return definition.origin.file == "-"; };
  if (cluster == "-" || std::any_of(loaded.task_definitions.begin(), loaded.task_definitions.end(), is_standard_input))
    return Error{.message = "--write-scenario cannot write what comes from standard input: a scenario names files",
                 .help = "Save it as a file, and name this file."};

  std::string options;
  for (const auto& [name, value] : request.parameters)
    options += " --param " + shell_word(fmt::format("{}={}", name, value));
  for (const auto& [name, value] : request.variables)
    options += " --var " + shell_word(fmt::format("{}={}", name, value));
  for (const auto& path : request.variable_files) options += " --var-file " + shell_word(path);
  if (request.allow_partial) options += " --allow-partial";
  const std::string command_line = shell_word(file) + options;
  const std::string until = request.until ? " --until " + duration_text(*request.until) : "";
  std::string text = fmt::format(
      "# A scenario of bayplan. Place its tasks with: bayplan place {}{}\n"
      "# Every key and event: docs/formats.md, or: bayplan schema scenario\n",
      command_line, until);
  if (request.region) text += fmt::format("region: {}\n", yaml(*request.region));

  text += request.instances.empty() || request.cluster
              ? fmt::format("cluster: {}\n", yaml(path_from(folder, cluster, files)))
              : instances_text(request.instances);

  // Registered definitions come with the snapshot; the others are files, in the order that decides their revisions.
  std::vector<std::string> definitions;
  for (const auto& definition : loaded.task_definitions) {
    const std::string path = path_from(folder, definition.origin.file, files);
    if (!definition.is_registered && std::find(definitions.begin(), definitions.end(), path) == definitions.end())
      definitions.push_back(path);
  }
  if (!definitions.empty()) text += "taskDefinitions:\n";
  for (const auto& path : definitions) text += fmt::format("  - {}\n", yaml(path));

  std::set<std::string> zones;
  std::string services;
  std::string tasks;
  for (std::uint32_t i = 0; i < loaded.workloads.size(); ++i) {
    const Workload& workload = loaded.workloads[i];
    const TaskDefinition& definition = loaded.task_definitions[workload.task_definition];
    if (workload.kind != WorkloadKind::kTasks) {
      services += service_text(workload, definition);
      if (workload.availability_zones)
        zones.insert(workload.availability_zones->begin(), workload.availability_zones->end());
      continue;
    }
    if (!workload.count)
      return Error{
          .message = "--write-scenario requires a number of tasks: --task " + definition.family + "=max has none",
          .help = "Write a count; each placement counts max again."};
    std::vector<std::int64_t> counts;  // of each attempt
    for (const auto& call : loaded.calls) {
      if (call.workload == i) counts.push_back(call.count);
    }
    if (counts.empty()) counts.push_back(*workload.count);
    for (const auto count : counts) tasks += tasks_text(loaded, workload, count);
  }
  if (!services.empty()) text += "services:\n" + services;
  if (!tasks.empty()) text += "tasks:\n" + tasks;
  if (!zones.empty()) text += "subnets:\n";
  for (const auto& zone : zones) text += fmt::format("  {0}: {0}\n", yaml(zone));

  std::string settings;
  if (request.seed) settings += fmt::format("  seed: {}\n", *request.seed);
  if (request.policy) settings += fmt::format("  policy: {}\n", name_of(*request.policy));
  if (!settings.empty()) text += "settings:\n" + settings;
  text += examples_text(loaded, command_line);
  if (auto error = find_unreadable(text, file, request, files, limits)) return std::move(*error);
  return text;
}

}  // namespace bayplan::scenario
