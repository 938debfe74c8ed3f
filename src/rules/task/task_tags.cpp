// Tags of the definition (API_Tag: 50 at most; key 1 to 128 characters, value up to 256).
#include <map>
#include <optional>

#include "base/json_writer.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "rules/file/spelling.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::StringField;

constexpr std::size_t kMostTags = 50;
constexpr std::size_t kLongestKey = 128;
constexpr std::size_t kLongestValue = 256;

bool is_ascii_tag_character(char32_t c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') ||
         (c < 0x80 && std::string_view(" _.:/=+-@").find(static_cast<char>(c)) != std::string_view::npos);
}

/// Letters, digits and separators of any script (patterns of TagKey and TagValue).
bool is_foreign_tag_character(std::string_view character) {
  const auto pattern = Pattern::compile(R"([\p{L}\p{Z}\p{N}])");
  return pattern && pattern->matches_whole(character);
}

/// The first character that a tag cannot have.
std::optional<std::string_view> wrong_character(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = decode_utf8(text, at);
    const auto character = text.substr(begin, at - begin);
    if (c < 0x80 ? !is_ascii_tag_character(c) : !is_foreign_tag_character(character)) return character;
  }
  return std::nullopt;
}

void check_form(Emitter& emit, const StringField& field, std::string_view what, std::size_t longest) {
  if (!emit.knows(field)) return;
  if (const std::size_t length = code_points(*field); length > longest) {
    emit.at(field).says("tag {} has {} characters; the maximum is {}", what, length, longest);
  } else if (const auto character = wrong_character(*field)) {
    emit.at(field)
        .says("tag {} contains the invalid character {}", what, json_quoted(*character))
        .help("use letters, digits, spaces and _ . : / = + - @");
  }
}

bool has_reserved_prefix(std::string_view text) {
  return equal_ignoring_case(text.substr(0, 4), "aws:");
}

void tags_too_many(const Context& ctx, Emitter& emit) {
  const text::Value list = ctx.task.tags.node;
  if (!list || !list.is_array() || list.size() <= kMostTags) return;
  emit.at(list.at(kMostTags).opening(), list)
      .says("{} tags; the maximum is {} per task definition", list.size(), kMostTags)
      .help("delete {}", list.size() - kMostTags);
}

void tag_form(const Context& ctx, Emitter& emit) {
  for (const auto& tag : ctx.task.tags) {
    if (!tag.key.present() && !is_spelled_otherwise(tag.node, "key", {"name"})) {
      emit.missing(tag.node, "key").says("tag has no key").help("add a key, or delete the tag");
    } else if (tag.key && tag.key->empty()) {
      emit.at(tag.key).says("tag key is empty").help("use 1 to {} characters", kLongestKey);
    }
    check_form(emit, tag.key, "key", kLongestKey);
    check_form(emit, tag.value, "value", kLongestValue);
  }
}

void tag_aws_prefix(const Context& ctx, Emitter& emit) {
  for (const auto& tag : ctx.task.tags) {
    for (const auto* field : {&tag.key, &tag.value}) {
      if (!emit.knows(*field) || !has_reserved_prefix(**field)) continue;
      emit.at(*field)
          .says("{} starts with aws:, which is reserved for AWS", json_quoted(**field))
          .help("use another prefix");
    }
  }
}

void tag_duplicate_key(const Context& ctx, Emitter& emit) {
  std::map<std::string_view, text::Value> first;
  for (const auto& tag : ctx.task.tags) {
    if (!emit.knows(tag.key)) continue;
    const auto [seen, is_new] = first.emplace(*tag.key, tag.key.node);
    if (is_new) continue;
    emit.at(tag.key)
        .says("duplicate tag key {}", json_quoted(*tag.key))
        .help("keep one of them")
        .related(seen->second, "first defined here");
  }
}

}  // namespace

std::span<const Rule> task_tags_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY121", kTaskDefinition, tags_too_many},
      {"BAY122", kTaskDefinition, tag_form},
      {"BAY123", kTaskDefinition, tag_aws_prefix},
      {"BAY124", kTaskDefinition, tag_duplicate_key},
  };
  return kRules;
}

}  // namespace bayplan::rules
