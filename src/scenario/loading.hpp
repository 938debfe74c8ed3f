#pragma once
/// Shared by the files of the folder that make a scenario; no other file includes it.
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/file_part.hpp"
#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "importers/cloudformation_template.hpp"
#include "importers/definition_file.hpp"
#include "importers/hcl_variables.hpp"
#include "importers/parameter_use.hpp"
#include "importers/terraform_code.hpp"
#include "model/described.hpp"
#include "model/placeholder.hpp"
#include "model/scenario_file.hpp"
#include "placement/model/scenario.hpp"
#include "placement/model/totals.hpp"
#include "query/query.hpp"
#include "scenario/definition_faults.hpp"
#include "shape/sources.hpp"
#include "text/document.hpp"
#include "text/json_reader.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// The RunTask requests of a scenario. There may be a million of them, and few that differ: one that says the same as
/// an earlier one, but for `count`, `startAt` and `duration`, is one more call of it. Those of a JSON text are noted
/// while it is read, and only those that differ stay in the tree.
class TaskRequests {
 public:
  /// Retention rule of a scenario: every value except a request is kept.
  text::NodeRetention note_while_reading(text::Value closed);

  /// The requests that differ, in the order of the text. `list`: the scenario's `tasks`.
  std::vector<text::Value> distinct(text::Value list);

  /// So many tasks all requests are; and of the `list` that was given to `distinct` the request that makes them too
  /// many (kMaxTasks), if one does. Then `calls` are of no use.
  std::int64_t tasks() const { return tasks_; }
  text::Value first_too_many(text::Value list) const;

  /// Every request after `distinct`; `Call::workload` is an index into that.
  const std::vector<Call>& calls() const { return calls_; }

  /// Position of the first request that starts later than at 0, and the first that ends by itself.
  std::optional<Span> first_start_at() const { return first_start_at_; }
  std::optional<Span> first_duration() const { return first_duration_; }

 private:
  struct Noted {
    bool is_new = false;   ///< No earlier request says the same.
    bool is_good = false;  ///< A count or a time that is no good stays for others to find.
  };

  void forget();
  /// `position`: of the request in what stays of its list.
  Noted note(text::Value request, std::size_t position);

  std::unordered_map<std::string, std::uint32_t> known_;  ///< What a request says but for what its call says.
  std::vector<Call> calls_;
  std::int64_t tasks_ = 0;
  std::size_t kept_ = 0;  ///< Requests that stay in the tree, while a text is read.
  std::optional<std::size_t> first_too_many_;
  std::optional<Span> first_start_at_;
  std::optional<Span> first_duration_;
  std::string text_;
};

using shape::relative_to;
using shape::Sources;

/// Position of `at`.
Origin find_origin(const Sources& sources, text::Value at);

/// What a described service says in addition to how its tasks are placed.
struct DescribedPlan {
  CircuitBreaker circuit_breaker;
  bool rebalances = false;
  model::DeploymentSettings settings;
};

/// RunTask tasks of a described cluster that wait for an instance and are alike.
struct WaitingTasks {
  std::string task_definition;
  std::string group;
  std::string capacity_provider;  ///< Empty: any instance.
  std::int64_t count = 0;
  Origin origin;  ///< Of the first.
};

