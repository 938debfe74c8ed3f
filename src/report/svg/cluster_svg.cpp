#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/escape.hpp"
#include "report/document/figures.hpp"
#include "report/document/terminal.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_words.hpp"
#include "report/place/cluster_picture.hpp"
#include "report/place/left_out.hpp"
#include "report/place/place_report.hpp"
#include "report/place/place_words.hpp"
#include "report/svg/cluster_frame.hpp"
#include "report/svg/group_boxes.hpp"
#include "report/svg/instance_boxes.hpp"
#include "report/svg/kind_marks.hpp"
#include "report/svg/svg_writer.hpp"
#include "report/timeline/timeline_words.hpp"

namespace bayplan::report {
namespace {

/// Texts around the map.
struct PictureWords {
  std::string headline;              ///< The answer.
  std::vector<std::string> details;  ///< A line each.
  std::vector<LeftOut> left_out;
  std::string nothing = "The cluster has no container instances.";  ///< Shown instead of a map without instances.
};

/// Number of instances up to which each has a box; in larger clusters every zone and type has one.
constexpr std::size_t kMostInstanceBoxes = 500;

constexpr std::int64_t kMargin = 16;
constexpr std::int64_t kGap = 8;
constexpr std::int64_t kZoneHeading = 24;
constexpr std::int64_t kUsualWidth = 1220;  ///< Wider only where the zones alone are.
constexpr std::int64_t kNarrowest = 620;
constexpr std::int64_t kColumn = 8;  ///< Width of a character of the usual size, rounded up.
constexpr std::int64_t kAnswerColumn = 10;
constexpr std::size_t kLeftOutInPicture = 12;
constexpr std::size_t kLegendName = 40;

/// Boxes of one zone, whatever they hold.
struct ZoneColumn {
  std::string name;
  std::int64_t instances = 0;
  std::vector<std::size_t> boxes;  ///< Indices into the frame, or into the groups.
};

class ClusterDrawing {
 public:
  ClusterDrawing(const ClusterPicture& picture, timeline::Seconds moment, const PictureWords& words)
      : picture_(picture),
        words_(words),
        frame_(instances_at(picture, moment)),
        placed_(tasks_by_kind(picture, frame_)),
        left_out_(left_out_by_kind(picture, words)),
        marks_(picture, weights()),
        boxes_(picture, frame_, marks_) {
    if (frame_.size() > kMostInstanceBoxes) groups_ = list_groups(picture, frame_);
    collect_zones();
    measure();
  }

  void write(std::ostream& out) {
    draw_words();
    draw_legend();
    draw_zones();
    draw_left_out();
    const std::int64_t height = y_ + kMargin;
    out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        << fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\">\n",
                       width_, height, width_, height)
        << "<title>" << xml(printable(words_.headline)) << "</title>\n"
        << svg_style() << fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", width_, height)
        << svg_.elements() << "</svg>\n";
  }

 private:
  static std::vector<std::int64_t> left_out_by_kind(const ClusterPicture& picture, const PictureWords& words) {
    std::vector<std::int64_t> tasks(picture.kinds.size());
    for (const auto& one : words.left_out) tasks[one.workload] += one.tasks;
    return tasks;
  }

  std::vector<std::int64_t> weights() const {
    auto sums = placed_;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += left_out_[i];
    return sums;
  }

  BoxSize box_size() const { return groups_.empty() ? boxes_.size() : kGroupBox; }

  void collect_zones() {
    std::map<std::string, ZoneColumn, decltype(&zone_less)> zones(&zone_less);
    const auto put = [&](const std::string& name, std::size_t box, std::int64_t instances) {
      auto& zone = zones[name];
      zone.name = name;
      zone.instances += instances;
      zone.boxes.push_back(box);
    };
    for (std::size_t i = 0; i < groups_.size(); ++i) put(groups_[i].zone, i, groups_[i].instances);
    for (std::size_t i = 0; groups_.empty() && i < frame_.size(); ++i)
      put(profile_of(picture_, frame_[i]).availability_zone, i, 1);
    for (auto& [name, zone] : zones) zones_.push_back(std::move(zone));
  }

  /// Puts as many boxes side by side in a zone as the usual width allows, but not in one long row.
  void measure() {
    if (zones_.empty()) return;
    std::size_t most = 0;
    for (const auto& zone : zones_) most = std::max(most, zone.boxes.size());
    const auto zones = static_cast<std::int64_t>(zones_.size());
    const std::int64_t room = (kUsualWidth - 2 * kMargin) / zones - 2 * kGap;
    std::int64_t wanted = 1;
    while (wanted * wanted * 2 < static_cast<std::int64_t>(most) * 3) ++wanted;
    side_by_side_ = std::clamp(wanted, std::int64_t{1}, std::max(std::int64_t{1}, room / (box_size().width + kGap)));
    std::int64_t width = 2 * kMargin - kGap;
    for (const auto& zone : zones_) width += width_of(zone) + kGap;
    width_ = std::max(kNarrowest, width);
  }

