#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/place/cluster_picture.hpp"

namespace bayplan::report {

/// How a kind of task looks: a fill and a letter, so that color is not needed to distinguish them.
struct KindMark {
  std::string style;  ///< Class of its fill.
  char letter = '+';  ///< '+' for every kind without a letter of its own.
  bool pale = false;  ///< The letter is white.
  bool operator==(const KindMark&) const = default;
};

/// Seven colors that color-blind people can distinguish, too (Okabe and Ito, Color Universal Design, 2008; without
/// black), plain for the first seven kinds and striped for seven more. Kinds beyond those share a gray.
class KindMarks {
 public:
  /// `weights` by kind: where there are too many kinds, the heaviest get marks of their own.
  KindMarks(const ClusterPicture& picture, const std::vector<std::int64_t>& weights);

  const KindMark& of(std::uint32_t kind) const;                         ///< `kUnlisted` too.
  const std::vector<std::uint32_t>& marked() const { return marked_; }  ///< Kinds with a letter, in their order.

  /// "web", or "web (web:3)" where the name alone says too little.
  const std::string& name(std::uint32_t kind) const { return names_[kind]; }

 private:
  std::vector<KindMark> marks_;
  std::vector<std::uint32_t> marked_;
  std::vector<std::string> names_;
};

/// <style> and <defs> of the picture: both light and dark.
std::string svg_style();

}  // namespace bayplan::report
