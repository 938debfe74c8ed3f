#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "report/place/cluster_picture.hpp"
#include "report/place/left_out.hpp"

namespace bayplan::report {

/// What stands around the map.
struct PictureWords {
  std::string headline;              ///< The answer.
  std::vector<std::string> details;  ///< A line each.
  std::vector<LeftOut> left_out;
  std::string nothing = "The cluster has no container instances.";  ///< In place of a map without instances.
};

/// Up to so many instances have a box each; of larger clusters every zone and type has one.
inline constexpr std::size_t kMostInstanceBoxes = 500;

/// One SVG 1.1 file without scripts or anything to fetch, in the light or dark colours that its reader prefers: zones
/// as columns, instances as boxes. Its bytes depend on nothing but what is shown.
void write_cluster_svg(std::ostream& out, const ClusterPicture& picture, timeline::Seconds moment,
                       const PictureWords& words);

}  // namespace bayplan::report
