#pragma once
#include <optional>

#include "model/field.hpp"

namespace bayplan::model {

/// volumes[].dockerVolumeConfiguration
struct DockerVolume {
  text::Value node;
  StringField scope;  ///< "task" or "shared".
  BooleanField autoprovision;
  StringField driver;  ///< Absent = local.
};

/// volumes[].efsVolumeConfiguration
struct EfsVolume {
  text::Value node;
  StringField file_system_id;
  StringField root_directory;      ///< Absent = /.
  StringField transit_encryption;  ///< Absent = DISABLED.
  IntegerField transit_encryption_port;
  StringField access_point_id;  ///< Of authorizationConfig, as is `iam`.
  StringField iam;              ///< Absent = DISABLED.
};

/// volumes[].s3filesVolumeConfiguration
struct S3FilesVolume {
  text::Value node;
  StringField file_system_arn;
  StringField root_directory;  ///< Absent = /.
  StringField access_point_arn;
};

/// volumes[].fsxWindowsFileServerVolumeConfiguration
struct FsxVolume {
  text::Value node;
  StringField credentials_parameter;  ///< Of authorizationConfig, as is `domain`.
  StringField domain;
};

/// volumes[]; a part that is absent, null or no object is not there.
struct Volume {
  text::Value node;
  StringField name;
  StringField source_path;  ///< Of host; absent: Docker gives the directory.
  BooleanField configured_at_launch;
  std::optional<DockerVolume> docker;
  std::optional<EfsVolume> efs;
  std::optional<S3FilesVolume> s3files;
  std::optional<FsxVolume> fsx;
};

/// Binds one element of volumes.
Volume bind_volume(text::Value node, const Placeholders& placeholders);

}  // namespace bayplan::model
