#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/limits.hpp"
#include "text/document.hpp"
#include "text/edited_text.hpp"
#include "text/json_reader.hpp"

namespace bayplan::text {

/// The text that an edited one was made from: what is read points into it.
struct Origin {
  std::shared_ptr<const std::string> source;  ///< UTF-8, as documents have it.
  const OffsetMap& offsets;
  std::vector<Fault> faults;  ///< Known of the source already.
};

struct ReadOptions {
  std::optional<Format> format;  ///< Format of the file name; without it the content decides.
  Limits limits;
  bool comments_allowed = false;  ///< .jsonc and .json5: comments are still noted, as what they are.
  bool has_bare_names = false;    ///< .tpl and the like: a bare upper-case word is a value that is not known yet.
  RetentionRule
      keep;  ///< Selects what is kept of JSON; without it everything is kept. Places in the text do not change.
  const Origin* origin = nullptr;
};

/// The format a file name promises: .yaml and .yml are YAML; .json, .jsonc, .json5 and .template-less others JSON;
/// nothing when the name does not say (.tpl, .j2, no ending).
std::optional<Format> format_of_name(std::string_view path);

/// Bytes of any origin -> Document. Never fails: what is wrong is in `faults()`, and `root()` is absent only when
/// nothing could be read. Decodes UTF-16 and drops a BOM (kEncoding), validates UTF-8, repairs JSON that people write.
std::unique_ptr<const Document> read_document(std::string bytes, const ReadOptions& options = {});

/// The document of a text over the limit, which is not read: one fault, no root.
std::unique_ptr<const Document> oversized_document(std::size_t size, std::size_t limit);

/// Whether there is nothing but white space. What was not read is not held for blank.
bool is_blank(const Document& document);

}  // namespace bayplan::text
