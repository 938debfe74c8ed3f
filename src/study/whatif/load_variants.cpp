#include "study/whatif/load_variants.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/file_part.hpp"
#include "base/memory_files.hpp"
#include "base/strings.hpp"
#include "catalog/ecs_quotas.hpp"
#include "study/whatif/variant_in_work.hpp"

namespace bayplan::study {

using placement::Scenario;

namespace {

placement::Origin find_origin(const shape::Sources& sources, text::Value at) {
  const Error place = sources.place_of(at);
  return {place.file, place.line, place.column};
}

/// The scenario's `variants`, all or those that are named.
std::vector<WrittenVariant> read_variants(const VariationRequest& request, shape::Sources& sources, text::Value map) {
  std::vector<WrittenVariant> variants;
  std::vector<std::string_view> names;
  const auto members =
      map ? std::vector<text::Value>(map.children().begin(), map.children().end()) : std::vector<text::Value>();
  for (const auto member : members) {
    names.push_back(member.key());
    const bool is_wanted = request.variants.empty() || std::find(request.variants.begin(), request.variants.end(),
                                                                 member.key()) != request.variants.end();
    if (!is_wanted) continue;
    WrittenVariant variant;
    variant.name = member.key();
    variant.origin = find_origin(sources, member);
    read_variations(member, VariationPlace::kVariants, sources, variant);
    variants.push_back(std::move(variant));
  }
  for (const auto& name : request.variants) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto near = nearest(name, names);
    sources.fail(Error{.message = fmt::format("--variant {}: the scenario has no {}", name,
                                              names.empty() ? "variants" : "such variant"),
                       .help = near            ? fmt::format("did you mean '{}'?", *near)
                               : names.empty() ? "write them under variants:, or use a flag such as --each-az"
                                               : "variants are " + one_of(names, "and")});
  }
  return variants;
}

/// "lose-az us-east-2a, add g4dn.12xlarge=1@us-east-2b"
std::string name_by(const std::vector<WrittenVariation>& variations) {
  std::vector<std::string> parts;
  for (const auto& one : variations) parts.push_back(fmt::format("{} {}", name_of(one.key), one.text));
  return join(parts, ", ");
}

/// Assumes that AWS allows what the variant has beyond a quota of ECS. The subject is the variant, because others may
/// exceed the quota by more, or not at all.
void note_quotas(VariantInWork& work) {
  const auto note = [&](std::string_view quota, std::int64_t count, std::string_view things, std::string_view whole) {
    auto text = catalog::quota_excess(quota, count, things, whole);
    if (!text.empty()) work.assume({std::string(catalog::kEcsQuotaExceeded), work.variant().name, std::move(text)});
  };
  const auto present = static_cast<std::int64_t>(work.scenario.instances.size());
  auto instances = present;
  for (const auto& event : work.variant().events) {
    if (const auto* added = std::get_if<placement::AddInstances>(&event))
      instances += static_cast<std::int64_t>(added->instances.size());
    if (const auto* removed = std::get_if<placement::RemoveInstances>(&event)) instances -= removed->count;
    const auto* scaled = std::get_if<placement::Scale>(&event);
    if (scaled == nullptr) continue;
    const auto& workload = work.scenario.workloads[scaled->workloads.front()];
    if (workload.kind == placement::WorkloadKind::kService)
      note("tasks-per-service", scaled->count, "tasks", "service");
  }
  if (instances > present) note("container-instances-per-cluster", instances, "container instances", "cluster");
}

}  // namespace

LoadedVariant VariantLoader::load(const WrittenVariant& written) const {
  VariantInWork work{scenario_, catalog_, written};
  work.variant().name = written.name.empty() ? name_by(written.variations) : written.name;
  work.variant().origin = written.origin;
  work.loaded.each_az = written.each_az;
  work.loaded.each_instance = written.each_instance;
  work.loaded.written = written;
  if (written.variations.empty() && !written.each_az && !written.each_instance) {
    work.fail_at(written.origin,
                 {.message = "the variant changes nothing", .help = "add a change, for example lose-az: us-east-2a"});
  }
  load_planned_instances(work);
  load_events(work);
  load_settings(work);
  note_quotas(work);
  const auto place = [](const Error& error) { return std::tuple(error.file, error.line, error.column); };
  std::stable_sort(work.loaded.errors.begin(), work.loaded.errors.end(),
                   [&](const Error& a, const Error& b) { return place(a) < place(b); });
  return std::move(work.loaded);
}

LoadedVariants load_variants(const VariationRequest& request, const Scenario& scenario,
                             const catalog::Catalog& catalog) {
  const MemoryFiles no_files;
  shape::Sources sources(no_files, {});
  std::vector<WrittenVariant> written;
  if (request.has_variations()) {
    written.push_back(written_variant(request));
    if (!request.variants.empty()) {
      sources.fail(Error{.message = "--variant cannot be combined with flags that describe another variant",
                         .help = "use one or the other"});
    }
  } else {
    text::Value map;
    if (scenario.document != nullptr) {
      sources.add(scenario.document, scenario.file, 1);
      map = scenario.document->root().find("variants");
    }
    written = read_variants(request, sources, map);
    if (written.empty() && !sources.has_errors()) {
      sources.fail(Error{.message = "no change to simulate",
                         .file = scenario.file,
                         .help = "add a change, for example --each-az, or write variants: into the scenario"});
    }
  }
  LoadedVariants loaded;
  loaded.errors = std::move(sources).take_errors();
  if (!loaded.errors.empty()) return loaded;
  const VariantLoader loader(scenario, catalog);
  for (const auto& one : written) {
    loaded.variants.push_back(loader.load(one));
    const auto& errors = loaded.variants.back().errors;
    loaded.errors.insert(loaded.errors.end(), errors.begin(), errors.end());
  }
  return loaded;
}

std::vector<std::string> definition_files(const VariationRequest& request, const Files& files) {
  std::vector<std::string> paths;
  for (const auto& text : request.deploy) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) continue;
    std::string path = text.substr(equals + 1);
    const bool is_known = std::find(paths.begin(), paths.end(), path) != paths.end();
    const auto file = parse_file_part(path, files).file;
    if (!is_known && files.exists(file) && !files.is_folder(file)) paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace bayplan::study
