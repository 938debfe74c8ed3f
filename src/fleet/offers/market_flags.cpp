#include "fleet/offers/market_flags.hpp"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"

namespace bayplan::fleet {

namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kMaxInstances = 1'000'000;
constexpr std::int64_t kMaxVcpus = 1'000'000'000;

/// "0.72" -> 720,000; nothing for texts that are no such factor, 0, and factors above 1.
std::optional<std::int64_t> parse_factor(std::string_view text) {
  const auto dot = text.find('.');
  const auto whole = to_integer(text.substr(0, dot));
  if (text.empty() || text.front() < '0' || text.front() > '9' || !whole || *whole > 1) return std::nullopt;
  std::int64_t factor = *whole * kMillion;
  if (dot != std::string_view::npos) {
    std::string decimals(text.substr(dot + 1));
    const bool are_digits = decimals.find_first_not_of("0123456789") == std::string::npos;
    if (decimals.empty() || decimals.size() > 6 || !are_digits) return std::nullopt;
    decimals.resize(6, '0');
    factor += *to_integer(decimals);
  }
  if (factor == 0 || factor > kMillion) return std::nullopt;
  return factor;
}

void fail(std::vector<Error>& errors, std::string message, std::string help) {
  errors.push_back({.message = std::move(message), .help = std::move(help)});
}

void fail_name(std::string_view flag, const std::string& text, std::string_view name, const TypeNames& names,
               std::vector<Error>& errors) {
  const auto hint = names.hint_for(name);
  fail(errors,
       fmt::format("{} '{}': {} '{}'", flag, text, is_glob(name) ? "no instance type matches" : "unknown instance type",
                   name),
       hint.empty() ? "'bayplan catalog' lists all types" : hint);
}

/// A flag NAME=VALUE in its two parts.
struct NameAndValue {
  std::string_view name;
  std::string_view value;
};

std::optional<NameAndValue> parts_of(std::string_view flag, std::string_view text, std::string_view example,
                                     std::vector<Error>& errors) {
  const auto equals = text.rfind('=');
  if (equals == std::string_view::npos || trim(text.substr(0, equals)).empty()) {
    fail(errors, fmt::format("{} '{}' is not NAME=VALUE", flag, text), fmt::format("for example {} {}", flag, example));
    return std::nullopt;
  }
  return NameAndValue{trim(text.substr(0, equals)), trim(text.substr(equals + 1))};
}

/// Whether the name, of a type, a family or a glob, may be newer than the catalog: not an error then.
bool may_be_newer(std::string_view name, const TypeNames& names) {
  const bool is_family = name.find('.') == std::string_view::npos && !is_glob(name);
  return names.may_be_newer(is_family ? std::string(name) + ".*" : std::string(name));
}

void read_discount(const std::string& text, const TypeNames& names, MarketFlags& flags, std::vector<Error>& errors) {
  const auto parts = parts_of("--discount", text, "g4dn=0.72", errors);
  if (!parts) return;
  const auto factor = parse_factor(parts->value);
  if (!factor) {
    fail(errors, fmt::format("--discount '{}': the factor cannot be '{}'", text, parts->value),
         "use the share that you pay, above 0, up to 1, with up to six decimals: 0.72 for 28% off");
  }
  const auto kind = is_glob(parts->name)                              ? Discount::Kind::kGlob
                    : parts->name.find('.') == std::string_view::npos ? Discount::Kind::kFamily
                                                                      : Discount::Kind::kType;
  Discount discount{kind, std::string(parts->name), factor.value_or(kMillion)};
  const bool is_known = kind == Discount::Kind::kGlob
                            ? names.any_matches(discount.pattern)
                            : names.is_type(discount.pattern) || names.is_family(discount.pattern);
  if (!is_known) {
    if (!may_be_newer(parts->name, names)) return fail_name("--discount", text, parts->name, names, errors);
    flags.unknown.insert(discount.pattern);
  }
  if (!factor) return;
  const bool is_twice = std::any_of(flags.discounts.begin(), flags.discounts.end(),
                                    [&](const Discount& other) { return other.pattern == discount.pattern; });
  if (is_twice) return fail(errors, fmt::format("duplicate --discount for {}", parts->name), "keep one of them");
  flags.discounts.push_back(std::move(discount));
}

/// A number of instances of one type, into `counts`. A type newer than the catalog goes to `unknown` instead.
void read_count(std::string_view flag, const std::string& text, std::int64_t least, const TypeNames& names,
                std::map<std::string, std::int64_t, std::less<>>& counts, std::set<std::string, std::less<>>& unknown,
                std::vector<Error>& errors) {
  const auto parts = parts_of(flag, text, "p3.2xlarge=4", errors);
  if (!parts) return;
  const auto count = to_integer(parts->value);
  const bool is_count = count && *count >= least && *count <= kMaxInstances;
  if (!is_count) {
    fail(errors, fmt::format("{} '{}': the number cannot be '{}'", flag, text, parts->value),
         fmt::format("a whole number from {} to {}", least, kMaxInstances));
  }
  if (is_glob(parts->name)) {
    return fail(errors, fmt::format("{} '{}' matches more than one type", flag, text),
                "name one type; the flag may be repeated");
  }
  if (!names.is_type(parts->name)) {
    if (!may_be_newer(parts->name, names)) return fail_name(flag, text, parts->name, names, errors);
    unknown.insert(std::string(parts->name));
    return;
  }
  if (!is_count) return;
  if (!counts.emplace(std::string(parts->name), *count).second)
    fail(errors, fmt::format("duplicate {} for {}", flag, parts->name), "keep one of them");
}

void read_quota(const std::string& text, std::vector<QuotaLimit>& quotas, std::vector<Error>& errors) {
  const auto parts = parts_of("--quota", text, "\"G and VT=256\"", errors);
  if (!parts) return;
  const auto quota = vcpu_quota_named(parts->name);
  const auto vcpus = to_integer(parts->value);
  const bool is_number = vcpus && *vcpus >= 0 && *vcpus <= kMaxVcpus;
  if (!is_number) {
    fail(errors, fmt::format("--quota '{}': the number of vCPUs cannot be '{}'", text, parts->value),
         fmt::format("a whole number from 0 to {}", kMaxVcpus));
  }
  if (!quota) {
    const auto near = nearest(parts->name, vcpu_quotas());
    return fail(errors,
                fmt::format("--quota '{}': EC2 has no vCPU quota '{}'{}", text, parts->name,
                            near ? fmt::format("; did you mean '{}'?", *near) : ""),
                fmt::format("the quotas are {}", one_of(vcpu_quotas(), "and")));
  }
  if (!is_number) return;
  const bool is_twice =
      std::any_of(quotas.begin(), quotas.end(), [&](const QuotaLimit& other) { return other.quota == *quota; });
  if (is_twice) return fail(errors, fmt::format("duplicate --quota for {}", *quota), "keep one of them");
  quotas.push_back({std::string(*quota), *vcpus});
}

std::string_view family_of(std::string_view instance_type) {
  return instance_type.substr(0, instance_type.find('.'));
}

}  // namespace

