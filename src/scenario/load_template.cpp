// A CloudFormation template, a Terraform plan or code -> the cluster file that it amounts to.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/lazy.hpp"
#include "base/strings.hpp"
#include "catalog/region.hpp"
#include "embedded/cluster_schema.hpp"
#include "importers/cloudformation.hpp"
#include "importers/clusters.hpp"
#include "importers/infrastructure.hpp"
#include "importers/terraform.hpp"
#include "importers/terraform_code.hpp"
#include "scenario/loading.hpp"
#include "shape/request_schemas.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using text::Value;

namespace {

constexpr std::string_view kRegion = "AWS::Region";

/// Subnets whose zones the scenario states.
void use_subnets(const Loading& loading, importers::Infrastructure& infrastructure) {
  const auto& subnets = loading.scenario.subnets;
  for (auto& group : infrastructure.groups) {
    for (auto& one : group.zones) {
      const auto known = one.zone.empty() ? subnets.find(one.expression) : subnets.end();
      if (known != subnets.end()) one.zone = known->second.availability_zone;
    }
  }
}

/// Images that AWS makes for ECS without the driver of NVIDIA: the agent finds no GPU there (ECS developer guide,
/// ecs-gpu; Bottlerocket's variants). Others may have it.
bool is_without_driver(std::string_view image) {
  const auto has = [image](std::string_view part) { return image.find(part) != std::string_view::npos; };
  const bool is_of_ecs = has("/aws/service/ecs/optimized-ami/") && !has("/gpu/");
  const bool is_bottlerocket = has("/aws/service/bottlerocket/aws-ecs-") && !has("nvidia");
  return is_of_ecs || is_bottlerocket;
}

void note_images(Loading& loading, const std::vector<importers::LaunchImage>& images) {
  for (const auto& one : images) {
    const auto* type = loading.catalog.find(one.instance_type);
    if (type == nullptr || !type->gpu || !is_without_driver(one.image)) continue;
    assume(loading.scenario, "gpu-driver-missing", one.group,
           fmt::format("{} launches {} from {}, which has no NVIDIA driver: its GPUs count here, but ECS will see none",
                       one.group, one.instance_type, one.image));
  }
}

/// Takes up what a template or plan describes, as if a cluster file had said it. `file_of`: the path of the file that
/// a document shares its source with.
void add_imported(Loading& loading, importers::Infrastructure infrastructure, const text::Document& file,
                  const FilePart& path, const std::function<std::string(const text::Document&)>& file_of) {
  use_subnets(loading, infrastructure);
  auto imported = importers::cluster_of(infrastructure, file, path.name, path.file);
  for (auto& fault : imported.faults) {
    if (fault.at) {
      loading.sources.fail(fault.at, std::move(fault.message), std::move(fault.help));
    } else {
      loading.sources.fail(Error{std::move(fault.message), path.file, 0, 0, std::move(fault.help)});
    }
  }
  if (!imported.faults.empty()) return;
  for (auto& one : imported.assumptions) assume(loading.scenario, one.id, one.subject, one.text);
  for (const auto& provider : imported.providers)
    loading.described_providers.insert_or_assign(provider.provider_name, provider.scales);
  for (const auto& share : imported.default_strategy) {
    loading.described_providers.try_emplace(share.provider, false);
    loading.default_providers.push_back({share.provider, share.base, share.weight});
  }
  note_images(loading, imported.images);
  for (const auto& document : imported.documents) {
    loading.sources.add(document, file_of(*document), 1);
    const Value root = document->root();
    if (!loading.sources.check_shape(embedded::cluster_schema(), root)) return;
    loading.reads_template = true;
    add_instances(loading, model::bind_cluster(root, loading.placeholders));
    loading.reads_template = false;
  }
}

/// Capacity providers of Managed Instances, as ECS would be asked for them.
void note_managed_instances(Loading& loading, const std::vector<importers::Subject>& subjects,
                            const importers::Infrastructure& infrastructure, const std::string& path) {
  for (const auto& subject : subjects) {
    const Value root = subject.document->root();
    const auto declared = std::find_if(infrastructure.providers.begin(), infrastructure.providers.end(),
                                       [&](const auto& provider) { return provider.name == subject.name; });
    if (!root.find("managedInstancesProvider") || declared == infrastructure.providers.end()) continue;
    loading.sources.add(subject.document, path, 1);
    loading.managed_instances_providers.insert_or_assign(declared->provider_name, root);
    loading.described_providers.try_emplace(declared->provider_name, false);
  }
}

/// The region of the file, if no other is given.
void use_region(Loading& loading, const std::string& region) {
  if (loading.region_is_stated || !catalog::known_region(loading.catalog, region)) return;
  loading.scenario.region = region;
  loading.region_is_stated = true;
}

}  // namespace

