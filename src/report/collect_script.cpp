#include "report/collect_script.hpp"

#include <fmt/core.h>

#include "embedded/collect_commands.hpp"

namespace bayplan::report {

void write_collect_script(std::ostream& out, const CollectRequest& request) {
  out << fmt::format("# Describes the ECS cluster {} into the folder {}. Reads only: list and describe calls.\n",
                     request.cluster, request.folder);
  out << "# Paste it into bash, or: bayplan collect ... | bash\n";
  out << fmt::format("cluster={}\nregion={}\nfolder={}\n\n", request.cluster, request.region, request.folder);
  out << embedded::collect_commands();
}

}  // namespace bayplan::report
