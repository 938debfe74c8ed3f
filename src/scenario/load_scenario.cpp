#include "scenario/load_scenario.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/file_part.hpp"
#include "base/files.hpp"
#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "capacity/uncountable.hpp"
#include "catalog/region.hpp"
#include "embedded/cluster_schema.hpp"
#include "embedded/scenario_schema.hpp"
#include "importers/definition_file.hpp"
#include "importers/terraform.hpp"
#include "importers/terraform_code.hpp"
#include "placement/engine/not_placeable.hpp"
#include "scenario/arguments.hpp"
#include "scenario/described_files.hpp"
#include "scenario/load_timetable.hpp"
#include "scenario/loading.hpp"
#include "scenario/quota_notes.hpp"
#include "text/encoding.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using text::Value;

namespace {

/// "Write: bayplan whatif --cluster prod --each-az": the command that was meant, with other inputs.
std::string rewritten(const ScenarioRequest& request, const std::string& inputs) {
  return fmt::format("write: bayplan {} {}{}", request.command, inputs,
                     request.command == "whatif" ? " --each-az" : "");
}

/// The command with a task definition in place of a scenario. A fleet needs no instances.
std::string with_task(const ScenarioRequest& request, const std::string& path) {
  const std::string_view instances = request.command == "fleet" ? "" : "--instances TYPE=N ";
  return rewritten(request, fmt::format("{}--task {}=COUNT", instances, shell_word(path)));
}

std::string with_cluster(const ScenarioRequest& request, const std::string& path, std::string_view task) {
  return rewritten(request, fmt::format("--cluster {}{}", shell_word(path), task));
}

constexpr std::string_view kAnyTask = " --task TASKDEF=COUNT";

/// The folder around a path, as it can be typed.
std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}

/// A folder where a scenario belongs: its scenario file, or the cluster that it describes.
bool is_folder_instead(Loading& loading, const ScenarioRequest& request) {
  const Files& files = loading.sources.files();
  const std::string& path = request.scenario;
  if (!files.is_folder(path)) return false;
  const std::string inside = path.ends_with('/') ? path : path + "/";
  if (!files.exists(inside + "container-instances.json")) return false;  // the scenario inside is suggested otherwise
  loading.sources.fail(Error{.message = "is a folder that describes a cluster, not a scenario",
                             .file = path,
                             .help = with_cluster(request, path, "")});
  return true;
}

/// A file of another kind where a scenario belongs: one sentence instead of a complaint about each of its keys.
bool is_other_kind(Loading& loading, const std::string& path, Value root, std::string_view text,
                   const ScenarioRequest& request) {
  if (!root || !root.is_object() || root.find("cluster")) return false;
  const auto refuse = [&](std::string_view kind, const std::string& help) {
    loading.sources.fail(root, fmt::format("this is a {}, not a scenario", kind), help);
    return true;
  };
  if (root.find("containerDefinitions")) return refuse("task definition", with_task(request, path));
  if (is_describe_output(text))
    return refuse("file of 'aws ecs describe-...' output", with_cluster(request, folder_of(path), ""));
  if (root.find("containerInstances")) return refuse("cluster", with_cluster(request, path, kAnyTask));
  if (root.find("scenario") && root.find("axes"))
    return refuse("grid", fmt::format("place all of it with: bayplan sweep {}", path));
  const Value services = root.find("services");  // in a scenario a list, in a Compose file an object
  if (services && services.is_object() && !root.find("taskDefinitions"))
    return refuse(
        "Compose file",
        fmt::format("write an ECS task definition for each service; to see what is missing: bayplan lint {}", path));
  return false;
}

/// Reads the document at `path` and holds it against a schema; an absent value when it is of no use.
Value checked_root(Loading& loading, const ScenarioRequest& request) {
  const std::string& path = request.scenario;
  if (is_folder_instead(loading, request)) return {};
  if (importers::is_terraform_code(path)) {
    loading.sources.fail(importers::terraform_code_error(path));
    return {};
  }
  const auto keep = [&](Value closed) { return loading.requests.note_while_reading(closed); };
  const text::Document* document = loading.sources.read_parts(path, {}, keep);
  if (document == nullptr) return {};
  if (importers::definition_form(document->root()) != importers::DefinitionForm::kPlain) return document->root();
  if (is_other_kind(loading, path, document->root(), document->source(), request)) return {};
  return loading.sources.check_shape(embedded::scenario_schema(), document->root()) ? document->root() : Value();
}

