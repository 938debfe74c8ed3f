#pragma once
#include <map>
#include <string_view>

#include <fmt/core.h>

#include "scenario/loading.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// Refuses a name that a scenario gives twice, and says where it is first.
class UniqueNames {
 public:
  UniqueNames(Sources& sources, std::string_view what) : sources_(sources), what_(what) {}

  void add(const model::StringField& name) {
    if (!name) return;
    const auto [first, is_new] = seen_.try_emplace(*name, name.node);
    if (is_new) return;
    sources_.fail(name.node, fmt::format("duplicate {} '{}'", what_, *name),
                  fmt::format("first in line {}", find_origin(sources_, first->second).line));
  }

 private:
  Sources& sources_;
  std::string_view what_;
  std::map<std::string_view, text::Value> seen_;
};

}  // namespace bayplan::scenario
