#include "importers/cloudformation_roles.hpp"

#include <array>
#include <utility>
#include <vector>

namespace bayplan::importers {
namespace {

using text::Value;

/// Policies of AWS, by their names without a path (AWS managed policy reference, 2026-11). Others are not known.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kManagedPolicies{{
    {"AmazonECSTaskExecutionRolePolicy",
     "ecr:GetAuthorizationToken ecr:BatchCheckLayerAvailability ecr:GetDownloadUrlForLayer ecr:BatchGetImage "
     "logs:CreateLogStream logs:PutLogEvents"},
    {"AmazonS3FullAccess", "s3:* s3-object-lambda:*"},
    {"AmazonS3ReadOnlyAccess", "s3:Get* s3:List* s3:Describe* s3-object-lambda:Get* s3-object-lambda:List*"},
    {"AmazonSSMReadOnlyAccess", "ssm:Describe* ssm:Get* ssm:List*"},
    {"AdministratorAccess", "*"},
    {"CloudWatchLogsFullAccess", "logs:* cloudwatch:GenerateQuery"},
}};

/// Policies of a resource itself may allow what the role's do not (IAM user guide, policy evaluation in one account).
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kResourcePolicies{{
    {"AWS::SecretsManager::ResourcePolicy", "secretsmanager:*"},
    {"AWS::S3::BucketPolicy", "s3:*"},
    {"AWS::Logs::ResourcePolicy", "logs:*"},
    {"AWS::SSM::ResourcePolicy", "ssm:*"},
}};

/// The elements of a list, or the value alone; nothing if they are not known.
std::optional<std::vector<Outcome>> elements(Value value, Evaluator& evaluator) {
  if (!value) return std::vector<Outcome>{};
  Outcome outcome = evaluator.evaluate(value);
  if (outcome.kind == Outcome::Kind::kRemoved) return std::vector<Outcome>{};
  if (outcome.kind == Outcome::Kind::kList) return std::move(outcome.elements);
  if (outcome.kind == Outcome::Kind::kUnknown) return std::nullopt;
  const bool is_list = outcome.kind == Outcome::Kind::kWritten && outcome.written.is_array();
  if (!is_list) return std::vector<Outcome>{std::move(outcome)};
  std::vector<Outcome> found;
  for (const Value element : outcome.written.children()) {
    Outcome one = evaluator.evaluate(element);
    if (one.kind != Outcome::Kind::kRemoved) found.push_back(std::move(one));
  }
  return found;
}

/// The object that a value comes to, if all of its members are written.
Value object_of(const Outcome& outcome) {
  const bool is_known = outcome.kind == Outcome::Kind::kWritten && outcome.written && outcome.written.is_object() &&
                        !has_macro(outcome.written);
  return is_known ? outcome.written : Value();
}

/// Adds what the statements of a policy document allow; false if one of them is not known.
bool add_document(Value document, Evaluator& evaluator, std::string& actions) {
  const Value known = document ? object_of(evaluator.evaluate(document)) : Value();
  const auto statements = known ? elements(known.find("Statement"), evaluator) : std::nullopt;
  if (!statements) return false;
  for (const auto& outcome : *statements) {
    const Value statement = object_of(outcome);
    const auto effect = statement ? elements(statement.find("Effect"), evaluator) : std::nullopt;
    if (!effect || effect->size() != 1 || statement.find("NotAction")) return false;
    const auto word = Evaluator::known_text(effect->front());
    if (!word) return false;
    if (*word == "Deny") continue;
    const auto allowed = elements(statement.find("Action"), evaluator);
    if (!allowed) return false;
    for (const auto& action : *allowed) {
      const auto text = Evaluator::known_text(action);
      if (!text) return false;
      actions.append(*text).append(" ");
    }
  }
  return true;
}

Value properties_of(const Template& of, std::string_view resource) {
  const auto found = of.resources().find(resource);
  return found != of.resources().end() ? found->second.find("Properties") : Value();
}

