#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::fleet {

/// Pairs of a workload and the constraint that keeps it on some instance types.
using Pins = std::vector<std::pair<std::uint32_t, placement::Constraint>>;

/// The constraint that keeps tasks on some of the fleet's types, in the fewest words: one type by name, one family that
/// they stay off, else the shorter list. Both sorted and unique; `allowed` is a true part of `fleet`.
placement::Constraint pin_to(const std::vector<std::string>& allowed, const std::vector<std::string>& fleet);

/// Constraints that keep each workload on the instance types on which the packing has its tasks. None for workloads
/// that are on every type.
Pins find_type_pins(const Market& market, const Question& question, const packing::Packing& packing);

/// A packing that has tasks without GPUs on instances without GPUs alone: none then takes a GPU's room. Nothing where
/// there are no such tasks, no tasks with GPUs, or no such instances.
std::optional<packing::Packing> apart_from_gpus(const Question& question, const Market& market);

/// A part of the pins with which `fills` still holds, and from which half after half was left out where it did.
Pins needed_pins(const Pins& pins, const std::function<bool(const Pins&)>& fills);

}  // namespace bayplan::fleet
