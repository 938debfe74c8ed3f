#include "fleet/offers/market.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "base/assumption.hpp"
#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/pattern.hpp"
#include "base/result.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "catalog/catalog.hpp"
#include "catalog/managed_instances.hpp"
#include "fleet/offers/instance_configurations.hpp"
#include "fleet/offers/market_flags.hpp"
#include "fleet/offers/price_file.hpp"
#include "placement/model/profiles.hpp"

namespace bayplan::fleet {

namespace {

/// What instance types cost in one region, from one source: the catalog, or a price file in its place.
class Prices {
 public:
  /// Uses the prices of the catalog; `region` as in a scenario.
  explicit Prices(std::string region) : region_(std::move(region)) {}
  /// Uses the prices of a file: types that it does not name have no price, but for the user's own.
  Prices(std::string region, std::string file, std::map<std::string, catalog::Price, std::less<>> of_file)
      : region_(std::move(region)), file_(std::move(file)), of_file_(std::move(of_file)) {}

  /// `type` may be null when the catalog lacks it.
  std::optional<catalog::Price> of(std::string_view instance_type, const catalog::InstanceType* type) const;
  /// Where the catalog knows a price, sorted; none when the prices are those of a file.
  std::vector<std::string> regions_with_price(const catalog::InstanceType* type) const;
  struct Elsewhere {
    std::string region;
    MicroUsd hourly = 0;
  };
  /// What the catalog knows of the region itself, of us-east-1, or of the dearest region: the first of these.
  std::optional<Elsewhere> elsewhere(const catalog::InstanceType& type) const;
  /// "no price in eu-north-1; known in us-east-1 and us-west-2", "no price in prices.csv".
  std::string why_none(const catalog::InstanceType* type) const;

