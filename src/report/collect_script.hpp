#pragma once
#include <ostream>
#include <string>

namespace bayplan::report {

/// What `bayplan collect` is asked for. The texts are put into a shell script without quotes: letters, digits and
/// `-_./:` only.
struct CollectRequest {
  std::string cluster;  ///< Name or ARN.
  std::string region;   ///< Empty = the AWS CLI's own.
  std::string folder;
};

/// A shell script of read-only AWS CLI calls that describe the cluster into the folder, and the `bayplan place` that
/// reads it. Nothing is run here.
void write_collect_script(std::ostream& out, const CollectRequest& request);

}  // namespace bayplan::report
