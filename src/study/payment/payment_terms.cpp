#include "study/payment/payment_terms.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/memory_files.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "catalog/extra_prices.hpp"
#include "shape/sources.hpp"
#include "study/payment/decimals.hpp"

namespace bayplan::study {

using fleet::Commitment;
using fleet::CommitmentType;
using text::Value;

namespace {

constexpr std::int64_t kMostAmount = 1'000'000;  ///< USD an hour, as of a Savings Plan, or instances.
constexpr std::string_view kNeedsDiscount = "use the share that is saved of the On-Demand price, such as 28% or 0.28";

/// A commitment as written: texts, empty where there are none.
struct WrittenCommitment {
  std::string_view type;
  std::string_view covers;  ///< instanceFamily or instanceType
  std::string_view discount;
  std::string_view hourly_price;  ///< Of one Reserved Instance.
  std::string_view amount;
};

std::string_view text_of(Value object, std::string_view key) {
  const Value member = object.find(key);
  return member ? member.text() : std::string_view();
}

/// What makes a commitment of texts; an error without a place.
class CommitmentReader {
 public:
  CommitmentReader(const fleet::Market& market, const catalog::Catalog& catalog) : market_(market), catalog_(catalog) {}

  Result<Commitment> read(const WrittenCommitment& written) const {
    const auto type = std::find(fleet::kCommitmentTypes.begin(), fleet::kCommitmentTypes.end(), written.type);
    if (type == fleet::kCommitmentTypes.end()) {
      return Error{.message = fmt::format("unknown commitment type '{}'", printable(written.type)),
                   .help = "use COMPUTE_SP, EC2_INSTANCE_SP or RESERVED_INSTANCES"};
    }
    Commitment commitment;
    commitment.type = static_cast<CommitmentType>(type - fleet::kCommitmentTypes.begin());
    commitment.covers = written.covers;
    if (auto wrong = check_covers(commitment)) return *wrong;
    if (auto wrong = set_price(written, commitment)) return *wrong;
    if (auto wrong = set_amount(written.amount, commitment)) return *wrong;
    return commitment;
  }

 private:
  std::optional<Error> check_covers(Commitment& commitment) const {
    const auto& covers = commitment.covers;
    switch (commitment.type) {
      case CommitmentType::kComputeSavingsPlan:
        if (covers.empty()) return std::nullopt;
        return Error{.message = fmt::format("COMPUTE_SP covers every type, not '{}' alone", printable(covers)),
                     .help = "EC2_INSTANCE_SP covers one family"};
      case CommitmentType::kEc2InstanceSavingsPlan:
        if (is_family(covers)) return std::nullopt;
        return Error{.message = covers.empty() ? std::string("EC2_INSTANCE_SP requires an instance family")
                                               : fmt::format("unknown instance family '{}'", printable(covers)),
                     .help = "for example c6a"};
      case CommitmentType::kReservedInstances:
        break;
    }
    if (covers.empty())
      return Error{.message = "RESERVED_INSTANCES requires an instance type", .help = "for example c6a.large"};
    if (catalog_.find(covers) == nullptr)
      return Error{.message = fmt::format("unknown instance type '{}'", printable(covers)),
                   .help = catalog_.hint_for(covers)};
    return set_instance_price(commitment);
  }

  bool is_family(std::string_view name) const {
    const auto& types = catalog_.types();
    return std::any_of(types.begin(), types.end(), [&](const auto& type) { return type.family() == name; });
  }

  /// What the plan pays for one On-Demand.
  std::optional<Error> set_instance_price(Commitment& commitment) const {
    for (const auto& offer : market_.offers) {
      if (offer.profile.instance_type == commitment.covers && offer.hourly_price > 0) {
        commitment.instance_price = offer.hourly_price;
        return std::nullopt;
      }
    }
    const auto* type = catalog_.find(commitment.covers);
    if (const auto price = type->price_in(market_.region)) {
      commitment.instance_price = price->hourly;
      return std::nullopt;
    }
    return Error{.message = fmt::format("no On-Demand price of {} in {} is known", commitment.covers, market_.region),
                 .help = "Reserved Instances are compared with it: --prices FILE states it"};
  }

