// dependsOn: which container waits for which, and for what.
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "base/strings.hpp"
#include "rules/container/container_names.hpp"
#include "rules/context.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {

namespace {

/// One container waits for another before it starts.
struct Wait {
  enum class Kind : std::uint8_t { kDependsOn, kLink, kVolumes };
  std::size_t from = 0;  ///< Positions in containerDefinitions.
  std::size_t to = 0;
  text::Value place;  ///< Where the file says so.
  Kind kind = Kind::kDependsOn;
};

/// Waits in a ring: each begins where the one before it ends, the last ends where the first begins.
using Circle = std::vector<Wait>;

/// ECS takes 10 containers (BAY104); beyond some more a search only costs time.
constexpr std::size_t kMostContainers = 40;

std::optional<std::size_t> find_position(const Context& ctx, const model::StringField& name) {
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
    const auto to = find_position(ctx_, name);
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

/// BAY322 reports a cycle of links, BAY522 one of volumes.
bool has_rule_of_its_own(const Circle& circle) {
  return is_all(circle, Wait::Kind::kLink) || is_all(circle, Wait::Kind::kVolumes);
}

void begin_at_first_container(Circle& circle) {
  const auto first = std::min_element(circle.begin(), circle.end(),
                                      [](const Wait& one, const Wait& other) { return one.from < other.from; });
  std::rotate(circle.begin(), first, circle.end());
}

/// The circles of dependsOn, links and volumesFrom, each once and begun at its first container of the file; circles of
/// links alone (BAY322) and of volumes alone (BAY522) are left out. Every wait that lies on a circle is on one of them:
/// the shortest through it. Nobody who waits for himself is counted.
std::vector<Circle> find_circles(const Context& ctx) {
  std::vector<Circle> circles;
  if (ctx.task.container_definitions.size() > kMostContainers) return circles;
  const Waits waits(ctx);
  for (const auto& wait : waits.all()) {
    Circle circle = waits.shortest(wait.to, wait.from);
    if (circle.empty()) continue;
    circle.push_back(wait);
    begin_at_first_container(circle);
    const bool is_reported =
        std::any_of(circles.begin(), circles.end(), [&](const Circle& other) { return is_same(circle, other); });
    if (!is_reported && !has_rule_of_its_own(circle)) circles.push_back(std::move(circle));
  }
  return circles;
}

using model::ContainerDefinition;
using model::ContainerDependency;

template <class Function>
void each_dependency(const Context& ctx, Function visit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& dependency : container.depends_on) visit(container, dependency);
  }
}

bool is_self(const ContainerDefinition& container, const ContainerDependency& dependency) {
  return container.name && dependency.container_name && *container.name == *dependency.container_name;
}

/// The other container, when the file shows which one it is.
const ContainerDefinition* other_of(const ContainersByName& containers, const ContainerDefinition& container,
                                    const ContainerDependency& dependency) {
  if (!dependency.container_name || is_self(container, dependency)) return nullptr;
  return containers.find(*dependency.container_name);
}

bool waits_for_end(const ContainerDependency& dependency) {
  return dependency.condition && (*dependency.condition == "COMPLETE" || *dependency.condition == "SUCCESS");
}

std::string_view verb_of(Wait::Kind kind) {
  switch (kind) {
    case Wait::Kind::kDependsOn:
      return "depends on";
    case Wait::Kind::kLink:
      return "links to";
    case Wait::Kind::kVolumes:
      return "mounts volumes from";
  }
  return "depends on";
}

void depends_unknown(const Context& ctx, Emitter& emit) {
  const ContainersByName containers(ctx);
  each_dependency(ctx, [&](const ContainerDefinition& container, const ContainerDependency& dependency) {
    if (!emit.knows(dependency.container_name) || containers.find(*dependency.container_name) != nullptr) return;
    if (!sees_all_names(ctx, emit)) return;
    emit.at(dependency.container_name)
        .says("{} depends on unknown container \"{}\"", called(container), *dependency.container_name)
        .help("{}", name_hint(ctx, *dependency.container_name));
  });
}