 private:
  std::string region_;
  std::string file_;  ///< Empty = the catalog.
  std::map<std::string, catalog::Price, std::less<>> of_file_;
};

/// "us-east-1 and us-west-2"; of many the first few and their number.
std::string some_regions(std::vector<std::string> regions) {
  constexpr std::size_t kMost = 5;
  constexpr std::size_t kNamed = 3;
  if (regions.size() > kMost) {
    const auto more = regions.size() - kNamed;
    regions.resize(kNamed);
    regions.push_back(fmt::format("{} more regions", more));
  }
  return one_of({regions.begin(), regions.end()}, "and");
}

struct LoadedPrices {
  Prices prices;
  catalog::FargatePrices fargate;  ///< Those of the file; others are empty.
  std::map<std::string, catalog::Price, std::less<>> managed_fees;
  bool are_spot = false;
  std::map<std::string, catalog::Price, std::less<>> pools;  ///< Spot prices by pool.
  std::vector<Assumption> assumptions;
  std::vector<Error> errors;
};

std::optional<catalog::Price> Prices::of(std::string_view instance_type, const catalog::InstanceType* type) const {
  const auto in_file = of_file_.find(instance_type);
  if (in_file != of_file_.end()) return in_file->second;
  if (type == nullptr || (!file_.empty() && !type->is_own)) return std::nullopt;
  return type->price_in(region_);
}

std::vector<std::string> Prices::regions_with_price(const catalog::InstanceType* type) const {
  if (type == nullptr || !file_.empty()) return {};
  return type->prices.regions();
}

std::optional<Prices::Elsewhere> Prices::elsewhere(const catalog::InstanceType& type) const {
  for (const std::string& region : {region_, std::string("us-east-1")}) {
    if (const auto price = type.price_in(region)) return Elsewhere{region, price->hourly};
  }
  std::optional<Elsewhere> dearest;
  for (const auto& region : type.prices.regions()) {
    const auto price = type.prices.in(region);
    if (price && (!dearest || price->hourly > dearest->hourly)) dearest = Elsewhere{region, price->hourly};
  }
  return dearest;
}

std::string Prices::why_none(const catalog::InstanceType* type) const {
  if (!file_.empty()) return "no price in " + file_;
  const auto regions = regions_with_price(type);
  if (regions.empty()) return type != nullptr && type->is_own ? "no hourlyPrice stated" : "no price in any region";
  return fmt::format("no price in {}; known in {}", region_, some_regions(regions));
}

/// Unknown names in a table written by hand: typos, or types newer than the catalog.
std::optional<Assumption> unknown_types(const PriceFile& file, const std::string& path, const TypeNames& names) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> unknown;
  for (const auto& [type, price] : file.prices) {
    if (!names.is_type(type)) unknown.push_back(printable(type));
  }
  if (file.kind != PriceFileKind::kTable || unknown.empty()) return std::nullopt;
  const std::size_t shown = std::min(kMost, unknown.size());
  std::string text = fmt::format("{} has prices of unknown types, which are ignored: {}", path,
                                 join({unknown.begin(), unknown.begin() + static_cast<std::ptrdiff_t>(shown)}, ", "));
  if (unknown.size() > shown) text += fmt::format(" and {} more", unknown.size() - shown);
  return Assumption{"price-type-unknown", path, std::move(text)};
}

/// Loads the prices of the file, or those of the catalog when `path` is empty.
LoadedPrices load_prices(const std::string& path, const std::string& region, const TypeNames& names, const Files& files,
                         const Limits& limits) {
  if (path.empty()) return {Prices(region), {}, {}, false, {}, {}, {}};
  PriceFile file = read_price_file(path, region, files, limits);
  std::vector<Assumption> assumptions;
  if (file.kind == PriceFileKind::kSpotHistory) {
    const std::string where = file.zones.size() < 2 ? "" : fmt::format(", the highest of {} zones", file.zones.size());
    assumptions.push_back(
        {"spot-prices", path,
         fmt::format("prices are the newest spot prices of {}{}: they change by the hour", path, where)});
  }
  if (auto unknown = unknown_types(file, path, names)) {
    if (!file.errors.empty()) {  // a run that ends here reports no assumptions
      file.errors.push_back({.message = unknown->text, .help = "a typo, or types newer than the catalog"});
    }
    assumptions.push_back(std::move(*unknown));
  }
  const bool has_instances = !file.prices.empty() || !file.has_other_prices();
  return {has_instances ? Prices(region, path, std::move(file.prices)) : Prices(region),
          std::move(file.fargate),
          std::move(file.managed_fees),
          file.kind == PriceFileKind::kSpotHistory,
          std::move(file.pools),
          std::move(assumptions),
          std::move(file.errors)};
}

}  // namespace

using catalog::InstanceType;
using placement::InstanceProfile;
using placement::Scenario;

namespace {

/// A type by name; the catalog may lack it.
struct NamedType {
  std::string name;
  const InstanceType* type = nullptr;
};

/// A type that a limit or quota leaves no room for.
struct Forbidden {
  NamedType named;
  std::vector<InstanceProfile> profiles;
  std::int64_t limit = 0;
};

std::string find_quota(const InstanceProfile& profile) {
  return profile.type == nullptr ? std::string() : vcpu_quota_name(*profile.type);
}

/// Types that only the scenario knows, sorted.
std::vector<std::string> types_of_scenario_only(const Scenario& scenario, const catalog::Catalog& catalog) {
  std::set<std::string> names;
  for (const auto& profile : scenario.profiles) {
    if (!profile.instance_type.empty() && catalog.find(profile.instance_type) == nullptr)
      names.insert(profile.instance_type);
  }
  std::vector<std::string> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end(), natural_less);
  return sorted;
}

bool has_no_price(const Offer& offer) {
  return !offer.exists() && !offer.listed && offer.price_basis.empty();
}

bool may_buy_something(const Market& market) {
  return std::any_of(market.offers.begin(), market.offers.end(),
                     [](const Offer& offer) { return offer.standing.empty(); });
}

void leave_out(const NamedType& named, std::string why, Market& market) {
  market.left_out.push_back({named.name, std::move(why), false});
}

