#include "rules/file/innermost.hpp"

#include <algorithm>

namespace bayplan::rules {

const InnermostValues::Children& InnermostValues::find_children(text::Value parent) const {
  const auto [place, is_new] = by_parent_.try_emplace(parent.index());
  Children& children = place->second;
  if (!is_new) return children;
  for (const text::Value child : parent.children()) {
    const auto begin = child.key_span().length() > 0 ? child.key_span().begin : child.span().begin;
    children.push_back({begin, child.span().end, 0, child});
  }
  std::stable_sort(children.begin(), children.end(), [](const Child& a, const Child& b) { return a.begin < b.begin; });
  std::uint32_t farthest = 0;
  for (Child& child : children) child.farthest_end = farthest = std::max(farthest, child.end);
  return children;
}

text::Value InnermostValues::around(Span span) const {
  text::Value at = document_.root();
  for (text::Value inner = at; inner;) {
    at = inner;
    inner = {};
    const Children& children = find_children(at);
    auto child = std::upper_bound(children.begin(), children.end(), span.begin,
                                  [](std::uint32_t begin, const Child& one) { return begin < one.begin; });
    while (!inner && child != children.begin() && (child - 1)->farthest_end >= span.end) {
      --child;
      if (child->end >= span.end) inner = child->value;
    }
  }
  return at;
}

}  // namespace bayplan::rules
