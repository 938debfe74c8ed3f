#pragma once
#include "rules/sentences.hpp"

namespace bayplan::rules {

/// Whether the answer is about a key that a client or CloudFormation does not accept; its values name it.
bool is_about_unexpected_key(const Answer& answer);

/// The day since which the API has the key at `path` of the request, "a task definition"; empty for those of its first
/// years.
std::string_view day_of_key(std::string_view request, std::string_view path);

/// Completes such an answer from the schemas: a key of responses is to be deleted; one that the request has is too new
/// for the client; any other belongs elsewhere, has another name, or does not exist. `text`: the whole message, which
/// names the operation.
void explain_unexpected_key(Answer& answer, std::string_view text);

}  // namespace bayplan::rules
