#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.hpp"

namespace bayplan::importers {

struct HclResource;
struct HclValue;
using HclValuePtr = std::shared_ptr<const HclValue>;

/// Where a value is written.
struct HclPlace {
  static constexpr std::uint32_t kNoFile = UINT32_MAX;
  std::uint32_t file = kNoFile;  ///< Number of the source file.
  Span span = {};

  bool is_known() const { return file != kNoFile; }
};

/// A piece of a string, in the file that the string is written in.
struct HclPiece {
  Span span;
  std::string text;
  bool is_copy = false;      ///< The text is the bytes of `span`.
  HclValuePtr encoded = {};  ///< What `jsonencode` was given, for a text that it makes.
};

/// The value of a Terraform expression as far as it is known before a plan, with the source position of each part.
struct HclValue {
  enum class Kind : std::uint8_t { kUnknown, kNull, kBoolean, kNumber, kString, kList, kObject };

  struct Member {
    std::string key;  ///< Empty in a list.
    HclPlace key_place;
    HclValuePtr value;
  };

  Kind kind = Kind::kUnknown;
  bool boolean = false;
  bool is_whole = true;   ///< False for a string with an unknown part, written as `${X}` in it.
  std::string text = {};  ///< Of a string, a number; of what is unknown the expression that rules quote.
  std::vector<Member> members = {};
  std::vector<HclPiece> pieces = {};  ///< Of a string that is written as one template.
  std::uint32_t pieces_file = HclPlace::kNoFile;
  HclValuePtr encoded = {};  ///< What `jsonencode` was given, for the string that it makes.
  HclPlace place = {};
  HclPlace via = {};  ///< The expression that refers to it, in another file.
  /// Of what is unknown: `text` is where it comes from, the address of a resource or a variable of the root module,
  /// whatever local, input or output led to it.
  bool is_origin = false;
  std::shared_ptr<const HclResource> resource = {};  ///< Of a resource as a whole: what its block sets is known.

  bool is(Kind wanted) const { return kind == wanted; }
  const HclValue* find(std::string_view key) const;  ///< A member of an object, null when absent.
};

HclValuePtr unknown_value(std::string because);
/// A resource or a variable of the root module that is unknown (`is_origin`).
HclValuePtr unknown_origin(std::string origin);
HclValuePtr null_value();
HclValuePtr boolean_value(bool value);
HclValuePtr number_value(double value);
HclValuePtr string_value(std::string text, bool is_whole = true);
HclValuePtr list_value(std::vector<HclValuePtr> elements);
HclValuePtr object_value(std::vector<HclValue::Member> members);

std::optional<double> number_of(const HclValue& value);  ///< A number, also one written as a string.
std::optional<bool> boolean_of(const HclValue& value);   ///< A boolean, also one written as a string.
/// A string that is known as a whole, and what Terraform converts to one.
std::optional<std::string> text_of(const HclValue& value);
/// Whether it is known as a whole, with all that it holds.
bool is_all_known(const HclValue& value);
/// Nothing if it depends on what is not known.
std::optional<bool> are_equal(const HclValue& a, const HclValue& b);
/// The placeholder of an unknown value in a string: `${X}`. X has no quotation marks, which could end a JSON string
/// around it.
std::string placeholder_for(const HclValue& value);
/// JSON as `jsonencode` writes it; unknown values are written as `${X}`.
void append_json(const HclValue& value, std::string& json);

/// An expression as placeholders quote it: a reference as it is written, of others the name that they begin with.
std::string words_of_expression(std::string_view source);

}  // namespace bayplan::importers
