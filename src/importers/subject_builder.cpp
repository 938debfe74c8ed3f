#include "importers/subject_builder.hpp"

namespace bayplan::importers {

using text::Kind;

std::string_view SubjectBuilder::kept(std::string_view text) {
  const std::string& source = builder_.source();
  const std::less_equal<const char*> not_after;
  const bool is_shared =
      not_after(source.data(), text.data()) && not_after(text.data() + text.size(), source.data() + source.size());
  return is_shared ? text : builder_.keep(std::string(text));
}

void SubjectBuilder::scalar(Kind kind, std::string_view text, Span span, std::uint32_t origin) {
  builder_.scalar(kind, text::Style::kJson, kept(text), span);
  origins_.push_back(origin);
}

void SubjectBuilder::scalar(text::Value value) {
  builder_.scalar(value.kind(), value.style(), kept(value.text()), value.span());
  origins_.push_back(value.index());
}

void SubjectBuilder::unknown(std::string_view because, text::Value value) {
  scalar(Kind::kPlaceholder, because, value.span(), value.index());
}

void SubjectBuilder::open(Kind kind, Span span, std::uint32_t origin) {
  builder_.open(kind, span);
  origins_.push_back(origin);
  open_.push_back(span);
}

void SubjectBuilder::close() {
  builder_.close(open_.back().end);
  open_.pop_back();
}

Subject SubjectBuilder::finish(SubjectKind kind, std::string name, Spelling spelling) && {
  return {kind, std::move(name), spelling, std::move(builder_).finish(), std::move(origins_)};
}

}  // namespace bayplan::importers
