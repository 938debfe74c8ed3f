#include "model/volume.hpp"

#include "model/placeholder.hpp"

namespace bayplan::model {
namespace {

using text::Value;

/// The member when it is an object.
Value object_in(Value object, std::string_view key) {
  const Value member = object ? object.find(key) : Value();
  return member && member.is_object() ? member : Value();
}

/// An intrinsic function is an object too, of which nothing is known.
template <class Bind>
auto part(Value volume, std::string_view key, const Placeholders& placeholders, Bind bind)
    -> std::optional<decltype(bind(volume))> {
  const Value node = object_in(volume, key);
  if (!node || placeholders.holds(node)) return std::nullopt;
  return bind(node);
}

}  // namespace

Volume bind_volume(Value node, const Placeholders& placeholders) {
  const auto string = [&](Value object, std::string_view key) { return string_field(object, key, placeholders); };
  Volume volume{.node = node,
                .name = string(node, "name"),
                .source_path = string(object_in(node, "host"), "sourcePath"),
                .configured_at_launch = boolean_field(node, "configuredAtLaunch", placeholders)};
  volume.docker = part(node, "dockerVolumeConfiguration", placeholders, [&](Value docker) {
    return DockerVolume{.node = docker,
                        .scope = string(docker, "scope"),
                        .autoprovision = boolean_field(docker, "autoprovision", placeholders),
                        .driver = string(docker, "driver")};
  });
  volume.efs = part(node, "efsVolumeConfiguration", placeholders, [&](Value efs) {
    const Value authorization = object_in(efs, "authorizationConfig");
    return EfsVolume{.node = efs,
                     .file_system_id = string(efs, "fileSystemId"),
                     .root_directory = string(efs, "rootDirectory"),
                     .transit_encryption = string(efs, "transitEncryption"),
                     .transit_encryption_port = integer_field(efs, "transitEncryptionPort", placeholders),
                     .access_point_id = string(authorization, "accessPointId"),
                     .iam = string(authorization, "iam")};
  });
  volume.s3files = part(node, "s3filesVolumeConfiguration", placeholders, [&](Value s3files) {
    return S3FilesVolume{.node = s3files,
                         .file_system_arn = string(s3files, "fileSystemArn"),
                         .root_directory = string(s3files, "rootDirectory"),
                         .access_point_arn = string(s3files, "accessPointArn")};
  });
  volume.fsx = part(node, "fsxWindowsFileServerVolumeConfiguration", placeholders, [&](Value fsx) {
    const Value authorization = object_in(fsx, "authorizationConfig");
    return FsxVolume{.node = fsx,
                     .credentials_parameter = string(authorization, "credentialsParameter"),
                     .domain = string(authorization, "domain")};
  });
  return volume;
}

}  // namespace bayplan::model