  static std::optional<Error> set_price(const WrittenCommitment& written, Commitment& commitment) {
    if (!written.hourly_price.empty() && commitment.type != CommitmentType::kReservedInstances)
      return Error{.message = "hourlyPrice is for RESERVED_INSTANCES", .help = std::string(kNeedsDiscount)};
    if (!written.hourly_price.empty() && !written.discount.empty())
      return Error{.message = "discount and hourlyPrice are mutually exclusive", .help = "state one of them"};
    if (!written.hourly_price.empty()) return set_hourly_price(written.hourly_price, commitment);
    if (written.discount.empty())
      return Error{
          .message = fmt::format("{} requires a discount", name_of(commitment.type)),
          .help = "discounts depend on type, term and payment, and are not built in; " + std::string(kNeedsDiscount)};
    const auto discount = parse_share(written.discount);
    if (!discount || *discount <= 0 || *discount >= fleet::kWholeShare)
      return Error{.message = fmt::format("the discount cannot be '{}'", printable(written.discount)),
                   .help = std::string(kNeedsDiscount)};
    commitment.discount_millionths = *discount;
    return std::nullopt;
  }

  static std::optional<Error> set_hourly_price(std::string_view text, Commitment& commitment) {
    const auto price = parse_millionths(text);
    if (!price || *price <= 0 || *price >= commitment.instance_price) {
      return Error{.message = fmt::format("the hourlyPrice cannot be '{}'", printable(text)),
                   .help = fmt::format("use USD/hour of one instance, above 0 and below its On-Demand price of {}",
                                       static_cast<double>(commitment.instance_price) / kMicroUsdPerUsd)};
    }
    // Rounded down, so that no instance costs less than stated.
    commitment.discount_millionths =
        (commitment.instance_price - *price) * fleet::kWholeShare / commitment.instance_price;
    return std::nullopt;
  }

  static std::optional<Error> set_amount(std::string_view text, Commitment& commitment) {
    if (text.empty()) return std::nullopt;
    if (commitment.type == CommitmentType::kReservedInstances) {
      commitment.amount = to_integer(text);
      if (commitment.amount && *commitment.amount >= 0 && *commitment.amount <= kMostAmount) return std::nullopt;
      return Error{.message = fmt::format("the number of Reserved Instances cannot be '{}'", printable(text)),
                   .help = fmt::format("a whole number from 0 to {}; omit it for the cheapest", kMostAmount)};
    }
    commitment.amount = parse_millionths(text);
    if (commitment.amount && *commitment.amount <= kMostAmount * kMicroUsdPerUsd) return std::nullopt;
    return Error{.message = fmt::format("the hourly commitment cannot be '{}'", printable(text)),
                 .help = "use USD/hour as a plain number such as 0.526; omit it for the cheapest"};
  }

