// links: what one container of a bridge network calls another one.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/edit_distance.hpp"
#include "rules/container/container_names.hpp"
#include "rules/network/network_mode.hpp"
#include "rules/network/port_mappings.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::StringField;

/// Container names to positions; nothing when one of them is not known, since a link may mean that one.
std::optional<std::map<std::string_view, std::size_t>> container_positions(const Context& ctx) {
  std::map<std::string_view, std::size_t> positions;
  const auto& containers = ctx.task.container_definitions;
  if (containers.empty() || containers.size() != containers.node.size()) return std::nullopt;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (!containers[i].name) return std::nullopt;
    positions.emplace(*containers[i].name, i);
  }
  return positions;
}

std::string_view target_of(std::string_view link) {
  return link.substr(0, link.find(':'));
}

/// Skeletons write `"links": [""]`.
bool says_links(const model::List<StringField>& links) {
  return std::any_of(links.begin(), links.end(),
                     [](const auto& link) { return link.unknown() || (link && !link->empty()); });
}

/// A link to a container of this task.
struct Edge {
  std::size_t to = 0;
  text::Value node;
};

using Graph = std::vector<std::vector<Edge>>;

/// Walks the links depth first, without recursion, and reports each that leads back to a container on the way to it.
class CycleSearch {
 public:
  CycleSearch(const Context& ctx, const Graph& graph, Emitter& emit)
      : ctx_(ctx), graph_(graph), emit_(emit), states_(graph.size(), State::kNew) {}

  void run() {
    for (std::size_t start = 0; start < graph_.size(); ++start) {
      if (states_[start] == State::kNew) walk_from(start);
    }
  }

 private:
  enum class State : std::uint8_t { kNew, kOnPath, kDone };
  struct Step {
    std::size_t container = 0;
    std::size_t next = 0;  ///< Link to look at.
    text::Value node;      ///< The link that led here.
  };

  void walk_from(std::size_t start) {
    path_.push_back({start, 0, {}});
    states_[start] = State::kOnPath;
    while (!path_.empty()) {
      auto& step = path_.back();
      if (step.next == graph_[step.container].size()) {
        states_[step.container] = State::kDone;
        path_.pop_back();
        continue;
      }
      const Edge& edge = graph_[step.container][step.next++];
      if (states_[edge.to] == State::kOnPath) report(edge);
      if (states_[edge.to] != State::kNew) continue;
      states_[edge.to] = State::kOnPath;
      path_.push_back({edge.to, 0, edge.node});
    }
  }

  void report(const Edge& closing) {
    const auto begin =
        std::find_if(path_.begin(), path_.end(), [&](const Step& step) { return step.container == closing.to; });
    std::string circle;
    for (auto step = begin; step != path_.end(); ++step) circle += name_of(step->container) + " -> ";
    auto report = emit_.at(closing.node);
    report.says("circular links: {}{}", circle, name_of(closing.to))
        .help("delete one of these links; a container can link only to one that starts before it")
        .severity(Severity::kError);
    for (auto step = begin + 1; step < path_.end(); ++step) report.related(step->node, "part of the cycle");
  }

  std::string name_of(std::size_t container) const {
    return std::string(*ctx_.task.container_definitions[container].name);
  }

  const Context& ctx_;
  const Graph& graph_;
  Emitter& emit_;
  std::vector<State> states_;
  std::vector<Step> path_;
};

void report_unknown_target(const StringField& link, const std::vector<std::string_view>& names, Emitter& emit) {
  auto report = emit.at(link);
  report.says("link \"{}\" refers to an unknown container", *link);
  if (const auto meant = nearest(target_of(*link), names)) {
    report.help("did you mean \"{}\"?", *meant);
  } else {
    report.help("use \"name\" or \"name:alias\" with the name of another container of this task");
  }
}

void links_mode(const Context& ctx, Emitter& emit) {
  const auto mode = network_mode(ctx);
  if (!mode || mode == NetworkMode::kBridge) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (!says_links(container.links)) continue;
    auto report = emit.at_key(container.links.node);
    report.says("links are supported in bridge mode only, not in {} mode", name_of(*mode));
    if (mode == NetworkMode::kAwsvpc) {
      report.help("delete links; in awsvpc mode the containers of a task reach each other on localhost");
    } else {
      report.severity(Severity::kWarning)
          .help(mode == NetworkMode::kHost ? "delete links; in host mode containers reach each other on localhost"
                                           : "delete links, or use another networkMode");
    }
    relate_network_mode(ctx, report);
  }
}

void links_target(const Context& ctx, Emitter& emit) {
  const auto mode = network_mode(ctx);
  const auto positions = container_positions(ctx);
  if ((mode && mode != NetworkMode::kBridge) || !positions) return;
  const auto& containers = ctx.task.container_definitions;
  auto names = names_to_suggest(ctx);
  std::sort(names.begin(), names.end());  // of equally near names, the one without a suffix
  Graph graph(containers.size());
  for (std::size_t i = 0; i < containers.size(); ++i) {
    for (const auto& link : containers[i].links) {
      if (!emit.knows(link) || link->empty()) continue;
      const auto target = positions->find(target_of(*link));
      if (target == positions->end()) {
        auto others = names;
        std::erase(others, *containers[i].name);
        report_unknown_target(link, others, emit);
      } else if (target->second == i) {
        emit.at(link).says("container {} links to itself", *containers[i].name).help("delete the link");
      } else {
        graph[i].push_back({target->second, link.node});
      }
    }
  }
  CycleSearch(ctx, graph, emit).run();
}

}  // namespace

std::span<const Rule> link_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY321", kTaskDefinition, links_mode},
      {"BAY322", kTaskDefinition, links_target},
  };
  return kRules;
}

}  // namespace bayplan::rules
