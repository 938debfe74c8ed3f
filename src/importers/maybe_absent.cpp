#include "importers/maybe_absent.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "importers/subject_builder.hpp"

namespace bayplan::importers {
namespace {

bool is_maybe_absent(text::Value value) {
  if (value.kind() != text::Kind::kPlaceholder) return false;
  const auto words = value.text();
  const bool is_of_resource =
      words.starts_with("aws_") || words.starts_with("data.") || words.find(".aws_") != std::string_view::npos;
  return !is_of_resource;
}

/// A list of nothing but what may be absent may be absent itself: `dynamic` blocks.
bool holds_only_maybes(text::Value list) {
  if (!list.is_array() || list.size() == 0) return false;
  for (const text::Value element : list.children()) {
    if (!is_maybe_absent(element)) return false;
  }
  return true;
}

/// `copied`: the node of the subject that each node is made from.
void copy_certain(text::Value value, const Subject& subject, bool& left_out, std::vector<std::uint32_t>& copied,
                  SubjectBuilder& builder) {
  const std::uint32_t origin = subject.origins.at(value.index());
  copied.push_back(value.index());
  if (!value.is_object() && !value.is_array()) return builder.scalar(value.kind(), value.text(), value.span(), origin);
  builder.open(value.kind(), value.span(), origin);
  for (const text::Value child : value.children()) {
    if (is_maybe_absent(child) || holds_only_maybes(child)) {
      left_out = true;
      continue;
    }
    if (value.is_object()) builder.key(child.key(), child.key_span());
    copy_certain(child, subject, left_out, copied, builder);
  }
  builder.close();
}

}  // namespace

std::optional<Subject> without_maybe_absent(const Subject& subject, const text::Document& file) {
  const text::Value root = subject.document->root();
  if (!root) return std::nullopt;
  bool left_out = false;
  SubjectBuilder builder(file);
  std::vector<std::uint32_t> copied;
  copy_certain(root, subject, left_out, copied, builder);
  if (!left_out) return std::nullopt;
  Subject certain = std::move(builder).finish(subject.kind, subject.name, subject.spelling);
  for (ResourceFact fact : subject.facts) {
    const auto at = std::find(copied.begin(), copied.end(), fact.node);
    if (at == copied.end()) continue;
    fact.node = static_cast<std::uint32_t>(at - copied.begin());
    certain.facts.push_back(std::move(fact));
  }
  return certain;
}

}  // namespace bayplan::importers