  const fleet::Market& market_;
  const catalog::Catalog& catalog_;
};

/// Keys of other types of commitments are errors, not ignored.
std::optional<Error> wrong_key(Value written) {
  const auto type = text_of(written, "type");
  const auto refuse = [&](std::string_view key, std::string_view wanted) -> std::optional<Error> {
    if (!written.find(key) || type == wanted) return std::nullopt;
    return Error{.message = fmt::format("{} is for {}", key, wanted), .help = "remove it"};
  };
  if (auto wrong = refuse("instanceFamily", "EC2_INSTANCE_SP")) return wrong;
  if (auto wrong = refuse("instanceType", "RESERVED_INSTANCES")) return wrong;
  if (auto wrong = refuse("instanceCount", "RESERVED_INSTANCES")) return wrong;
  if (type == "RESERVED_INSTANCES" && written.find("hourlyCommitment"))
    return Error{.message = "hourlyCommitment is for Savings Plans", .help = "use instanceCount"};
  return std::nullopt;
}

void read_commitment(Value written, const CommitmentReader& reader, shape::Sources& sources, PaymentTerms& terms) {
  if (auto wrong = wrong_key(written)) return sources.fail_with(written, std::move(*wrong));
  const bool is_reserved = text_of(written, "type") == "RESERVED_INSTANCES";
  auto commitment =
      reader.read({text_of(written, "type"), text_of(written, is_reserved ? "instanceType" : "instanceFamily"),
                   text_of(written, "discount"), text_of(written, "hourlyPrice"),
                   text_of(written, is_reserved ? "instanceCount" : "hourlyCommitment")});
  if (!commitment) return sources.fail_with(written, commitment.error());
  const auto term = text_of(written, "term");
  terms.commitments.push_back({std::move(*commitment), term == "ONE_YEAR" ? 1 : term == "THREE_YEARS" ? 3 : 0});
}

/// A price above 0 in USD, of at most nine decimals in effect six.
std::optional<NanoUsd> price_of(Value object, std::string_view key, shape::Sources& sources) {
  const Value member = object.find(key);
  if (!member) return std::nullopt;
  const auto price = parse_millionths(member.text());
  if (price && *price > 0) return *price * kNanoUsdPerMicroUsd;
  sources.fail(member, fmt::format("the {} cannot be '{}'", key, printable(member.text())),
               "use USD as a plain number above 0, or omit it for the price of the region");
  return std::nullopt;
}

std::int64_t integer_of(Value object, std::string_view key, std::int64_t otherwise) {
  const Value member = object.find(key);
  return member ? to_integer(member.text()).value_or(otherwise) : otherwise;
}

void read_extras(Value extras, shape::Sources& sources, PaymentTerms& terms) {
  if (const Value volume = extras.find("rootVolume")) {
    RootVolume root;
    root.is_default_size = !volume.find("volumeSize");
    root.gib = integer_of(volume, "volumeSize", catalog::kRootVolumeGib);
    if (const auto type = text_of(volume, "volumeType"); !type.empty()) root.volume_type = type;
    root.price = price_of(volume, "pricePerGbMonth", sources);
    terms.root_volume = std::move(root);
  }
  if (const Value written = extras.find("publicIpv4")) {
    PublicAddresses addresses;
    addresses.per_instance = integer_of(written, "perInstance", 1);
    addresses.count = integer_of(written, "count", 0);
    addresses.price = price_of(written, "hourlyPrice", sources);
    terms.public_addresses = addresses;
  }
}

/// TYPE[:COVERS]=DISCOUNT[@AMOUNT]
Result<Commitment> read_flag(std::string_view flag, const CommitmentReader& reader) {
  const auto equals = flag.find('=');
  if (equals == std::string_view::npos)
    return Error{.message = "there is no discount", .help = "for example COMPUTE_SP=28%, EC2_INSTANCE_SP:c6a=40%@0.5"};
  WrittenCommitment written;
  const auto colon = flag.substr(0, equals).find(':');
  written.type = trim(flag.substr(0, std::min(colon, equals)));
  if (colon != std::string_view::npos) written.covers = trim(flag.substr(colon + 1, equals - colon - 1));
  const auto rest = flag.substr(equals + 1);
  const auto at = rest.find('@');
  written.discount = trim(rest.substr(0, at));
  if (at == std::string_view::npos) return reader.read(written);
  written.amount = trim(rest.substr(at + 1));
  if (written.amount.empty())
    return Error{.message = "there is no amount after '@'", .help = "remove the '@' for the cheapest amount"};
  return reader.read(written);
}

std::optional<Error> too_many_sought(const PaymentTerms& terms) {
  const auto sought = std::count_if(terms.commitments.begin(), terms.commitments.end(),
                                    [](const auto& one) { return !one.commitment.amount; });
  if (sought <= static_cast<std::ptrdiff_t>(fleet::kMostSought)) return std::nullopt;
  return Error{.message = fmt::format("{} commitments have no amount", sought),
               .help = fmt::format("bayplan seeks at most {} amounts: state the others", fleet::kMostSought)};
}

}  // namespace

LoadedTerms load_payment_terms(const placement::Scenario& scenario, const std::vector<std::string>& flags,
                               const fleet::Market& market, const catalog::Catalog& catalog) {
  LoadedTerms loaded;
  const CommitmentReader reader(market, catalog);
  if (scenario.document) {
    const MemoryFiles nothing;
    shape::Sources sources(nothing, {});
    sources.add(scenario.document, scenario.file, 1);
    const Value root = scenario.document->root();
    if (const Value list = root.find("commitments")) {
      for (const Value one : list.children()) read_commitment(one, reader, sources, loaded.terms);
    }
    if (const Value extras = root.find("extras")) read_extras(extras, sources, loaded.terms);
    loaded.errors = std::move(sources).take_errors();
  }
  for (const auto& flag : flags) {
    auto commitment = read_flag(flag, reader);
    if (commitment) {
      loaded.terms.commitments.push_back({std::move(*commitment), 0});
    } else {
      Error error = commitment.error();
      error.message = fmt::format("--commitment '{}': {}", printable(flag), error.message);
      loaded.errors.push_back(std::move(error));
    }
  }
  if (!loaded.errors.empty()) return loaded;
  if (auto error = too_many_sought(loaded.terms)) loaded.errors.push_back(std::move(*error));
  if (!loaded.terms.commitments.empty() && market.has_spot_prices)
    loaded.errors.push_back({.message = "commitments do not cover Spot Instances, whose prices --prices states",
                             .help = "remove the commitments, or plan with On-Demand prices"});
  if (!loaded.terms.commitments.empty() && market.counts_vcpus)
    loaded.errors.push_back(
        {.message = "commitments cannot be priced: no type has a price", .help = "--prices FILE states prices"});
  return loaded;
}

}  // namespace bayplan::study