/// A file of another kind where a cluster belongs.
bool is_no_cluster(Loading& loading, Value root) {
  const auto refuse = [&](std::string_view kind, std::string help) {
    loading.sources.fail(root, fmt::format("this is {}, not a cluster", kind), std::move(help));
    return true;
  };
  if (!root.is_object() || root.find("containerInstances")) return false;
  if (root.find("containerDefinitions"))
    return refuse("a task definition", "a cluster has containerInstances; 'bayplan collect' describes one that runs");
  if (root.find("cluster") && (root.find("services") || root.find("tasks") || root.find("taskDefinitions")))
    return refuse("a scenario", "write its cluster to a separate file that begins with containerInstances:");
  return false;
}

enum class ClusterKind : std::uint8_t { kDescribed, kCode, kPlan, kFile };

/// A folder is Terraform code or describe output; of a file the content says.
ClusterKind kind_of(const Loading& loading, const std::string& path) {
  const Files& files = loading.sources.files();
  const bool is_snapshot = files.exists(path + "/container-instances.json");
  if (!is_snapshot && importers::is_terraform_module(files, path)) return ClusterKind::kCode;
  if (files.is_folder(path)) return ClusterKind::kDescribed;
  auto bytes = files.read(path, loading.sources.limits().snapshot_bytes);
  if (!bytes) return ClusterKind::kFile;
  const std::string text = text::decode(std::move(*bytes)).text;
  if (importers::begins_like_terraform(text)) return ClusterKind::kPlan;
  return is_describe_output(text) ? ClusterKind::kDescribed : ClusterKind::kFile;
}

void add_described(Loading& loading, const std::string& path, Value from) {
  const std::size_t errors = loading.sources.error_count();
  add_described_cluster(loading, path, from);
  loading.is_incomplete = loading.sources.error_count() > errors;
}

void add_cluster_file(Loading& loading, const std::string& written, Value from) {
  const FilePart path = parse_file_part(written, loading.sources.files());
  if (!from && !loading.sources.files().exists(path.file)) {
    Error error = loading.sources.files().read(path.file, 1).error();
    const bool is_arn = path.file.starts_with("arn:");
    if (is_arn || !error.help.starts_with("did you mean"))
      error.help = "to save a running cluster to a folder: bayplan collect --cluster " +
                   (is_arn ? shell_word(path.file) : std::string("NAME"));
    return loading.sources.fail(std::move(error));
  }
  const ClusterKind kind = kind_of(loading, path.file);
  if (kind == ClusterKind::kDescribed) return add_described(loading, path.file, from);
  if (kind == ClusterKind::kCode) return add_code_cluster(loading, path, from);
  if (kind == ClusterKind::kPlan) return add_plan_cluster(loading, path, from);
  const text::Document* document = loading.sources.read_snapshot(path.file, from);
  if (document == nullptr) return;
  if (importers::is_cloudformation(document->root())) return add_template_cluster(loading, *document, path);
  if (importers::is_empty_template(document->root()))
    return loading.sources.fail(document->root(), "this template has no Resources");
  if (is_no_cluster(loading, document->root())) return;
  if (!loading.sources.check_shape(embedded::cluster_schema(), document->root())) return;
  add_instances(loading, model::bind_cluster(document->root(), loading.placeholders));
}

/// --param is never ignored.
void check_parameters_used(Loading& loading, const ScenarioRequest& request) {
  const bool may_be_unread = loading.parameter_use.templates.empty() && loading.sources.has_errors();
  if (may_be_unread) return;
  const bool names_files = !request.tasks.empty() || !request.definitions.empty() || !request.deployed.empty();
  const auto what = names_files ? "neither the cluster nor a task definition is from" : "the cluster is not";
  for (auto& error : importers::find_unused_parameters(loading.parameter_use, loading.parameters, what))
    loading.sources.fail(std::move(error));
}

