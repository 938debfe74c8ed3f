#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "importers/subject.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// Grows the document of a subject and notes for each node what it was made from.
class SubjectBuilder {
 public:
  explicit SubjectBuilder(const text::Document& file) : builder_(file.shared_source(), file.format()) {}

  /// The key of the next value.
  void key(std::string_view name, Span span) { builder_.key(kept(name), span); }
  void scalar(text::Kind kind, std::string_view text, Span span, std::uint32_t origin);
  void scalar(text::Value value);                               ///< Copies the value of the file.
  void unknown(std::string_view because, text::Value value);    ///< Not known before the file is deployed.
  void open(text::Kind kind, Span span, std::uint32_t origin);  ///< kArray or kObject that ends where `span` does.
  void open(text::Kind kind, text::Value value) { open(kind, value.span(), value.index()); }
  void close();
  void fault(text::Fault fault) { builder_.fault(std::move(fault)); }

  Subject finish(SubjectKind kind, std::string name, Spelling spelling) &&;

 private:
  /// Text of the file is shared, all other text is copied: the file's document need not live as long.
  std::string_view kept(std::string_view text);

  text::Builder builder_;
  std::vector<Span> open_;
  std::vector<std::uint32_t> origins_;
};

}  // namespace bayplan::importers
