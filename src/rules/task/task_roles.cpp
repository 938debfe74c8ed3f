// taskRoleArn and executionRoleArn: the name or the ARN of an IAM role.
#include <algorithm>
#include <optional>

#include "base/ascii.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::StringField;

/// Letters, digits and _+=,.@- (IAM, CreateRole.RoleName), with / between the parts of a path.
bool is_role_character(char c) {
  return is_letter(c) || is_digit(c) || std::string_view("_+=,.@-/").find(c) != std::string_view::npos;
}

bool is_role_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_role_character);
}

/// Removes what is often copied along: blanks, quotes, line breaks, the asterisks of bold text.
std::string_view without_strays(std::string_view text) {
  constexpr std::string_view kStrays = " \t\r\n\"'`*";
  const auto begin = text.find_first_not_of(kStrays);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kStrays) - begin + 1);
}

bool is_account(std::string_view text) {
  return text.size() == 12 && std::all_of(text.begin(), text.end(), is_digit);
}

/// ACCOUNT, aws_account_id, {AWS_ID}: no account has a letter, so somebody fills it in. Policies of AWS itself are of
/// the account aws. 11111111111: one digit repeated, but not 12 times.
bool is_account_to_fill_in(std::string_view account) {
  const bool is_repeated = !account.empty() && is_digit(account.front()) && !is_account(account) &&
                           account.find_first_not_of(account.front()) == std::string_view::npos;
  return is_repeated || (account != "aws" && std::any_of(account.begin(), account.end(), is_letter));
}

/// What an ARN is made of: arn:partition:service:region:account:resource.
struct Arn {
  std::string_view partition, service, region, account, resource;
};

std::optional<Arn> read_arn(std::string_view text) {
  constexpr std::size_t kParts = 6;
  const auto parts = split(text, ':');
  if (parts.size() < kParts || parts[0] != "arn") return std::nullopt;
  const auto resource = text.substr(static_cast<std::size_t>(parts[kParts - 1].data() - text.data()));
  return Arn{parts[1], parts[2], parts[3], parts[4], resource};
}

/// What is wrong with the role, or nothing.
std::optional<std::string> fault_of(std::string_view role) {
  if (!role.starts_with("arn:")) {
    if (is_role_name(role)) return std::nullopt;
    return json_quoted(role) + " is not the ARN or name of a role";
  }
  const auto arn = read_arn(role);
  if (!arn) return json_quoted(role) + " is not a complete ARN";
  if (!arn->partition.starts_with("aws")) return "unknown partition " + json_quoted(arn->partition);
  if (arn->service != "iam") return "ARN is of service " + std::string(arn->service) + ", not of an IAM role";
  if (!arn->region.empty()) return "an IAM ARN has no region, got " + json_quoted(arn->region);
  if (!arn->resource.starts_with("role/")) {
    const auto kind = arn->resource.substr(0, arn->resource.find_first_of("/:"));
    return "ARN is of an IAM " + std::string(kind) + ", not of a role";
  }
  if (!is_account(arn->account)) return "account " + json_quoted(arn->account) + " must be 12 digits";
  if (!is_role_name(arn->resource.substr(5))) return json_quoted(arn->resource.substr(5)) + " is not a valid role name";
  return std::nullopt;
}

/// The role as it was meant; nothing when it is absent, empty (BAY024) or not known yet.
std::optional<std::string_view> role_meant(const StringField& role, Emitter& emit) {
  if (!emit.knows(role) || without_strays(*role).empty()) return std::nullopt;
  const auto meant = without_strays(*role);
  const auto arn = read_arn(meant);
  if (arn && is_account_to_fill_in(arn->account)) {
    emit.skip(role.node);
    return std::nullopt;
  }
  return meant;
}

template <class Function>
void each_role(const Context& ctx, Function check) {
  check(ctx.task.task_role_arn, "taskRoleArn");
  check(ctx.task.execution_role_arn, "executionRoleArn");
}

void role_arn_form(const Context& ctx, Emitter& emit) {
  each_role(ctx, [&](const StringField& role, std::string_view key) {
    const auto meant = role_meant(role, emit);
    const auto fault = meant ? fault_of(*meant) : std::nullopt;
    if (!fault) return;
    emit.at(role).says("{}: {}", key, *fault).help("use arn:aws:iam::<12 digits>:role/<name>, or only the name");
  });
}

void role_space_or_suffix(const Context& ctx, Emitter& emit) {
  each_role(ctx, [&](const StringField& role, std::string_view key) {
    if (!role || role->empty()) return;  // one that is not known yet counts as skipped by BAY119
    const auto meant = without_strays(*role);
    if (meant == *role) return;
    auto report = emit.at(role);
    if (meant.empty()) {
      report.says("{} is {}, which is not a role", key, json_quoted(*role)).help("use a role, or delete the key");
      return;
    }
    const auto begin = static_cast<std::size_t>(meant.data() - role->data());
    const auto strays = std::string(role->substr(0, begin)) + std::string(role->substr(begin + meant.size()));
    report.says("{} has stray characters around the role: {}", key, json_quoted(strays));
    report.help("use {}", json_quoted(meant));
    if (role.node.style() != text::Style::kBlock) report.fix(role.span(), json_quoted(meant));
  });
}

}  // namespace

std::span<const Rule> task_roles_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY119", kTaskDefinition, role_arn_form},
      {"BAY120", kTaskDefinition, role_space_or_suffix},
  };
  return kRules;
}

}  // namespace bayplan::rules
