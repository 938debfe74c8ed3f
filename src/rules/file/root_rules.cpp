#include <algorithm>
#include <array>

#include "base/json_writer.hpp"
#include "base/name_words.hpp"
#include "base/strings.hpp"
#include "rules/file/shape_findings.hpp"
#include "rules/topics.hpp"
#include "text/removal.hpp"

namespace bayplan::rules {
namespace {

using text::Kind;
using text::Value;

std::size_t indent_of_line(const std::string& source, std::uint32_t at) {
  std::uint32_t begin = at;
  while (begin > 0 && source[begin - 1] != '\n') --begin;
  std::uint32_t end = begin;
  while (end < source.size() && (source[end] == ' ' || source[end] == '\t')) ++end;
  return end - begin;
}

/// Takes the lines of `value` but the first to the left, so that its closing bracket is at the margin.
void outdent(Report& report, Value value) {
  const auto& source = value.document().source();
  const std::size_t margin = indent_of_line(source, value.span().end - 1);
  for (std::uint32_t at = value.span().begin; at < value.span().end; ++at) {
    if (source[at] != '\n') continue;
    std::uint32_t end = at + 1;
    while (end - at - 1 < margin && (source[end] == ' ' || source[end] == '\t')) ++end;
    if (end > at + 1) report.fix({at + 1, end}, "");
  }
}

/// Keeps the inner object and puts the tags of the answer into it.
void offer_unwrapping(Report& report, Value root, Value inner) {
  const auto& source = root.document().source();
  if (source[root.span().begin] != '{' || source[inner.span().begin] != '{') return;
  report.fix({root.span().begin, inner.span().begin}, "");
  outdent(report, inner);
  const Value tags = root.find("tags");
  std::string moved;
  if (tags && tags.is_array() && tags.size() > 0 && inner.size() > 0 && !inner.find("tags")) {
    const Value last = inner.at(inner.size() - 1);
    report.fix({last.span().end, last.span().end}, ",\n  \"tags\": " + std::string(text::find_source(tags)));
  }
  report.fix({inner.span().end, root.span().end}, "");
}

/// The member by which a CloudFormation file shows itself.
Value cloudformation_mark(Value root) {
  for (const std::string_view key : {"Resources", "Type", "ContainerDefinitions", "AWSTemplateFormatVersion"}) {
    if (const Value found = root.find(key)) return found;
  }
  return root.at(0);
}

/// Bytes of the value as compact JSON, without nulls and what only answers hold.
std::size_t compact_size(Value value, const std::vector<std::string_view>& left_out) {
  if (!value.is_object() && !value.is_array())
    return value.is_string() ? json_quoted(value.text()).size() : value.text().size();
  std::size_t size = 2;
  std::size_t commas = 0;
  for (const Value child : value.children()) {
    if (child.is_null() || std::find(left_out.begin(), left_out.end(), child.key()) != left_out.end()) continue;
    size += compact_size(child, {}) + commas;
    if (value.is_object()) size += json_quoted(child.key()).size() + 1;
    commas = 1;
  }
  return size;
}

/// https://github.com/awsdocs/amazon-ecs-developer-guide/pull/149: "Max allowed length is '65536' bytes" (2019).
constexpr std::size_t kLargestRequest = 65536;

/// What aws ecs register-task-definition --generate-cli-skeleton leaves where a number belongs, and no one means.
constexpr std::array<std::string_view, 8> kNeverZero{"containerPort", "interval", "memory",    "memoryReservation",
                                                     "retries",       "size",     "sizeInGiB", "timeout"};

/// Values that maps and environments may hold empty, and enums that were left unset.
bool may_be_empty(Value value) {
  if (is_absent_when_empty(value.key())) return true;
  const Value parent = value.parent();
  if (!parent) return true;
  const auto above = parent.key();
  if (parent.parent() && parent.parent().key() == "resourceRequirements") return false;
  return value.key() == "value" || above == "options" || above == "dockerLabels" || above == "labels" ||
         above == "driverOpts";
}

struct Skeleton {
  std::vector<Value> sure;   ///< No one would write these.
  std::vector<Value> zeros;  ///< Might be meant.
};

void collect(Value value, Skeleton& leaves) {
  if (value.is_string() && value.text().empty() && !may_be_empty(value)) leaves.sure.push_back(value);
  if (value.kind() == Kind::kInteger && value.integer() == 0) {
    const bool sure = is_among(value.key(), kNeverZero);
    (sure ? leaves.sure : leaves.zeros).push_back(value);
  }
  for (const Value child : value.children()) collect(child, leaves);
}

constexpr std::size_t kLeastLeaves = 3;

void tell_lone_container(const Context& ctx, Emitter& emit) {
  const bool is_part = is_part_of_container(ctx.root, ctx.kind);
  const bool has_bracket = ctx.document.source()[ctx.root.span().begin] == '{';
  emit.at(has_bracket ? ctx.root.opening() : ctx.root.at(0).key_span(), ctx.root)
      .says(is_part
                ? "part of a container definition, checked as such"
                : "single container definition, checked as such; register-task-definition requires a task definition")
      .help(is_part ? "put it into a container of a task definition"
                    : "wrap it: {\"family\": \"...\", \"containerDefinitions\": [{...}]}")
      .severity(Severity::kInfo);
}

/// Of a list whose keys were read in any case the text still has them as written.
bool is_in_other_case(Value list) {
  const std::string_view source = list.document().source();
  const auto elements = list.children();
  return std::any_of(elements.begin(), elements.end(), [&](Value element) {
    const auto members = element.children();
    return std::any_of(members.begin(), members.end(), [&](Value member) {
      const std::string_view written = source.substr(member.key_span().begin, member.key_span().length());
      return (member.key() == "name" || member.key() == "image") &&
             written.find(member.key()) == std::string_view::npos;
    });
  });
}

void tell_container_list(const Context& ctx, Emitter& emit) {
  constexpr std::string_view kWrapped = "{\"family\": \"...\", \"containerDefinitions\": [...]}";
  const bool is_renamed = is_in_other_case(ctx.root);
  emit.at(ctx.root.opening(), ctx.root)
      .says("bare list of container definitions{}, which Terraform accepts but register-task-definition does not",
            is_renamed ? " with uppercase keys" : "")
      .help("{}wrap it: {}", is_renamed ? "start each key with a lowercase letter and " : "", kWrapped)
      .severity(Severity::kInfo);
}

void root_not_object(const Context& ctx, Emitter& emit) {
  // Comments alone are legal YAML; of an empty JSON text its reader speaks.
  const bool is_empty = !ctx.root && ctx.is_whole && ctx.document.format() == text::Format::kYaml;
  if (is_empty) {
    emit.at_text({0, 0}).says("file is empty").help("use {\"family\": \"...\", \"containerDefinitions\": [...]}");
  }
  if (ctx.kind == FileKind::kContainerDefinitions && ctx.root.is_object()) return tell_lone_container(ctx, emit);
  if (!ctx.root || ctx.root.is_object() || ctx.root.kind() == Kind::kPlaceholder) return;
  if (ctx.kind == FileKind::kContainerDefinitions) {
    if (!ctx.root.parent()) tell_container_list(ctx, emit);  // else Terraform code takes it out of the file
    return;
  }
  emit.at(ctx.root.opening(), ctx.root)
      .says("task definition must be an object, got {}", shape::article_and_name(ctx.root.kind()))
      .help("use {\"family\": \"...\", \"containerDefinitions\": [...]}");
}

void describe_wrapper(const Context& ctx, Emitter& emit) {
  const Value root = ctx.document.root();
  if (!ctx.is_describe() || !root || root == ctx.root) return;
  auto report = emit.at_key(ctx.root);
  report.says("output of describe-task-definition; the definition is inside taskDefinition")
      .help("keep only the inner object, and of that not what ECS adds to it (status, revision and others)");
  if (is_saved_record(ctx)) report.severity(Severity::kInfo);
  offer_unwrapping(report, root, ctx.root);
}

void cloudformation_shape(const Context& ctx, Emitter& emit) {
  if (ctx.kind != FileKind::kCloudFormation || !ctx.root || !ctx.root.is_object()) return;
  const Value mark = cloudformation_mark(ctx.root);
  if (mark.key() == "ContainerDefinitions") {
    emit.at_key(mark)
        .says("keys use CloudFormation spelling; the ECS API requires containerDefinitions")
        .help("start every key with a lowercase letter; EFSVolumeConfiguration becomes efsVolumeConfiguration");
    return;
  }
  emit.at_key(mark)
      .says("CloudFormation resource, not the input of register-task-definition")
      .help("use the Properties of the AWS::ECS::TaskDefinition and start every key with a lowercase letter");
}

void compose_file(const Context& ctx, Emitter& emit) {
  if (ctx.kind != FileKind::kCompose || !ctx.root || !ctx.root.is_object()) return;
  const Value services = ctx.root.find("services");
  emit.at_key(services ? services : ctx.root.at(0))
      .says("Docker Compose file, not a task definition")
      .help(
          "convert each service to a container: ports to portMappings, environment to a list of name and value, "
          "deploy.resources.reservations.devices to resourceRequirements");
}

// template-service.json, service.skeleton.json: to be copied, and filled in there.
bool is_kept_as_template(std::string_view file) {
  constexpr std::string_view kWords[] = {"template", "skeleton", "sample", "example"};
  const auto words = words_in_name(file.substr(file.rfind('/') + 1));
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return is_among(word, kWords); });
}

