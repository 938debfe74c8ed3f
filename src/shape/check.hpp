#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/placeholder.hpp"
#include "shape/schema.hpp"
#include "text/document.hpp"

namespace bayplan::shape {

enum class Problem : std::uint8_t {
  kUnknownKey,
  kMissing,  ///< A required member.
  kNull,
  kStringForInteger,    ///< Digits in quotes.
  kScalarForString,     ///< A number or boolean where a string is wanted.
  kFractionForInteger,  ///< A number with a fraction or an exponent.
  kOutOfRange,          ///< Below minimum or above maximum.
  kNotAList,            ///< An object or scalar where a list is wanted, or a scalar where a list wants objects.
  kMapInList,           ///< An object in a list whose keys are names: {"PORT": "80"}. Told by join_map_faults alone.
  kWrongType,           ///< Any other.
  kNotInEnum,
  kTooFewItems,
  kTooManyItems,
  kTooShort,
  kTooLong,
  kPattern,
  kPlainWord,  ///< Text of YAML without quotes that some readers take for another type: text::OtherReading.
  kEmpty,      ///< An empty list, object or string that the service refuses or that does nothing.
};

std::string_view name_of(Problem problem);

/// Where an unknown key seems to come from.
enum class HintKind : std::uint8_t {
  kNone,
  kSpelling,      ///< The member, but for case, `_` and `-`.
  kAlias,         ///< What other tools call it.
  kNear,          ///< A slip of the finger.
  kMisplaced,     ///< A member of the parent, of a child, or of a sibling of this object.
  kElsewhere,     ///< A member of some other structure.
  kOtherRequest,  ///< The key belongs to another API call.
  kResponseOnly,  ///< The key belongs to the answer of the service.
  kEditorNote,
};

struct KeyHint {
  HintKind kind = HintKind::kNone;
  std::string member;  ///< Key to write, or a path to it ("containerDefinitions[].environment"); may be empty.
  std::string form;    ///< How its value looks, when the member's name does not say it all; JSON.
  std::string place;   ///< Where it belongs: "host", "the task definition", "a service (create-service)".
};

/// One fault of shape, in no words yet.
struct ShapeFinding {
  Problem problem = Problem::kWrongType;
  text::Value node;              ///< The value at fault; of a missing member the object.
  std::string_view key;          ///< Unknown or missing member; else the nearest key above the value.
  const Rule* wanted = nullptr;  ///< What the schema says of the value; of unknown and missing keys, of the object.
  KeyHint hint;                  ///< Hint for an unknown key.
  std::string_view nearest;      ///< The value that was probably meant, for kNotInEnum; may be empty.
};

/// Runs `rule` over `value` and returns every fault in text order. A scalar that holds a placeholder is not judged, nor
/// is an intrinsic function or a key with a placeholder in it. One fault, one finding: what has the wrong type is not
/// looked into.
std::vector<ShapeFinding> check(const Schema& schema, const Rule& rule, text::Value value,
                                const model::Placeholders& placeholders);

inline std::vector<ShapeFinding> check(const Schema& schema, text::Value value,
                                       const model::Placeholders& placeholders) {
  return check(schema, schema.root(), value, placeholders);
}

/// "a string", "a list of objects", "an integer or a string": what the schema wants here.
std::string wanted_type(const Rule& rule);
/// "the string", "an object", ...
std::string_view article_and_name(text::Kind kind);

}  // namespace bayplan::shape