/// Groups launch instances, and events add some.
bool may_come_later(const model::ScenarioFile& written) {
  const auto& providers = written.capacity_providers;
  const auto has_group = [](const auto& provider) {
    return static_cast<bool>(provider.auto_scaling_group.node) || provider.managed_instances.present();
  };
  return (written.events && written.events.size() > 0) || std::any_of(providers.begin(), providers.end(), has_group);
}

/// Reports an error of the whole scenario: at its beginning when it is part of a grid, whose name alone would not help.
void fail_scenario(Loading& loading, const ScenarioRequest& request, std::string message, std::string help) {
  if (request.written) {
    loading.sources.fail(request.written->document->root(), std::move(message), std::move(help));
  } else {
    loading.sources.fail(Error{std::move(message), request.scenario, 0, 0, std::move(help)});
  }
}

/// `is_template`: a template or plan is given in place of the scenario, whose own instances are the cluster
/// unless another is given.
void add_cluster(Loading& loading, const ScenarioRequest& request, const model::ScenarioFile& written,
                 bool is_template) {
  if (request.cluster) {
    add_cluster_file(loading, *request.cluster, {});
  } else if (request.instances.empty() && written.cluster) {
    if (written.cluster.is_object()) {
      add_instances(loading, model::bind_cluster(written.cluster, loading.placeholders));
    } else {
      add_cluster_file(loading, relative_to(loading.sources.file_of(written.cluster), written.cluster.text()),
                       written.cluster);
    }
  } else if (is_template && request.instances.empty() && !request.may_be_idle) {
    add_cluster_file(loading, request.scenario, {});
  } else if (request.instances.empty() && !request.may_be_idle && !may_come_later(written)) {
    fail_scenario(loading, request, "no cluster to place tasks on",
                  request.written ? "add cluster: to the scenario"
                                  : "add cluster: to the scenario, or give --cluster or --instances");
  }
  for (const auto& argument : request.instances) add_instances(loading, argument);
}

/// Zones that the command line names.
std::vector<std::string> zones_of_flags(const ScenarioRequest& request) {
  std::vector<std::string> zones = request.zones;
  for (const auto& argument : request.instances) {
    const auto at = argument.find('@');
    if (at == std::string::npos) continue;
    for (const auto zone : split(std::string_view(argument).substr(at + 1), ',')) zones.emplace_back(trim(zone));
  }
  return zones;
}

/// Zones at any depth of a cluster of the scenario file.
void add_zones(Value node, std::vector<Value>& zones) {
  const bool names_zones = node.key() == "availabilityZone" || node.key() == "availabilityZones";
  if (names_zones && node.is_string()) zones.push_back(node);
  for (const auto child : node.children()) {
    if (names_zones && child.is_string()) {
      zones.push_back(child);
    } else if (child.is_object() || child.is_array() || child.key() == "availabilityZone") {
      add_zones(child, zones);
    }
  }
}

/// A region where a zone belongs, or a zone of no region that the catalog knows. Names that do not look like those of
/// AWS are left alone: instances of one's own have zones of one's own.
std::optional<Error> wrong_zone(const catalog::Catalog& catalog, const std::string& zone) {
  if (catalog::known_region(catalog, zone))
    return Error{.message = fmt::format("'{}' is a region, not a zone", zone),
                 .help = fmt::format("Name a zone of it, such as {}a.", zone)};
  const auto region = catalog::region_of_zone(zone);
  if (!region) return std::nullopt;
  const auto known = catalog::known_region(catalog, *region);
  if (known) return std::nullopt;
  return Error{.message = fmt::format("unknown zone '{}': {}", zone, known.error().message),
               .help = known.error().help};
}

std::set<std::string> regions_of(const std::vector<std::string>& zones) {
  std::set<std::string> regions;
  for (const auto& zone : zones) {
    if (const auto region = catalog::region_of_zone(zone)) regions.insert(*region);
  }
  return regions;
}

constexpr std::string_view kOneRegion = "A cluster is in one region: name zones of one.";

