#pragma once
#include "report/document/glyphs.hpp"
#include "report/document/style.hpp"

namespace bayplan::report {

/// How a text report looks, and how much of it there is. Reports that know more options derive from it.
struct TextOptions {
  Style style{false};
  Glyphs glyphs;
  bool quiet = false;    ///< Only the answer.
  bool verbose = false;  ///< Every row, reason and assumption.
};

}  // namespace bayplan::report
