#pragma once
#include <optional>
#include <string_view>

namespace bayplan::rules {

/// An ARN that valueFrom of a secret can be (developer guide, specifying-sensitive-data, 2026).
struct SecretArn {
  bool is_secrets_manager = false;  ///< False for a parameter of Systems Manager.
  std::string_view region;
  std::string_view secret;  ///< Name and suffix; of a parameter everything after `parameter`.
  /// What follows the secret, of Secrets Manager only; empty when left out.
  std::string_view json_key;
  std::string_view version_stage;
  std::string_view version_id;
  std::size_t fields = 0;  ///< Number of fields between colons in the whole ARN.
};

/// Nothing when the text is no ARN, or one of something else.
std::optional<SecretArn> read_secret_arn(std::string_view text);

/// A name of Systems Manager as ECS takes it: 1 to 2048 letters, digits and . - _ / (refusal "The Systems Manager
/// parameter name specified for secret X is invalid").
bool is_parameter_name(std::string_view text);

/// Ends in a hyphen and six letters or digits, as Secrets Manager makes its ARNs.
bool has_suffix(std::string_view secret);

}  // namespace bayplan::rules