/// Fails at the first zone of another region than the zones before it.
void check_one_region(Loading& loading, const std::vector<Value>& zones) {
  std::optional<std::string> region;
  Value first;
  for (const auto zone : zones) {
    const auto own = catalog::region_of_zone(zone.text());
    if (!own || own == region) continue;
    if (region) {
      return loading.sources.fail(zone,
                                  fmt::format("{} is not in {}, the region of {} in line {}", zone.text(), *region,
                                              first.text(), find_origin(loading.sources, first).line),
                                  std::string(kOneRegion));
    }
    region = own;
    first = zone;
  }
}

/// Zones say the region where nothing else does: `--instances m5.large=2@eu-west-1a`, `--zones eu-west-1a`, or those of
/// the scenario's cluster. A zone is its region and a letter; a local zone begins with its region, too
/// ("us-west-2-lax-1a").
void use_region_of_zones(Loading& loading, const ScenarioRequest& request, const std::vector<Value>& of_cluster) {
  auto zones = zones_of_flags(request);
  for (const auto& zone : zones) {
    if (const auto wrong = wrong_zone(loading.catalog, zone)) return loading.sources.fail(*wrong);
  }
  if (const auto regions = regions_of(zones); regions.size() > 1)
    return loading.sources.fail(Error{.message = fmt::format("the zones are in {} regions: {}", regions.size(),
                                                             one_of({regions.begin(), regions.end()}, "and")),
                                      .help = std::string(kOneRegion)});
  if (zones.empty()) {
    for (const auto zone : of_cluster) zones.emplace_back(zone.text());
  }
  const auto regions = regions_of(zones);
  if (regions.size() == 1 && catalog::known_region(loading.catalog, *regions.begin()))
    loading.scenario.region = *regions.begin();
}

/// The policy of the command line, else that of the file. Strategies of the command line replace that of the file, as
/// they replace its strategies.
void apply_policy(Loading& loading, const ScenarioRequest& request, const model::ScenarioFile& written) {
  loading.scenario.policy = request.policy;
  if (request.policy || !written.policy.known()) return;
  if (!request.takes_policy) {
    return loading.sources.fail(written.policy.node, "a policy is supported by place, whatif and sweep only",
                                "remove policy: this command follows the placement strategies of ECS");
  }
  if (!request.strategies.empty()) return;
  const auto policy = parse_policy(*written.policy);
  if (!policy) return loading.sources.fail(written.policy.node, policy.error().message, policy.error().help);
  loading.scenario.policy = *policy;
}

void apply_settings(Loading& loading, const ScenarioRequest& request, const model::ScenarioFile& written) {
  Scenario& scenario = loading.scenario;
  if (written.region) {
    scenario.region = *written.region;
    const auto known = catalog::known_region(loading.catalog, scenario.region);
    // The user's types may be in a region of the user's.
    if (!known && written.instance_types.empty())
      loading.sources.fail(written.region.node, known.error().message, known.error().help);
  }
  if (request.region) scenario.region = *request.region;
  loading.region_is_stated = written.region.known() || request.region.has_value();
  std::vector<Value> zones;
  if (!request.cluster && written.cluster && written.cluster.is_object()) add_zones(written.cluster, zones);
  check_one_region(loading, zones);
  if (!loading.region_is_stated && !request.cluster) use_region_of_zones(loading, request, zones);
  scenario.seed = static_cast<std::uint64_t>(request.seed.value_or(written.seed.value.value_or(1)));
  if (written.order.value == "largestFirst") scenario.order = TaskOrder::kLargestFirst;
  apply_policy(loading, request, written);
  read_timing(loading, written.timing);
}

/// Runs over time know the strategies alone.
void check_policy_has_no_time(Loading& loading, const ScenarioRequest& request) {
  if (!loading.scenario.policy || !loading.scenario.timetable.has_time) return;
  for (auto& error : refuse_over_time(loading.scenario, request.policy ? "--policy" : "settings.policy")) {
    error.help = "remove it or the policy: a run over time follows the placement strategies of ECS";
    loading.sources.fail(std::move(error));
  }
}

/// Strategies and constraints of the command line.
struct Overrides {
  std::vector<Strategy> strategies;
  std::vector<Constraint> constraints;
};

