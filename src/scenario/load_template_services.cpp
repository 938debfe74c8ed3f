// A CloudFormation template, a Terraform plan or code -> the services that a scenario file would list for it.
#include <algorithm>

#include <fmt/core.h>

#include "importers/definition_file.hpp"
#include "scenario/loading.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using importers::DefinitionForm;
using text::Value;

namespace {

/// The first unknown value in a member: the member itself, or a value inside it.
Value find_unknown(Value value) {
  if (!value) return {};
  if (value.kind() == text::Kind::kPlaceholder) return value;
  if (value.is_object() || value.is_array()) {
    for (const Value child : value.children()) {
      if (const Value found = find_unknown(child)) return found;
    }
  }
  return {};
}

/// CloudFormation generates the name of a service that states none.
void set_name(Loading& loading, model::Service& service, const std::string& name) {
  if (service.service_name.known()) return;
  service.service_name.value = loading.generated_names.emplace_back(name);
  service.service_name.node = service.node;
  service.service_name.is_unknown = false;
}

/// What decides how many tasks there are and where they go.
bool check_known(Loading& loading, const importers::DefinitionFile& file, const model::Service& service) {
  bool is_known = true;
  for (const std::string_view key :
       {"desiredCount", "schedulingStrategy", "launchType", "placementStrategy", "placementConstraints"}) {
    const bool is_counted = key != "desiredCount" || !service.is_daemon();
    const Value unknown = is_counted ? find_unknown(service.node.find(key)) : Value();
    if (!unknown) continue;
    const auto what = fmt::format("{} of service '{}'", spelled_path(key, file.form), *service.service_name);
    auto fault = unknown_in_template(file, unknown, what);
    loading.sources.fail(fault.at, std::move(fault.message), std::move(fault.help));
    is_known = false;
  }
  return is_known;
}

/// `count` and `for_each` of Terraform code decide how many services there are.
bool check_number_known(Loading& loading, const importers::Subject& subject) {
  for (const auto& fact : subject.facts) {
    if (fact.property != importers::kResourceCount) continue;
    const Value root = subject.document->root();
    auto option = importers::variable_option(fact.value);
    loading.sources.fail_at(fact.span, root,
                            fmt::format("how many of {} there are is unknown: {}", subject.name, fact.value),
                            option.empty() ? "place the tasks of one file with --task FILE=COUNT" : std::move(option));
    return false;
  }
  return true;
}

/// The definition that the service runs, once; false with the error noted.
bool add_definition_of_service(Loading& loading, const importers::DefinitionFile& file, const model::Service& service) {
  const Value written = service.task_definition.node;
  if (!written) {
    loading.sources.fail(service.node, fmt::format("service '{}' states no task definition", *service.service_name));
    return false;
  }
  if (service.task_definition.known() && find_definition(loading, *service.task_definition)) return true;
  const auto found = service.task_definition.known() ? importers::find_definitions(file, *service.task_definition)
                                                     : Result<std::vector<std::size_t>>(Error{});
  if (!found || found->empty()) {
    loading.sources.fail(written,
                         fmt::format("service '{}' runs {}, which {} does not define", *service.service_name,
                                     written.text(), importers::description(file)),
                         "place the tasks of one file with --task FILE=COUNT");
    return false;
  }
  const auto index = add_definition_of(loading, file, file.definitions[found->back()]);
  if (index) loading.used_definitions.insert(*index);
  return index.has_value();
}

/// CloudFormation starts one task where no count is written (AWS::ECS::Service, DesiredCount), Terraform none
/// (aws_ecs_service, desired_count).
void set_default_count(Loading& loading, DefinitionForm form, model::Service& service) {
  if (service.desired_count.present() || service.is_daemon()) return;
  service.desired_count.value = form == DefinitionForm::kTemplate ? 1 : 0;
  service.desired_count.node = service.node;
  assume(loading.scenario, "desired-count-default", std::string(*service.service_name),
         fmt::format("{} is absent; the default {} is used",
                     form == DefinitionForm::kTemplate ? "DesiredCount" : "desired_count", *service.desired_count));
}

bool is_provider(const Loading& loading, std::string_view name) {
  const auto& profiles = loading.scenario.profiles;
  return loading.described_providers.contains(name) ||
         std::any_of(profiles.begin(), profiles.end(),
                     [&](const auto& profile) { return profile.capacity_provider_name == name; });
}

/// Providers of the same template are named by reference. Without providers in the cluster, every instance is used.
void use_known_providers(Loading& loading, model::Service& service) {
  constexpr std::string_view kReference = "!Ref ";
  constexpr std::string_view kName = ".name";  // "aws_ecs_capacity_provider.gpu.name" of code
  auto& strategy = service.capacity_provider_strategy;
  if (!strategy.node) return;
  bool are_known = strategy.node.is_array();
  for (auto& item : strategy.items) {
    auto& name = item.capacity_provider;
    if (!name.known() && name.node) {
      auto words = name.node.text();
      if (words.starts_with(kReference)) words.remove_prefix(kReference.size());
      if (!is_provider(loading, words) && words.ends_with(kName)) words.remove_suffix(kName.size());
      if (is_provider(loading, words)) name.value = words;
    }
    are_known = are_known && name.known() && is_provider(loading, *name);
  }
  if (are_known) return;
  strategy = {};
  assume(loading.scenario, "capacity-providers-ignored", std::string(*service.service_name),
         "the instances name none of the capacity providers in its strategy; its tasks may use every instance");
}

void fail_without_services(Loading& loading, const importers::DefinitionFile& file, std::size_t on_fargate) {
  const auto kind = importers::description(file);
  const bool has_definitions = !file.definitions.empty();
  loading.sources.fail(
      file.document->root(),
      on_fargate > 0 ? fmt::format("nothing to place: every service of {} runs on Fargate", kind)
                     : fmt::format("nothing to place: {} contains no service", kind),
      has_definitions ? fmt::format("to place tasks of its task definitions: --task {}#NAME=COUNT", file.path) : "");
}

}  // namespace

model::List<model::Service> read_template_services(Loading& loading, const importers::DefinitionFile& file) {
  model::List<model::Service> services;
  std::size_t on_fargate = 0;
  for (const auto& subject : file.subjects) {
    if (subject.kind != importers::SubjectKind::kService) continue;
    loading.sources.add(subject.document, importers::file_of(file, *subject.document), 1);
    auto service = model::bind_service(subject.document->root(), loading.placeholders);
    set_name(loading, service, subject.name);
    if (service.fargate_mark()) {
      ++on_fargate;
      assume(loading.scenario, "service-on-fargate", std::string(*service.service_name),
             "it runs on Fargate, which uses no container instances; its tasks are not placed");
      continue;
    }
    if (!check_number_known(loading, subject) || !check_known(loading, file, service) ||
        !add_definition_of_service(loading, file, service))
      continue;
    set_default_count(loading, file.form, service);
    use_known_providers(loading, service);
    services.items.push_back(std::move(service));
  }
  if (services.empty() && !loading.sources.has_errors()) fail_without_services(loading, file, on_fargate);
  return services;
}

}  // namespace bayplan::scenario