void assume(std::string id, std::string subject, std::string text, Market& market) {
  Assumption assumption{std::move(id), std::move(subject), std::move(text)};
  auto& all = market.assumptions;
  if (std::find(all.begin(), all.end(), assumption) == all.end()) all.push_back(std::move(assumption));
}

/// A market with the prices that are not those of instance types, and without offers.
Market market_without_offers(const MarketRequest& request, const Scenario& scenario, const catalog::Catalog& catalog,
                             const MarketFlags& flags, LoadedPrices& loaded) {
  Market market;
  market.region = scenario.region;
  market.are_types_named = !request.types.empty();
  market.assumptions = std::move(loaded.assumptions);
  market.fargate = catalog::fargate_prices(scenario.region);
  for (std::size_t i = 0; i < market.fargate.size(); ++i) {
    if (loaded.fargate[i]) market.fargate[i] = std::move(loaded.fargate[i]);
  }
  market.managed_fees = std::move(loaded.managed_fees);
  market.has_spot_prices = loaded.are_spot;
  market.pool_prices = std::move(loaded.pools);
  for (auto& [pool, price] : market.pool_prices) {
    const auto instance_type = std::string_view(pool).substr(0, pool.find('@'));
    price.hourly = flags.discounted(instance_type, price.hourly);
  }
  // Existing and owned instances run already and count to the quota, whether the plan uses them or not.
  market.quotas = flags.quotas;
  const auto count_running = [&](std::string_view quota, std::int64_t vcpus) {
    for (auto& limit : market.quotas) {
      if (limit.quota == quota) limit.in_use += vcpus;
    }
  };
  for (const auto& [name, count] : flags.owned) {
    const auto* type = catalog.find(name);
    if (type != nullptr) count_running(vcpu_quota_name(*type), count * type->vcpus);
  }
  if (!request.keeps_cluster) return market;
  for (const auto& instance : scenario.instances) {
    const auto& profile = scenario.profiles[instance.profile];
    count_running(find_quota(profile), vcpus_of(profile));
  }
  return market;
}

/// Offers existing instances, which cost nothing more.
void add_standing(std::vector<ExistingInstances> existing, const std::optional<catalog::Price>& listed,
                  Market& market) {
  for (auto& standing : existing) {
    Offer offer;
    offer.profile = std::move(standing.profile);
    offer.profile.hourly_price = 0;
    offer.listed = listed;
    offer.limit = static_cast<std::int64_t>(standing.instances.size());
    offer.standing = std::move(standing.instances);
    market.offers.push_back(std::move(offer));
  }
}

void add_owned(const NamedType& named, const std::vector<InstanceProfile>& profiles, std::int64_t owned,
               const std::optional<catalog::Price>& listed, Market& market) {
  if (profiles.size() > 1) {
    assume(
        "owned-set-up", named.name,
        fmt::format("the scenario sets up {} in {} ways: owned ones are like the first", named.name, profiles.size()),
        market);
  }
  Offer offer;
  offer.profile = profiles.front();
  offer.profile.hourly_price = 0;
  offer.listed = listed;
  offer.is_owned = true;
  offer.limit = owned;
  market.offers.push_back(std::move(offer));
}

/// Why a type that globs select is not for sale; nothing if it is. A retired type may be bought if a glob contains its
/// family: "p3.*", "p3*", "p3.2xlarge"; not "p*".
std::optional<std::string> why_not_for_sale(const InstanceType& type, const std::vector<std::string>& globs,
                                            bool is_on_sale, const std::string& region) {
  const bool is_named = std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return glob_matches(glob, type.name) &&
           std::string_view(glob).substr(0, glob.find_first_of("*?[")).starts_with(type.family());
  });
  if (type.is_retired() && !is_named)
    return fmt::format("no longer sold; include it with --types '{}.*'", type.family());
  if (!is_on_sale) return fmt::format("not offered in {}", region);
  return std::nullopt;
}

