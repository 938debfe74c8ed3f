#include "placement/loading.hpp"

#include <algorithm>
#include <tuple>

#include "base/edit_distance.hpp"
#include "base/fill.hpp"
#include "base/strings.hpp"

namespace bayplan::placement {

Origin origin_of(const Sources& sources, text::Value at) {
  const Error place = sources.error_at(at, {});
  return {place.file, place.line, place.column};
}

void sort_by_place(std::vector<Error>& errors) {
  std::stable_sort(errors.begin(), errors.end(), [](const Error& a, const Error& b) {
    return std::tuple(a.line, a.column) < std::tuple(b.line, b.column);
  });
}

void assume(Scenario& scenario, std::string id, std::string subject, std::string text) {
  for (const auto& known : scenario.assumptions) {
    if (known.subject == subject && known.id == id) return;
  }
  scenario.assumptions.push_back({std::move(id), std::move(subject), std::move(text)});
}

void note_unsimulated(Loading& loading, const std::string& service, const model::UnsimulatedDeployment& said) {
  if (said.has_load_balancer) {
    assume(
        loading.scenario, "load-balancer-not-simulated", service,
        "registration with the load balancer, its health checks, healthCheckGracePeriodSeconds and the deregistration "
        "delay take no time");
  }
  if (said.settings.empty()) return;
  assume(loading.scenario, "deployment-options-not-simulated", service,
         fill("no effect here: {}; each deployment is a ROLLING one by ECS", {join(said.settings, ", ")}));
}

std::string help_among(const Loading& loading, std::string_view word, const std::vector<std::string_view>& known,
                       std::string_view intro) {
  constexpr std::size_t kMostTold = 10;
  if (!gives_hints(loading)) return {};
  if (const auto near = nearest(word, known)) return fill("did you mean '{}'?", {*near});
  if (known.empty() || known.size() > kMostTold) return {};
  return fill("{} {}", {intro, one_of(known, "and")});
}

}  // namespace bayplan::placement
