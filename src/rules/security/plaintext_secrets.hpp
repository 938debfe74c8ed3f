#pragma once
#include <string_view>

namespace bayplan::rules {

/// Whether the last word of a name means a secret: DB_PASSWORD, apiKey, spring.datasource.password; not
/// TOKEN_EXPIRATION or SECRET_NAME, and not what browsers get anyway (NEXT_PUBLIC_MAP_TOKEN).
bool names_a_secret(std::string_view name);

/// Whether a value under such a name is a secret itself, and not where to find it, a switch, a number, or something to
/// be filled in: ARN, path, URL, `true`, `changeme`, `$VARIABLE`.
bool may_be_secret(std::string_view name, std::string_view value);

/// "an AWS access key", "a private key" ... for text that shows by its form that it holds one; empty when none does.
std::string_view secret_shown_by(std::string_view text);

}  // namespace bayplan::rules
