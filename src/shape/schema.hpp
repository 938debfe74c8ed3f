#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "base/result.hpp"
#include "text/document.hpp"

namespace bayplan::shape {

/// Set of JSON types; an integer is not a number here, a schema that says number takes both.
class Types {
 public:
  constexpr Types() = default;
  constexpr void add(text::Kind kind) { bits_ = static_cast<std::uint16_t>(bits_ | bit(kind)); }
  constexpr bool has(text::Kind kind) const { return (bits_ & bit(kind)) != 0; }
  constexpr bool any() const { return bits_ == 0; }  ///< Nothing said: every type will do.
  constexpr bool only(text::Kind kind) const { return bits_ == bit(kind); }
  bool operator==(const Types&) const = default;

 private:
  static constexpr std::uint16_t bit(text::Kind kind) {
    return static_cast<std::uint16_t>(1u << static_cast<unsigned>(kind));
  }
  std::uint16_t bits_ = 0;
};

/// What an empty list, object or string means to the service.
enum class Empty : std::uint8_t { kFine, kUnused, kRefused };

struct Rule;

struct Member {
  std::string_view name;
  const Rule* rule;
};

/// One schema object, resolved: `$ref` is followed, and its siblings win. Views the schema's document.
struct Rule {
  std::string_view title;
  Types types;
  std::vector<Member> members;  ///< Listed in the order of the schema.
  std::vector<std::string_view> required;
  bool closed = false;           ///< additionalProperties: false
  const Rule* others = nullptr;  ///< Rule for members that `members` does not name.
  const Rule* elements = nullptr;
  std::vector<std::string_view> values;  ///< enum or const; strings only.
  bool fixed = false;                    ///< x-fixed: no later version adds a value.
  std::vector<const Rule*> any_of;       ///< Told apart by type, then by their required members.
  std::optional<std::int64_t> minimum;
  std::optional<std::int64_t> maximum;
  std::optional<std::int64_t> min_length;  ///< Code points.
  std::optional<std::int64_t> max_length;
  std::optional<std::int64_t> min_items;
  std::optional<std::int64_t> max_items;
  std::unique_ptr<const Lazy<Pattern>> pattern;  ///< Matches anywhere in the text; compiled when first asked.
  Empty empty = Empty::kFine;
  std::map<std::string_view, std::string_view> aliases;  ///< x-aliases: what people write -> what is meant.
  std::vector<std::string_view> not_for_daemons;         ///< x-not-for-daemons: members that daemon tasks do not have.

  const Member* find(std::string_view name) const;
};

/// A JSON Schema (2020-12), ready to run. Takes the keywords that the project's own schemas use and refuses every
/// other: a keyword that is not run must not be believed.
class Schema {
 public:
  static Result<Schema> load(std::string_view text);

  const Rule& root() const { return *root_; }
  const Rule* definition(std::string_view name) const;  ///< Finds a definition in $defs.

  const std::vector<std::string_view>& response_only() const { return response_only_; }           ///< x-response-only
  const std::map<std::string_view, std::string_view>& belongs_to() const { return belongs_to_; }  ///< x-belongs-to
  bool is_editor_note(std::string_view key) const;                                                ///< x-editor-notes

  /// Structures that have a member `name`: how often the word is used.
  std::size_t count_uses(std::string_view name) const;

 private:
  friend class Loader;
  std::unique_ptr<const text::Document> document_;
  std::vector<std::unique_ptr<Rule>> rules_;
  std::map<std::string_view, const Rule*> definitions_;
  const Rule* root_ = nullptr;
  std::vector<std::string_view> response_only_;
  std::map<std::string_view, std::string_view> belongs_to_;
  std::vector<std::string_view> editor_notes_;
};

}  // namespace bayplan::shape
