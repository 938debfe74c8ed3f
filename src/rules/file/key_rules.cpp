#include <algorithm>
#include <iterator>

#include "base/ascii.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "importers/cloudformation_keys.hpp"
#include "rules/file/shape_findings.hpp"
#include "rules/file/short_forms.hpp"
#include "rules/topics.hpp"
#include "text/removal.hpp"

namespace bayplan::rules {
namespace {

using shape::HintKind;
using shape::Problem;
using shape::ShapeFinding;
using text::Value;

/// Whether the key is the one that readers keep among equal keys in one object.
bool is_kept(const ShapeFinding& one) {
  return one.node.parent().find(one.node.key()) == one.node;
}

/// Calls `visit` for each unknown key that was traced to one of `kinds`. BAY004 reports keys that occur twice.
template <class Function>
void each_key(const Context& ctx, std::initializer_list<HintKind> kinds, Function visit) {
  for (const auto& one : ctx.shape.get()) {
    if (one.problem == Problem::kUnknownKey && std::find(kinds.begin(), kinds.end(), one.hint.kind) != kinds.end() &&
        is_kept(one))
      visit(one);
  }
}

/// Members or elements; none of an absent value.
std::vector<Value> members_of(Value value) {
  std::vector<Value> result;
  if (value) std::copy(value.children().begin(), value.children().end(), std::back_inserter(result));
  return result;
}

bool is_for_cloudformation(const Context& ctx) {
  return ctx.client == DeployClient::kCloudFormation;
}

/// The key as it is written in the file: that of a template was converted to ECS's spelling.
std::string key_here(const Context& ctx, Value member) {
  if (!is_for_cloudformation(ctx)) return std::string(member.key());
  const Span span = member.key_span();
  std::string key = member.document().source().substr(span.begin, span.length());
  const bool is_quoted = key.size() > 1 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front();
  return is_quoted ? key.substr(1, key.size() - 2) : key;
}

/// Renames the key if the other one is free and accepts this value.
void offer_known_name(const Context& ctx, Report& report, const ShapeFinding& one, bool safe) {
  const auto* member = one.wanted->find(one.hint.member);
  if (member == nullptr || one.node.parent().find(member->name)) return;
  if (!member->rule->types.any() && !member->rule->types.has(one.node.kind())) return;
  offer_rename(report, one.node, spelled_here(ctx, member->name, one.wanted->title), safe);
}

/// The form of an alias with the number that the user wrote: "gpus": 2 becomes {"type": "GPU", "value": "2"}.
std::string with_number_of(Value value, std::string form) {
  if (value.kind() != text::Kind::kInteger) return form;
  const auto first = form.find_first_of("0123456789");
  if (first == std::string::npos) return form;
  const auto end = form.find_first_not_of("0123456789", first);
  return form.replace(first, end - first, value.text());
}

std::string alias_help(const ShapeFinding& one) {
  if (one.hint.member.empty()) return "delete it; a task definition has no equivalent";
  if (one.hint.form.empty()) return "use " + one.hint.member;
  const std::string form = with_number_of(one.node, one.hint.form);
  if (one.wanted->find(one.hint.member) == nullptr) return "use " + one.hint.member + " " + form;
  return "use " + json_quoted(one.hint.member) + ": " + form;
}

/// `authorization_config = {credentials_parameter = ...}` of a container: the credentials of a registry, as other keys
/// of volumes call them.
bool is_registry_login(const ShapeFinding& one) {
  if (one.hint.member != "authorizationConfig" || one.wanted->find("repositoryCredentials") == nullptr) return false;
  const auto members = members_of(one.node);
  return members.size() == 1 && lower(members.front().key()).starts_with("credentials");
}

std::string misplaced_help(const Context& ctx, const ShapeFinding& one) {
  const auto& place = one.hint.place;
  // In awsvpc mode a container does not take them either (BAY325).
  const bool is_of_dns = one.hint.member == "dnsServers" || one.hint.member == "dnsSearchDomains";
  const Value mode = ctx.root && ctx.root.is_object() ? ctx.root.find("networkMode") : Value();
  if (is_of_dns && mode && mode.text() == "awsvpc") return "delete it; it is not supported in awsvpc mode";
  if (place.starts_with("the ")) return "move it to " + place;
  const bool is_plain = place.find_first_of(".[") == std::string::npos;
  const auto value = text::find_source(one.node);
  if (!is_plain || value.size() > 60 || value.find('\n') != std::string::npos ||
      one.node.style() == text::Style::kPlain) {
    return "move it into " + place;
  }
  return "use " + json_quoted(place) + ": {" + json_quoted(one.hint.member) + ": " + std::string(value) + "}";
}

void unknown_with_hint(const Context& ctx, const ShapeFinding& one, Emitter& emit) {
  auto report = emit.at_key(one.node);
  report
      .says("unknown key {} in {}{}", json_quoted(key_here(ctx, one.node)), find_title(*one.wanted),
            dropped_words(ctx, one.node))
      .severity(is_dropped_by_terraform(ctx, one.node) ? Severity::kWarning : Severity::kError);
  if (one.hint.kind == HintKind::kNear) {
    report.help("did you mean {}?", spelled_here(ctx, one.hint.member, one.wanted->title));
  } else {
    report.help("{}", alias_help(one));
  }
  if (one.hint.form.empty()) offer_known_name(ctx, report, one, false);
}

/// Where Elastic Beanstalk finds the credentials of a private registry; it keeps the key to itself.
/// https://docs.aws.amazon.com/elasticbeanstalk/latest/dg/create_deploy_docker_v2config.html
bool is_of_elastic_beanstalk(const Context& ctx, const ShapeFinding& one) {
  return lower(one.key) == "authentication" && one.node.parent() == ctx.root && ctx.root.find("AWSEBDockerrunVersion");
}

bool is_in_capitals(std::string_view key) {
  return std::none_of(key.begin(), key.end(), is_lower);
}

/// A variable called NAME in a map, not the name of one: the pair is not complete.
bool may_be_variable(const ShapeFinding& one) {
  const auto& members = one.wanted->members;
  return members.size() == 2 && is_in_capitals(one.key) &&
         !std::all_of(members.begin(), members.end(), [&](const shape::Member& member) {
           const auto keys = one.node.parent().children();
           return std::any_of(keys.begin(), keys.end(),
                              [&](Value key) { return equal_ignoring_case(key.key(), member.name); });
         });
}

struct Misspelled {
  Value member;
  std::string name;      ///< The key as CloudFormation spells it.
  bool is_free = false;  ///< No other member of the object has this name.
};

bool is_only_one(Value object, std::string_view key) {
  const auto members = object.children();
  return std::count_if(members.begin(), members.end(), [&](Value member) { return member.key() == key; }) == 1;
}

/// Members that a template spells with other capitals than CloudFormation; they are read as what they mean.
void gather_misspelled(const Context& ctx, const shape::Rule& rule, Value value, std::vector<Misspelled>& found) {
  if (rule.elements != nullptr) {
    for (const Value element : value.children()) gather_misspelled(ctx, *rule.elements, element, found);
  }
  if (!value.is_object()) return;
  for (const Value member : value.children()) {
    const auto* known = rule.find(member.key());
    if (known == nullptr) continue;
    std::string name = importers::in_cloudformation(known->name, rule.title);
    if (key_here(ctx, member) != name) found.push_back({member, std::move(name), is_only_one(value, member.key())});
    gather_misspelled(ctx, *known->rule, member, found);
  }
}

/// More of them were not typed by mistake: a definition of the API was put into the template.
constexpr std::size_t kMisspelledByHand = 3;

void tell_misspelled(const Context& ctx, Emitter& emit) {
  std::vector<Misspelled> found;
  gather_misspelled(ctx, ctx.schema.get().root(), ctx.root, found);
  if (found.size() > kMisspelledByHand) {
    const auto& first = found.front();
    auto report = emit.at_key(first.member);
    report
        .says("{} and {} more keys use ECS API spelling; CloudFormation requires {}",
              json_quoted(key_here(ctx, first.member)), found.size() - 1, first.name)
        .help("start each of them with an uppercase letter");
    for (const auto& one : found) {
      if (one.is_free) offer_rename(report, one.member, one.name, true);
    }
    return;
  }
  for (const auto& one : found) {
    auto report = emit.at_key(one.member);
    report.says("{} must be spelled {} in CloudFormation", json_quoted(key_here(ctx, one.member)), one.name)
        .help("use {}", one.name);
    if (one.is_free) offer_rename(report, one.member, one.name, true);
  }
}

// One finding for the whole answer: its keys come together.
void response_only_field(const Context& ctx, Emitter& emit) {
  std::vector<const ShapeFinding*> keys;
  each_key(ctx, {HintKind::kResponseOnly}, [&](const ShapeFinding& one) {
    if (!ctx.deployment.assigns("/" + std::string(one.key))) keys.push_back(&one);
  });
  // The AWS provider of Terraform puts its own `id` there, and sends nothing; ecspresso keeps what it has read of a
  // service in its file.
  if (keys.empty() || ctx.client == DeployClient::kTerraform) return;
  if (ctx.is_service() && ctx.is_for_ecspresso) return;

  std::vector<std::string_view> names;
  std::vector<Value> members;
  for (const auto* one : keys) {
    names.push_back(one->key);
    members.push_back(one->node);
  }
  auto report = emit.at_key(members.front());
  report
      .says("{} {} returned by ECS and cannot be part of {}", one_of(names, "and"), names.size() == 1 ? "is" : "are",
            input_called(ctx.kind))
      .help("delete {}", names.size() == 1 ? "it" : "them");
  if (ctx.client == DeployClient::kAwsCli) report.severity(Severity::kError);
  if (is_saved_record(ctx)) report.severity(Severity::kInfo);
  // The deploy action leaves them out, and says so in each run.
  if (!ctx.deployment.named_by.empty() && ctx.client == DeployClient::kGithubAction) report.severity(Severity::kInfo);
  if (const auto edits = text::removal(members)) {
    for (const auto& edit : *edits) report.fix(edit.span, edit.text);
  }
}

void key_case(const Context& ctx, Emitter& emit) {
  each_key(ctx, {HintKind::kSpelling}, [&](const ShapeFinding& one) {
    auto report = emit.at_key(one.node);
    const std::string name = spelled_here(ctx, one.hint.member, one.wanted->title);
    report.says("{} must be spelled {}", json_quoted(key_here(ctx, one.node)), name).help("use {}", name);
    // The AWS provider of Terraform and ecspresso read keys in any case (encoding/json of Go).
    if (is_dropped_by_terraform(ctx, one.node) || ctx.is_for_ecspresso) report.severity(Severity::kInfo);
    offer_known_name(ctx, report, one, !may_be_variable(one));
  });
  // Task sets and each service that calls RunTask have capitals of their own: AwsVpcConfiguration of task sets and
  // rules, AwsvpcConfiguration of schedules and state machines.
  const bool has_own_capitals = ctx.kind == FileKind::kRunTask || ctx.kind == FileKind::kTaskSet;
  if (is_for_cloudformation(ctx) && ctx.root && !has_own_capitals) tell_misspelled(ctx, emit);
}

/// A member of the task definition in a list of containers, or in one alone: the definition around it is not there to
/// be looked into.
bool belongs_to_task(const Context& ctx, const ShapeFinding& one) {
  if (ctx.kind != FileKind::kContainerDefinitions) return false;
  const bool is_of_container = one.node.parent() == ctx.root || one.node.parent().parent() == ctx.root;
  return is_of_container && ctx.schema.get().root().find(one.key) != nullptr;
}

void misplaced_key(const Context& ctx, Emitter& emit) {
  each_key(
      ctx, {HintKind::kAlias, HintKind::kNear, HintKind::kElsewhere, HintKind::kNone}, [&](const ShapeFinding& one) {
        if (!belongs_to_task(ctx, one)) return;
        auto report = emit.at_key(one.node);
        report.says("{} belongs to the task definition, not to a container{}", one.key, dropped_words(ctx, one.node))
            .help("move it to the task definition");
        if (is_dropped_by_terraform(ctx, one.node)) report.severity(Severity::kWarning);
      });
  each_key(ctx, {HintKind::kMisplaced}, [&](const ShapeFinding& one) {
    auto report = emit.at_key(one.node);
    if (is_dropped_by_terraform(ctx, one.node)) report.severity(Severity::kWarning);  // the client sends no such key
    if (is_registry_login(one)) {
      report.says("{} belongs to a volume, not to {}{}", key_here(ctx, one.node), in_words(*one.wanted),
                  dropped_words(ctx, one.node));
      report.help("for the credentials of the registry, use {}: {{{}: ...}}",
                  json_quoted(spelled_here(ctx, "repositoryCredentials")), json_quoted("credentialsParameter"));
      return;
    }
    report
        .says("{} belongs to {}, not to {}{}", spelled_here(ctx, one.hint.member), one.hint.place,
              in_words(*one.wanted), dropped_words(ctx, one.node))
        .help("{}", misplaced_help(ctx, one));
  });
}

// The model ages, so a key that resembles nothing is only a warning.
void unknown_key(const Context& ctx, Emitter& emit) {
  each_key(ctx, {HintKind::kAlias, HintKind::kNear}, [&](const ShapeFinding& one) {
    if (!belongs_to_task(ctx, one)) unknown_with_hint(ctx, one, emit);
  });
  each_key(ctx, {HintKind::kOtherRequest}, [&](const ShapeFinding& one) {
    emit.at_key(one.node)
        .says("{} belongs to {}, not to {}", key_here(ctx, one.node), one.hint.place,
              ctx.is_definition() ? "a task definition" : in_words(*one.wanted))
        .help("move it there");
  });
  each_key(ctx, {HintKind::kEditorNote}, [&](const ShapeFinding& one) {
    auto report = emit.at_key(one.node);
    report.says("{} is an editor note; typed clients reject it", json_quoted(one.key))
        .help("remove it before you register the file");
    // The deploy action, ecspresso and Terraform leave it out or pass it on, and ECS ignores it.
    const bool is_dropped =
        ctx.client == DeployClient::kGithubAction || is_dropped_by_terraform(ctx, one.node) || ctx.is_for_ecspresso;
    report.severity(is_dropped                            ? Severity::kInfo
                    : ctx.client == DeployClient::kAwsCli ? Severity::kError
                                                          : Severity::kWarning);
  });
  each_key(ctx, {HintKind::kElsewhere, HintKind::kNone}, [&](const ShapeFinding& one) {
    if (is_of_elastic_beanstalk(ctx, one) || belongs_to_task(ctx, one)) return;
    auto report = emit.at_key(one.node);
    if (one.key == "AWSEBDockerrunVersion") {
      report.says("Dockerrun file: Elastic Beanstalk generates a task definition from it")
          .help("check its containers here, and let Elastic Beanstalk register it")
          .severity(Severity::kInfo);
      return;
    }
    report.says("unknown key {} in {}{}", json_quoted(key_here(ctx, one.node)), find_title(*one.wanted),
                dropped_words(ctx, one.node));
    // Elastic Beanstalk makes the task definition; that it refuses other keys was not seen.
    if (one.node.parent() == ctx.root && ctx.root.find("AWSEBDockerrunVersion")) report.severity(Severity::kInfo);
    if (one.hint.kind == HintKind::kNone) {
      report.help("check the spelling, or delete it; ECS may have added keys after bayplan's model of {}",
                  BAYPLAN_ECS_MODEL_DATE);
    } else {
      report.help("delete it, or move it to {}", one.hint.place);
    }
  });
}

// The model of RegisterDaemonTaskDefinition has fewer members; only with --kind daemon.
void daemon_task_definition(const Context& ctx, Emitter& emit) {
  if (!ctx.options.daemon || !ctx.is_definition()) return;
  const auto& schema = ctx.schema.get();
  const auto refuse = [&](const shape::Rule& rule, Value object) {
    for (const Value member : members_of(object)) {
      const auto& names = rule.not_for_daemons;
      if (member.is_null() || std::find(names.begin(), names.end(), member.key()) == names.end()) continue;
      emit.at_key(member).says("{} is not supported in {} of a daemon", member.key(), in_words(rule)).help("delete it");
    }
  };
  refuse(schema.root(), ctx.root);
  for (const Value volume : members_of(ctx.root.find("volumes"))) refuse(*schema.definition("Volume"), volume);
  for (const Value container : members_of(ctx.root.find("containerDefinitions"))) {
    refuse(*schema.definition("ContainerDefinition"), container);
    refuse(*schema.definition("LinuxParameters"), container.find("linuxParameters"));
  }
}

}  // namespace

std::span<const Rule> key_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY011",
       kShape,
       response_only_field,
       {.holds_in_templates = true, .seen_by_client = true, .about_answers = true, .follows_from = {"BAY010"}}},
      {"BAY013", kShape, key_case, {.holds_in_templates = true, .seen_by_client = true}},
      {"BAY014",
       kShape,
       misplaced_key,
       {.holds_in_templates = true, .seen_by_client = true, .follows_from = {"BAY103"}}},
      {"BAY015", kShape, unknown_key, {.holds_in_templates = true, .seen_by_client = true, .follows_from = {"BAY103"}}},
      {"BAY028", kShape, daemon_task_definition, {.asked_by = &Options::daemon}},
  };
  return kRules;
}

}  // namespace bayplan::rules
