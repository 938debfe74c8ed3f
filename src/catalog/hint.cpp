#include <algorithm>
#include <optional>
#include <utility>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::catalog {
namespace {

/// Families whose name begins with `family`, those with NVIDIA GPUs first: "g4" -> g4dn, g4ad.
std::vector<std::string> families_like(const Catalog& catalog, std::string_view family) {
  std::vector<std::string> with_gpu;
  std::vector<std::string> others;
  for (const auto& type : catalog.types()) {
    if (!type.family().starts_with(family)) continue;
    auto& list = type.has_nvidia_gpu() ? with_gpu : others;
    if (list.empty() || list.back() != type.family()) list.emplace_back(type.family());
  }
  with_gpu.insert(with_gpu.end(), others.begin(), others.end());
  return with_gpu;
}

bool has_family(const Catalog& catalog, std::string_view family) {
  return std::any_of(catalog.types().begin(), catalog.types().end(),
                     [&](const auto& type) { return type.family() == family; });
}

/// "m" and 8 of "m8i-flex": what the name of a family begins with.
std::pair<std::string_view, std::optional<std::int64_t>> letters_and_generation(std::string_view family) {
  const auto letters = family.substr(0, family.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
  const auto rest = family.substr(letters.size());
  return {letters, to_integer(rest.substr(0, rest.find_first_not_of("0123456789")))};
}

/// "nano" to "xlarge", "24xlarge", "metal", "metal-48xl", or a glob.
bool is_size(std::string_view size) {
  for (const std::string_view word : {"nano", "micro", "small", "medium", "large", "xlarge", "metal"}) {
    if (size == word) return true;
  }
  if (is_glob(size)) return true;
  const std::string_view end = size.starts_with("metal-") ? "xl" : "xlarge";
  if (size.starts_with("metal-")) size.remove_prefix(std::string_view("metal-").size());
  if (!size.ends_with(end)) return false;
  const auto number = to_integer(size.substr(0, size.size() - end.size()));
  return number && *number > 1;
}

std::string accelerator_hint(const InstanceType& type) {
  if (type.accelerator_kind == "neuron") {
    return std::string(type.family()) +
           " has AWS Neuron devices and no NVIDIA GPU: tasks ask for them with type NeuronDevice, not GPU";
  }
  if (!type.accelerator_kind.empty() && !type.has_nvidia_gpu()) {
    return std::string(type.family()) + " has no NVIDIA GPU: ECS counts no GPU there";
  }
  return {};
}

/// The size asked for, in the family meant, when that exists; else the whole family.
std::string in_family(const Catalog& catalog, const std::string& family, std::string_view size) {
  const std::string name = family + "." + std::string(size);
  return catalog.find(name) ? name : family + ".*";
}

std::string family_hint(const Catalog& catalog, std::string_view family, std::string_view size) {
  const auto families = families_like(catalog, family);
  if (families.empty()) return {};
  std::string hint = "did you mean '" + in_family(catalog, families.front(), size) + "'?";
  if (families.size() == 1) return hint;
  const std::vector<std::string_view> views(families.begin(),
                                            families.begin() + std::min<std::size_t>(4, families.size()));
  return hint + " EC2 has no family " + std::string(family) + ", but " + one_of(views, "and");
}

/// Of families that differ in one letter: sizes are alike in all of them, so that "zzz.large" is near to no type. A
/// name without a dot, "m5large", has no family.
std::string nearest_name(const Catalog& catalog, std::string_view name) {
  const auto dot = name.find('.');
  std::vector<std::string_view> names;
  for (const auto& type : catalog.types()) {
    if (dot == std::string_view::npos || edit_distance(name.substr(0, dot), type.family(), 1) <= 1)
      names.push_back(type.name);
  }
  const auto near = nearest(name, names);
  return near ? "did you mean '" + std::string(*near) + "'?" : std::string();
}

}  // namespace

bool Catalog::may_be_newer(std::string_view name) const {
  const auto dot = name.find('.');
  const auto family = name.substr(0, dot);
  const auto [letters, generation] = letters_and_generation(family);
  constexpr std::size_t kMostLetters = 4;  // "u", "trn", "hpc": new families have short names
  if (!generation || letters.empty() || letters.size() > kMostLetters) return false;
  const bool has_size = dot != std::string_view::npos && is_size(name.substr(dot + 1));
  if (!has_size && !is_glob(name)) return false;
  if (has_family(*this, family)) {
    if (is_glob(name)) return false;
  } else if (!families_like(*this, family).empty()) {
    return false;  // m8 of m8g and m8i
  }
  std::optional<std::int64_t> newest;
  for (const auto& type : types_) {
    const auto [own_letters, own_generation] = letters_and_generation(type.family());
    if (own_letters == letters && own_generation && own_generation > newest) newest = own_generation;
  }
  return !newest || *generation >= *newest - 1;
}

std::string Catalog::hint_for(std::string_view name) const {
  if (const auto* type = find(name)) return accelerator_hint(*type);
  const std::string lowered = lower(name);
  if (lowered != name && !matching({lowered}).empty()) {
    return "instance types are lowercase: '" + lowered + "'";
  }
  if (const auto found = matching({lowered}); !found.empty()) return accelerator_hint(*found.front());
  if (may_be_newer(lowered)) return {};
  const auto dot = lowered.find('.');
  const std::string_view family = std::string_view(lowered).substr(0, dot);
  const std::string_view size = dot == std::string::npos ? "*" : std::string_view(lowered).substr(dot + 1);
  if (family.empty() || family.find_first_of("*?[") != std::string_view::npos) return {};
  if (has_family(*this, family)) {
    return dot == std::string::npos ? "did you mean '" + lowered + ".*'?" : nearest_name(*this, lowered);
  }
  if (auto hint = family_hint(*this, family, size); !hint.empty()) return hint;
  return nearest_name(*this, lowered);
}

}  // namespace bayplan::catalog
