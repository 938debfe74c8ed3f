#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "study/load_variants.hpp"

namespace bayplan::study {

/// `vary: add g4dn.12xlarge`: a flag, and what stands before `=` in its value.
struct Varied {
  VariationKey key = VariationKey::kSeed;
  std::string subject;  ///< Empty for flags that take no X=Y.

  bool takes_numbers() const;
  /// What the flag takes: "g4dn.12xlarge=2"; nothing where the value leaves the scenario as it is.
  std::optional<std::string> flag(std::string_view value) const;
};

/// An error without a place when this is no flag, or its subject is missing or too much.
Result<Varied> parse_vary(std::string_view text);

/// "g4dn.12xlarge=2"; zones behind the subject go behind the value: "g4dn.12xlarge=2@us-east-2a".
std::string paired(std::string_view subject, std::string_view value);

}  // namespace bayplan::study
