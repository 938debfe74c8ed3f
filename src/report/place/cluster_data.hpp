#pragma once
#include "base/json_writer.hpp"
#include "report/place/cluster_picture.hpp"

namespace bayplan::report {

/// The member "cluster" of the data of a page: the picture by columns, as data/page/cluster.js reads it. Times are
/// seconds, -1 for never; a picture of one moment has none. "gpu" lists the devices of all tasks one after another,
/// "gpus" says how many are each task's.
void write_cluster_data(JsonWriter& json, const ClusterPicture& picture);

}  // namespace bayplan::report
