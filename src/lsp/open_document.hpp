#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lsp/positions.hpp"

namespace bayplan::lsp {

/// One change of a text: a range and what takes its place, or the whole text anew.
struct TextChange {
  std::optional<Range> range;
  std::string text;
};

/// A text that the editor holds; what lies on disk does not matter while it is open.
struct OpenDocument {
  std::string uri;     ///< The URI as the client spelled it.
  std::string folder;  ///< Absolute; where the file lies, or the workspace for a text that is in no file.
  std::string name;    ///< Name in the folder, whose ending determines the format.
  std::int64_t version = 0;
  std::string text;  ///< UTF-8.

  std::string path() const { return folder + (folder.ends_with('/') ? "" : "/") + name; }
  text::Format format() const;                         ///< Format by its name; YAML if that says nothing.
  std::shared_ptr<const text::Document> read() const;  ///< Reads the text, of Terraform code nothing.
  /// Applies the changes one after the other; each counts in the text that those before it left.
  void apply(const std::vector<TextChange>& changes, Encoding encoding);
};

}  // namespace bayplan::lsp
