#pragma once
#include <cstddef>
#include <string_view>

#include "text/repair_notes.hpp"

namespace bayplan::text {

/// What is between the tokens of a text that is almost JSON: blanks, comments, statements of templates.
class JsonBlanks {
 public:
  JsonBlanks(std::string_view text, bool comments_allowed, RepairNotes& notes)
      : text_(text), comments_allowed_(comments_allowed), notes_(notes) {}

  /// Offset of the next token; what is no JSON blank is noted and removed.
  std::size_t skip(std::size_t offset);
  /// Does the same without notes.
  std::size_t peek(std::size_t offset) const;

  /// A template statement has been skipped: what it leaves of the commas is not known.
  bool has_template() const { return has_template_; }

 private:
  std::size_t comment_length(std::size_t offset) const;
  std::size_t odd_blank_length(std::size_t offset) const;

  std::string_view text_;
  bool comments_allowed_;
  RepairNotes& notes_;
  bool has_template_ = false;
};

}  // namespace bayplan::text