// What the service returned was filled in once.
void cli_skeleton_left(const Context& ctx, Emitter& emit) {
  if (!ctx.root || ctx.is_answer) return;
  Skeleton leaves;
  collect(ctx.root, leaves);
  if (leaves.sure.size() < kLeastLeaves) return;
  const bool is_untouched = is_untouched_skeleton(ctx.root);
  if (!is_untouched && ctx.is_for_ecspresso) return;
  std::vector<Value> all = leaves.sure;
  all.insert(all.end(), leaves.zeros.begin(), leaves.zeros.end());
  auto report = emit.at(all.front());
  if (is_untouched) {
    report.says("generated skeleton without any values filled in")
        .help("fill in what you need and delete the other keys");
    if (!is_kept_as_template(ctx.file)) report.severity(Severity::kWarning);
    return;
  }
  report.says("{} values of a generated skeleton are not filled in, starting with {}", all.size(), name_of(all.front()))
      .help("fill them in, or delete their keys");
  for (auto leaf = all.begin() + 1; leaf < all.end(); ++leaf) report.related(*leaf, name_of(*leaf));
}

// The service counts a form of its own: one percent above the limit is not called an error.
void definition_too_large(const Context& ctx, Emitter& emit) {
  constexpr std::size_t kMost = kLargestRequest + kLargestRequest / 100;
  constexpr std::size_t kNear = kLargestRequest / 10 * 9;
  if (!ctx.root || !ctx.root.is_object() || !ctx.is_definition()) return;
  if (ctx.document.source().size() < kNear / 4) return;
  const std::size_t size = compact_size(ctx.root, ctx.schema.get().response_only());
  if (size <= kNear) return;
  auto report = emit.at(ctx.root.opening(), ctx.root);
  report.says("task definition has {} bytes as compact JSON; the maximum is {}", size, kLargestRequest)
      .help("move variables to environmentFiles or secrets, or split the task");
  if (size <= kMost) report.severity(Severity::kInfo);
}

}  // namespace

std::span<const Rule> root_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY009", kShape, root_not_object, {.holds_in_templates = true}},
      {"BAY010", kShape, describe_wrapper, {.holds_in_templates = true, .about_answers = true}},
      {"BAY012", kShape, cloudformation_shape, {.holds_in_templates = true}},
      {"BAY025", kShape, compose_file},
      {"BAY026", kShape, cli_skeleton_left, {.on_skeletons = true}},
      {"BAY027", kShape, definition_too_large},
  };
  return kRules;
}

}  // namespace bayplan::rules
