#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/message/message_parts.hpp"
#include "rules/message/slots.hpp"

namespace bayplan::rules {

/// A message taken apart. Views the parts and the text that it was made from.
struct Message {
  std::string_view text;
  const Speaker* speaker = nullptr;        ///< The program that printed it; null if unknown.
  const Service* service = nullptr;        ///< Whose answer it is.
  const Exception* exception = nullptr;    ///< The most specific one.
  std::string_view operation;              ///< "CreateService"
  std::string_view reason;                 ///< What is left when the wrappers of clients are peeled.
  std::vector<const Resource*> resources;  ///< Named in the reason.
};

/// Takes the text, on one line, apart.
Message parse_message(std::string_view text, const MessageParts& parts);

/// The sentence of a text that the byte at `begin` belongs to.
std::string_view sentence_at(std::string_view text, std::size_t begin);

/// What a reason that was found at `begin` of `text` is about: its sentence; the resource that is named last before it
/// in that sentence, else the first after it, with its name; the operation; the peer of a connection.
Slots find_subject(const Message& message, const MessageParts& parts, std::string_view text, std::size_t begin);

}  // namespace bayplan::rules
