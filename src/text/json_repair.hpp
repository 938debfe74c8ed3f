#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "text/document.hpp"
#include "text/edited_text.hpp"

namespace bayplan::text {

/// A text that people meant as JSON, made so.
struct Repair {
  EditedText repaired;             ///< What the strict reader takes; empty when nothing looked like JSON.
  std::vector<Fault> faults;       ///< Each mistake with its span in the original, in text order.
  std::vector<Span> placeholders;  ///< Values not known yet, in the original; the repaired text says null there.
};

struct RepairOptions {
  bool comments_allowed = false;  ///< .jsonc and .json5; comments are noted all the same.
  bool has_bare_names = false;    ///< .tpl and the like: a bare upper-case word is a value that is not known yet.
};

/// Linear and never refuses: what cannot be understood is one fault, what follows it is left out. JSON comes back
/// unchanged and without faults. `text` must be well-formed UTF-8.
Repair repair_json(std::string_view text, RepairOptions options = {});

}  // namespace bayplan::text
