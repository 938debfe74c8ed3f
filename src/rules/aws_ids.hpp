#pragma once
#include <string_view>

#include "rules/emitter.hpp"

namespace bayplan::rules {

/// An id that a service gives, as it may be written: prefix and hexadecimal digits, or the ARN.
struct AwsId {
  std::string_view noun;     ///< "file system"
  std::string_view prefix;   ///< "fs-"
  std::string_view service;  ///< Service in the ARN: "elasticfilesystem".
};

/// FileSystemId and AccessPointId: 8 to 40 digits in lower case (EFS API reference, CreateMountTarget and
/// DescribeAccessPoints, 2026).
inline constexpr AwsId kEfsFileSystem{"file system", "fs-", "elasticfilesystem"};
inline constexpr AwsId kEfsAccessPoint{"access point", "fsap-", "elasticfilesystem"};

bool is_id(std::string_view text, const AwsId& form);

/// Whether the id can be judged: `fs-xxxxxxxx` and `EFS_ID` are filled in later, and count the rule as skipped.
bool knows_id(const model::StringField& field, const AwsId& form, Emitter& emit);

/// "arn:PARTITION:SERVICE:...", of any service when `service` is empty.
bool is_arn(std::string_view text, std::string_view service = {});

}  // namespace bayplan::rules