Overrides read_overrides(Loading& loading, const ScenarioRequest& request) {
  Overrides overrides;
  for (const auto& argument : request.strategies) {
    auto strategies = parse_strategy_argument(argument);
    if (!strategies) loading.sources.fail(strategies.error());
    if (strategies) overrides.strategies.insert(overrides.strategies.end(), strategies->begin(), strategies->end());
  }
  for (const auto& argument : request.constraints) {
    auto constraints = parse_constraint_argument(argument);
    if (!constraints) loading.sources.fail(constraints.error());
    if (constraints)
      overrides.constraints.insert(overrides.constraints.end(), constraints->begin(), constraints->end());
  }
  return overrides;
}

void apply_overrides(const Overrides& overrides, const Scenario& scenario, Workload& workload) {
  if (!overrides.strategies.empty() && workload.kind != WorkloadKind::kDaemon)
    workload.strategies = overrides.strategies;
  if (overrides.constraints.empty()) return;
  workload.constraints = scenario.task_definitions[workload.task_definition].constraints;
  workload.constraints.insert(workload.constraints.end(), overrides.constraints.begin(), overrides.constraints.end());
}

/// The error for a name that looks like a file, or where there are no definitions; `scenario`: its path, or empty.
Error no_such_file(const Loading& loading, const std::string& reference, const std::string& scenario) {
  const auto unread = loading.sources.files().read(reference, 1);
  const std::string hint = unread ? std::string() : unread.error().help;
  if (scenario.empty())
    return {.message = fmt::format("no file '{}'", reference),
            .help = hint.empty() ? "name the file of a definition" : hint};
  return {.message = fmt::format("'{}' is neither a task definition of this scenario nor a file", reference),
          .file = scenario,
          .help = hint.empty() ? "name a file, or list it under taskDefinitions" : hint};
}

/// Whether two paths name one input: each file of a module and its folder name the module.
bool is_same_input(const Files& files, const std::string& a, const std::string& b) {
  if (a == b) return true;
  const bool are_code = importers::is_terraform_module(files, a) && importers::is_terraform_module(files, b);
  return are_code &&
         files.absolute(importers::folder_of_module(files, a)) == files.absolute(importers::folder_of_module(files, b));
}

/// Whether a definition was read from this file, or is this one of a template: "web.json", "stack.yaml#Web".
bool is_from_file(const Loading& loading, std::uint32_t index, const FilePart& reference) {
  const auto& definition = loading.scenario.task_definitions[index];
  const auto name = loading.names_in_files.find(index);
  if (name == loading.names_in_files.end()) return reference.name.empty() && definition.origin.file == reference.file;
  const auto& own = name->second;
  if (!is_same_input(loading.sources.files(), own.file, reference.file)) return false;
  return reference.name.empty() || reference.name == own.name || reference.name == definition.family;
}

/// The definition of the scenario that was read from this file; of several revisions the last. Nothing where several
/// families may be meant.
std::optional<std::uint32_t> definition_from_file(const Loading& loading, const std::string& reference) {
  const auto& definitions = loading.scenario.task_definitions;
  const auto part = parse_file_part(reference, loading.sources.files());
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < definitions.size(); ++i) {
    if (!is_from_file(loading, i, part)) continue;
    if (found && (loading.names_in_files.contains(i) || definitions[i].family != definitions[*found].family))
      return std::nullopt;
    found = i;
  }
  return found;
}

/// A definition of the scenario by name, else a file, "web.json" or "stack.yaml#Web".
std::optional<std::uint32_t> definition_of(Loading& loading, const std::string& reference,
                                           const std::string& scenario) {
  const auto known = find_definition(loading, reference);
  if (known) return *known;
  if (const auto read = definition_from_file(loading, reference)) {
    loading.used_definitions.insert(*read);
    return read;
  }
  const Files& files = loading.sources.files();
  const auto path = parse_file_part(reference, files).file;
  if (files.exists(path) || is_broken_link(files, path)) return add_one_definition(loading, reference);
  if (loading.is_incomplete || loading.lacks_definitions) return std::nullopt;
  const bool looks_like_file =
      reference.find_first_of("/.#") != std::string::npos || loading.scenario.task_definitions.empty();
  loading.sources.fail(looks_like_file ? no_such_file(loading, path, scenario) : known.error());
  return std::nullopt;
}

