// AWS Price List -> prices. The bulk file has all products, then all terms by SKU; `aws pricing get-products` gives a
// list of texts, each one product with its terms.
#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "fleet/offers/price_documents.hpp"
#include "text/read.hpp"

namespace bayplan::fleet {

using text::Value;

std::string_view string_member(Value object, std::string_view key) {
  const Value member = object ? object.find(key) : Value();
  return member && member.is_string() ? member.text() : std::string_view();
}

namespace {

Value find_path(Value value, std::initializer_list<std::string_view> keys) {
  for (const auto key : keys) {
    if (!value || !value.is_object()) return {};
    value = value.find(key);
  }
  return value;
}

/// Attributes of the products that are instances as one rents them: not Windows, SQL Server, dedicated hosts, capacity
/// reservations, capacity blocks. What a product does not say is taken to be so.
bool is_linux_on_demand(Value attributes) {
  const auto is = [&](std::string_view key, std::string_view wanted) {
    const auto value = string_member(attributes, key);
    return value.empty() || value == wanted;
  };
  return !string_member(attributes, "instanceType").empty() &&
         string_member(attributes, "operatingSystem") == "Linux" && is("tenancy", "Shared") &&
         is("preInstalledSw", "NA") && is("capacitystatus", "Used") && is("marketoption", "OnDemand") &&
         is("licenseModel", "No License required");
}

/// What an AmazonECS usage type is the price of, behind the prefix of its region ("USE1-", "EU-"). Source: AmazonECS
/// offers as published in 2022 and 2026, in public copies (data/fargate-prices.csv).
struct EcsUsage {
  std::string_view usage_type;
  std::string_view name;  ///< As a row of a CSV.
};

constexpr EcsUsage kEcsUsages[] = {{"Fargate-vCPU-Hours:perCPU", "fargate:linux-x86:vcpu"},
                                   {"Fargate-GB-Hours", "fargate:linux-x86:gb"},
                                   {"Fargate-ARM-vCPU-Hours:perCPU", "fargate:linux-arm:vcpu"},
                                   {"Fargate-ARM-GB-Hours", "fargate:linux-arm:gb"},
                                   {"Fargate-Windows-vCPU-Hours:perCPU", "fargate:windows:vcpu"},
                                   {"Fargate-Windows-GB-Hours", "fargate:windows:gb"},
                                   {"Fargate-Windows-OS-Hours:perCPU", "fargate:windows:license"},
                                   {"Fargate-EphemeralStorage-GB-Hours", "fargate:storage:gb"}};

/// "managed-instances:c6a.2xlarge" of "USE1-ECS-Managed-Instances:c6a.2xlarge-management-hours"; empty for others.
std::string managed_fee_name(std::string_view usage_type) {
  constexpr std::string_view kBegin = "ECS-Managed-Instances:";
  constexpr std::string_view kEnd = "-management-hours";
  const auto begin = usage_type.find(kBegin);
  if (begin == std::string_view::npos || !usage_type.ends_with(kEnd)) return {};
  auto type = usage_type.substr(begin + kBegin.size());
  type.remove_suffix(std::min(kEnd.size(), type.size()));
  return type.empty() ? std::string() : "managed-instances:" + std::string(type);
}

/// The name that a CSV has for the price of a product of AmazonECS; empty for all other products. AmazonEKS has the
/// same usage types.
std::string ecs_price_name(Value attributes) {
  const auto is = [&](std::string_view key, std::string_view wanted) {
    const auto value = string_member(attributes, key);
    return value.empty() || value == wanted;
  };
  if (!is("servicecode", "AmazonECS") || !is("locationType", "AWS Region")) return {};
  const auto usage_type = string_member(attributes, "usagetype");
  for (const auto& usage : kEcsUsages) {
    if (usage_type == usage.usage_type || usage_type.ends_with("-" + std::string(usage.usage_type)))
      return std::string(usage.name);
  }
  return managed_fee_name(usage_type);
}

/// Whether a price of the product is read.
bool is_of_use(Value attributes) {
  return is_linux_on_demand(attributes) || !ecs_price_name(attributes).empty();
}

Value attributes_of(Value product) {
  const Value attributes = product && product.is_object() ? product.find("attributes") : Value();
  return attributes && attributes.is_object() ? attributes : Value();
}

class PriceListReader {
 public:
  explicit PriceListReader(PriceRows& rows) : rows_(rows) {}

  /// `offers`: by offer term code. `where`: offset of errors, when the product is a text inside another.
  void add_product(Value product, Value offers, std::string_view published, std::optional<std::size_t> where) {
    const Value attributes = attributes_of(product);
    if (!attributes || !is_of_use(attributes)) return;
    const std::string_view region = string_member(attributes, "regionCode");
    if (region.empty() || !rows_.takes(region)) return;
    where_ = where;
    at_ = product.span().begin;
    is_instance_ = is_linux_on_demand(attributes);
    name_ = is_instance_ ? std::string(string_member(attributes, "instanceType")) : ecs_price_name(attributes);
    date_ = date_part(published);
    if (!offers || !offers.is_object() || offers.size() == 0) {
      return fail(product, "has no on-demand price", "the file may be truncated; download it again");
    }
    for (const Value offer : offers.children()) add_offer(offer);
  }

 private:
  void add_offer(Value offer) {
    const Value dimensions = find_path(offer, {"priceDimensions"});
    if (!dimensions || !dimensions.is_object()) return fail(offer, "has no priceDimensions", {});
    const std::string date = date_.empty() ? date_part(string_member(offer, "effectiveDate")) : date_;
    for (const Value dimension : dimensions.children()) {
      const auto unit = lower(string_member(dimension, "unit"));
      if (unit == "hrs" || unit.ends_with("hours")) add_dimension(dimension, date);
    }
  }