bool take_parameters(Loading& loading, const std::string& path, Value root) {
  auto errors = importers::note_template(loading.parameter_use, path, root, loading.parameters);
  const bool is_allowed = errors.empty();
  for (auto& error : errors) loading.sources.fail(std::move(error));
  return is_allowed;
}

void add_template_cluster(Loading& loading, const text::Document& file, const FilePart& path) {
  if (!take_parameters(loading, path.file, file.root())) return;
  auto parameters = loading.parameters;
  if (const auto said = parameters.find(kRegion); said != parameters.end()) use_region(loading, said->second);
  parameters.emplace(kRegion, loading.scenario.region);
  auto infrastructure = importers::infrastructure_of_template(file, parameters);
  if (infrastructure.asks_for_region && !loading.region_is_stated) {
    assume(loading.scenario, "region-taken", loading.scenario.region,
           fmt::format("the template depends on its region: {} is taken, --region names another",
                       loading.scenario.region));
  }
  const shape::RequestSchemas schemas;
  if (infrastructure.has_managed_instances()) {
    note_managed_instances(loading, importers::subjects_of_template(file, parameters, schemas), infrastructure,
                           path.file);
  }
  add_imported(loading, std::move(infrastructure), file, path, [&](const text::Document&) { return path.file; });
}

void add_plan_cluster(Loading& loading, const FilePart& path, Value from) {
  const auto* document = loading.sources.read_parts(path.file, from, importers::matters_to_cluster);
  if (document == nullptr) return;
  auto infrastructure = importers::infrastructure_of_plan(*document);
  use_region(loading, infrastructure.region);
  if (infrastructure.has_managed_instances())
    note_managed_instances(loading, importers::managed_instances_of_plan(*document), infrastructure, path.file);
  add_imported(loading, std::move(infrastructure), *document, path, [&](const text::Document&) { return path.file; });
}

const importers::EvaluatedModule* read_code(Loading& loading, const std::string& path, Value from) {
  auto& sources = loading.sources;
  if (from && !sources.may_name(from, path)) return nullptr;
  const auto folder = sources.files().absolute(importers::folder_of_module(sources.files(), path));
  const auto known = loading.modules.find(folder);
  if (known != loading.modules.end() && sources.files().exists(path)) return &known->second;
  auto input = importers::read_terraform_module(sources.files(), path, loading.variables, sources.limits());
  loading.reads_code = true;
  const auto& declared = input.module.variables.declared;
  loading.declared_variables.insert(declared.begin(), declared.end());
  for (const auto& tree : input.module.trees) {
    sources.note_file(tree.path);
    sources.add(tree.document, tree.path, 1);
  }
  for (auto& error : input.errors) sources.fail(std::move(error));
  if (!input.errors.empty() || input.module.trees.empty()) return nullptr;
  if (const auto& calls = input.module.not_read; !calls.empty())
    assume(loading.scenario, "modules-not-read", path,
           fmt::format("what these modules create is unknown and not counted: {}", join(calls, ", ")));
  return &loading.modules.insert_or_assign(folder, std::move(input.module)).first->second;
}

importers::DefinitionFile definitions_of_code(const Loading& loading, const importers::EvaluatedModule& module,
                                              const std::string& path) {
  return importers::definitions_of_module(module.trees, path, loading.placeholders, loading.sources.limits());
}

void add_code_cluster(Loading& loading, const FilePart& path, Value from) {
  const auto* module = read_code(loading, path.file, from);
  if (module == nullptr) return;
  std::vector<const text::Document*> documents;
  for (const auto& tree : module->trees) documents.push_back(tree.document.get());
  auto infrastructure = importers::infrastructure_of_code(documents, module->region);
  use_region(loading, infrastructure.region);
  for (const auto& tree : module->trees) {
    if (infrastructure.has_managed_instances())
      note_managed_instances(loading, importers::managed_instances_of_plan(*tree.document), infrastructure, tree.path);
  }
  const auto file_of = [&](const text::Document& document) {
    return importers::tree_of(module->trees, document)->path;
  };
  add_imported(loading, std::move(infrastructure), *documents.front(), path, file_of);
}

}  // namespace bayplan::scenario
