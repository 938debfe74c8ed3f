#include "rules/message/message_parts.hpp"

#include "base/strings.hpp"
#include "embedded/message_parts_json.hpp"
#include "rules/file/text_members.hpp"
#include "rules/message/message_pattern.hpp"
#include "text/read.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

std::vector<std::string_view> texts(Value object, std::string_view key) {
  std::vector<std::string_view> all;
  if (const Value list = object.find(key)) {
    for (const Value item : list.children()) all.push_back(item.text());
  }
  return all;
}

std::vector<Reason> read_reasons(Value list) {
  std::vector<Reason> reasons;
  for (const Value row : list.children()) {
    Reason reason{.id = text_of(row, "id"),
                  .patterns = {},
                  .cause = text_of(row, "cause"),
                  .fix = text_of(row, "fix"),
                  .source = text_of(row, "source"),
                  .is_general = static_cast<bool>(row.find("general"))};
    for (const auto pattern : texts(row, "patterns")) reason.patterns.push_back(message_pattern(pattern));
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

}  // namespace

MessageParts MessageParts::load() {
  MessageParts parts;
  parts.document = text::read_document(std::string(embedded::message_parts_json()));
  const auto root = parts.document->root();
  for (const Value row : root.find("speakers").children())
    parts.speakers.push_back({text_of(row, "name"), message_pattern(text_of(row, "pattern")), text_of(row, "look"),
                              static_cast<bool>(row.find("process")), static_cast<bool>(row.find("tool"))});
  for (const Value row : root.find("services").children())
    parts.services.push_back({text_of(row, "name"), message_pattern(text_of(row, "words")), texts(row, "operations"),
                              text_of(row, "source")});
  for (const Value row : root.find("exceptions").children()) {
    const auto name = text_of(row, "name");
    const bool is_generic = static_cast<bool>(row.find("generic"));
    const bool is_shared = static_cast<bool>(row.find("shared"));
    parts.exceptions.emplace(lower(name), Exception{name, text_of(row, "service"), texts(row, "operations"), is_generic,
                                                    is_shared, text_of(row, "cause"), text_of(row, "fix")});
  }
  for (const Value row : root.find("resources").children())
    parts.resources.push_back({text_of(row, "name"), message_pattern(text_of(row, "pattern")), text_of(row, "look"),
                               static_cast<bool>(row.find("common"))});
  for (const Value row : root.find("nameForms").children())
    parts.name_forms.push_back({message_pattern(text_of(row, "pattern")), text_of(row, "cause"), text_of(row, "fix")});
  for (const Value row : root.find("endpoints").children())
    parts.endpoints.push_back({message_pattern(text_of(row, "pattern")), text_of(row, "name"), text_of(row, "fix")});
  for (const Value port : root.find("ports").children()) parts.ports.emplace(port.key(), port.text());
  parts.reasons = read_reasons(root.find("reasons"));
  parts.grammar = read_reasons(root.find("grammar"));
  parts.fallbacks = read_reasons(root.find("fallbacks"));
  return parts;
}

}  // namespace bayplan::rules
