#include "report/collect_script.hpp"

#include <fmt/format.h>

namespace bayplan::report {
namespace {

/// {0} is the region option, with its blank; limits of one call are those of the API reference: 100 container instances
/// or tasks, 10 services, 10 capacity providers, one task definition; of EC2 100 instance types. `list-...` is paged by
/// the AWS CLI itself. An empty list prints None: only ARNs go on.
constexpr std::string_view kScript = R"script(
arns() {{ tr -s '\t ' '\n' | grep '^arn:' || true; }}

aws ecs describe-clusters{0} --clusters "$cluster" --output json > "$folder/clusters.json"
aws ecs describe-clusters{0} --clusters "$cluster" --query 'clusters[].capacityProviders[]' --output text |
  tr -s '\t ' '\n' | grep -v -x -e None -e '' |
  xargs -r -n 10 aws ecs describe-capacity-providers{0} --output json --capacity-providers > "$folder/capacity-providers.json"
aws ecs list-container-instances{0} --cluster "$cluster" --query 'containerInstanceArns[]' --output text | arns |
  xargs -r -n 100 aws ecs describe-container-instances{0} --cluster "$cluster" --output json --container-instances > "$folder/container-instances.json"
aws ecs list-tasks{0} --cluster "$cluster" --query 'taskArns[]' --output text | arns |
  xargs -r -n 100 aws ecs describe-tasks{0} --cluster "$cluster" --output json --tasks > "$folder/tasks.json"
aws ecs list-services{0} --cluster "$cluster" --query 'serviceArns[]' --output text | arns |
  xargs -r -n 10 aws ecs describe-services{0} --cluster "$cluster" --output json --services > "$folder/services.json"
grep -h -o 'arn:[^"]*:task-definition/[^"]*' "$folder/tasks.json" "$folder/services.json" | sort -u |
  xargs -r -n 1 aws ecs describe-task-definition{0} --output json --task-definition > "$folder/task-definitions.json"
tr -d ' \n' < "$folder/container-instances.json" | grep -o '"ecs.instance-type","value":"[^"]*"' | cut -d '"' -f 6 | sort -u |
  xargs -r -n 100 aws ec2 describe-instance-types{0} --output json --instance-types > "$folder/instance-types.json"

bayplan place --cluster "$folder"
)script";

}  // namespace

void write_collect_script(std::ostream& out, const CollectRequest& request) {
  out << fmt::format("# Describes the ECS cluster {} into the folder {}. Reads only: list and describe calls.\n",
                     request.cluster, request.folder);
  out << "# Paste it into bash, or: bayplan collect ... | bash\n";
  out << fmt::format("cluster={}\nfolder={}\nmkdir -p \"$folder\"\n", request.cluster, request.folder);
  out << fmt::format(kScript, request.region.empty() ? "" : " --region " + request.region);
}

}  // namespace bayplan::report
