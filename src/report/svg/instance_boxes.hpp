#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "report/svg/cluster_frame.hpp"
#include "report/svg/kind_marks.hpp"
#include "report/svg/svg_writer.hpp"

/// Instances as boxes: what they are, how full, and who holds their GPUs.
namespace bayplan::report {

struct BoxSize {
  std::int64_t width = 0;
  std::int64_t height = 0;
};

struct BarPart {
  std::uint32_t kind = 0;
  std::int64_t tasks = 0;  ///< Shown apart where there is room.
  std::int64_t amount = 0;
};

/// `parts` of `whole` from the left; the rest stays empty.
void draw_bar(SvgWriter& svg, const KindMarks& marks, const std::vector<BarPart>& parts, std::int64_t whole,
              std::int64_t x, std::int64_t y, BoxSize size);

/// Boxes of one size for all instances of a picture.
class InstanceBoxes {
 public:
  InstanceBoxes(const ClusterPicture& picture, const std::vector<FramedInstance>& frame, const KindMarks& marks);

  BoxSize size() const { return size_; }
  void draw(SvgWriter& svg, const FramedInstance& one, std::int64_t x, std::int64_t y) const;

 private:
  /// Positions inside a box, in pixels.
  struct Layout {
    std::int64_t width, name_columns, type_columns;
    std::int64_t name_y, type_y, bars_y, bar_height, bar_pitch, bar_x, bar_width, slots_y, slot, slot_pitch;
    bool has_labels;
    std::string_view name_style;
  };
  static const Layout kLarge;
  static const Layout kSmall;

  void draw_uses(SvgWriter& svg, const FramedInstance& one) const;
  void draw_slots(SvgWriter& svg, const FramedInstance& one) const;
  void draw_devices(SvgWriter& svg, const FramedInstance& one) const;
  void draw_letters(SvgWriter& svg, const FramedInstance& one) const;
  std::int64_t slot_x(std::size_t device) const;
  std::int64_t slot_y(std::size_t device) const;
  std::string second_line(const FramedInstance& one) const;
  std::string title(const FramedInstance& one) const;

  const ClusterPicture& picture_;
  const KindMarks& marks_;
  const Layout& layout_;
  std::int64_t bars_y_ = 0;
  std::int64_t slots_y_ = 0;
  bool has_second_line_ = true;
  BoxSize size_;
};

}  // namespace bayplan::report
