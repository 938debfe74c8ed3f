#include "fleet/offers/price_dates.hpp"

#include "catch.hpp"

namespace bayplan::fleet {
namespace {

Offer make_offer(const std::string& date, const std::string& source) {
  Offer offer;
  offer.hourly_price = 1;
  offer.listed = catalog::Price{1, date, source};
  return offer;
}

TEST_CASE("the dates of a sum are those of what is paid for") {
  Market market;
  market.offers = {make_offer("2026-01-21", "a"), make_offer("2019-04-05", "b"), make_offer("2026-07-20", "a"),
                   make_offer("", "")};
  market.offers[1].is_owned = true;
  const auto dates = price_dates(market, {{0, "", 1}, {1, "", 1}, {2, "", 1}, {3, "", 1}});
  CHECK(dates.oldest == "2026-01-21");
  CHECK(dates.newest == "2026-07-20");
  CHECK(dates.sources == std::set<std::string>{"a"});
  CHECK_FALSE(mixed_dates(dates));
  CHECK(price_dates(market, {{3, "", 1}}).oldest.empty());
  CHECK_FALSE(mixed_dates(price_dates(market, {{3, "", 1}})));
}

TEST_CASE("a sum that mixes dates more than a year apart says so") {
  CHECK_FALSE(mixed_dates({"2025-07-20", "2026-07-20", {}}));
  const auto mixed = mixed_dates({"2025-07-20", "2026-07-21", {}});
  REQUIRE(mixed);
  CHECK(mixed->text == "the sum mixes prices of 2025-07-20 and 2026-07-21, more than a year apart");
}

}  // namespace
}  // namespace bayplan::fleet