void add_task_argument(Loading& loading, const std::string& text, const ScenarioRequest& request,
                       const Overrides& overrides) {
  auto argument = parse_task_argument(text);
  const Files& files = loading.sources.files();
  if (!argument && files.exists(parse_file_part(text, files).file)) argument = TaskArgument{text, 1};  // "a=b.json"
  if (!argument) return loading.sources.fail(argument.error());
  const auto index = definition_of(loading, argument->task_definition, request.scenario);
  if (!index) return;
  if (auto beyond = loading.tasks.add(argument->count.value_or(0))) {
    beyond->message = fmt::format("--task '{}': {}", text, beyond->message);
    return loading.sources.fail(std::move(*beyond));
  }
  const TaskDefinition& definition = loading.scenario.task_definitions[*index];
  Workload workload;
  workload.name = definition.family;
  workload.task_definition = *index;
  workload.count = argument->count;
  workload.group = "family:" + definition.family;
  workload.requirement = definition.requirement;
  workload.constraints = definition.constraints;
  apply_overrides(overrides, loading.scenario, workload);
  use_default_providers(loading, workload);
  if (workload.requirement.network_interfaces > 0) zones_of_subnets(loading, workload.name, {});
  add_workload(loading, std::move(workload), {}, {});
}

/// Definitions of the scenario, and files that it has not named itself. What is neither is reported by what deploys it.
void add_deployed_definitions(Loading& loading, const std::vector<std::string>& references) {
  const Files& files = loading.sources.files();
  for (const auto& reference : references) {
    if (find_definition(loading, reference)) continue;
    if (const auto read = definition_from_file(loading, reference)) {
      loading.used_definitions.insert(*read);
      continue;
    }
    const auto path = parse_file_part(reference, files).file;
    const bool is_file = files.exists(path) && !files.is_folder(path);
    if (is_file || importers::is_terraform_module(files, path)) add_one_definition(loading, reference);
  }
}

void add_request(Loading& loading, const ScenarioRequest& request, const model::ScenarioFile& written) {
  const Overrides overrides = read_overrides(loading, request);
  const std::size_t errors = loading.sources.error_count();
  add_task_definitions(loading, written.task_definitions);
  for (const auto& path : request.definitions) add_definition_file(loading, path);
  loading.lacks_definitions = loading.sources.error_count() > errors && loading.scenario.task_definitions.empty();
  add_workloads(loading, written);
  for (const auto& argument : request.tasks) add_task_argument(loading, argument, request, overrides);
  add_events(loading, written);
  add_deployed_definitions(loading, request.deployed);
  check_used_definitions(loading);
  check_parameters_used(loading, request);
  if (request.tasks.empty()) {
    for (auto& workload : loading.scenario.workloads) apply_overrides(overrides, loading.scenario, workload);
  }
  const bool is_live = !loading.scenario.in_use.empty();  // what runs on it is an answer by itself
  if (loading.scenario.workloads.empty() && !is_live && !request.may_be_idle && !loading.sources.has_errors()) {
    fail_scenario(loading, request, "nothing to place",
                  request.written ? "add services: or tasks: to the scenario"
                                  : "add services: or tasks: to the scenario, or give --task");
  }
}

bool has_services_or_definitions(const importers::DefinitionFile& file) {
  return !file.definitions.empty() || std::any_of(file.subjects.begin(), file.subjects.end(), [](const auto& subject) {
    return subject.kind == importers::SubjectKind::kService;
  });
}

/// What could not be read may be code.
void check_variables_used(Loading& loading, const ScenarioRequest& request) {
  const bool has_code = loading.reads_code || request.used_elsewhere.has_code;
  if (!has_code && loading.sources.has_errors()) return;
  for (auto& error : importers::find_unused_variables(loading.variables, loading.declared_variables, has_code))
    loading.sources.fail(std::move(error));
}

}  // namespace

void note_not_simulated(Loading& loading, Value at, std::string_view what, std::string help) {
  loading.scenario.not_simulated.push_back(
      loading.sources.error_at(at, fmt::format("not simulated in this version: {}", what), std::move(help)));
}