std::optional<std::string> why_over_quota(const InstanceProfile& profile, const std::vector<QuotaLimit>& quotas) {
  const std::string quota = find_quota(profile);
  for (const auto& limit : quotas) {
    if (limit.quota == quota && limit.left() < vcpus_of(profile)) {
      return fmt::format("one has {}, and the quota {} leaves {}", count_of(vcpus_of(profile), "vCPU"), quota,
                         limit.left());
    }
  }
  return std::nullopt;
}

/// The price that a type is planned with.
struct PlannedPrice {
  std::optional<catalog::Price> listed;
  std::optional<MicroUsd> hourly;  ///< Nothing when no region has a price.
  std::string basis;               ///< The region that it is taken from, when that is not the market's.
};

PlannedPrice compute_price(const NamedType& named, const Prices& prices, const MarketFlags& flags,
                           bool allow_unpriced) {
  if (const auto listed = prices.of(named.name, named.type))
    return {listed, flags.discounted(named.name, listed->hourly), {}};
  if (!allow_unpriced || named.type == nullptr) return {};
  const auto other = prices.elsewhere(*named.type);
  if (!other) return {};
  return {std::nullopt, flags.discounted(named.name, other->hourly), other->region};
}

/// Offers instances to be bought, one offer for each profile.
void add_to_buy(const NamedType& named, std::vector<InstanceProfile> profiles, std::int64_t limit,
                const PlannedPrice& price, const std::vector<placement::InstanceGroup>& groups, Market& market) {
  if (limit != packing::kUnlimited && profiles.size() > 1) market.limits.push_back({named.name, limit});
  for (InstanceProfile& profile : profiles) {
    if (price.hourly && placement::is_windows(profile)) {
      assume("linux-price", named.name, fmt::format("{} runs Windows and is priced as on Linux", named.name), market);
    }
    // The fee of Managed Instances is computed from the list price: no discount is subtracted from it.
    MicroUsd fee = 0;
    const std::string& provider = profile.capacity_provider_name;
    const bool is_managed = std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
      return group.managed_instances && group.capacity_provider == provider;
    });
    if (is_managed && profile.type != nullptr && price.hourly) {
      fee = catalog::managed_instances(*profile.type).fee(price.listed ? price.listed->hourly : *price.hourly);
    }
    Offer offer;
    offer.profile = std::move(profile);
    offer.hourly_price = price.hourly.value_or(0) + fee;
    offer.profile.hourly_price = offer.hourly_price;
    offer.listed = price.listed;
    offer.price_basis = price.basis;
    offer.limit = limit;
    offer.quota = find_quota(offer.profile);
    market.offers.push_back(std::move(offer));
  }
}

/// Among types with a price, one without would always win: it is left out. Where no type has one, vCPUs count.
void settle_unpriced(const Prices& prices, const catalog::Catalog& catalog, Market& market) {
  auto& offers = market.offers;
  if (std::none_of(offers.begin(), offers.end(), has_no_price)) return;
  if (std::all_of(offers.begin(), offers.end(), [](const Offer& one) { return one.exists() || has_no_price(one); })) {
    market.counts_vcpus = true;
    assume("vcpus-for-prices", "", "no type has a price: each vCPU counts as 1 USD/hour", market);
    for (auto& offer : offers) {
      if (offer.exists()) continue;
      offer.hourly_price = vcpus_of(offer.profile) * kMicroUsdPerUsd;
      offer.profile.hourly_price.reset();
    }
    return;
  }
  std::set<std::string> names;
  for (const auto& offer : offers) {
    if (has_no_price(offer)) names.insert(offer.profile.instance_type);
  }
  for (const auto& name : names) market.left_out.push_back({name, prices.why_none(catalog.find(name)), true});
  std::erase_if(offers, has_no_price);
}

