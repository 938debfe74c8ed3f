#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::catalog {

/// What the globs of `--types` name.
struct NamedTypes {
  std::vector<const InstanceType*> types;
  std::vector<std::string> unknown;  ///< Globs that match nothing, because they may name types newer than the data.
};

/// Types that the globs name (all without globs). A glob that matches none and is no name of a newer type is an error
/// with a hint.
Result<NamedTypes> types_named(const Catalog& catalog, const std::vector<std::string>& globs);

/// The same for commands that answer nothing without a type: none at all is an error, too.
Result<NamedTypes> some_types_named(const Catalog& catalog, const std::vector<std::string>& globs);

/// "m10i.* matches no instance type of the catalog (EC2 data of 2026-08-02)"
std::string unknown_type_words(const Catalog& catalog, std::string_view glob);

}  // namespace bayplan::catalog
