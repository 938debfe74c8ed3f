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

  const std::string& region() const { return region_; }

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

/// Names that nobody knows, of a table that somebody wrote: slips, or types newer than the catalog.
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

Assumption spot_prices(const PriceFile& file, const std::string& path) {
  const std::string where = file.zones.size() < 2 ? "" : fmt::format(", the highest of {} zones", file.zones.size());
  return {"spot-prices", path,
          fmt::format("prices are the newest spot prices of {}{}: they change by the hour", path, where)};
}

/// Loads the prices of the file, or those of the catalog when `path` is empty.
LoadedPrices load_prices(const std::string& path, const std::string& region, const TypeNames& names, const Files& files,
                         const Limits& limits) {
  if (path.empty()) return {Prices(region), {}, {}, false, {}, {}, {}};
  PriceFile file = read_price_file(path, region, files, limits);
  std::vector<Assumption> assumptions;
  if (file.kind == PriceFileKind::kSpotHistory) assumptions.push_back(spot_prices(file, path));
  if (auto unknown = unknown_types(file, path, names)) {
    if (!file.errors.empty()) {  // assumptions of a run that ends here are not told
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

/// The family stands in the glob: "p3.*", "p3*", "p3.2xlarge"; not "p*".
bool names_family(std::string_view glob, std::string_view family) {
  return glob.substr(0, glob.find_first_of("*?[")).starts_with(family);
}

class MarketBuilder {
 public:
  MarketBuilder(const MarketRequest& request, const Scenario& scenario, const catalog::Catalog& catalog,
                MarketFlags flags, LoadedPrices loaded)
      : request_(request),
        scenario_(scenario),
        catalog_(catalog),
        flags_(std::move(flags)),
        prices_(std::move(loaded.prices)),
        set_ups_(find_configurations(scenario)) {
    market_.assumptions = std::move(loaded.assumptions);
    market_.fargate = catalog::fargate_prices(scenario.region);
    for (std::size_t i = 0; i < market_.fargate.size(); ++i) {
      if (loaded.fargate[i]) market_.fargate[i] = std::move(loaded.fargate[i]);
    }
    market_.managed_fees = std::move(loaded.managed_fees);
    market_.has_spot_prices = loaded.are_spot;
    market_.pool_prices = std::move(loaded.pools);
    for (auto& [pool, price] : market_.pool_prices) {
      const auto instance_type = std::string_view(pool).substr(0, pool.find('@'));
      price.hourly = flags_.discounted(instance_type, price.hourly);
    }
  }

  LoadedMarket build() {
    market_.region = scenario_.region;
    market_.are_types_named = !request_.types.empty();
    const TypeNames names(catalog_, types_of_scenario_only(scenario_, catalog_));
    auto unknown = flags_.unknown;
    for (const auto& glob : request_.types) {
      if (!names.any_matches(glob)) unknown.insert(glob);
    }
    for (const auto& name : unknown)
      leave_out({name}, fmt::format("not in the catalog (EC2 data of {})", catalog_.data_date()));
    take_standing_off_quotas();
    for (const auto& type : catalog_.types()) add({type.name, &type});
    for (const auto& name : types_of_scenario_only(scenario_, catalog_)) add({name, nullptr});
    if (!may_buy_something()) offer_forbidden();
    settle_priceless();
    note_bases();
    market_.credits = credit_terms();
    if (request_.trunking) market_ = with_trunking(*request_.trunking, std::move(market_));
    market_.quotas = flags_.quotas;
    if (!may_buy_something()) return {std::nullopt, {nothing_to_buy()}};
    return {std::move(market_), {}};
  }

 private:
  /// What stands runs already and counts to the quota.
  void take_standing_off_quotas() {
    if (!request_.keeps_cluster) return;
    for (const auto& instance : scenario_.instances) {
      const auto& profile = scenario_.profiles[instance.profile];
      const std::string quota = find_quota(profile);
      for (auto& limit : flags_.quotas) {
        if (limit.quota == quota) limit.vcpus = std::max<std::int64_t>(0, limit.vcpus - vcpus_of(profile));
      }
    }
  }

  void add(const NamedType& named) {
    if (request_.keeps_cluster) add_standing(named);
    const std::int64_t owned = flags_.count_owned(named.name);
    if (owned == 0 && !is_asked_for(named)) return;
    auto profiles = list_profiles(named);
    if (profiles.empty()) return;
    if (owned > 0) add_owned(named, profiles, owned);
    if (is_allowed(named)) add_to_buy(named, std::move(profiles));
  }

  void add_standing(const NamedType& named) {
    const auto found = set_ups_.standing.find(named.name);
    if (found == set_ups_.standing.end()) return;
    for (auto& standing : found->second) {
      Offer offer;
      offer.profile = std::move(standing.profile);
      offer.profile.hourly_price = 0;
      offer.listed = prices_.of(named.name, named.type);
      offer.limit = static_cast<std::int64_t>(standing.instances.size());
      offer.standing = std::move(standing.instances);
      market_.offers.push_back(std::move(offer));
    }
  }

  bool is_of_scenario(const NamedType& named) const { return set_ups_.to_buy.contains(named.name); }

  /// Whether a glob, or the default, selects the type.
  bool is_asked_for(const NamedType& named) const {
    const auto& globs = request_.types;
    if (!globs.empty()) {
      return std::any_of(globs.begin(), globs.end(), [&](const auto& glob) { return glob_matches(glob, named.name); });
    }
    return is_of_scenario(named) || (named.type != nullptr && is_on_sale(*named.type) && !named.type->is_retired());
  }

  /// Not known to be missing in the region.
  bool is_on_sale(const InstanceType& type) const {
    return type.regions.may_include(scenario_.region) || prices_.of(type.name, &type);
  }

  /// Says why not.
  bool is_allowed(const NamedType& named) {
    if (!is_asked_for(named)) return false;
    if (is_of_scenario(named) || named.type == nullptr) return true;
    if (named.type->is_retired() && !is_named(*named.type)) {
      return leave_out(named, fmt::format("no longer sold; include it with --types '{}.*'", named.type->family()));
    }
    if (!is_on_sale(*named.type)) return leave_out(named, fmt::format("not offered in {}", scenario_.region));
    return true;
  }

  bool is_named(const InstanceType& type) const {
    return std::any_of(request_.types.begin(), request_.types.end(), [&](const auto& glob) {
      return glob_matches(glob, type.name) && names_family(glob, type.family());
    });
  }

  bool leave_out(const NamedType& named, std::string why, bool is_unpriced = false) {
    market_.left_out.push_back({named.name, std::move(why), is_unpriced});
    return false;
  }

  /// Lists the configurations of the scenario, else that of the catalog; none if what it registers is not known.
  std::vector<InstanceProfile> list_profiles(const NamedType& named) {
    const auto found = set_ups_.to_buy.find(named.name);
    if (found != set_ups_.to_buy.end()) return found->second;
    auto profile = placement::profile_of_type(catalog_, named.name);
    if (!profile) {
      leave_out(named, profile.error().message);
      return {};
    }
    placement::add_built_in_attributes(*profile);
    return {std::move(*profile)};
  }

  void add_owned(const NamedType& named, const std::vector<InstanceProfile>& profiles, std::int64_t owned) {
    if (profiles.size() > 1) {
      assume("owned-set-up", named.name,
             fmt::format("the scenario sets up {} in {} ways: owned ones are like the first", named.name,
                         profiles.size()));
    }
    Offer offer;
    offer.profile = profiles.front();
    offer.profile.hourly_price = 0;
    offer.listed = prices_.of(named.name, named.type);
    offer.is_owned = true;
    offer.limit = owned;
    offer.quota = find_quota(offer.profile);
    market_.offers.push_back(std::move(offer));
  }

  void add_to_buy(const NamedType& named, std::vector<InstanceProfile> profiles) {
    std::int64_t limit = packing::kUnlimited;
    if (const auto* stated = flags_.find_limit(named.name)) limit = *stated - flags_.count_owned(named.name);
    auto why = limit == 0 ? fmt::format("--limit {}={}", named.name, *flags_.find_limit(named.name))
                          : over_quota(profiles.front()).value_or(std::string());
    if (!why.empty()) {
      leave_out(named, std::move(why));
      forbidden_.push_back({named, std::move(profiles), limit});
      return;
    }
    price_and_add(named, std::move(profiles), limit);
  }

  /// Types that only limits and quotas forbid, where there are no others: a plan then says what has no place for them.
  void offer_forbidden() {
    for (Forbidden& type : forbidden_) {
      std::erase_if(market_.left_out, [&](const LeftOut& one) { return one.instance_type == type.named.name; });
      price_and_add(type.named, std::move(type.profiles), type.limit);
    }
  }

  void price_and_add(const NamedType& named, std::vector<InstanceProfile> profiles, std::int64_t limit) {
    const PlannedPrice price = compute_price(named);
    if (!price.hourly && !request_.allow_unpriced) {
      leave_out_unpriced(named);
      return;
    }
    if (limit != packing::kUnlimited && profiles.size() > 1) market_.limits.push_back({named.name, limit});
    for (auto& profile : profiles) add_offer(named, std::move(profile), limit, price);
  }

  std::optional<std::string> over_quota(const InstanceProfile& profile) const {
    const std::string quota = find_quota(profile);
    for (const auto& limit : flags_.quotas) {
      if (limit.quota == quota && limit.vcpus < vcpus_of(profile)) {
        return fmt::format("one has {}, and the quota {} leaves {}", count_of(vcpus_of(profile), "vCPU"), quota,
                           limit.vcpus);
      }
    }
    return std::nullopt;
  }

  struct PlannedPrice {
    std::optional<catalog::Price> listed;
    std::optional<MicroUsd> hourly;  ///< Nothing when no region has a price.
    std::string basis;               ///< The region that it is taken from, when that is not the market's.
  };

  PlannedPrice compute_price(const NamedType& named) const {
    if (const auto listed = prices_.of(named.name, named.type))
      return {listed, flags_.discounted(named.name, listed->hourly), {}};
    if (!request_.allow_unpriced || named.type == nullptr) return {};
    const auto other = prices_.elsewhere(*named.type);
    if (!other) return {};
    return {std::nullopt, flags_.discounted(named.name, other->hourly), other->region};
  }

  void leave_out_unpriced(const NamedType& named) {
    leave_out(named, prices_.why_none(named.type), true);
    for (auto& region : prices_.regions_with_price(named.type)) regions_with_price_.insert(std::move(region));
  }

  /// The fee is a price of the type: no discount is subtracted from it.
  MicroUsd managed_instances_fee(const InstanceProfile& profile, const PlannedPrice& price) {
    const auto& groups = scenario_.timetable.groups;
    const bool is_managed = std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
      return group.managed_instances && group.capacity_provider == profile.capacity_provider_name;
    });
    if (!is_managed || profile.type == nullptr || !price.hourly) return 0;
    assume("managed-instances-plan", profile.capacity_provider_name,
           fmt::format("ECS chooses and launches the instances of {}: the plan is the cheapest fleet that its "
                       "requirements allow",
                       profile.capacity_provider_name));
    const auto list_price = price.listed ? price.listed->hourly : *price.hourly;
    return catalog::managed_instances(*profile.type).fee(list_price);
  }

  void add_offer(const NamedType& named, InstanceProfile profile, std::int64_t limit, const PlannedPrice& price) {
    if (!price.basis.empty()) types_by_basis_[price.basis].insert(named.name);
    if (price.hourly && placement::is_windows(profile))
      assume("linux-price", named.name, fmt::format("{} runs Windows and is priced as on Linux", named.name));
    Offer offer;
    offer.profile = std::move(profile);
    offer.hourly_price = price.hourly.value_or(0) + managed_instances_fee(offer.profile, price);
    offer.profile.hourly_price = offer.hourly_price;
    offer.listed = price.listed;
    offer.price_basis = price.basis;
    offer.limit = limit;
    offer.quota = find_quota(offer.profile);
    market_.offers.push_back(std::move(offer));
  }

  static bool is_to_buy(const Offer& offer) { return offer.standing.empty() && !offer.is_owned; }
  static bool is_priceless(const Offer& offer) {
    return is_to_buy(offer) && !offer.listed && offer.price_basis.empty();
  }

  /// Beside types with a price, one without would always win: it is left out. Where no type has one, vCPUs count.
  void settle_priceless() {
    auto& offers = market_.offers;
    if (std::none_of(offers.begin(), offers.end(), is_priceless)) return;
    if (std::all_of(offers.begin(), offers.end(), [](const Offer& o) { return !is_to_buy(o) || is_priceless(o); })) {
      market_.counts_vcpus = true;
      assume("vcpus-for-prices", "", "no type has a price: each vCPU counts as 1 USD/hour");
      for (auto& offer : offers) {
        if (!is_to_buy(offer)) continue;
        offer.hourly_price = vcpus_of(offer.profile) * kMicroUsdPerUsd;
        offer.profile.hourly_price.reset();
      }
      return;
    }
    std::set<std::string> names;
    for (const auto& offer : offers) {
      if (is_priceless(offer)) names.insert(offer.profile.instance_type);
    }
    for (const auto& name : names) leave_out({name}, prices_.why_none(catalog_.find(name)), true);
    std::erase_if(offers, is_priceless);
  }

  /// Notes the bases of the catalog's prices that are used instead.
  void note_bases() {
    for (const auto& [basis, types] : types_by_basis_) {
      const std::string which =
          types.size() == 1 ? *types.begin() : count_of(static_cast<std::int64_t>(types.size()), "type");
      assume(
          "price-of-another-region", types.size() == 1 ? which : std::string(),
          fmt::format("no price in {} for {}: planned with {} of {}{}",
                      request_.prices.empty() ? scenario_.region : request_.prices, which,
                      types.size() == 1 ? "that" : "those", basis, request_.prices.empty() ? "" : " in the catalog"));
    }
  }

  /// Where vCPUs stand for prices, credits have none either.
  CreditTerms credit_terms() const {
    if (market_.counts_vcpus) return {request_.burst_percent, {}};
    std::vector<InstanceProfile> profiles;
    for (const auto& offer : market_.offers) profiles.push_back(offer.profile);
    return fleet::credit_terms(profiles, scenario_.region, request_.burst_percent);
  }

  bool may_buy_something() const {
    return std::any_of(market_.offers.begin(), market_.offers.end(),
                       [](const Offer& offer) { return offer.standing.empty(); });
  }

  Error nothing_to_buy() const {
    const auto& all = market_.left_out;
    if (std::none_of(all.begin(), all.end(), [](const LeftOut& one) { return one.is_unpriced; }))
      return {.message = "no instance type may be bought", .help = reasons()};
    if (!request_.prices.empty()) {
      return {.message = "none of the types that may be bought has a price in " + request_.prices, .help = reasons()};
    }
    const auto& regions = regions_with_price_;
    const std::string help =
        regions.empty() ? "--prices FILE states prices, --allow-unpriced plans for the fewest vCPUs"
                        : fmt::format(
                              "prices are known in {}; --prices FILE states others, --allow-unpriced plans with those "
                              "of another region",
                              some_regions({regions.begin(), regions.end()}));
    return {.message = fmt::format("none of the types that may be bought has a price in {}", scenario_.region),
            .help = help};
  }

  /// Reasons of the first few types.
  std::string reasons() const {
    constexpr std::size_t kMost = 3;
    const auto& all = market_.left_out;
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, all.size()); ++i)
      text += (i == 0 ? "" : "; ") + all[i].instance_type + ": " + all[i].why;
    if (all.size() > kMost) text += fmt::format("; and {} more", all.size() - kMost);
    return text;
  }

  void assume(std::string id, std::string subject, std::string text) {
    Assumption assumption{std::move(id), std::move(subject), std::move(text)};
    auto& all = market_.assumptions;
    if (std::find(all.begin(), all.end(), assumption) == all.end()) all.push_back(std::move(assumption));
  }

  const MarketRequest& request_;
  const Scenario& scenario_;
  const catalog::Catalog& catalog_;
  MarketFlags flags_;
  Prices prices_;
  InstanceConfigurations set_ups_;
  Market market_;
  std::vector<Forbidden> forbidden_;
  std::map<std::string, std::set<std::string>> types_by_basis_;  ///< Keyed by the region whose price stands in.
  std::set<std::string>
      regions_with_price_;  ///< Regions that have a price of a type that was left out for lack of one.
};

}  // namespace