  void add_dimension(Value dimension, const std::string& date) {
    const Value prices = dimension.find("pricePerUnit");
    if (!prices || !prices.is_object() || prices.size() == 0) return fail(dimension, "has no pricePerUnit", {});
    const Value usd = prices.find("USD");
    if (!usd) {
      return fail(prices, fmt::format("is priced in {}", printable(prices.at(0).key())), "only prices in USD are read");
    }
    const bool is_scalar = !usd.is_object() && !usd.is_array();
    const auto hourly = is_scalar ? (is_instance_ ? parse_usd(usd.text()) : parse_nano_usd(usd.text())) : std::nullopt;
    if (!hourly)
      return fail(usd, fmt::format("costs '{}'", printable(usd.text())), "use USD/hour, such as \"0.5260000000\"");
    if (*hourly == 0) return;
    is_instance_ ? rows_.add_dearest(name_, *hourly, date)
                 : rows_.add_dearest_other(name_, *hourly, date, where_ ? *where_ : at_);
  }

  void fail(Value at, std::string_view what, std::string help) {
    rows_.fail(where_ ? *where_ : at.span().begin, fmt::format("{} {}", printable(name_), what), std::move(help));
  }

  PriceRows& rows_;
  std::optional<std::size_t> where_;
  std::size_t at_ = 0;
  bool is_instance_ = true;
  std::string name_;  ///< The instance type, or the name of a price of AmazonECS.
  std::string date_;
};

void read_bulk(Value root, PriceRows& rows) {
  PriceListReader reader(rows);
  const Value terms = find_path(root, {"terms", "OnDemand"});
  const auto published = string_member(root, "publicationDate");
  for (const Value product : root.find("products").children()) {
    const Value offers = terms && terms.is_object() ? terms.find(product.key()) : Value();
    reader.add_product(product, offers, published, std::nullopt);
  }
}

void read_product(Value answer, std::optional<std::size_t> where, PriceListReader& reader) {
  reader.add_product(find_path(answer, {"product"}), find_path(answer, {"terms", "OnDemand"}),
                     answer.is_object() ? string_member(answer, "publicationDate") : std::string_view(), where);
}

/// Elements of PriceList are JSON in a text; some tools unpack them.
void read_products(Value list, const Limits& limits, PriceRows& rows) {
  PriceListReader reader(rows);
  for (const Value element : list.children()) {
    const std::size_t where = element.span().begin;
    if (element.is_object()) {
      read_product(element, std::nullopt, reader);
      continue;
    }
    const auto inner = element.is_string() ? text::read_document(std::string(element.text()),
                                                                 {.format = text::Format::kJson, .limits = limits})
                                           : nullptr;
    if (inner == nullptr || !inner->faults().empty() || !inner->root() || !inner->root().is_object()) {
      rows.fail(where, "this element of PriceList is not a product", "each one is an object, in JSON, in a string");
      continue;
    }
    read_product(inner->root(), where, reader);
  }
}

bool are_products(Value list) {
  if (!list || !list.is_array()) return false;
  const Value first = list.at(0);
  return !first || (first.is_object() ? static_cast<bool>(first.find("product")) : first.is_string());
}

/// What is of use of a bulk file, asked of each list and object when it has been read.
class Sieve {
 public:
  explicit Sieve(std::string region) : region_(std::move(region)) {}

  text::NodeRetention operator()(Value value) {
    const auto path = path_of(value);
    if (path.depth < 2) return text::NodeRetention::kWhole;
    if (path.first == "products" && path.depth == 2) return keep_product(value);
    if (path.first != "terms") return text::NodeRetention::kWhole;
    if (path.depth == 2) return path.second == "OnDemand" ? text::NodeRetention::kWhole : text::NodeRetention::kNothing;
    if (path.second != "OnDemand") return text::NodeRetention::kNothing;
    const bool is_wanted = path.depth > 3 || !has_products_ || skus_.contains(value.key());
    return is_wanted ? text::NodeRetention::kWhole : text::NodeRetention::kNothing;
  }

 private:
  struct Path {
    std::size_t depth = 0;    ///< 0 for the root.
    std::string_view first;   ///< Key below the root.
    std::string_view second;  ///< Below that.
  };

  static Path path_of(Value value) {
    Path path;
    for (Value at = value; at.parent(); at = at.parent()) {
      ++path.depth;
      path.second = path.first;
      path.first = at.key();
    }
    return path;
  }

  text::NodeRetention keep_product(Value product) {
    has_products_ = true;
    const Value attributes = attributes_of(product);
    if (!attributes || !is_of_use(attributes)) return text::NodeRetention::kNothing;
    if (string_member(attributes, "regionCode") == region_) skus_.emplace(product.key());
    return text::NodeRetention::kWhole;
  }

  std::string region_;
  bool has_products_ = false;
  std::set<std::string, std::less<>> skus_;
};

}  // namespace

text::RetentionRule keep_of_price_list(const std::string& region) {
  return [sieve = std::make_shared<Sieve>(region)](Value value) { return (*sieve)(value); };
}

bool read_price_list(Value root, const Limits& limits, PriceRows& rows) {
  const Value list = root.is_object() ? root.find("PriceList") : root;
  if (are_products(list)) {
    read_products(list, limits, rows);
  } else {
    const Value products = root.is_object() ? root.find("products") : Value();
    if (!products || !products.is_object() || !root.find("terms")) return false;
    read_bulk(root, rows);
  }
  if (!rows.has_errors()) rows.check_other();
  return true;
}

}  // namespace bayplan::fleet