  std::int64_t width_of(const ZoneColumn& zone) const {
    const auto boxes = std::min(side_by_side_, static_cast<std::int64_t>(zone.boxes.size()));
    return boxes * (box_size().width + kGap) + kGap;
  }

  std::size_t text_columns(std::int64_t column) const {
    return static_cast<std::size_t>((width_ - 2 * kMargin) / column);
  }

  void draw_words() {
    y_ = kMargin;
    for (const auto& line : lines_of(printable(words_.headline), text_columns(kAnswerColumn), 4))
      svg_.text("answer", kMargin, y_ += 19, line);
    for (const auto& detail : words_.details) {
      for (const auto& line : lines_of(printable(detail), text_columns(kColumn), 2))
        svg_.text("dim", kMargin, y_ += 17, line);
    }
    y_ += 12;
  }

  void draw_swatch(std::uint32_t kind, std::int64_t x, std::int64_t y) {
    const auto& mark = marks_.of(kind);
    svg_.box(mark.style, x, y, 14, 14);
    if (mark.letter != ' ') svg_.letters(mark.pale ? "mark pale" : "mark", {x + 7}, y + 11, {&mark.letter, 1});
  }

  /// Goes on in the next line where the words do not fit; gives the place of the swatch.
  std::int64_t next_in_legend(std::string_view words) {
    const auto width = 22 + kColumn * static_cast<std::int64_t>(display_width(words)) + 14;
    if (legend_x_ > kMargin && legend_x_ + width > width_ - kMargin) {
      legend_x_ = kMargin;
      y_ += 20;
    }
    const std::int64_t x = legend_x_;
    svg_.text("", x + 20, y_ + 11, words);
    legend_x_ += width;
    return x;
  }

  void draw_legend_entry(std::uint32_t kind, std::string_view words) {
    const std::int64_t x = next_in_legend(words);  // first: it may go on in the next line
    draw_swatch(kind, x, y_);
  }

  void draw_legend() {
    for (const auto kind : marks_.marked()) {
      if (placed_[kind] + left_out_[kind] == 0) continue;
      draw_legend_entry(kind, legend_words(kind));
    }
    std::int64_t unmarked = 0;
    std::uint32_t any = kUnlisted;
    for (std::uint32_t kind = 0; kind < picture_.kinds.size(); ++kind) {
      if (marks_.of(kind).letter != '+' || placed_[kind] + left_out_[kind] == 0) continue;
      ++unmarked;
      any = kind;
    }
    if (unmarked > 0) draw_legend_entry(any, fmt::format("{} other kinds", unmarked));
    draw_common_legend();
    if (legend_x_ > kMargin) y_ += 20;
    y_ += 6;
  }

  /// What is no task of the scenario: what was there before, and free devices.
  void draw_common_legend() {
    bool any_unlisted = false;
    bool any_shared = false;
    bool any_free = false;
    for (const auto& one : frame_) {
      any_unlisted |= !one.uses.empty() && one.uses.back().kind == kUnlisted;
      for (const auto& kinds : one.gpus) {
        any_free |= kinds.empty();
        any_shared |= kinds.size() > 1;
      }
    }
    if (any_unlisted) draw_legend_entry(kUnlisted, "reserved before");
    if (!groups_.empty()) return;
    if (any_shared) {
      const std::int64_t x = next_in_legend("GPU shared by several kinds");
      draw_swatch(kUnlisted, x, y_);
      svg_.letters("mark", {x + 7}, y_ + 11, "*");
    }
    if (!any_free) return;
    const std::int64_t x = next_in_legend("free GPU");
    svg_.box("free", x, y_, 13, 13);
  }

  /// Numbers first: behind a name that is written from right to left they would be read as part of it.
  std::string legend_words(std::uint32_t kind) const {
    const auto name = cut(printable(marks_.name(kind)), kLegendName, Glyphs{});
    return left_out_[kind] == 0 ? fmt::format("{} {}", placed_[kind], name)
                                : fmt::format("{} of {} {}", placed_[kind], placed_[kind] + left_out_[kind], name);
  }

  void draw_zones() {
    if (frame_.empty()) {
      svg_.text("dim", kMargin, y_ += 20, words_.nothing);
      return;
    }
    std::int64_t bottom = y_;
    std::int64_t x = kMargin;
    for (const auto& zone : zones_) {
      bottom = std::max(bottom, draw_zone(zone, x, y_));
      x += width_of(zone) + kGap;
    }
    y_ = bottom;
  }