/// Notes the regions whose prices are used instead of the market's.
void note_price_bases(const MarketRequest& request, Market& market) {
  std::map<std::string, std::set<std::string>> types_by_basis;
  for (const Offer& offer : market.offers) {
    if (!offer.price_basis.empty()) types_by_basis[offer.price_basis].insert(offer.profile.instance_type);
  }
  for (const auto& [basis, types] : types_by_basis) {
    const std::string which =
        types.size() == 1 ? *types.begin() : count_of(static_cast<std::int64_t>(types.size()), "type");
    assume("price-of-another-region", types.size() == 1 ? which : std::string(),
           fmt::format("no price in {} for {}: planned with {} of {}{}",
                       request.prices.empty() ? market.region : request.prices, which,
                       types.size() == 1 ? "that" : "those", basis, request.prices.empty() ? "" : " in the catalog"),
           market);
  }
}

Error nothing_to_buy(const MarketRequest& request, const Prices& prices, const catalog::Catalog& catalog,
                     const Market& market) {
  constexpr std::size_t kMost = 3;
  const auto& all = market.left_out;
  std::string reasons;
  for (std::size_t i = 0; i < std::min(kMost, all.size()); ++i)
    reasons += (i == 0 ? "" : "; ") + all[i].instance_type + ": " + all[i].why;
  if (all.size() > kMost) reasons += fmt::format("; and {} more", all.size() - kMost);
  if (std::none_of(all.begin(), all.end(), [](const LeftOut& one) { return one.is_unpriced; }))
    return {.message = "no instance type may be bought", .help = reasons};
  if (!request.prices.empty())
    return {.message = "none of the types that may be bought has a price in " + request.prices, .help = reasons};
  std::set<std::string> regions;  // with a price of a type that was left out for lack of one
  for (const LeftOut& one : all) {
    if (!one.is_unpriced) continue;
    for (auto& region : prices.regions_with_price(catalog.find(one.instance_type))) regions.insert(std::move(region));
  }
  const std::string help =
      regions.empty() ? "--prices FILE states prices, --allow-unpriced plans for the fewest vCPUs"
                      : fmt::format(
                            "prices are known in {}; --prices FILE states others, --allow-unpriced plans with those "
                            "of another region",
                            some_regions({regions.begin(), regions.end()}));
  return {.message = fmt::format("none of the types that may be bought has a price in {}", market.region),
          .help = help};
}

}  // namespace

Market with_trunking(bool is_on, Market market) {
  for (Offer& offer : market.offers) {
    if (offer.standing.empty()) placement::set_trunking(is_on, offer.profile);
  }
  return market;
}

