#pragma once
#include <string>
#include <string_view>

#include "base/strings.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::report {

/// "NVLink 2", "PCIe", without what the catalog says of it in brackets; empty where it is not known.
inline std::string short_interconnect(const catalog::InstanceType& type) {
  if (!type.gpu) return {};
  const std::string_view link = type.gpu->interconnect;
  return std::string(trim(link.substr(0, link.find_first_of("(,"))));
}

}  // namespace bayplan::report
