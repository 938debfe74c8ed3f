#include "fleet/offers/vcpu_quota.hpp"

#include <array>

#include "base/strings.hpp"

namespace bayplan::fleet {

namespace {

struct FamilyQuota {
  std::string_view letters;  ///< Letters of a family, before the first digit.
  std::string_view quota;
};

constexpr std::array kFamilyQuotas = {
    FamilyQuota{"a", "Standard"},    FamilyQuota{"c", "Standard"},  FamilyQuota{"d", "Standard"},
    FamilyQuota{"dl", "DL"},         FamilyQuota{"f", "F"},         FamilyQuota{"g", "G and VT"},
    FamilyQuota{"gr", "G and VT"},   FamilyQuota{"h", "Standard"},  FamilyQuota{"hpc", "HPC"},
    FamilyQuota{"i", "Standard"},    FamilyQuota{"im", "Standard"}, FamilyQuota{"inf", "Inf"},
    FamilyQuota{"is", "Standard"},   FamilyQuota{"m", "Standard"},  FamilyQuota{"p", "P"},
    FamilyQuota{"r", "Standard"},    FamilyQuota{"t", "Standard"},  FamilyQuota{"trn", "Trn"},
    FamilyQuota{"u", "High Memory"}, FamilyQuota{"vt", "G and VT"}, FamilyQuota{"x", "X"},
    FamilyQuota{"z", "Standard"},
};

/// "Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances" -> "Standard".
std::string_view short_name(std::string_view name) {
  constexpr std::string_view kBefore = "running on-demand ";
  constexpr std::string_view kBehind = " instances";
  const std::string low = lower(name);
  if (low.starts_with(kBefore)) name.remove_prefix(kBefore.size());
  if (low.ends_with(kBehind)) name.remove_suffix(kBehind.size());
  return trim(name.substr(0, name.find('(')));
}

}  // namespace

const std::vector<std::string_view>& vcpu_quotas() {
  static const std::vector<std::string_view> kQuotas = {"Standard", "G and VT", "P",  "F",           "Inf",
                                                        "Trn",      "X",        "DL", "High Memory", "HPC"};
  return kQuotas;
}

std::optional<std::string_view> vcpu_quota_named(std::string_view name) {
  const std::string_view wanted = short_name(trim(name));
  for (const auto quota : vcpu_quotas()) {
    if (equal_ignoring_case(quota, wanted)) return quota;
  }
  if (equal_ignoring_case(wanted, "G") || equal_ignoring_case(wanted, "VT")) return "G and VT";
  return std::nullopt;
}

std::string vcpu_quota_name(const catalog::InstanceType& type) {
  std::string_view letters = type.family();
  letters = letters.substr(0, letters.find_first_of("0123456789-"));
  const bool has_number = letters.size() < type.family().size();
  for (const auto& row : kFamilyQuotas) {
    if (has_number && row.letters == letters) return std::string(row.quota);
  }
  return {};
}

std::int64_t vcpus_of(const placement::InstanceProfile& profile) {
  if (profile.type != nullptr && !profile.type->is_own) return profile.type->vcpus;
  return (profile.cpu + kUnitsPerVcpu - 1) / kUnitsPerVcpu;
}

}  // namespace bayplan::fleet