bool Discount::covers(std::string_view instance_type) const {
  switch (kind) {
    case Kind::kGlob:
      return glob_matches(pattern, instance_type);
    case Kind::kFamily:
      return family_of(instance_type) == pattern;
    case Kind::kType:
      return instance_type == pattern;
  }
  return false;
}

MicroUsd MarketFlags::discounted(std::string_view instance_type, MicroUsd price) const {
  const Discount* nearest = nullptr;
  for (const auto& discount : discounts) {
    if (discount.covers(instance_type) && (nearest == nullptr || discount.kind >= nearest->kind)) nearest = &discount;
  }
  if (nearest == nullptr) return price;
  const std::int64_t factor = nearest->factor_millionths;
  // In two parts: the product of a price and a factor need not fit 64 bits.
  return price / kMillion * factor + (price % kMillion * factor + kMillion / 2) / kMillion;
}

const std::int64_t* MarketFlags::find_limit(std::string_view instance_type) const {
  const auto found = limits.find(instance_type);
  return found == limits.end() ? nullptr : &found->second;
}

std::int64_t MarketFlags::count_owned(std::string_view instance_type) const {
  const auto found = owned.find(instance_type);
  return found == owned.end() ? 0 : found->second;
}

bool TypeNames::is_type(std::string_view name) const {
  return catalog_.find(name) != nullptr || std::find(others_.begin(), others_.end(), name) != others_.end();
}

bool TypeNames::is_family(std::string_view name) const {
  const auto& types = catalog_.types();
  return std::any_of(types.begin(), types.end(), [&](const auto& type) { return type.family() == name; }) ||
         std::any_of(others_.begin(), others_.end(), [&](const auto& other) { return family_of(other) == name; });
}

bool TypeNames::any_matches(const std::string& glob) const {
  return !catalog_.matching({glob}).empty() ||
         std::any_of(others_.begin(), others_.end(), [&](const auto& other) { return glob_matches(glob, other); });
}

MarketFlags read_market_flags(const MarketRequest& request, const TypeNames& names, std::vector<Error>& errors) {
  MarketFlags flags;
  for (const auto& text : request.discounts) read_discount(text, names, flags, errors);
  for (const auto& text : request.limits) read_count("--limit", text, 0, names, flags.limits, flags.unknown, errors);
  for (const auto& text : request.owned) read_count("--owned", text, 1, names, flags.owned, flags.unknown, errors);
  for (const auto& text : request.quotas) read_quota(text, flags.quotas, errors);
  for (const auto& [type, count] : flags.owned) {
    const auto* limit = flags.find_limit(type);
    if (limit == nullptr || *limit >= count) continue;
    fail(errors, fmt::format("--limit {}={} contradicts --owned {}={}", type, *limit, type, count),
         "a limit counts the owned instances too");
  }
  const auto rank = [](const QuotaLimit& limit) {
    return std::find(vcpu_quotas().begin(), vcpu_quotas().end(), limit.quota);
  };
  std::sort(flags.quotas.begin(), flags.quotas.end(),
            [&](const QuotaLimit& a, const QuotaLimit& b) { return rank(a) < rank(b); });
  return flags;
}

}  // namespace bayplan::fleet
