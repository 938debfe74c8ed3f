#pragma once
#include <set>
#include <string>
#include <string_view>

#include "base/finding.hpp"
#include "text/location.hpp"

namespace bayplan::report {

/// Parts of a source as markup of a page; everything in it is escaped. Lines named hidden are left out.
class SourceExcerpt {
 public:
  explicit SourceExcerpt(std::string_view source) : source_(source), lines_(source) {}

  void hide(Span span);
  text::Location location(std::uint32_t offset) const { return lines_.location(offset); }

  /// The lines of a span, at most a few, with the span marked; long lines are cut around it.
  std::string marked(Span span) const;
  /// What the fix takes away and puts in, line by line; empty where it is too much to show or hidden.
  std::string fixed(const Fix& fix) const;

 private:
  bool is_hidden(Span span) const;
  /// Extends the span from the beginning of its first line to the end of its last.
  Span whole_lines(Span span) const;

  std::string_view source_;
  text::LineIndex lines_;
  std::set<std::uint32_t> hidden_;
};

}  // namespace bayplan::report
