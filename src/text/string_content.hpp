#pragma once
#include <string>

#include "text/document.hpp"
#include "text/edited_text.hpp"

namespace bayplan::text {

/// What a JSON string says, for a text that is itself written inside a string, with the way back to its place.
class StringContent {
 public:
  explicit StringContent(Value string);

  const std::string& text() const { return content_.text; }
  /// Where bytes of `text()` are in the source: escapes included; the whole string where its writing was mended.
  Span original(Span part) const;

 private:
  Span whole_;
  EditedText content_;
  bool is_exact_ = false;
};

}  // namespace bayplan::text