/// What every step of the loading shares.
struct Loading {
  Sources& sources;
  catalog::Catalog& catalog;
  const model::Placeholders& placeholders;
  Scenario& scenario;
  std::map<std::string, std::int64_t> instances_of_type = {};
  /// Keyed by family and revision: index into the scenario's definitions.
  std::map<std::string, std::map<std::int64_t, std::uint32_t>, std::less<>> list_definitions = {};
  bool is_incomplete = false;  ///< A described cluster could not be read: what seems to be missing may be in it.
  bool lacks_definitions =
      false;  ///< No definition could be read, which is reported once: missing definitions are not reported again.
  bool region_is_stated = false;  ///< The scenario or the command line states the region.
  /// Providers of a described cluster by name, those that scale by themselves, and the strategy of tasks that name
  /// neither launch type nor providers.
  std::map<std::string, bool, std::less<>> described_providers = {};
  /// Providers of a described cluster whose instances ECS launches itself, by name, in the keys of
  /// CreateCapacityProvider.
  std::map<std::string, text::Value, std::less<>> managed_instances_providers = {};
  std::vector<ProviderShare> default_providers = {};
  model::List<model::CapacityProviderStrategyItem> written_default = {};  ///< The same of a cluster that is written.
  bool takes_services = false;   ///< The described services are the scenario's.
  bool settles = false;          ///< What is in flight is read, and what stops has ended.
  bool settles_written = false;  ///< That of services that the scenario writes, too.
  bool reads_template = false;   ///< The cluster is that of a template or plan.
  bool allows_partial = false;   ///< What a live cluster's description lacks is reported and is no error.
  std::map<std::string, DescribedPlan, std::less<>> described_plans = {};  ///< Plans of described services, by name.
  std::vector<WaitingTasks> waiting_tasks = {};
  std::map<std::string, std::int64_t, std::less<>> tasks_off_instances =
      {};  ///< By group: described tasks that ECS counts and that are on no instance when it settles, because they
           ///< stop, or wait for one.
  std::set<std::string, std::less<>> known_providers = {};  ///< Capacity providers that a request may name.
  std::size_t profiles_of_cluster = 0;  ///< Number of profiles of the cluster; later profiles follow them.
  TaskRequests requests = {};
  importers::ParameterValues parameters = {};  ///< Parameters of a template, as the user gives them.
  importers::ParameterUse parameter_use = {};  ///< What templates make of them.
  /// Values of definitions of templates and plans that stop a task from being placed. The key is the index of the
  /// definition.
  std::map<std::uint32_t, std::vector<DefinitionFault>> faults_if_used = {};
  /// What a template, plan or module calls a definition, and the file or folder that the user named for it.
  struct NameInFile {
    std::string file;
    std::string name;
  };
  std::map<std::uint32_t, NameInFile> names_in_files = {};
  importers::GivenVariables variables = {};  ///< Values for variables of Terraform code, as the user gives them.
  std::set<std::string, std::less<>> declared_variables = {};  ///< Those of them that some module declares.
  bool reads_code = false;                                     ///< Some file is Terraform code.
  std::map<std::string, importers::EvaluatedModule, std::less<>> modules = {};  ///< By their absolute folder.
  std::optional<Seconds> until = {};                                            ///< --until, where repetitions end.
  std::set<std::uint32_t> used_definitions = {};                                ///< Those that a reference means.
  std::deque<std::string> generated_names = {};  ///< Names of services that a template does not name.
  Total tasks{kMaxTasks, "tasks"};
  Total instances{kMaxInstances,
                  "instances"};  ///< Instances at the beginning of the scenario and those that events add.
};

/// Whether an error suggests what may have been meant. The search compares with every name, and after
/// a hundred errors, suggestions are of no use.
inline bool gives_hints(const Loading& loading) {
  return loading.sources.error_count() < 100;
}

/// "did you mean 'web'?"; else all that is known behind `intro` when that is not much, as in "services are a and b";
/// else nothing, and nothing after a hundred errors.
std::string help_among(const Loading& loading, std::string_view word, const std::vector<std::string_view>& known,
                       std::string_view intro);

void add_own_types(Loading& loading, const model::ScenarioFile& written);
void add_instances(Loading& loading, const model::Cluster& cluster);
void add_instances(Loading& loading, std::string_view instances_argument);
/// The cluster that a folder or file of describe output describes, with what runs on it. `from`: the value that names
/// it, if any.
void add_described_cluster(Loading& loading, const std::string& path, text::Value from);
/// The instances of a CloudFormation template, and of a Terraform plan or state, as if a cluster file had listed them.
void add_template_cluster(Loading& loading, const text::Document& file, const FilePart& path);
void add_code_cluster(Loading& loading, const FilePart& path, text::Value from);
void add_plan_cluster(Loading& loading, const FilePart& path, text::Value from);
/// The module of Terraform code that a file or folder is, which is read once; null with the errors noted. `from`: the
/// value that names it, if any.
const importers::EvaluatedModule* read_code(Loading& loading, const std::string& path, text::Value from);
/// The definitions and services of such a module, which is called `path`.
importers::DefinitionFile definitions_of_code(const Loading& loading, const importers::EvaluatedModule& module,
                                              const std::string& path);
