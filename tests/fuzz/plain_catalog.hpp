#pragma once
#include <algorithm>

#include "catalog/catalog.hpp"

/// The catalog without types that an earlier input brought along.
inline bayplan::catalog::Catalog& plain_catalog() {
  static auto catalog = bayplan::catalog::Catalog::load();
  const auto& types = catalog.types();
  if (std::any_of(types.begin(), types.end(), [](const auto& type) { return type.is_own; }))
    catalog = bayplan::catalog::Catalog::load();
  return catalog;
}