  std::int64_t draw_zone(const ZoneColumn& zone, std::int64_t x, std::int64_t y) {
    const auto size = box_size();
    const auto rows = (static_cast<std::int64_t>(zone.boxes.size()) + side_by_side_ - 1) / side_by_side_;
    const std::int64_t height = kZoneHeading + rows * (size.height + kGap) + 2;
    svg_.box("zone", x, y, width_of(zone), height, 6);
    const auto columns = static_cast<std::size_t>((width_of(zone) - 2 * kGap) / kColumn);
    const std::string name = zone.name.empty() ? "no zone stated" : printable(zone.name);
    svg_.text("name", x + kGap, y + 17,
              cut(fmt::format("{}: {}", name, count_of(zone.instances, "instance")), columns, Glyphs{}));
    for (std::size_t i = 0; i < zone.boxes.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i);
      const std::int64_t left = x + kGap + number % side_by_side_ * (size.width + kGap);
      const std::int64_t top = y + kZoneHeading + number / side_by_side_ * (size.height + kGap);
      if (groups_.empty()) {
        boxes_.draw(svg_, frame_[zone.boxes[i]], left, top);
      } else {
        draw_group(svg_, picture_, marks_, groups_[zone.boxes[i]], left, top);
      }
    }
    return y + height;
  }

  void draw_left_out() {
    if (words_.left_out.empty()) return;
    y_ += 28;
    std::int64_t tasks = 0;
    for (const auto& one : words_.left_out) tasks += one.tasks;
    svg_.text("answer", kMargin, y_, "Not placed: " + count_of(tasks, "task"));
    const std::size_t shown = std::min(kLeftOutInPicture, words_.left_out.size());
    const std::size_t columns = text_columns(kColumn) - 3;
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& one = words_.left_out[i];
      y_ += 8;
      draw_swatch(one.workload, kMargin, y_);
      svg_.text("name", kMargin + 22, y_ += 11, cut(printable(one.names + ": " + one.state), columns, Glyphs{}));
      for (const auto& line : lines_of(printable(one.why), columns, 2)) svg_.text("", kMargin + 22, y_ += 16, line);
    }
    if (shown < words_.left_out.size())
      svg_.text("dim", kMargin, y_ += 20, fmt::format("and {} more groups of tasks", words_.left_out.size() - shown));
  }

  const ClusterPicture& picture_;
  const PictureWords& words_;
  std::vector<FramedInstance> frame_;
  std::vector<std::int64_t> placed_;
  std::vector<std::int64_t> left_out_;
  KindMarks marks_;
  InstanceBoxes boxes_;
  std::vector<PicturedGroup> groups_;
  std::vector<ZoneColumn> zones_;
  SvgWriter svg_;
  std::int64_t side_by_side_ = 1;
  std::int64_t width_ = kNarrowest;
  std::int64_t legend_x_ = kMargin;
  std::int64_t y_ = 0;
};

/// One SVG 1.1 file without scripts or anything to fetch, in the light or dark colors that its reader prefers: zones
/// as columns, instances as boxes. Its bytes depend on nothing but what is shown.
void write_cluster_svg(std::ostream& out, const ClusterPicture& picture, timeline::Seconds moment,
                       const PictureWords& words) {
  ClusterDrawing(picture, moment, words).write(out);
}

}  // namespace

void write_place_svg(std::ostream& out, const PlaceReport& report) {
  PictureWords words{headline(report), {cluster_totals(report.scenario, report.summary)}, left_out(report)};
  if (report.runs && report.summary.without_place() > 0) words.details.push_back("worst order: " + worst_run(report));
  write_cluster_svg(out, make_cluster_picture(report), 0, words);
}

void write_timeline_svg(std::ostream& out, const TimelineReport& report) {
  const auto end = report.history().end;
  PictureWords words{
      timeline_headline(report),
      {fmt::format("cluster at {}, {}", duration(end), cluster_totals(report.scenario(), report.cluster().summary))},
      left_out(report)};
  if (report.booting() > 0)
    words.details.push_back(count_of(report.booting(), "more instance") + " launched but not yet active");
  write_cluster_svg(out, make_cluster_picture(report), end, words);
}

void write_fleet_svg(std::ostream& out, const FleetReport& report) {
  PictureWords words{fleet_headline(report), {}, {}};
  if (report.cluster == nullptr) {
    words.nothing = "No fleet to draw: none is recommended, or it holds too many tasks.";
    return write_cluster_svg(out, {.scenario = &report.scenario, .kinds = {}, .instances = {}, .tasks = {}}, 0, words);
  }
  const std::string whole = report.request.keeps_cluster ? "fleet and existing cluster, " : "";
  words.details.push_back(whole + cluster_totals(report.cluster->scenario, report.cluster->summary));
  write_cluster_svg(out, make_cluster_picture(*report.cluster), 0, words);
}

}  // namespace bayplan::report
