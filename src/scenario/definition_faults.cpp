#include "scenario/definition_faults.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "capacity/uncountable.hpp"
#include "capacity/unknown_members.hpp"
#include "importers/subject.hpp"

namespace bayplan::scenario {

using importers::DefinitionForm;
using importers::Spelling;

std::string spelled_path(std::string_view path, DefinitionForm form) {
  if (form == DefinitionForm::kPlain) return std::string(path);
  std::string result;
  for (const auto key : split(path, '.')) {
    const bool is_first = result.empty();
    if (!is_first) result += '.';
    const auto bracket = std::min(key.find('['), key.size());
    const auto name = key.substr(0, bracket);
    const bool is_snake = form == DefinitionForm::kPlan;
    result += is_snake && !is_first ? std::string(name)
                                    : importers::spelled(name, is_snake ? Spelling::kSnakeCase : Spelling::kPascalCase);
    result += key.substr(bracket);
  }
  return result;
}

DefinitionFault unknown_in_template(const importers::DefinitionFile& file, text::Value value, std::string_view what) {
  constexpr std::size_t kMostShown = 60;
  DefinitionFault fault{.at = value};
  fault.message = fmt::format("{} is unknown: {}", what, shortened_to(value.text(), kMostShown));
  fault.help = importers::help_for_unknown(file, value);
  if (fault.help.empty()) fault.help = "it is known only after deployment; write its value into a copy of the file";
  return fault;
}

std::vector<DefinitionFault> find_unknown_values(const importers::DefinitionFile& file,
                                                 const importers::FileDefinition& definition, const std::string& name) {
  std::vector<DefinitionFault> faults;
  for (const auto& member : capacity::unknown_members(definition.task)) {
    const auto what = fmt::format("{} of task definition '{}'", spelled_path(member.name, file.form), name);
    if (file.form == DefinitionForm::kPlain) {
      faults.push_back({member.node, what + " is a placeholder", "a simulation needs its value"});
    } else {
      faults.push_back(unknown_in_template(file, member.node, what));
    }
  }
  return faults;
}

std::vector<DefinitionFault> find_uncountable_sizes(const importers::FileDefinition& definition) {
  std::vector<DefinitionFault> faults;
  for (auto& size : capacity::uncountable_sizes(definition.task))
    faults.push_back({size.at, std::move(size.message), std::move(size.help)});
  std::stable_sort(faults.begin(), faults.end(),
                   [](const auto& a, const auto& b) { return a.at.span().begin < b.at.span().begin; });
  return faults;
}

std::vector<DefinitionFault> find_definition_faults(const importers::DefinitionFile& file,
                                                    const importers::FileDefinition& definition,
                                                    const std::string& name) {
  auto faults = find_unknown_values(file, definition, name);
  auto sizes = find_uncountable_sizes(definition);
  faults.insert(faults.end(), std::make_move_iterator(sizes.begin()), std::make_move_iterator(sizes.end()));
  std::stable_sort(faults.begin(), faults.end(),
                   [](const auto& a, const auto& b) { return a.at.span().begin < b.at.span().begin; });
  return faults;
}

}  // namespace bayplan::scenario
