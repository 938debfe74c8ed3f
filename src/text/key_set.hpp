#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/span.hpp"
#include "text/document.hpp"

namespace bayplan::text {

/// The keys of one object seen so far, each with its place.
class KeySet {
 public:
  /// Notes `key`; if it was there before, where it was first given.
  std::optional<Span> add(std::string_view key, Span span) {
    if (few_.size() < kFew) {
      for (const auto& [other, where] : few_) {
        if (other == key) return where;
      }
      few_.emplace_back(key, span);
      return std::nullopt;
    }
    if (many_.empty()) many_.insert(few_.begin(), few_.end());
    const auto [at, added] = many_.emplace(key, span);
    return added ? std::nullopt : std::optional<Span>(at->second);
  }

  void clear() {
    few_.clear();
    if (!many_.empty()) many_.clear();  // which takes as long as it ever was large
  }

 private:
  static constexpr std::size_t kFew = 32;  // while a scan is cheaper than a hash
  std::vector<std::pair<std::string_view, Span>> few_;
  std::unordered_map<std::string_view, Span> many_;
};

/// The fault of a key that is twice in one object.
Fault duplicate_key(std::string_view key, Span span, Span first, Format format);

}  // namespace bayplan::text
