#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::lsp {

/// "8 vCPUs, 15025 MiB for tasks of 15616, 1 NVIDIA T4 of 16384 MiB"; one line.
std::string type_in_words(const catalog::InstanceType& type);

/// What the catalog knows of it, a fact a line.
std::vector<std::string> collect_facts(const catalog::InstanceType& type);

/// The word at `offset` that may be the name of an instance type: letters, digits, dots and hyphens.
Span type_word_at(std::string_view text, std::uint32_t offset);

/// How many GPUs an instance can have, from the least.
std::vector<std::string> gpu_counts(const catalog::Catalog& catalog);

/// Where in an expression of the cluster query language the end of `typed` is.
struct ExpressionPlace {
  enum class Wants : std::uint8_t { kNothing, kSubject, kAttribute, kInstanceType };
  Wants wants = Wants::kNothing;
  std::size_t word = 0;  ///< Length of the word before the end, which a completion takes the place of.
};
ExpressionPlace place_in_expression(std::string_view typed);

/// Attributes that every container instance has (developer guide, Amazon ECS container instance attributes).
const std::vector<std::string_view>& known_attributes();

}  // namespace bayplan::lsp
