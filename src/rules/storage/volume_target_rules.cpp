// Kinds of volumes that only some launch types and operating systems take.
#include "base/strings.hpp"
#include "rules/aws_ids.hpp"
#include "rules/file/spelling.hpp"
#include "rules/rule_functions.hpp"
#include "rules/storage/volumes.hpp"
#include "rules/task/platform.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::DockerVolume;
using model::FsxVolume;
using model::S3FilesVolume;

/// What does not run on Windows EC2, in words; empty when it does, as far as the file tells.
std::string_view unfit_for_fsx(const Context& ctx) {
  if (ctx.targets(Compatibility::kFargate)) return "Fargate";
  if (ctx.targets(Compatibility::kManagedInstances)) return "Managed Instances";
  return ctx.task.operating_system_family && is_linux(ctx) ? "Linux" : "";
}

void check_fsx(const Context& ctx, Emitter& emit, const FsxVolume& fsx) {
  const auto unfit = unfit_for_fsx(ctx);
  if (!unfit.empty()) {
    emit.at_key(fsx.node)
        .says("FSx for Windows File Server volumes are for Windows on EC2, not for {}", unfit)
        .help("use an EFS volume, or run the task on Windows instances");
    return;
  }
  const auto& credentials = fsx.credentials_parameter;
  const bool has_credentials = emit.knows(credentials) && !credentials->empty();
  if (has_credentials && !is_arn(*credentials, "secretsmanager") && !is_arn(*credentials, "ssm")) {
    emit.at(credentials)
        .says("credentialsParameter is not the ARN of a Secrets Manager secret or an SSM parameter")
        .help("store user and password there and write the ARN here");
  }
  if (emit.knows(fsx.domain) && trim(*fsx.domain).empty()) {
    emit.at(fsx.domain).says("domain is empty").help("write the name of the Active Directory domain");
  }
}

void check_s3files(const Context& ctx, Emitter& emit, const S3FilesVolume& s3files) {
  if (emit.knows(s3files.file_system_arn) && !is_arn(*s3files.file_system_arn)) {
    emit.at(s3files.file_system_arn)
        .says("\"{}\" is not an ARN", *s3files.file_system_arn)
        .help("write the ARN of the S3 Files file system");
  }
  const auto& root = s3files.root_directory;
  const bool has_access_point = emit.knows(s3files.access_point_arn) && !s3files.access_point_arn->empty();
  if (has_access_point && emit.knows(root) && !root->empty() && *root != "/") {
    emit.at(root)
        .says("an access point brings its own root directory; \"{}\" cannot stand beside it", *root)
        .help("delete rootDirectory, or write \"/\"")
        .related(s3files.access_point_arn.node, "the access point");
  }
  if (!ctx.sees_task() || ctx.task.task_role_arn.present()) return;
  if (is_spelled_otherwise(ctx.root, "taskRoleArn", {"taskRole", "role", "iamRole"})) return;
  emit.at_key(s3files.node)
      .says("an S3 Files volume is mounted with the task role, and this task has none")
      .help("add \"taskRoleArn\"");
}

void check_docker(const Context& ctx, Emitter& emit, const DockerVolume& docker) {
  const auto& provision = docker.autoprovision;
  if (emit.knows(provision) && *provision && emit.knows(docker.scope) && *docker.scope == "task") {
    emit.at(provision)
        .says("autoprovision has no effect with scope task: such a volume is made and deleted with each task")
        .help("write \"scope\": \"shared\" to keep the volume, or delete autoprovision")
        .related(docker.scope.node, "the scope");
  }
  if (is_windows(ctx) && emit.knows(docker.driver) && !docker.driver->empty() && *docker.driver != "local") {
    emit.at(docker.driver)
        .says("Windows has the volume driver local only, not {}", *docker.driver)
        .help("write \"driver\": \"local\"");
  }
}

}  // namespace

void fsx_windows_only(const Context& ctx, Emitter& emit) {
  for (const auto& volume : ctx.task.volumes) {
    if (volume.fsx) check_fsx(ctx, emit, *volume.fsx);
  }
}

void s3files_form(const Context& ctx, Emitter& emit) {
  for (const auto& volume : ctx.task.volumes) {
    if (volume.s3files) check_s3files(ctx, emit, *volume.s3files);
  }
}

void docker_volume_scope(const Context& ctx, Emitter& emit) {
  if (runs_on_hidden_instances(ctx)) return;  // BAY519 speaks
  for (const auto& volume : ctx.task.volumes) {
    if (volume.docker) check_docker(ctx, emit, *volume.docker);
  }
}

// Seen: "Fargate compatible task definitions do not support dockerVolumeConfiguration". For Managed Instances it was
// read, not seen.
void docker_volume_fargate(const Context& ctx, Emitter& emit) {
  if (!runs_on_hidden_instances(ctx)) return;
  const bool on_fargate = ctx.targets(Compatibility::kFargate);
  for (const auto& volume : ctx.task.volumes) {
    if (!volume.docker || volume.docker->node.size() == 0) continue;
    auto report = emit.at_key(volume.docker->node);
    report.says("{} no Docker volumes", on_fargate ? "Fargate takes" : "Managed Instances take")
        .help("leave only the name for storage that lives as long as the task, or use efsVolumeConfiguration");
    if (!on_fargate) report.severity(Severity::kWarning);
  }
}

}  // namespace bayplan::rules
