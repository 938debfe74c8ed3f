#pragma once
#include <string>
#include <vector>

#include "fleet/recommended/fill_fleet.hpp"
#include "placement/build.hpp"

/// Small markets and questions written by hand.
namespace bayplan::fleet::by_hand {

struct Kind {
  std::string type;
  double dollars = 0;
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t gpus = 0;
};

inline MicroUsd usd(double dollars) {
  return static_cast<MicroUsd>(dollars * 1e6 + 0.5);
}

inline Market market(const std::vector<Kind>& kinds) {
  Market market;
  for (const Kind& kind : kinds) {
    Offer offer;
    offer.profile = placement::build::instance(kind.type, kind.cpu, kind.memory, {kind.gpus, 0}, "");
    offer.profile.attributes.erase("ecs.availability-zone");
    offer.profile.hourly_price = offer.hourly_price = usd(kind.dollars);
    market.offers.push_back(std::move(offer));
  }
  return market;
}

/// A shape for each workload; CPU, memory and whole GPUs alone count.
inline Question question(const placement::Scenario& scenario, const Market& market) {
  Question question;
  question.dimensions = {"CPU", "MEMORY", "GPU"};
  question.problem.dimensions = 3;
  for (std::uint32_t i = 0; i < market.offers.size(); ++i) {
    const auto& profile = market.offers[i].profile;
    question.problem.types.push_back(
        {{profile.cpu, profile.memory, profile.gpu_count}, market.offers[i].hourly_price, market.offers[i].limit});
    question.bins.push_back({i, "", false, {}, profile.cpu});
  }
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto& task = scenario.workloads[i].requirement;
    const std::int64_t count = scenario.workloads[i].count.value_or(0);
    question.problem.shapes.push_back({{task.cpu, task.memory, task.gpu_count}, count, {}, packing::kUnlimited, 0});
    question.shapes.push_back({{i}, {count}});
  }
  return question;
}

/// Of a scenario that needs no fleet of its own.
inline placement::Scenario tasks(std::vector<placement::Workload> workloads) {
  return placement::build::scenario_with({}, std::move(workloads));
}

inline packing::Solution ideal(const Question& question) {
  packing::SolveLimits limits;
  limits.effort = 20'000'000;
  return packing::solve(question.problem, limits);
}

}  // namespace bayplan::fleet::by_hand
