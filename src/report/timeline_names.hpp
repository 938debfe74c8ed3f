#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "placement/scenario.hpp"
#include "timeline/history.hpp"

/// What things of a run over time are called, several at once.
namespace bayplan::report {

/// "train#1-3 web#2", by name; tasks that ran before the start by their ids, of very many the first.
std::string task_names(const placement::Scenario& scenario, const timeline::History& history,
                       const std::vector<std::uint32_t>& tasks);

/// "p3.2xlarge#1-2,5 c5.large#1"; of instances without a number three; of very many the first.
std::string instance_names(const timeline::History& history, const std::vector<std::uint32_t>& instances);

/// "web (web:2)"
std::string deployment_name(const placement::Scenario& scenario, const timeline::Deployment& deployment);

}  // namespace bayplan::report
