// Kinds of volumes that only some launch types and operating systems take.
#include "base/strings.hpp"
#include "rules/aws_ids.hpp"
#include "rules/file/spelling.hpp"
#include "rules/storage/volumes.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::DockerVolume;
using model::FsxVolume;
using model::S3FilesVolume;

/// What does not run on Windows EC2, in words; empty when it does, as far as the file says.
std::string_view unfit_for_fsx(const Context& ctx) {
  if (ctx.targets(Compatibility::kFargate)) return "Fargate";
  if (ctx.targets(Compatibility::kManagedInstances)) return "Managed Instances";
  return ctx.task.operating_system_family && is_linux(ctx) ? "Linux" : "";
}

void check_fsx(const Context& ctx, Emitter& emit, const FsxVolume& fsx) {
  const auto unfit = unfit_for_fsx(ctx);
  if (!unfit.empty()) {
    emit.at_key(fsx.node)
        .says("FSx for Windows File Server volumes require Windows on EC2 and are not supported on {}", unfit)
        .help("use an EFS volume, or run the task on Windows instances");
    return;
  }
  const auto& credentials = fsx.credentials_parameter;
  const bool has_credentials = emit.knows(credentials) && !credentials->empty();
  if (has_credentials && !is_arn(*credentials, "secretsmanager") && !is_arn(*credentials, "ssm")) {
    emit.at(credentials)
        .says("credentialsParameter must be the ARN of a Secrets Manager secret or an SSM parameter")
        .help("store user name and password there and use the ARN");
  }
  if (emit.knows(fsx.domain) && trim(*fsx.domain).empty()) {
    emit.at(fsx.domain).says("domain is empty").help("use the name of the Active Directory domain");
  }
}

void check_s3files(const Context& ctx, Emitter& emit, const S3FilesVolume& s3files) {
  if (emit.knows(s3files.file_system_arn) && !is_arn(*s3files.file_system_arn)) {
    emit.at(s3files.file_system_arn)
        .says("fileSystemArn must be an ARN, got \"{}\"", *s3files.file_system_arn)
        .help("use the ARN of the S3 Files file system");
  }
  const auto& root = s3files.root_directory;
  const bool has_access_point = emit.knows(s3files.access_point_arn) && !s3files.access_point_arn->empty();
  if (has_access_point && emit.knows(root) && !root->empty() && *root != "/") {
    emit.at(root)
        .says("rootDirectory \"{}\" cannot be used with an access point, which has its own", *root)
        .help("delete rootDirectory, or use \"/\"")
        .related(s3files.access_point_arn.node, "the access point");
  }
  if (!ctx.sees_task() || ctx.task.task_role_arn.present()) return;
  if (is_spelled_otherwise(ctx.root, "taskRoleArn", {"taskRole", "role", "iamRole"})) return;
  emit.at_key(s3files.node)
      .says("S3 Files volume requires a task role, but this task has none")
      .help("add \"taskRoleArn\"");
}

void check_docker(const Context& ctx, Emitter& emit, const DockerVolume& docker) {
  const auto& provision = docker.autoprovision;
  if (emit.knows(provision) && *provision && emit.knows(docker.scope) && *docker.scope == "task") {
    emit.at(provision)
        .says("autoprovision has no effect with scope task; such a volume is created and deleted with each task")
        .help("use \"scope\": \"shared\" to keep the volume, or delete autoprovision")
        .related(docker.scope.node, "the scope");
  }
  if (is_windows(ctx) && emit.knows(docker.driver) && !docker.driver->empty() && *docker.driver != "local") {
    emit.at(docker.driver)
        .says("volume driver must be local on Windows, got {}", *docker.driver)
        .help("use \"driver\": \"local\"");
  }
}

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
    report.says("Docker volumes are not supported on {}", on_fargate ? "Fargate" : "Managed Instances")
        .help("keep only the name for storage that lasts as long as the task, or use efsVolumeConfiguration");
    if (!on_fargate) report.severity(Severity::kWarning);
  }
}

}  // namespace

std::span<const Rule> volume_target_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY516", kTaskDefinition, fsx_windows_only},
      {"BAY517", kTaskDefinition, s3files_form},
      {"BAY518", kTaskDefinition, docker_volume_scope},
      {"BAY519", kTaskDefinition, docker_volume_fargate},
  };
  return kRules;
}

}  // namespace bayplan::rules
