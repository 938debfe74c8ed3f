#pragma once
#include <string>
#include <string_view>

#include "base/finding.hpp"

namespace bayplan::report {

/// How text reports look: escape codes or none. Colour never carries meaning alone.
class Style {
 public:
  explicit Style(bool colored) : colored_(colored) {}

  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }
  std::string red(std::string_view text) const { return wrap("31", text); }
  std::string green(std::string_view text) const { return wrap("32", text); }
  std::string yellow(std::string_view text) const { return wrap("33", text); }
  std::string blue(std::string_view text) const { return wrap("34", text); }
  std::string cyan(std::string_view text) const { return wrap("36", text); }
  /// In the colour of its severity.
  std::string of(Severity severity, std::string_view text) const;

  /// "YES ..." or "NO  ...": the first word in bold, green or red.
  std::string answer(std::string_view text) const;

  bool colored() const { return colored_; }

 private:
  std::string wrap(std::string_view code, std::string_view text) const;
  bool colored_;
};

/// `choice` is auto, always or never; `environment` may be null. NO_COLOR and FORCE_COLOR count under auto.
bool wants_color(std::string_view choice, bool is_terminal, const char* (*environment)(const char* name));

}  // namespace bayplan::report