/// Takes note of a template, with the parameters that it declares; false, with the errors noted, when it does not allow
/// a value of --param.
bool take_parameters(Loading& loading, const std::string& path, text::Value root);
/// Zones of the subnets that the scenario states.
void add_subnets(Loading& loading, const model::ScenarioFile& written);
/// Records the zone of a subnet of a live cluster: an empty subnet or zone says nothing; a zone other than the known
/// one is an error at `origin`.
void learn_subnet_zone(Loading& loading, const std::string& subnet, const std::string& zone, const Origin& origin);
/// Zones that `subnets` allow the awsvpc tasks of `workload`, sorted. Nothing, with the reason as an assumption, when
/// there are no subnets or the zone of one of them is unknown: the workload is then not restricted to zones.
std::optional<std::vector<std::string>> zones_of_subnets(Loading& loading, const std::string& workload,
                                                         const std::vector<std::string>& subnets);
/// Definitions of a scenario's list.
void add_task_definitions(Loading& loading, text::Value list);
/// What `describe-task-definition` says; a revision that is known already is passed over, and an error where it
/// differs.
void add_described_definition(Loading& loading, text::Value definition);
/// Definitions of one file: all, or those that a name behind `#` means: "stack.yaml#Web".
void add_definition_file(Loading& loading, const std::string& reference);
void add_definitions_of_file(Loading& loading, const FilePart& part, text::Value from);
/// The one definition of a file that a task runs; nothing with the errors noted, also where several may be meant.
std::optional<std::uint32_t> add_one_definition(Loading& loading, const std::string& reference);
/// What a document of the sources, which own it, contains.
importers::DefinitionFile read_definitions(const Loading& loading, const text::Document& document,
                                           const std::string& path);
/// Adds a definition of a file of definitions. What is unknown of one that is in a template or plan matters only if a
/// task runs it: `check_used_definitions` reports that.
std::optional<std::uint32_t> add_definition_of(Loading& loading, const importers::DefinitionFile& file,
                                               const importers::FileDefinition& definition);
/// The services of a template or plan, as if the scenario had listed them, with the definitions that they run.
model::List<model::Service> read_template_services(Loading& loading, const importers::DefinitionFile& file);
/// Reports what is unknown of definitions of templates and plans that are used.
void check_used_definitions(Loading& loading);
/// Index of the definition of just this name, "train:2".
std::optional<std::uint32_t> definition_named(const Loading& loading, std::string_view name);
/// Index of the definition "train" (its newest revision), "train:2" or the ARN that ends so, or of one that a template
/// or plan calls so; an error without a place. It counts as used.
Result<std::uint32_t> find_definition(Loading& loading, std::string_view reference);
/// The strategy that a live cluster has for tasks that name neither launch type nor capacity providers.
void use_default_providers(Loading& loading, Workload& workload);
/// What a request asks for, into a workload that has its kind, group and (of a service) name; false with the errors
/// noted when nothing can be made of it.
bool resolve_request(Loading& loading, const model::PlacementRequest& request, text::Value overrides,
                     Workload& workload);
/// Tasks of a service, all of `desiredCount`; nothing with the errors noted.
std::optional<Workload> service_workload(Loading& loading, const model::Service& service);
void add_workloads(Loading& loading, const model::ScenarioFile& written);
/// What this release does not simulate: reported by the commands that simulate.
void note_not_simulated(Loading& loading, text::Value at, std::string_view what, std::string help = {});
void note_launch_type(Loading& loading, const model::PlacementRequest& request);

/// What the instances of an entry have in common, in no zone yet; nothing with the errors noted.
std::optional<InstanceProfile> pattern_of(Loading& loading, const model::ContainerInstanceEntry& entry);
/// The profile of `pattern` in one zone.
std::uint32_t add_profile(Loading& loading, InstanceProfile pattern, const std::string& zone);
/// Profiles of the entry's instances, in order.
std::vector<std::uint32_t> deal(Loading& loading, const model::ContainerInstanceEntry& entry,
                                const InstanceProfile& pattern);

/// Parses the expression of a memberOf constraint; nothing with the error noted.
std::optional<Constraint> resolve_constraint(Loading& loading, const model::PlacementConstraint& written);

void sort_by_place(std::vector<Error>& errors);

}  // namespace bayplan::scenario