void note_launch_type(Loading& loading, const model::PlacementRequest& request) {
  if (!request.launch_type.known() || *request.launch_type == "EC2") return;
  note_not_simulated(loading, request.launch_type.node, fmt::format("launchType {}", *request.launch_type),
                     "only EC2 places tasks on container instances");
}

LoadedScenario load_scenario(const ScenarioRequest& request, const Files& files, catalog::Catalog& catalog,
                             const Limits& limits) {
  Sources sources(files, limits);
  Scenario scenario;
  const model::Placeholders placeholders;
  Loading loading{sources, catalog, placeholders, scenario};
  loading.parameters = request.parameters;
  loading.parameter_use = request.used_elsewhere.parameters;
  loading.declared_variables = request.used_elsewhere.variables;
  loading.takes_services = request.takes_services;
  loading.settles = request.settles;
  loading.settles_written = request.settles_written;
  loading.allows_partial = request.allow_partial;
  loading.until = request.until;
  model::ScenarioFile written;
  std::optional<importers::DefinitionFile> file;  // a template or plan in place of a scenario
  loading.variables.texts = request.variables;
  for (const auto& path : request.variable_files) {
    auto values = importers::read_variable_file(files, path, limits);
    if (!values) return {std::nullopt, {values.error()}};
    loading.variables.files.push_back(std::move(*values));
  }
  if (!request.scenario.empty() && importers::is_terraform_module(files, request.scenario)) {
    const auto* module = read_code(loading, request.scenario, {});
    if (module == nullptr) return {std::nullopt, std::move(sources).take_errors()};
    file = definitions_of_code(loading, *module, request.scenario);
    if (!has_services_or_definitions(*file)) {
      sources.fail(Error{.message = "nothing to place: this Terraform code contains no service",
                         .file = request.scenario,
                         .help = module->not_read.empty() ? with_cluster(request, request.scenario, kAnyTask)
                                                          : "these modules are not read and may contain some: " +
                                                                join(module->not_read, ", ")});
      return {std::nullopt, std::move(sources).take_errors()};
    }
  } else if (!request.scenario.empty()) {
    const Value root = checked_root(loading, request);
    if (!root) return {std::nullopt, std::move(sources).take_errors()};
    const auto form = importers::definition_form(root);
    const bool is_template = form == importers::DefinitionForm::kTemplate;
    if (is_template && !take_parameters(loading, request.scenario, root))
      return {std::nullopt, std::move(sources).take_errors()};
    if (form == importers::DefinitionForm::kPlain) {
      written = model::bind_scenario(root, placeholders);
    } else {
      file = read_definitions(loading, root.document(), request.scenario);
      if (!has_services_or_definitions(*file)) {
        sources.fail(root,
                     fmt::format("nothing to place: this {} contains no service",
                                 is_template ? "CloudFormation template" : "Terraform plan or state"),
                     with_cluster(request, request.scenario, kAnyTask));
        return {std::nullopt, std::move(sources).take_errors()};
      }
    }
  } else if (request.written) {
    sources.add(request.written->document, request.written->file, 1);
    written = model::bind_scenario(request.written->document->root(), placeholders);
  }
  apply_settings(loading, request, written);
  for (const auto& fault : capacity::uncountable_needs(written.needs))
    sources.fail(fault.at, fault.message, fault.help);
  scenario.needs = capacity::bind_needs(written.needs);
  add_subnets(loading, written);
  add_own_types(loading, written);
  add_cluster(loading, request, written, file.has_value());
  add_groups(loading, written);
  add_described_groups(loading, request, written);
  if (file) written.services = read_template_services(loading, *file);
  add_request(loading, request, written);
  check_variables_used(loading, request);
  check_managed_workloads(loading);
  read_spot_rates(loading, written.spot);
  finish_timetable(loading, request, written);
  check_policy_has_no_time(loading, request);
  if (!sources.has_errors()) note_quotas(scenario);
  sort_by_place(scenario.not_simulated);
  if (sources.has_errors()) return {std::nullopt, std::move(sources).take_errors()};
  scenario.documents = sources.documents();
  scenario.file = request.scenario;
  if (!request.scenario.empty()) scenario.document = scenario.documents.front();  // read first; of a module one file
  return {std::move(scenario), {}, !request.scenario.empty() && !file};
}

}  // namespace bayplan::scenario