Market with_trunking(bool is_on, Market market) {
  for (Offer& offer : market.offers) {
    if (offer.standing.empty()) placement::set_trunking(is_on, offer.profile);
  }
  return market;
}

namespace {

void check_globs(const std::vector<std::string>& globs, const TypeNames& names, std::vector<Error>& errors) {
  for (const auto& glob : globs) {
    if (names.any_matches(glob) || names.may_be_newer(glob)) continue;
    const auto hint = names.hint_for(glob);
    errors.push_back({.message = fmt::format("--types '{}': no instance type matches it", glob),
                      .help = hint.empty() ? "'bayplan catalog' lists all types" : hint});
  }
}

}  // namespace

LoadedMarket load_market(const MarketRequest& request, const Scenario& scenario, const catalog::Catalog& catalog,
                         const Files& files, const Limits& limits) {
  std::vector<Error> errors;
  const TypeNames names(catalog, types_of_scenario_only(scenario, catalog));
  check_globs(request.types, names, errors);
  auto flags = read_market_flags(request, names, errors);
  auto loaded = load_prices(request.prices, scenario.region, names, files, limits);
  errors.insert(errors.end(), loaded.errors.begin(), loaded.errors.end());
  if (!errors.empty()) return {std::nullopt, std::move(errors)};
  return MarketBuilder(request, scenario, catalog, std::move(flags), std::move(loaded)).build();
}

}  // namespace bayplan::fleet
