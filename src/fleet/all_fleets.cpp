#include "fleet/all_fleets.hpp"

#include <algorithm>
#include <set>

#include "fleet/fleet_rank.hpp"

namespace bayplan::fleet {
namespace {

constexpr std::size_t kMostSteps = 200'000;
/// Of offers that cost nothing.
constexpr std::int64_t kMostForNothing = 1'000;

class Enumeration {
 public:
  Enumeration(const Market& market, CostRange range, std::size_t most,
              const std::function<bool(const Purchases&)>& is_worth_it)
      : market_(market), range_(range), most_(most), is_worth_it_(is_worth_it) {}

  std::vector<Purchases> run(const Question& question) {
    std::set<std::pair<std::uint32_t, std::string>> places;
    for (const BinOrigin& bin : question.bins) {
      if (market_.offers[bin.offer].standing.empty()) places.emplace(bin.offer, bin.availability_zone);
    }
    places_.assign(places.begin(), places.end());
    go_on(0, 0);
    if (is_too_much()) return {};
    std::sort(fleets_.begin(), fleets_.end(), [&](const Purchases& a, const Purchases& b) {
      return std::pair(rank_of(market_, a), a) < std::pair(rank_of(market_, b), b);
    });
    return std::move(fleets_);
  }

 private:
  bool is_too_much() const { return steps_ > kMostSteps || fleets_.size() > most_; }

  void go_on(std::size_t place, MicroUsd cost) {
    ++steps_;
    if (is_too_much()) return;
    if (place == places_.size()) {
      if (cost >= range_.least && is_worth_it_(fleet_)) fleets_.push_back(fleet_);
      return;
    }
    const auto& [offer, zone] = places_[place];
    const MicroUsd price = market_.offers[offer].hourly_price;
    const std::int64_t affordable = price > 0 ? (range_.most - cost) / price : kMostForNothing;
    go_on(place + 1, cost);
    const std::int64_t most = std::min(affordable, market_.offers[offer].limit);
    for (std::int64_t count = 1; count <= most && !is_too_much(); ++count) {
      fleet_.push_back({offer, zone, count});
      go_on(place + 1, cost + count * price);
      fleet_.pop_back();
    }
  }

  const Market& market_;
  const CostRange range_;
  const std::size_t most_;
  const std::function<bool(const Purchases&)>& is_worth_it_;
  std::vector<std::pair<std::uint32_t, std::string>> places_;
  Purchases fleet_;
  std::vector<Purchases> fleets_;
  std::size_t steps_ = 0;
};

}  // namespace

std::vector<Purchases> all_fleets(const Market& market, const Question& question, CostRange range, std::size_t most,
                                  const std::function<bool(const Purchases&)>& is_worth_it) {
  return Enumeration(market, range, most, is_worth_it).run(question);
}

}  // namespace bayplan::fleet
