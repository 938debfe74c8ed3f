#include "report/svg/kind_marks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include <fmt/core.h>

#include "report/svg/cluster_frame.hpp"

namespace bayplan::report {
namespace {

constexpr std::size_t kColors = 7;
constexpr std::size_t kMostMarks = 2 * kColors;
constexpr std::size_t kBlue = 4;  ///< The one that is too dark for a black letter.

constexpr std::array<std::string_view, kColors> kFills = {"#e69f00", "#56b4e9", "#009e73", "#f0e442",
                                                          "#0072b2", "#d55e00", "#cc79a7"};

constexpr std::string_view kStyle = R"(<style>
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328}
.answer{font-size:15px;font-weight:600}
.name{font-weight:600}
.small{font-size:10px}
.mark{font-size:10px;font-weight:700;fill:#000}
.pale{fill:#fff}
.dim{fill:#57606a}
.alert{fill:#9a3412;font-weight:600}
.page{fill:#fff}
.zone{fill:#f3f4f6}
.instance{fill:#fff;stroke:#8c959f}
.closed{stroke-dasharray:4 3}
.track{fill:#dfe3e8}
.free{fill:none;stroke:#6e7781}
.between{fill:none;stroke:#fff}
.bin{fill:#6e7781}
.k0{fill:#e69f00}.k1{fill:#56b4e9}.k2{fill:#009e73}.k3{fill:#f0e442}.k4{fill:#0072b2}.k5{fill:#d55e00}.k6{fill:#cc79a7}
.k7{fill:url(#s0)}.k8{fill:url(#s1)}.k9{fill:url(#s2)}.k10{fill:url(#s3)}.k11{fill:url(#s4)}.k12{fill:url(#s5)}.k13{fill:url(#s6)}
.more{fill:#a8b0b8}
.other{fill:url(#so)}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.dim{fill:#9da7b3}
.alert{fill:#ffa657}
.page{fill:#0d1117}
.zone{fill:#161b22}
.instance{fill:#0d1117;stroke:#656d76}
.track{fill:#30363d}
.free{stroke:#8b949e}
.between{stroke:#0d1117}
.bin{fill:#9da7b3}
}
</style>
)";

std::vector<std::uint32_t> heaviest(const std::vector<std::int64_t>& weights) {
  std::vector<std::uint32_t> kinds(weights.size());
  std::iota(kinds.begin(), kinds.end(), 0);
  std::stable_sort(kinds.begin(), kinds.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return weights[a] > weights[b]; });
  kinds.resize(std::min(kMostMarks, kinds.size()));
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

/// Deployments of one service have one name.
std::vector<std::string> distinguished_names(const ClusterPicture& picture) {
  std::map<std::string_view, std::size_t> times;
  for (const auto& kind : picture.kinds) ++times[kind.name];
  const auto& scenario = *picture.scenario;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < picture.kinds.size(); ++i) {
    const auto& kind = picture.kinds[i];
    const bool is_clear = times[kind.name] == 1 || i >= scenario.workloads.size();
    names.push_back(is_clear ? kind.name
                             : kind.name + " (" +
                                   scenario.task_definitions[scenario.workloads[i].task_definition].name + ")");
    if (kind.ran_before) names.back() += ", ran before";
  }
  return names;
}

const KindMark kUnlistedMark{"other", ' ', false};

}  // namespace

KindMarks::KindMarks(const ClusterPicture& picture, const std::vector<std::int64_t>& weights)
    : marks_(picture.kinds.size(), KindMark{"more", '+', false}),
      marked_(heaviest(weights)),
      names_(distinguished_names(picture)) {
  for (std::size_t i = 0; i < marked_.size(); ++i) {
    marks_[marked_[i]] = {fmt::format("k{}", i), static_cast<char>('A' + i), i % kColors == kBlue};
  }
}

const KindMark& KindMarks::of(std::uint32_t kind) const {
  return kind == kUnlisted ? kUnlistedMark : marks_[kind];
}

std::string svg_style() {
  std::string text(kStyle);
  // Thin enough for the letter to be read.
  constexpr std::string_view kPattern =
      "<pattern id=\"{}\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
      "<rect width=\"4\" height=\"4\" fill=\"{}\"/><rect width=\"1.2\" height=\"4\" fill=\"#fff\" fill-opacity=\".6\"/>"
      "</pattern>\n";
  text += "<defs>\n";
  for (std::size_t i = 0; i < kColors; ++i) text += fmt::format(kPattern, fmt::format("s{}", i), kFills[i]);
  text += fmt::format(kPattern, "so", "#8b949e");
  return text += "</defs>\n";
}

}  // namespace bayplan::report