/// Adds what a policy in ManagedPolicyArns allows: one of the template, or one of AWS.
bool add_managed_policy(const Template& of, const Outcome& policy, Evaluator& evaluator, std::string& actions) {
  if (of.type_of(policy.resource) == "AWS::IAM::ManagedPolicy") {
    const Value properties = properties_of(of, policy.resource);
    return properties && properties.is_object() && add_document(properties.find("PolicyDocument"), evaluator, actions);
  }
  // Of arn:${AWS::Partition}:iam::aws:policy/NAME only the partition is not known.
  const auto known = Evaluator::known_text(policy);
  const std::string_view arn = known ? *known : std::string_view(policy.text);
  if (arn.find(":iam::aws:policy/") == std::string_view::npos) return false;
  const std::string_view name = arn.substr(arn.rfind('/') + 1);
  for (const auto& [managed, allowed] : kManagedPolicies) {
    if (managed != name) continue;
    actions.append(allowed).append(" ");
    return true;
  }
  return false;
}

enum class Attachment { kNo, kYes, kUnknown };

/// Whether the policy resource is attached to the role.
Attachment attachment(const Template& of, Value properties, std::string_view role, Evaluator& evaluator) {
  const Value list = properties.find("Roles") ? properties.find("Roles") : properties.find("RoleName");
  const auto roles = elements(list, evaluator);
  if (!roles) {  // "RoleName: !Ref Role" comes here, too
    const Outcome one = evaluator.evaluate(list);
    if (one.resource == role) return Attachment::kYes;
    return of.type_of(one.resource) == "AWS::IAM::Role" ? Attachment::kNo : Attachment::kUnknown;
  }
  const Value own = properties_of(of, role);
  const Value own_name = own && own.is_object() ? own.find("RoleName") : Value();
  const auto name = own_name ? elements(own_name, evaluator) : std::nullopt;
  for (const auto& one : *roles) {
    if (one.resource == role) return Attachment::kYes;
    if (of.type_of(one.resource) == "AWS::IAM::Role") continue;
    const auto text = Evaluator::known_text(one);
    if (!text) return Attachment::kUnknown;
    if (!own_name) continue;  // a role without a name is named by CloudFormation
    const auto known = name && name->size() == 1 ? Evaluator::known_text(name->front()) : std::nullopt;
    if (!known) return Attachment::kUnknown;
    if (*known == *text) return Attachment::kYes;
  }
  return Attachment::kNo;
}

bool add_own_policies(const Template& of, Value properties, Evaluator& evaluator, std::string& actions) {
  const auto inlined = elements(properties.find("Policies"), evaluator);
  const auto managed = elements(properties.find("ManagedPolicyArns"), evaluator);
  if (!inlined || !managed) return false;
  for (const auto& outcome : *inlined) {
    const Value policy = object_of(outcome);
    if (!policy || !add_document(policy.find("PolicyDocument"), evaluator, actions)) return false;
  }
  for (const auto& policy : *managed) {
    if (!add_managed_policy(of, policy, evaluator, actions)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> allowed_actions(const Template& of, Evaluator& evaluator, std::string_view role) {
  const Value properties = properties_of(of, role);
  if (!properties || !properties.is_object() || has_macro(properties)) return std::nullopt;
  std::string actions;
  if (!add_own_policies(of, properties, evaluator, actions)) return std::nullopt;
  for (const auto& [name, resource] : of.resources()) {
    const auto type = of.type_of(name);
    for (const auto& [policy, allowed] : kResourcePolicies) {
      if (type == policy) actions.append(allowed).append(" ");
    }
    const Value settings = properties_of(of, name);
    const bool is_object = settings && settings.is_object();
    if (type == "AWS::ECR::Repository" && is_object && settings.find("RepositoryPolicyText")) actions.append("ecr:* ");
    if (type != "AWS::IAM::Policy" && type != "AWS::IAM::ManagedPolicy" && type != "AWS::IAM::RolePolicy") continue;
    if (!is_object || has_macro(settings)) return std::nullopt;
    const auto attached = attachment(of, settings, role, evaluator);
    if (attached == Attachment::kUnknown) return std::nullopt;
    if (attached == Attachment::kNo) continue;
    if (!add_document(settings.find("PolicyDocument"), evaluator, actions)) return std::nullopt;
  }
  return actions;
}

}  // namespace bayplan::importers
