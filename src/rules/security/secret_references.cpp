#include "rules/security/secret_references.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace bayplan::rules {
namespace {

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::optional<SecretArn> read_secret_arn(std::string_view text) {
  enum Field : std::size_t { kArn, kPartition, kService, kRegion, kAccount, kResource, kSecret, kKey, kStage, kId };
  const auto parts = split(text, ':');
  const auto part = [&](Field field) { return field < parts.size() ? parts[field] : std::string_view(); };
  if (part(kArn) != "arn" || parts.size() <= kResource) return std::nullopt;
  SecretArn arn{.region = part(kRegion), .fields = parts.size()};
  if (part(kService) == "ssm" && part(kResource).starts_with("parameter/")) {
    arn.secret = part(kResource).substr(std::string_view("parameter").size());
    return arn;
  }
  if (part(kService) != "secretsmanager" || part(kResource) != "secret" || part(kSecret).empty()) return std::nullopt;
  arn.is_secrets_manager = true;
  arn.secret = part(kSecret);
  arn.json_key = part(kKey);
  arn.version_stage = part(kStage);
  arn.version_id = part(kId);
  return arn;
}

bool is_parameter_name(std::string_view text) {
  constexpr std::size_t kLongest = 2048;
  return !text.empty() && text.size() <= kLongest && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alphanumeric(c) || c == '.' || c == '-' || c == '_' || c == '/';
  });
}

bool has_suffix(std::string_view secret) {
  constexpr std::size_t kLength = 6;
  if (secret.size() <= kLength || secret[secret.size() - kLength - 1] != '-') return false;
  return std::all_of(secret.end() - kLength, secret.end(), is_alphanumeric);
}

}  // namespace bayplan::rules
