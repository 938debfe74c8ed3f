#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::placement {

/// Task groups ("service:web", "family:train") as small numbers, in the order of their first use.
class Groups {
 public:
  std::uint32_t number(std::string_view name) {
    const auto [entry, is_new] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.emplace_back(name);
    return entry->second;
  }
  std::optional<std::uint32_t> find(std::string_view name) const {
    const auto entry = numbers_.find(name);
    return entry == numbers_.end() ? std::nullopt : std::optional(entry->second);
  }
  std::size_t size() const { return names_.size(); }
  const std::string& name(std::uint32_t number) const { return names_[number]; }

 private:
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<std::string> names_;
};

}  // namespace bayplan::placement
