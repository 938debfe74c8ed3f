// volumes[].efsVolumeConfiguration (API reference, EFSVolumeConfiguration and EFSAuthorizationConfig, 2026).
#include <cstdint>

#include "rules/aws_ids.hpp"
#include "rules/file/spelling.hpp"
#include "rules/network/port_mappings.hpp"
#include "rules/storage/volumes.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::EfsVolume;
using model::StringField;

constexpr std::string_view kEncrypt = "set \"transitEncryption\": \"ENABLED\"";

/// Where ECS mounts EFS itself; elsewhere BAY515 says that it does not.
bool mounts_efs(const Context& ctx) {
  return ctx.targets(Compatibility::kEc2) || runs_on_hidden_instances(ctx);
}

template <class Check>
void for_each_efs(const Context& ctx, Check check) {
  for (const auto& volume : ctx.task.volumes) {
    if (volume.efs) check(*volume.efs);
  }
}

bool is_enabled(const StringField& field) {
  return field && *field == "ENABLED";
}

/// Surely off: by default or by its own word. A placeholder or a misspelling says nothing.
bool is_unencrypted(const EfsVolume& efs) {
  const auto& encryption = efs.transit_encryption;
  if (encryption.present()) return encryption && *encryption == "DISABLED";
  return !is_spelled_otherwise(efs.node, "transitEncryption", {"encryption"});
}

bool has_access_point(const EfsVolume& efs) {
  return efs.access_point_id && !efs.access_point_id->empty();
}

/// What a missing encryption breaks; the first that applies is reported, since one change resolves them all.
enum class EncryptionNeed : std::uint8_t { kNone, kIam, kPort, kAccessPoint };

EncryptionNeed need_of_encryption(const EfsVolume& efs) {
  if (is_enabled(efs.iam)) return EncryptionNeed::kIam;
  if (efs.transit_encryption_port && is_port(*efs.transit_encryption_port)) return EncryptionNeed::kPort;
  return has_access_point(efs) ? EncryptionNeed::kAccessPoint : EncryptionNeed::kNone;
}

bool breaks(const Context& ctx, Emitter& emit, const EfsVolume& efs, EncryptionNeed need) {
  if (!mounts_efs(ctx) || need_of_encryption(efs) != need) return false;
  if (efs.transit_encryption.unknown()) emit.skip(efs.transit_encryption.node);
  return is_unencrypted(efs);
}

void relate_encryption(Report& report, const EfsVolume& efs) {
  if (efs.transit_encryption) report.related(efs.transit_encryption.node, "transit encryption is off");
}

void check_id(Emitter& emit, const StringField& id, const AwsId& form) {
  if (!knows_id(id, form, emit) || id->empty() || is_id(*id, form)) return;
  emit.at(id)
      .says("invalid EFS {} ID \"{}\"", form.noun, *id)
      .help("use {} followed by 8 to 40 lowercase hexadecimal digits, or the ARN", form.prefix);
}

void efs_id_form(const Context& ctx, Emitter& emit) {
  for_each_efs(ctx, [&](const EfsVolume& efs) {
    check_id(emit, efs.file_system_id, kEfsFileSystem);
    check_id(emit, efs.access_point_id, kEfsAccessPoint);
  });
}

void efs_iam_no_encryption(const Context& ctx, Emitter& emit) {
  for_each_efs(ctx, [&](const EfsVolume& efs) {
    if (!breaks(ctx, emit, efs, EncryptionNeed::kIam)) return;
    auto report = emit.at(efs.iam);
    report.says("EFS IAM authorization requires transit encryption, which is off").help(kEncrypt);
    relate_encryption(report, efs);
  });
}

void efs_ap_root(const Context& ctx, Emitter& emit) {
  for_each_efs(ctx, [&](const EfsVolume& efs) {
    if (!mounts_efs(ctx) || !emit.knows(efs.root_directory) || *efs.root_directory == "/") return;
    if (!emit.knows(efs.access_point_id) || efs.access_point_id->empty() || efs.root_directory->empty()) return;
    emit.at(efs.root_directory)
        .says("rootDirectory \"{}\" cannot be used with an access point, which has its own", *efs.root_directory)
        .help("delete rootDirectory, or use \"/\"")
        .related(efs.access_point_id.node, "the access point")
        .fix(efs.root_directory.span(), "\"/\"", false);
  });
}

void efs_ap_no_encryption(const Context& ctx, Emitter& emit) {
  for_each_efs(ctx, [&](const EfsVolume& efs) {
    if (!breaks(ctx, emit, efs, EncryptionNeed::kAccessPoint)) return;
    auto report = emit.at(efs.access_point_id);
    report.says("an EFS access point requires transit encryption, which is off").help(kEncrypt);
    relate_encryption(report, efs);
  });
}

void efs_port_no_encryption(const Context& ctx, Emitter& emit) {
  for_each_efs(ctx, [&](const EfsVolume& efs) {
    const auto& port = efs.transit_encryption_port;
    if (!mounts_efs(ctx) || !emit.knows(port)) return;
    if (!is_port(*port)) {
      emit.at(port)
          .severity(Severity::kWarning)
          .says("invalid port {}", *port)
          .help("use 1 to 65535, or omit it so that the mount helper selects one");
    } else if (breaks(ctx, emit, efs, EncryptionNeed::kPort)) {
      auto report = emit.at(port);
      report.says("transitEncryptionPort {} requires transit encryption, which is off", *port)
          .help("{}, or delete the port", kEncrypt);
      relate_encryption(report, efs);
    }
  });
}

void efs_no_encryption(const Context& ctx, Emitter& emit) {
  for_each_efs(ctx, [&](const EfsVolume& efs) {
    if (!breaks(ctx, emit, efs, EncryptionNeed::kNone)) return;
    const auto& encryption = efs.transit_encryption;
    auto report = encryption ? emit.at(encryption) : emit.missing(efs.node, "transitEncryption");
    report.says("EFS traffic is not encrypted because transit encryption is off").help(kEncrypt);
  });
}

void efs_iam_no_role(const Context& ctx, Emitter& emit) {
  if (!ctx.sees_task() || !mounts_efs(ctx) || ctx.task.task_role_arn.present()) return;
  if (is_spelled_otherwise(ctx.root, "taskRoleArn", {"taskRole", "role", "iamRole"})) return;
  for_each_efs(ctx, [&](const EfsVolume& efs) {
    if (!is_enabled(efs.iam)) return;
    emit.at(efs.iam)
        .says("EFS IAM authorization requires a task role, but this task has none")
        .help("add \"taskRoleArn\" with a role that may call elasticfilesystem:ClientMount");
  });
}

void efs_on_external(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kExternal)) return;
  for_each_efs(ctx, [&](const EfsVolume& efs) {
    emit.at_key(efs.node)
        .says("EFS volumes are not supported on external instances according to the documentation")
        .help("mount the file system on the machine yourself and use host.sourcePath");
  });
}

}  // namespace

std::span<const Rule> efs_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY508", kTaskDefinition, efs_id_form},
      {"BAY509", kTaskDefinition, efs_iam_no_encryption},
      {"BAY510", kTaskDefinition, efs_ap_root},
      {"BAY511", kTaskDefinition, efs_ap_no_encryption},
      {"BAY512", kTaskDefinition, efs_port_no_encryption},
      {"BAY513", kTaskDefinition, efs_no_encryption},
      {"BAY514", kTaskDefinition, efs_iam_no_role},
      {"BAY515", kTaskDefinition, efs_on_external, {.follows_from = {"BAY108"}}},
  };
  return kRules;
}

}  // namespace bayplan::rules
