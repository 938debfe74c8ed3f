#pragma once
#include <vector>

#include "rules/context.hpp"

namespace bayplan::rules {

/// linuxParameters.tmpfs[]
struct Tmpfs {
  text::Value node;
  model::StringField container_path;
  model::IntegerField size;  ///< MiB.
  model::List<model::StringField> mount_options;
};

std::vector<Tmpfs> bind_tmpfs(const model::ContainerDefinition& container, const model::Placeholders& placeholders);

}  // namespace bayplan::rules
