#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lazy.hpp"
#include "rules/message/message_parts.hpp"
#include "rules/sentences.hpp"

namespace bayplan::rules {

/// A text of which nothing is known: what kind it is, which part of it counts, and where to look.
struct UnknownText {
  std::string kind;  ///< "a message of Terraform", "a log without a message of ECS"
  std::string part;  ///< The line that reports trouble, without wrappers.
  std::string look;
};

struct MessageExplanation {
  std::vector<Answer> answers;         ///< Causes first, then symptoms, then routine messages.
  std::optional<UnknownText> unknown;  ///< Set only when there is no answer.
};

/// Explains a paste: by the table of sentences where it has the message, else by what the message is made of. The
/// result views `sentences` and `parts`; these are read only if the table does not suffice.
MessageExplanation explain_message(std::string_view pasted, const Sentences& sentences,
                                   const Lazy<MessageParts>& parts);

}  // namespace bayplan::rules
