#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "placement/instance_state.hpp"

namespace bayplan::placement {

inline constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();

/// One change of an instance as an index needs to know it.
struct Touch {
  std::uint32_t instance = 0;
  std::uint32_t group = kNoGroup;  ///< Whose tasks on the instance are others now.
  std::int32_t tasks = 0;          ///< So many more of them.
  bool takes_ports = false;
  bool frees = false;            ///< A task that did not fit may fit now.
  bool changes_profile = false;  ///< Nothing that was known of the instance need hold.
  Room room;                     ///< Of the instance after it.
};

/// The touches of a cluster, numbered from 0. The oldest are dropped where there are many: an index that has not seen
/// them makes up for it with one look at every instance.
class History {
 public:
  /// Keeps as many as would be slower to read than `instances` instances.
  explicit History(std::size_t instances) : kept_(std::max(kLeast, kPerInstance * instances)) {}

  std::uint64_t begin() const { return dropped_; }  ///< Number of the oldest that is kept.
  std::uint64_t end() const { return dropped_ + touches_.size(); }
  /// Those from `number` on, which must be kept.
  std::span<const Touch> since(std::uint64_t number) const { return std::span(touches_).subspan(number - dropped_); }
  /// Touches so far that freed something or changed a profile.
  std::uint64_t frees() const { return frees_; }

  void add(const Touch& touch) {
    if (touches_.size() >= 2 * kept_) drop();
    touches_.push_back(touch);
    if (touch.frees) ++frees_;
  }

 private:
  static constexpr std::size_t kLeast = std::size_t{1} << 14;
  static constexpr std::size_t kPerInstance = 8;

  void drop() {
    touches_.erase(touches_.begin(), touches_.end() - static_cast<std::ptrdiff_t>(kept_));
    dropped_ += kept_;
  }

  std::size_t kept_;
  std::vector<Touch> touches_;
  std::uint64_t dropped_ = 0;
  std::uint64_t frees_ = 0;
};

}  // namespace bayplan::placement
