#include <algorithm>
#include <cmath>

#include "base/ascii.hpp"
#include "base/excerpt.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/file/list_rewrite.hpp"
#include "rules/file/reshape.hpp"
#include "rules/file/shape_findings.hpp"
#include "rules/file/short_forms.hpp"
#include "rules/file/written_sizes.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/topics.hpp"
#include "text/removal.hpp"
#include "text/yaml_scalar.hpp"

namespace bayplan::rules {
namespace {

using shape::Problem;
using shape::ShapeFinding;
using text::Kind;
using text::Value;

template <class Function>
void each(const Context& ctx, Problem problem, Function visit) {
  for (const auto& one : ctx.shape.get()) {
    if (one.problem == problem) visit(one);
  }
}

/// "the string "256"", "the integer 1", "an object": what was seen.
std::string seen(Value value) {
  if (value.is_object() || value.is_array()) return std::string(shape::article_and_name(value.kind()));
  if (value.is_null()) return "null";
  constexpr std::size_t kLongest = 40;
  const std::string text = shortened_to(value.text(), kLongest);
  return "the " + std::string(text::name_of(value.kind())) + " " + (value.is_string() ? json_quoted(text) : text);
}

bool is_yaml_plain(Value value) {
  return value.document().format() == text::Format::kYaml && value.style() == text::Style::kPlain;
}

void offer_removal(Report& report, const std::vector<Value>& members) {
  const auto edits = text::removal(members);
  if (!edits) return;
  for (const auto& edit : *edits) report.fix(edit.span, edit.text);
}

void offer_rewrite(Report& report, const Rewrite& rewrite) {
  for (const auto& edit : rewrite.edits) report.fix(edit.span, edit.text, rewrite.complete);
}

MemberSpelling find_spelling(const Context& ctx) {
  return ctx.client == DeployClient::kCloudFormation ? MemberSpelling::kCloudFormation : MemberSpelling::kApi;
}

void says_wrong_type(Report& report, const ShapeFinding& one) {
  report.says("{} must be {}, got {}", name_of(one.node), shape::wanted_type(*one.wanted), seen(one.node));
}

/// Quotes around what is written, as JSON and YAML both read them.
void offer_quotes(Report& report, Value value) {
  const std::string quoted = json_quoted(text::find_source(value));
  report.help("use {}", quoted).fix(value.span(), quoted);
}

/// Container cpu counts units; a small fraction was meant in vCPU.
std::optional<std::int64_t> units_of_vcpu(const ShapeFinding& one) {
  const auto number = to_number(one.node.text());
  if (one.key != "cpu" || !number || *number <= 0 || *number > 64) return std::nullopt;
  const double units = *number * 1024;
  return units == std::floor(units) ? std::optional(static_cast<std::int64_t>(units)) : std::nullopt;
}

std::string_view in_words(text::OtherReading reading) {
  switch (reading) {
    case text::OtherReading::kBoolean:
      return "a boolean";
    case text::OtherReading::kBase60:
      return "a number in base 60";
    case text::OtherReading::kInteger:
      return "an integer";
    case text::OtherReading::kFloat:
      return "a number";
    case text::OtherReading::kDate:
      return "a date";
    case text::OtherReading::kNone:
      break;
  }
  return "text";
}

/// 1_000 or 0b11 where an integer is wanted.
void tell_unusual_integer(const ShapeFinding& one, Emitter& emit) {
  auto report = emit.at(one.node);
  report.says("{} is an integer to aws-cli and text to other YAML readers", one.node.text())
      .severity(Severity::kWarning)
      .help("use plain decimal digits");
  std::string digits(one.node.text());
  std::erase(digits, '_');
  if (to_integer(digits)) report.help("use {}", digits).fix(one.node.span(), digits);
}

bool fits_int32(double number) {
  return number >= -2147483648.0 && number <= 2147483647.0;
}

void says_beyond_int32(Report& report, Value value, std::string_view number) {
  constexpr std::size_t kLongest = 40;
  const bool is_negative = number.starts_with('-');
  report.says("{} must be a 32-bit integer, got {}", name_of(value), shortened_to(number, kLongest))
      .help(is_negative ? "use -2147483648 or more" : "use 2147483647 or less");
}

/// Letters alone: WINDOWS_SERVER_2027_CORE is newer than WINDOWS_SERVER_2025_CORE, not a misspelling.
std::string without_digits(std::string_view text) {
  std::string result(text);
  std::erase_if(result, [](char c) { return c >= '0' && c <= '9'; });
  return result;
}

bool is_slip(const ShapeFinding& one) {
  return !one.nearest.empty() && without_digits(one.nearest) != without_digits(one.node.text());
}

/// pidMode and ipcMode of a daemon take other values than those of a task.
bool is_daemon_value(const Context& ctx, const ShapeFinding& one) {
  return ctx.options.daemon && (one.key == "pidMode" || one.key == "ipcMode");
}

/// "launchType": "" of a deployment tool.
bool is_unset(const Context& ctx, const ShapeFinding& one) {
  const bool is_empty = one.node.is_string() && one.node.text().empty();
  return is_empty && is_absent_when_empty(one.key) && ctx.client != DeployClient::kAwsCli;
}

/// A value outside the list that ECS took, and what it stored.
struct TakenValue {
  std::string_view key;
  std::string_view written;
  std::string_view stored;
};
/// https://github.com/hashicorp/terraform-provider-aws/issues/3645
constexpr TakenValue kTakenProtocol{"protocol", "http", "tcp"};
/// ECS was observed to store "x86_64", for a definition on EC2; on Fargate nothing is known. Terraform rejects it.
/// https://github.com/brunovnasci/banking-accounts, .aws/task-definition.json of commit 8d45a08
constexpr std::string_view kInAnyCase = "cpuArchitecture";

/// Up to this many nulls in one file are reported one by one; more were written by a program.
constexpr std::size_t kNullsByHand = 3;

/// One of a few words, or what type: "GPU or NeuronDevice", "a string".
std::string wanted_value(const shape::Rule& rule) {
  constexpr std::size_t kFewest = 1, kMost = 4;
  const bool is_short = rule.values.size() >= kFewest && rule.values.size() <= kMost;
  return is_short ? one_of(rule.values) : shape::wanted_type(rule);
}

/// CloudFormation and Elastic Beanstalk make up names, amazon-ecs-render-task-definition writes the image.
bool is_made_up(const Context& ctx, const ShapeFinding& one) {
  const auto client = ctx.client;
  if (one.key == "image") {
    const Value container = one.node.is_object() ? one.node : one.node.parent();
    const Value name = container && container.is_object() ? container.find("name") : Value();
    return ctx.deployment.fills_in_image(name ? name.text() : std::string_view());
  }
  const bool is_name = one.node == ctx.root && (one.key == "family" || one.key == "serviceName");
  return is_name && (client == DeployClient::kCloudFormation || ctx.root.find("AWSEBDockerrunVersion"));
}

/// Nulls grouped by the object that holds them, to take neighbors out together.
void remove_nulls(Report& report, const std::vector<Value>& nulls) {
  for (auto first = nulls.begin(); first < nulls.end();) {
    const auto parent = first->parent();
    const auto next = std::find_if(first, nulls.end(), [&](Value one) { return !(one.parent() == parent); });
    offer_removal(report, {first, next});
    first = next;
  }
}

bool is_health_command(Value value) {
  return value.key() == "command" && value.parent() && value.parent().key() == "healthCheck";
}

/// If what was meant is unknown.
void offer_form(Report& report, const shape::Rule* element, bool in_list) {
  if (element == nullptr || element->members.size() < 2) return;
  std::vector<std::string> members;
  const bool has_all = element->required.size() > 1;
  for (std::size_t i = 0; i < (has_all ? element->required.size() : 2); ++i) {
    members.push_back(json_quoted(has_all ? element->required[i] : element->members[i].name) + ": ...");
  }
  const std::string object = "{" + join(members, ", ") + "}";
  report.help("{}", in_list ? "use an object such as " + object : "use a list such as [" + object + "]");
}

void offer_list(Report& report, const ShapeFinding& one) {
  const bool is_element = one.node.parent() && one.node.parent().is_array();
  if (!is_element && one.node.is_object() && one.node.size() == 0) {
    report.help("delete it");
  } else if (is_health_command(one.node)) {
    report.help("use for example [\"CMD-SHELL\", \"curl -f http://localhost/ || exit 1\"]");
  } else {
    offer_form(report, one.wanted->elements, is_element);
  }
}

std::string list_help(Value value, const Rewrite& rewrite) {
  constexpr std::size_t kLongest = 160;
  const bool is_long = rewrite.text.size() > kLongest || rewrite.text.find('\n') != std::string::npos;
  if (!is_long || !value.is_object()) return "use " + rewrite.text;
  if (rewrite.text.starts_with('{')) return "use one object for each name";
  return rewrite.text.starts_with("[{\"name\"") ? "use a list of name and value pairs"
                                                : "enclose it in brackets: [{...}]";
}

/// {"nofile": 1024} in a list of ulimits. Where nothing is required ECS may take an object without its members, but for
/// a variable without a name (BAY214) and a mapping without a port (BAY304).
void tell_map_in_list(const Context& ctx, const ShapeFinding& one, Emitter& emit) {
  const auto& element = *one.wanted;
  std::vector<std::string_view> members = element.required;
  for (const auto& member : element.members) {
    if (element.required.empty() && element.members.size() == 2) members.push_back(member.name);
  }
  if (members.empty()) members.push_back(element.members.front().name);
  auto report = emit.at(one.node);
  report.says("{} must be an object with {}, got a map", name_of(one.node), one_of(members, "and"));
  const auto list = one.node.parent().key();
  const bool is_refused = !element.required.empty() || list == "environment" || list == "portMappings";
  if (!is_refused) report.severity(Severity::kWarning);
  const auto rewrite = as_elements(one, find_spelling(ctx));
  if (!rewrite) return offer_form(report, &element, true);
  report.help("{}", list_help(one.node, *rewrite));
  offer_rewrite(report, *rewrite);
}

/// A container's memory counts MiB, as a number alone.
bool is_memory(std::string_view key) {
  return key == "memory" || key == "memoryReservation";
}

/// "1GB" where a number of MiB is wanted.
void offer_integer(Report& report, const ShapeFinding& one) {
  if (const auto meant = read_integer_with_unit(one.key, one.node.text())) {
    report.help("use {}, a number of {}", meant->amount, meant->unit)
        .fix(one.node.span(), std::to_string(meant->amount));
  } else if (is_memory(one.key)) {
    report.help("use a number of MiB without unit or quotes, such as 512");
  } else if (one.key == "cpu") {
    report.help("use a number of CPU units without quotes, 1024 per vCPU, such as 512");
  }
}

/// "90-95", "8080:80" or "80/tcp" where one port is wanted. The fix leaves what other keys of the mapping say.
void offer_port(const Context& ctx, Report& report, const ShapeFinding& one) {
  const auto* rule = ctx.schema.get().definition("PortMapping");
  const auto form = rule == nullptr ? std::nullopt : read_short_form(*rule, trim(one.node.text()));
  if (!form) return;
  const auto& port = form->object.front();
  const bool is_range = port.name == "containerPortRange";
  if (one.key == "hostPort") {
    if (is_range) report.help("delete it; ECS selects the host ports of a range");
    return;
  }
  const std::string object = as_json(form->object);
  report.help("use {}", object.substr(1, object.size() - 2));
  const Value mapping = one.node.parent();
  const Value protocol = mapping.find("protocol");
  const bool says_no_more = std::all_of(form->object.begin() + 1, form->object.end(), [&](const NewMember& other) {
    return other.name == "protocol" && other.text == (protocol ? protocol.text() : "tcp");
  });
  if (!says_no_more || !form->certain) return;
  if (!is_range) {
    report.fix(one.node.span(), port.text);
  } else if (port.text == one.node.text() && !mapping.find("hostPort") && !mapping.find(port.name)) {
    offer_rename(report, one.node, spelled_here(ctx, port.name), true);
  }
}

/// 2.0 is more likely GB than MiB.
bool may_be_gibibytes(const ShapeFinding& one, double number) {
  constexpr double kMostGibibytes = 64;
  return is_memory(one.key) && number <= kMostGibibytes;
}

void yaml_implicit_type(const Context& ctx, Emitter& emit) {
  each(ctx, Problem::kScalarForString, [&](const ShapeFinding& one) {
    if (!is_yaml_plain(one.node)) return;
    auto report = emit.at(one.node);
    says_wrong_type(report, one);
    offer_quotes(report, one.node);
  });
  each(ctx, Problem::kPlainWord, [&](const ShapeFinding& one) {
    const auto reading = text::other_reading(one.node.text());
    const bool is_of_aws_cli = reading != text::OtherReading::kBoolean && reading != text::OtherReading::kBase60;
    const bool is_for_aws_cli = ctx.client == DeployClient::kAwsCli;
    if (!one.wanted->types.has(Kind::kString)) {
      if (!is_for_aws_cli) tell_unusual_integer(one, emit);
      return;
    }
    // CloudFormation knows no dates, and aws-cli copies them as they are when it packs a template.
    if (reading == text::OtherReading::kDate && ctx.client == DeployClient::kCloudFormation) return;
    auto report = emit.at(one.node);
    report.says("{} must be a string, but {} {} as {}", name_of(one.node),
                is_of_aws_cli ? "aws-cli reads" : "YAML 1.1 readers read", one.node.text(), in_words(reading));
    if (!is_of_aws_cli || !is_for_aws_cli) report.severity(Severity::kWarning);
    offer_quotes(report, one.node);
  });
}

void wrong_type(const Context& ctx, Emitter& emit) {
  each(ctx, Problem::kWrongType, [&](const ShapeFinding& one) {
    auto report = emit.at(one.node);
    says_wrong_type(report, one);
    const bool is_word = one.wanted->types.only(Kind::kBoolean) && one.node.is_string();
    const std::string word = lower(trim(one.node.text()));
    if (one.node.is_string() && one.wanted->types.has(Kind::kInteger)) offer_integer(report, one);
    if (one.node.is_string() && (one.key == "containerPort" || one.key == "hostPort")) offer_port(ctx, report, one);
    if (is_word && (word == "true" || word == "yes" || word == "on"))
      report.help("use true").fix(one.node.span(), "true");
    if (is_word && (word == "false" || word == "no" || word == "off"))
      report.help("use false").fix(one.node.span(), "false");
    if (const auto rewrite = as_object(one, find_spelling(ctx))) {
      const bool is_only_element = one.node.size() == 1 && text::find_source(one.node.at(0)) == rewrite->text;
      report.help("{}", is_only_element ? "remove the list; only one object is allowed" : "use " + rewrite->text);
      offer_rewrite(report, *rewrite);
    } else if (one.node.is_array() && one.wanted->others != nullptr) {
      report.help("use one object, such as {}", as_json({{"team", "shop"}}));
    } else if (ctx.document.format() == text::Format::kHcl && one.node.is_array() && one.node.parent().is_array()) {
      // Until Terraform 0.11 a list that was interpolated into a list became a part of it: code that is written so is
      // as old.
      const std::string_view before = std::string_view(ctx.document.source()).substr(0, one.node.span().begin);
      const bool is_interpolated = before.ends_with("\"${") || text::find_source(one.node).starts_with("\"${");
      report.help("remove the brackets around the list; only Terraform before 0.12 flattens it")
          .severity(is_interpolated ? Severity::kInfo : Severity::kWarning);
    }
  });
}

void string_for_integer(const Context& ctx, Emitter& emit) {
  each(ctx, Problem::kStringForInteger, [&](const ShapeFinding& one) {
    auto report = emit.at(one.node);
    says_wrong_type(report, one);
    const std::string digits(trim(one.node.text()));
    if (ctx.root.is_object() && ctx.root.find("AWSEBDockerrunVersion")) report.severity(Severity::kWarning);
    report.help("use {} without quotes", digits).fix(one.node.span(), digits);
  });
}

// Plain YAML scalars are BAY007: there the quotes are missing by accident.
void number_for_string(const Context& ctx, Emitter& emit) {
  each(ctx, Problem::kScalarForString, [&](const ShapeFinding& one) {
    if (is_yaml_plain(one.node)) return;
    auto report = emit.at(one.node);
    says_wrong_type(report, one);
    offer_quotes(report, one.node);
  });
}

void fraction_for_integer(const Context& ctx, Emitter& emit) {
  each(ctx, Problem::kFractionForInteger, [&](const ShapeFinding& one) {
    auto report = emit.at(one.node);
    const auto text = one.node.text();
    // Of more digits than the reader takes for an integer.
    if (is_digits(text.substr(text.starts_with('-') ? 1 : 0))) return says_beyond_int32(report, one.node, text);
    says_wrong_type(report, one);
    const auto number = to_number(text);
    if (const auto units = units_of_vcpu(one)) {
      report.help("use CPU units: {} vCPU = {}", one.node.text(), *units)
          .fix(one.node.span(), std::to_string(*units), false);
    } else if (number && *number == std::floor(*number) && fits_int32(*number)) {
      const auto whole = std::to_string(static_cast<std::int64_t>(*number));
      report.help("use {}", whole).fix(one.node.span(), whole, !may_be_gibibytes(one, *number));
    }
  });
  each(ctx, Problem::kOutOfRange, [&](const ShapeFinding& one) {
    const auto number = one.node.integer().value_or(0);
    if (fits_int32(static_cast<double>(number))) return;
    auto report = emit.at(one.node);
    says_beyond_int32(report, one.node, std::to_string(number));
  });
}

/// Whether a rule reports the value as missing: BAY101, BAY103, BAY201 or BAY203.
bool is_reported_as_missing(const Context& ctx, Value value) {
  if (!ctx.is_definition()) return false;
  const Value object = value.parent();
  const std::string_view key = value.key();
  if (object == ctx.root) return key == "family" || key == "containerDefinitions";
  const bool is_container = object.parent() && object.parent().key() == "containerDefinitions";
  return is_container && (key == "name" || key == "image");
}

void null_value(const Context& ctx, Emitter& emit) {
  // Terraform takes a null in a list of containers for absent.
  const bool is_for_terraform = ctx.client != DeployClient::kAwsCli;
  if ((ctx.is_container_list() && is_for_terraform) || ctx.is_for_ecspresso) return;
  if (!ctx.deployment.named_by.empty() && ctx.client == DeployClient::kGithubAction) return;  // it drops them
  std::vector<Value> nulls;
  each(ctx, Problem::kNull, [&](const ShapeFinding& one) {
    const Value object = one.node.parent();
    const bool is_replaced = object && object.is_object() && !(object.find(one.key) == one.node);
    if (!is_replaced) nulls.push_back(one.node);  // of two keys of one name, the later one counts
  });
  std::erase_if(nulls, [&](Value value) { return is_reported_as_missing(ctx, value); });
  if (nulls.empty()) return;
  const bool is_template = ctx.client == DeployClient::kCloudFormation;
  const auto add = [&](Span place, Value value) {
    auto report = emit.at(place, value);
    if (ctx.client == DeployClient::kAwsCli || is_template) report.severity(Severity::kError);
    // The keys of an answer, BAY010 or BAY011, are the cause.
    if (ctx.is_describe() && ctx.client == DeployClient::kAny) report.severity(Severity::kInfo);
    return report;
  };
  // An answer that was saved has them from a program, however few they are.
  const std::size_t by_hand = ctx.is_describe() ? 1 : kNullsByHand;
  const std::string_view who_refuses = is_template ? "CloudFormation rejects" : "typed clients reject";
  if (nulls.size() <= by_hand) {
    for (const Value value : nulls) {
      auto report = add(value.span(), value);
      report.says("{} is null, which {}", name_of(value), who_refuses).help("delete it");
      offer_removal(report, {value});
    }
    return;
  }
  // Under the pointer of the whole: what is said of the first one must not silence the others.
  auto report = add(nulls.front().span(), ctx.root);
  report.says("{} keys are null, starting with {}; {} them", nulls.size(), name_of(nulls.front()), who_refuses)
      .help("delete them");
  remove_nulls(report, nulls);
}

void map_for_list(const Context& ctx, Emitter& emit) {
  each(ctx, Problem::kMapInList, [&](const ShapeFinding& one) { tell_map_in_list(ctx, one, emit); });
  each(ctx, Problem::kNotAList, [&](const ShapeFinding& one) {
    const bool is_element = one.node.parent() && one.node.parent().is_array();
    auto report = emit.at(one.node);
    if (is_element) {
      report.says("{} must be an object, got {}", name_of(one.node), seen(one.node));
    } else {
      says_wrong_type(report, one);
    }
    const auto rewrite = as_list(one, ctx.placeholders, find_spelling(ctx));
    if (!rewrite) offer_list(report, one);
    if (!rewrite) return;
    report.help("{}", list_help(one.node, *rewrite));
    offer_rewrite(report, *rewrite);
  });
}

void enum_value(const Context& ctx, Emitter& emit) {
  each(ctx, Problem::kNotInEnum, [&](const ShapeFinding& one) {
    if (is_daemon_value(ctx, one) || is_unset(ctx, one)) return;
    auto report = emit.at(one.node);
    const bool takes_others = one.key == kTakenProtocol.key;
    if (takes_others && one.node.text() == kTakenProtocol.written) {
      report.says("invalid {} {}; ECS was observed to store it as {}", one.key, json_quoted(one.node.text()),
                  kTakenProtocol.stored);
      report.help("use {}", json_quoted(kTakenProtocol.stored))
          .fix(one.node.span(), json_quoted(kTakenProtocol.stored));
      return;
    }
    report.says("invalid {} {}", one.key, json_quoted(one.node.text()));
    const bool only_case = equal_ignoring_case(trim(one.node.text()), one.nearest);
    if (is_slip(one)) {
      report.help(fmt::runtime(only_case ? "use {}" : "did you mean {}?"), json_quoted(one.nearest))
          .fix(one.node.span(), json_quoted(one.nearest), only_case);
    } else {
      report.help("use one of {}", one_of(one.wanted->values));
    }
    // Where the service took one value outside the list, it may take others.
    const bool may_be_taken = one.key == kInAnyCase && only_case && ctx.client != DeployClient::kTerraform;
    if ((is_slip(one) || one.wanted->fixed) && !takes_others && !may_be_taken) report.severity(Severity::kError);
  });
}

void missing_required(const Context& ctx, Emitter& emit) {
  if (!ctx.is_whole) return;
  each(ctx, Problem::kMissing, [&](const ShapeFinding& one) {
    const bool lacks_type = one.key == "type" && one.wanted->title == "resource requirement";
    // BAY405 and BAY413 write the whole requirement.
    if (is_made_up(ctx, one)) return;
    if (lacks_type && (counts_gpus_by_other_key(one.node) || is_torn_off(one.node))) return;
    const auto* member = one.wanted->find(one.key);
    auto report = emit.missing(one.node, one.key);
    report.says("required key {} is missing in {}", json_quoted(one.key), find_title(*one.wanted))
        .help("add {}: {}", json_quoted(one.key), member == nullptr ? "a value" : wanted_value(*member->rule));
    const bool is_provider = ctx.kind == FileKind::kCapacityProvider && ctx.client == DeployClient::kAny;
    if (is_provider && one.node != ctx.root && may_be_update(ctx.root)) {
      report.severity(Severity::kWarning)
          .help("add {}: create-capacity-provider requires it, update-capacity-provider does not",
                json_quoted(one.key));
    }
    // Terraform code must give the argument, so it is empty, and the provider sends that.
    if (ctx.client == DeployClient::kTerraform && one.key == "fileSystemId") {
      report.says("{} of {} is empty", one.key, find_title(*one.wanted)).severity(Severity::kWarning);
    }
    // The SDK for Go may fill in what its model wants; which versions do was not seen.
    if (ctx.is_for_ecspresso && ctx.is_service()) report.severity(Severity::kWarning);
    const bool may_come_from_elsewhere = one.node == ctx.root && one.key == "serviceName";
    if (may_come_from_elsewhere) {
      report.severity(Severity::kInfo)
          .help("add \"serviceName\", unless --service-name or the deployment tool names it");
    }
  });
}

void empty_collection(const Context& ctx, Emitter& emit) {
  each(ctx, Problem::kEmpty, [&](const ShapeFinding& one) {
    if (is_unset(ctx, one)) return;
    const bool is_refused = one.wanted->empty == shape::Empty::kRefused;
    const bool is_tags = one.key == "tags";
    if (ctx.is_describe() && is_tags) return;  // the answer always carries them
    if (is_tags && ctx.is_for_ecspresso) return;
    // The action drops every empty value: https://github.com/aws-actions/amazon-ecs-deploy-task-definition/pull/52
    if (ctx.client == DeployClient::kGithubAction) return;
    auto report = emit.at(one.node);
    report.says("{} is empty{}", name_of(one.node), is_refused ? ", which ECS rejects" : ", which has no effect")
        .help("delete it");
    if (is_refused) report.severity(Severity::kError);
    // RegisterTaskDefinition was seen to reject them; what CloudFormation sends of an empty list was not.
    if (is_tags && ctx.client == DeployClient::kCloudFormation) {
      report.says("{} is empty, which ECS rejects unless CloudFormation leaves it out", name_of(one.node))
          .severity(Severity::kInfo);
    }
    offer_removal(report, {one.node});
  });
}

}  // namespace

std::span<const Rule> shape_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY007", kShape, yaml_implicit_type, {.holds_in_templates = true, .seen_by_client = true}},
      {"BAY016", kShape, wrong_type, {.holds_in_templates = true, .seen_by_client = true, .follows_from = {"BAY103"}}},
      {"BAY017", kShape, string_for_integer, {.holds_in_templates = true, .seen_by_client = true}},
      {"BAY018",
       kShape,
       number_for_string,
       {.holds_in_templates = true, .seen_by_client = true, .follows_from = {"BAY103"}}},
      {"BAY019", kShape, fraction_for_integer, {.holds_in_templates = true, .seen_by_client = true}},
      {"BAY020", kShape, null_value, {.holds_in_templates = true, .seen_by_client = true, .about_answers = true}},
      {"BAY021", kShape, map_for_list, {.holds_in_templates = true, .seen_by_client = true}},
      {"BAY022", kShape, enum_value, {.holds_in_templates = true}},
      {"BAY023", kShape, missing_required, {.seen_by_client = true}},
      {"BAY024", kShape, empty_collection, {.about_answers = true}},
  };
  return kRules;
}

}  // namespace bayplan::rules