void depends_self(const Context& ctx, Emitter& emit) {
  each_dependency(ctx, [&](const ContainerDefinition& container, const ContainerDependency& dependency) {
    if (!is_self(container, dependency)) return;
    emit.at(dependency.container_name)
        .says("{} depends on itself, so it never starts", called(container))
        .help("use another container, or delete the entry");
  });
}

void depends_cycle(const Context& ctx, Emitter& emit) {
  const auto& containers = ctx.task.container_definitions;
  for (const auto& circle : find_circles(ctx)) {
    std::string path = std::string(*containers[circle.front().from].name);
    for (const auto& wait : circle) path += " -> " + std::string(*containers[wait.to].name);
    auto report = emit.at(circle.front().place);
    report.says("circular container dependency, so none of them starts: {}", path)
        .help("remove one of the dependencies");
    for (auto wait = circle.begin() + 1; wait < circle.end(); ++wait) {
      report.related(wait->place, called(containers[wait->from]) + " " + std::string(verb_of(wait->kind)) + " " +
                                      called(containers[wait->to]) + " here");
    }
  }
}

void depends_healthy_no_check(const Context& ctx, Emitter& emit) {
  const ContainersByName containers(ctx);
  each_dependency(ctx, [&](const ContainerDefinition& container, const ContainerDependency& dependency) {
    const auto* other = other_of(containers, container, dependency);
    if (other == nullptr || !dependency.condition || *dependency.condition != "HEALTHY") return;
    if (!ctx.is_whole || (other->health_check && !other->health_check.is_null())) return;
    emit.at(dependency.condition)
        .says("{} depends on {} being HEALTHY, but that container has no healthCheck", called(container),
              called(*other))
        .help("add \"healthCheck\" to {}, or use the condition START", called(*other))
        .related(other->name.node, "the container without a healthCheck");
  });
}

void depends_complete_essential(const Context& ctx, Emitter& emit) {
  const ContainersByName containers(ctx);
  each_dependency(ctx, [&](const ContainerDefinition& container, const ContainerDependency& dependency) {
    const auto* other = other_of(containers, container, dependency);
    if (other == nullptr || !waits_for_end(dependency)) return;
    if (other->essential.present() ? !emit.knows(other->essential) : !ctx.is_whole) return;
    if (!other->is_essential()) return;
    auto report = emit.at(dependency.condition);
    report
        .says("{} waits for {} to exit ({}), but {} is essential, so its exit stops the task", called(container),
              called(*other), *dependency.condition, called(*other))
        .help("set \"essential\": false in {}", called(*other));
    if (other->essential) {
      report.related(other->essential.node, "set here");
    } else {
      report.related(other->name.node, "essential defaults to true");
    }
  });
}

void depends_duplicate(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    std::map<std::string_view, text::Value> first;
    for (const auto& dependency : container.depends_on) {
      if (!emit.knows(dependency.container_name)) continue;
      const auto [seen, is_new] = first.emplace(*dependency.container_name, dependency.container_name.node);
      if (is_new) continue;
      emit.at(dependency.container_name)
          .says("{} lists \"{}\" twice in dependsOn", called(container), *dependency.container_name)
          .help("keep one of the entries")
          .related(seen->second, "first listed here");
    }
  }
}

}  // namespace

std::span<const Rule> depends_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY701", kTaskDefinition, depends_unknown},
      {"BAY702", kTaskDefinition, depends_self},
      {"BAY703", kTaskDefinition, depends_cycle},
      {"BAY704", kTaskDefinition, depends_healthy_no_check},
      {"BAY705", kTaskDefinition, depends_complete_essential},
      {"BAY706", kTaskDefinition, depends_duplicate},
  };
  return kRules;
}

}  // namespace bayplan::rules