LoadedMarket load_market(const MarketRequest& request, const Scenario& scenario, const catalog::Catalog& catalog,
                         const Files& files, const Limits& limits) {
  const std::vector<std::string> own_types = types_of_scenario_only(scenario, catalog);
  const TypeNames names(catalog, own_types);
  std::vector<Error> errors;
  for (const auto& glob : request.types) {
    if (names.any_matches(glob) || names.may_be_newer(glob)) continue;
    const auto hint = names.hint_for(glob);
    errors.push_back({.message = fmt::format("--types '{}': no instance type matches it", glob),
                      .help = hint.empty() ? "'bayplan catalog' lists all types" : hint});
  }
  const MarketFlags flags = read_market_flags(request, names, errors);
  LoadedPrices loaded = load_prices(request.prices, scenario.region, names, files, limits);
  errors.insert(errors.end(), loaded.errors.begin(), loaded.errors.end());
  if (!errors.empty()) return {std::nullopt, std::move(errors)};

  const Prices& prices = loaded.prices;
  Market market = market_without_offers(request, scenario, catalog, flags, loaded);
  auto unknown = flags.unknown;
  for (const auto& glob : request.types) {
    if (!names.any_matches(glob)) unknown.insert(glob);
  }
  for (const auto& name : unknown)
    leave_out({name}, fmt::format("not in the catalog (EC2 data of {})", catalog.data_date()), market);

  std::vector<NamedType> every_type;
  for (const auto& type : catalog.types()) every_type.push_back({type.name, &type});
  for (const auto& name : own_types) every_type.push_back({name, nullptr});
  const InstanceConfigurations configurations = find_configurations(scenario);
  const auto price_and_add = [&](const NamedType& named, std::vector<InstanceProfile> profiles, std::int64_t limit) {
    const PlannedPrice price = compute_price(named, prices, flags, request.allow_unpriced);
    if (!price.hourly && !request.allow_unpriced) {
      market.left_out.push_back({named.name, prices.why_none(named.type), true});
    } else {
      add_to_buy(named, std::move(profiles), limit, price, scenario.timetable.groups, market);
    }
  };
  std::vector<Forbidden> forbidden;
  for (const NamedType& named : every_type) {
    const auto listed = prices.of(named.name, named.type);
    const auto standing = configurations.standing.find(named.name);
    if (request.keeps_cluster && standing != configurations.standing.end())
      add_standing(standing->second, listed, market);

    // Types of the scenario and, unless globs select others, every type that is not known to be missing in the region.
    const auto configured = configurations.to_buy.find(named.name);
    const bool is_of_scenario = configured != configurations.to_buy.end();
    const bool is_on_sale = named.type != nullptr && (named.type->regions.may_include(scenario.region) || listed);
    const bool is_selected = request.types.empty()
                                 ? is_of_scenario || (is_on_sale && !named.type->is_retired())
                                 : std::any_of(request.types.begin(), request.types.end(),
                                               [&](const std::string& glob) { return glob_matches(glob, named.name); });
    const std::int64_t owned = flags.count_owned(named.name);
    if (owned == 0 && !is_selected) continue;
    std::vector<InstanceProfile> profiles;
    if (is_of_scenario) {
      profiles = configured->second;
    } else if (auto profile = placement::profile_of_type(catalog, named.name)) {
      placement::add_built_in_attributes(*profile);
      profiles.push_back(std::move(*profile));
    } else {
      leave_out(named, profile.error().message, market);  // what it registers is not known
      continue;
    }
    if (owned > 0) add_owned(named, profiles, owned, listed, market);
    if (!is_selected) continue;
    if (!is_of_scenario && named.type != nullptr) {
      if (auto why = why_not_for_sale(*named.type, request.types, is_on_sale, scenario.region)) {
        leave_out(named, std::move(*why), market);
        continue;
      }
    }

    const auto* stated = flags.find_limit(named.name);
    const std::int64_t limit = stated == nullptr ? packing::kUnlimited : *stated - owned;
    const auto why_forbidden = limit == 0 ? fmt::format("--limit {}={}", named.name, *stated)
                                          : why_over_quota(profiles.front(), market.quotas);
    if (why_forbidden) {
      leave_out(named, *why_forbidden, market);
      forbidden.push_back({named, std::move(profiles), limit});
    } else {
      price_and_add(named, std::move(profiles), limit);
    }
  }
  // Where limits and quotas forbid all types, these are offered: the plan then says what cannot be placed for them.
  if (!may_buy_something(market)) {
    for (Forbidden& type : forbidden) {
      std::erase_if(market.left_out, [&](const LeftOut& one) { return one.instance_type == type.named.name; });
      price_and_add(type.named, std::move(type.profiles), type.limit);
    }
  }

  settle_unpriced(prices, catalog, market);
  note_price_bases(request, market);
  // Where vCPUs count for want of prices, credits have no price either.
  std::vector<InstanceProfile> profiles;
  for (const auto& offer : market.offers) profiles.push_back(offer.profile);
  market.credits = market.counts_vcpus ? CreditTerms{request.burst_percent, {}}
                                       : credit_terms(profiles, scenario.region, request.burst_percent);
  if (request.trunking) market = with_trunking(*request.trunking, std::move(market));
  if (!may_buy_something(market)) return {std::nullopt, {nothing_to_buy(request, prices, catalog, market)}};
  return {std::move(market), {}};
}

}  // namespace bayplan::fleet
