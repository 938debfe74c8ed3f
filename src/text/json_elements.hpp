#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "text/document.hpp"

/// Large JSON texts, element by element: nothing but the element at hand is ever a tree.
namespace bayplan::text {

/// One object of a large text.
struct JsonElement {
  std::string_view member;  ///< The key that it is under ("tasks"); empty when it is a top-level value itself.
  bool is_listed =
      false;  ///< The element is in the list of that key or of the top level; otherwise it is the value itself.
  std::size_t position = 0;  ///< Counted from 0, in its list or among the top-level values.
  Span span;
};

/// Where a text stopped being JSON.
struct BrokenJson {
  Fault fault;
  std::optional<JsonElement> inside;  ///< Begun and not finished, the innermost; its span ends at the fault.
};

struct ElementsWalk {
  std::optional<BrokenJson> broken;     ///< Nothing when the whole text was walked, or the sink had enough.
  bool holds_wanted = false;            ///< A wanted key was there, be its list empty.
  std::size_t passed_over = 0;          ///< Things in lists of elements that are no objects.
  std::uint32_t first_passed_over = 0;  ///< Where the first of them begins.
};

struct ElementsWanted {
  std::vector<std::string_view> members;   ///< Keys of top-level objects whose objects are wanted.
  std::vector<std::string_view> wrappers;  ///< Keys of top-level objects whose value is read like one of them.
};

/// Walks the top-level values of a text: one, several one after another (pages, JSON Lines), or lists of them. Hands
/// over each object that is under a wanted key, alone or in a list; a top-level object without such a key as it
/// is. Elements before a fault have been handed over. The brackets and strings of everything are checked, the inside
/// of elements is not: `parse_element` does that. Stops early when `sink` says false.
ElementsWalk for_each_element(std::string_view text, const ElementsWanted& wanted, const Limits& limits,
                              const std::function<bool(const JsonElement&)>& sink);

/// The element as a document of its own: offsets count from its beginning. Its fault, if any, is in `faults()`.
std::shared_ptr<const Document> parse_element(std::string_view text, Span span, const Limits& limits);

}  // namespace bayplan::text
