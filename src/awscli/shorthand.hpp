#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.hpp"

namespace bayplan::awscli {

/// A value in the AWS CLI's shorthand syntax, before the API model says whether its texts are numbers.
struct ShorthandValue {
  enum class Kind : std::uint8_t { kText, kList, kObject };

  Kind kind = Kind::kText;
  std::string text;  ///< kText: without quotes and escapes.
  Span span;         ///< Bytes of the argument, quotes and brackets included.
  std::string key;   ///< Key of a member of an object.
  Span key_span;
  bool may_name_file = false;            ///< kText after `key@=`: file://PATH means what the file holds.
  std::vector<ShorthandValue> children;  ///< Elements or members, in text order.
};

struct ShorthandFault {
  std::string message;  ///< What was expected and what is there; no full stop.
  std::string help;
  std::uint32_t at = 0;  ///< Byte of the argument.
};

/// One of the two.
struct ParsedShorthand {
  std::optional<ShorthandValue> value;  ///< An object.
  std::optional<ShorthandFault> fault;
};

/// Parses `key=value,key2=[a,b],key3={x=1}` as the AWS CLI does (awscli/shorthand.py, version 2): without the model, so
/// `a=b,c` is a list and `a=1` a text.
ParsedShorthand parse_shorthand(std::string_view text);

}  // namespace bayplan::awscli
