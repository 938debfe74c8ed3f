#pragma once
#include <cstdint>

namespace bayplan::report {

/// Where a document is read: in a terminal, as a first screen or, with `-v`, in full; in a comment on a pull request,
/// which is Markdown, short, and has one heading; on a page, in HTML, which has sections, charts and everything else.
enum class Medium : std::uint8_t { kText, kFullText, kComment, kPage };

/// The media for which a part of a document is.
class Media {
 public:
  constexpr Media(Medium one) : bits_(1U << static_cast<unsigned>(one)) {}  // NOLINT: one medium is a set of them
  constexpr bool contains(Medium one) const { return (bits_ & Media(one).bits_) != 0; }

  friend constexpr Media operator|(Media one, Media other) {
    one.bits_ |= other.bits_;
    return one;
  }
  friend constexpr bool operator==(Media, Media) = default;

 private:
  unsigned bits_;
};

constexpr Media operator|(Medium one, Medium other) {
  return Media(one) | Media(other);
}

inline constexpr Media kTerminal = Medium::kText | Medium::kFullText;
inline constexpr Media kCommentAndPage = Medium::kComment | Medium::kPage;
inline constexpr Media kNotFirstScreen = Medium::kFullText | kCommentAndPage;  ///< A first screen has no room for it.
inline constexpr Media kEveryMedium = kTerminal | kCommentAndPage;

}  // namespace bayplan::report
