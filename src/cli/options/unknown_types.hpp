#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "catalog/types_named.hpp"

namespace bayplan::cli {

/// Tells of each glob of --types that may name types newer than the catalog and names none in it.
inline void note_unknown_types(const std::vector<std::string>& globs, const catalog::Catalog& catalog,
                               std::ostream& err) {
  const auto named = catalog::types_named(catalog, globs);
  if (!named) return;
  for (const auto& glob : named->unknown) err << "bayplan: note: " << unknown_type_words(catalog, glob) << '\n';
}

}  // namespace bayplan::cli
