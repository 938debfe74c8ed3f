#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "importers/hcl_folder.hpp"

namespace bayplan::importers {

/// A module that is published for everyone, which code calls by an address instead of a folder.
struct PublishedModule {
  /// Code in data/terraform-modules that makes of its inputs what the module makes; null where the version is not
  /// known.
  std::shared_ptr<const HclFolder> folder;
  std::string name;            ///< Identifies the code.
  std::string known_versions;  ///< "5 to 7"
};

/// The module of an address in the registry or on GitHub, in the newest version that `constraint` allows ("" is any; an
/// address of GitHub has its own). An empty name if the module is not known. Source of addresses and constraints:
/// language documentation, modules/sources and expressions/version-constraints, 2026-11.
PublishedModule find_published_module(std::string_view source, std::string_view constraint);

/// "5.11.4" of the constraint, as the call shows it; "" without one.
std::string version_in_call(std::string_view source, std::string_view constraint);

}  // namespace bayplan::importers
