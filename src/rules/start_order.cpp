#include "rules/start_order.hpp"

#include <algorithm>
#include <optional>

namespace bayplan::rules {
namespace {

/// ECS takes 10 containers (BAY104); beyond some more a search only costs time.
constexpr std::size_t kMostContainers = 40;

std::optional<std::size_t> position_of(const Context& ctx, const model::StringField& name) {
  const auto& containers = ctx.task.container_definitions;
  for (std::size_t i = 0; name && i < containers.size(); ++i) {
    if (containers[i].name && *containers[i].name == *name) return i;
  }
  return std::nullopt;
}

/// Waits of all containers, one for each pair: dependsOn says it first, then volumesFrom, then links.
class Waits {
 public:
  explicit Waits(const Context& ctx) : ctx_(ctx) {
    const auto& containers = ctx.task.container_definitions;
    for (std::size_t from = 0; from < containers.size(); ++from) {
      for (const auto& one : containers[from].depends_on) add(from, one.container_name, Wait::Kind::kDependsOn);
      for (const auto& one : containers[from].volumes_from) add(from, one.source_container, Wait::Kind::kVolumes);
      for (const auto& one : containers[from].links) add_link(from, one);
    }
  }

  const std::vector<Wait>& all() const { return waits_; }

  /// The fewest waits that lead from `start` to `goal`; empty when none do.
  Circle shortest(std::size_t start, std::size_t goal) const {
    std::vector<const Wait*> reached_by(ctx_.task.container_definitions.size(), nullptr);
    std::vector<std::size_t> queue{start};
    for (std::size_t next = 0; next < queue.size() && reached_by[goal] == nullptr; ++next) {
      for (const auto& wait : waits_) {
        if (wait.from != queue[next] || wait.to == start || reached_by[wait.to] != nullptr) continue;
        reached_by[wait.to] = &wait;
        queue.push_back(wait.to);
      }
    }
    Circle path;
    for (std::size_t at = goal; reached_by[at] != nullptr; at = reached_by[at]->from) path.push_back(*reached_by[at]);
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  void add(std::size_t from, const model::StringField& name, Wait::Kind kind) {
    const auto to = position_of(ctx_, name);
    if (!to || *to == from) return;
    const bool is_known = std::any_of(waits_.begin(), waits_.end(),
                                      [&](const Wait& wait) { return wait.from == from && wait.to == *to; });
    if (!is_known) waits_.push_back({from, *to, name.node, kind});
  }

  void add_link(std::size_t from, model::StringField link) {
    if (link) link.value = link->substr(0, link->find(':'));
    add(from, link, Wait::Kind::kLink);
  }

  const Context& ctx_;
  std::vector<Wait> waits_;
};

bool is_same(const Circle& a, const Circle& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Wait& one, const Wait& other) { return one.from == other.from && one.to == other.to; });
}

bool is_all(const Circle& circle, Wait::Kind kind) {
  return std::all_of(circle.begin(), circle.end(), [&](const Wait& wait) { return wait.kind == kind; });
}

/// BAY322 tells a circle of links, BAY522 one of volumes.
bool has_rule_of_its_own(const Circle& circle) {
  return is_all(circle, Wait::Kind::kLink) || is_all(circle, Wait::Kind::kVolumes);
}

void begin_at_first_container(Circle& circle) {
  const auto first = std::min_element(circle.begin(), circle.end(),
                                      [](const Wait& one, const Wait& other) { return one.from < other.from; });
  std::rotate(circle.begin(), first, circle.end());
}

}  // namespace

std::vector<Circle> find_circles(const Context& ctx) {
  std::vector<Circle> circles;
  if (ctx.task.container_definitions.size() > kMostContainers) return circles;
  const Waits waits(ctx);
  for (const auto& wait : waits.all()) {
    Circle circle = waits.shortest(wait.to, wait.from);
    if (circle.empty()) continue;
    circle.push_back(wait);
    begin_at_first_container(circle);
    const bool is_told =
        std::any_of(circles.begin(), circles.end(), [&](const Circle& other) { return is_same(circle, other); });
    if (!is_told && !has_rule_of_its_own(circle)) circles.push_back(std::move(circle));
  }
  return circles;
}

}  // namespace bayplan::rules
