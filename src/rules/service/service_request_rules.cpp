// Single values of a service or a RunTask call: its name, the definition that it asks for, its network.
#include <algorithm>
#include <set>

#include "base/ascii.hpp"
#include "base/json_writer.hpp"
#include "rules/file/spelling.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

bool is_sent_to_ecs(const ServiceContext& ctx) {
  return ctx.is_service_request() || ctx.input == ServiceInput::kRunTask;
}

void service_name(const ServiceContext& ctx, Emitter& emit) {
  if (ctx.service == nullptr || ctx.input != ServiceInput::kCreate) return;
  const auto& name = ctx.service->service_name;
  if (!name.present() || !emit.knows(name) || name->empty() || is_ecs_name(*name)) return;
  if (is_output_for(*name, "serviceName")) return emit.skip(name.node);
  emit.at(name)
      .says("invalid serviceName {}", json_quoted(*name))
      .help("use up to 255 letters, digits, hyphens and underscores");
}

// "web", "web:3" or an ARN. ECS reads what is behind the colon as a revision, a number. A definition of the same file
// is named by its address in a plan, and by its logical ID in a template.
void task_definition_reference(const ServiceContext& ctx, Emitter& emit) {
  const auto& reference = ctx.request.task_definition;
  if (!is_sent_to_ecs(ctx) || !reference.present() || !emit.knows(reference) || reference->empty()) return;
  if (ctx.definition.task != nullptr && ctx.definition.file.empty()) return;
  // Terraform code names a definition of another file of its module by its address.
  const bool is_code = reference.node.document().format() == text::Format::kHcl;
  if (is_code && ctx.definition.task != nullptr && *reference == ctx.definition.name) return;
  const std::string_view text = *reference;
  if (text.starts_with("arn:")) return;
  if (is_output_for(text, "taskDefinition")) return emit.skip(reference.node);
  const std::size_t colon = text.rfind(':');
  const std::string_view family = text.substr(0, colon);
  const std::string_view revision = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  const bool has_revision = colon != std::string_view::npos;
  if (!is_ecs_name(family)) {
    emit.at(reference)
        .says("invalid family in taskDefinition {}", json_quoted(text))
        .help("use the family of a task definition, such as web, or web:3 for its revision 3");
  } else if (has_revision && !is_digits(revision)) {
    emit.at(reference)
        .says("invalid revision {} in taskDefinition: must be a number", json_quoted(revision))
        .help("use {} for the latest revision, or {}:3 for revision 3", family, family);
  }
}

void public_ip_on_ec2(const ServiceContext& ctx, Emitter& emit) {
  const Value network = ctx.request.awsvpc_configuration;
  if (!is_sent_to_ecs(ctx) || ctx.request.launch_type.value != "EC2" || !network || !network.is_object()) return;
  const auto assign = model::string_field(network, "assignPublicIp", emit.placeholders());
  if (assign.value != "ENABLED") return;
  auto report = emit.at(assign);
  report.says("the launch type EC2 does not support assignPublicIp")
      .related(ctx.request.launch_type.node, "EC2 is selected here")
      .help("use \"DISABLED\", or omit it; tasks on EC2 reach the internet through a NAT gateway");
  report.remove(assign.node, false);
}

void subnets_repeated(const ServiceContext& ctx, Emitter& emit) {
  if (!is_sent_to_ecs(ctx)) return;
  std::set<std::string_view> seen;
  for (const auto& subnet : ctx.request.subnets) {
    if (!subnet.present() || !emit.knows(subnet)) continue;
    if (subnet->empty()) {
      emit.at(subnet).says("empty subnet ID").help("use the ID of a subnet, such as subnet-0123456789abcdef0");
    } else if (!seen.insert(*subnet).second && subnet->starts_with("subnet-")) {
      emit.at(subnet).says("{} is listed twice", *subnet).help("delete it; each subnet is listed once");
    }
  }
}

/// Reports a list of more than `most` elements. A placeholder among them may become several or none.
void check_length(Emitter& emit, Value list, std::string_view what, std::size_t most, Severity severity) {
  if (!list || !list.is_array() || list.size() <= most) return;
  const auto elements = list.children();
  const auto is_unknown = [&](Value one) { return emit.placeholders().holds(one); };
  if (std::any_of(elements.begin(), elements.end(), is_unknown)) return;
  emit.at(list)
      .severity(severity)
      .says("{} {}; the {}maximum is {}", list.size(), what, severity == Severity::kError ? "" : "documented ", most)
      .help("delete some of them");
}

void list_length(const ServiceContext& ctx, Emitter& emit) {
  if (!is_sent_to_ecs(ctx)) return;
  const auto& subnets = ctx.request.subnets;
  if (subnets.node && subnets.node.is_array() && subnets.is_complete()) {
    constexpr std::size_t kMostSubnets = 16;
    if (subnets.empty()) emit.at(subnets.node).says("subnets is empty").help("list 1 to {} subnets", kMostSubnets);
    check_length(emit, subnets.node, "subnets", kMostSubnets, Severity::kError);
  }
  const Value network = ctx.request.awsvpc_configuration;
  const Value groups = network && network.is_object() ? network.find("securityGroups") : Value();
  check_length(emit, groups, "security groups", 5, Severity::kWarning);
  check_length(emit, ctx.request.node.find("loadBalancers"), "load balancers", 5, Severity::kError);
}

}  // namespace

std::span<const Rule> service_request_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1127", kService, public_ip_on_ec2, {.follows_from = {"BAY1122"}}},
      {"BAY1130", kService, task_definition_reference},
      {"BAY1139", kService, subnets_repeated},
      {"BAY1142", kService, service_name},
      {"BAY1165", kService, list_length},
  };
  return kRules;
}

}  // namespace bayplan::rules
