#include "replay/terms.hpp"

#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/requirement.hpp"
#include "model/placeholder.hpp"
#include "model/service.hpp"
#include "model/task_definition.hpp"
#include "query/query.hpp"
#include "scenario/arguments.hpp"
#include "text/read.hpp"

namespace bayplan::replay {
namespace {

std::string text_of(const model::StringField& field) {
  return std::string(field.value.value_or(""));
}

void read_strategies(const model::PlacementRequest& request, PlacementTerms& terms) {
  terms.strategies.clear();
  for (const auto& item : request.placement_strategy) {
    const std::string type = text_of(item.type);
    auto made = scenario::make_strategy(
        type, item.field.known() && type != "random" ? std::optional<std::string_view>(*item.field) : std::nullopt);
    if (made) {
      terms.strategies.push_back(std::move(*made));
    } else {
      terms.unreadable = made.error().message;
    }
  }
}

void read_constraint(std::string_view type, std::string_view expression, std::vector<Constraint>& constraints,
                     std::string& unreadable) {
  if (type == "distinctInstance") return constraints.push_back({});
  auto parsed = query::parse(expression);
  if (!parsed) {
    unreadable = fmt::format("constraint {}: {}", expression, parsed.fault->message);
    return;
  }
  constraints.push_back({ConstraintType::kMemberOf, std::string(expression),
                         std::make_shared<const query::Expression>(std::move(*parsed.expression))});
}

}  // namespace

PlacementTerms terms_of_request(std::string_view json, WorkloadKind kind, const PlacementTerms* known) {
  PlacementTerms terms;
  if (known != nullptr) terms = *known;
  terms.kind = kind;
  const auto document = text::read_document(std::string(json), {.format = text::Format::kJson});
  if (!document->root()) return terms;
  const model::Placeholders placeholders;
  const auto request = model::bind_service(document->root(), placeholders);
  if (request.is_daemon()) terms.kind = WorkloadKind::kDaemon;
  if (request.placement_strategy.present()) read_strategies(request, terms);
  if (request.placement_constraints.present()) {
    terms.constraints.clear();
    for (const auto& item : request.placement_constraints)
      read_constraint(text_of(item.type), text_of(item.expression), terms.constraints, terms.unreadable);
  }
  if (!request.subnets.items.empty()) {
    terms.subnets.clear();
    terms.availability_zones.reset();
    for (const auto& subnet : request.subnets) terms.subnets.push_back(text_of(subnet));
  }
  if (request.launch_type.known()) terms.launch_type = text_of(request.launch_type);
  if (request.task_definition.known()) {
    const std::string reference = text_of(request.task_definition);
    terms.task_definition = reference.substr(reference.rfind('/') + 1);
  }
  if (request.capacity_provider_strategy.present()) terms.has_providers = true;
  return terms;
}

PlacementTerms terms_of_service(const RunningService& service) {
  PlacementTerms terms;
  terms.kind = service.kind;
  terms.strategies = service.strategies;
  terms.constraints = service.constraints;
  terms.availability_zones = service.availability_zones;
  terms.launch_type = service.launch_type;
  terms.task_definition = service.task_definition;
  terms.has_providers = !service.capacity_providers.empty();
  return terms;
}

std::optional<TaskDefinition> definition_of_json(const std::string& json,
                                                 std::vector<std::shared_ptr<const text::Document>>& documents) {
  std::shared_ptr<const text::Document> document = text::read_document(json, {.format = text::Format::kJson});
  if (!document->root() || !document->root().is_object()) return std::nullopt;
  const model::Placeholders placeholders;
  auto bound = model::bind_task_definition(document->root(), placeholders);
  if (!bound.family.known() || !bound.revision.known()) return std::nullopt;
  TaskDefinition definition;
  definition.family = std::string(*bound.family);
  definition.revision = *bound.revision;
  definition.name = fmt::format("{}:{}", definition.family, definition.revision);
  definition.requirement = capacity::requirement_of(bound);
  definition.requirement.family = definition.family;
  definition.is_registered = true;
  std::string unreadable;
  for (const auto& item : bound.placement_constraints)
    read_constraint(text_of(item.type), text_of(item.expression), definition.constraints, unreadable);
  if (!unreadable.empty()) return std::nullopt;
  definition.definition = std::move(bound);
  documents.push_back(std::move(document));
  return definition;
}

}  // namespace bayplan::replay
