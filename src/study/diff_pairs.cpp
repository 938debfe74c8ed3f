#include "study/diff_pairs.hpp"

#include <algorithm>
#include <functional>

namespace bayplan::study {
namespace {

constexpr std::string_view kNoName = "task definition";

std::string name_of(const DiffSide& side, const SideDefinition& definition) {
  if (!definition.family.empty()) return definition.family;
  if (!definition.name.empty()) return definition.name;
  const std::string& file = side.reports[definition.report].file;
  return file.empty() ? std::string(kNoName) : file;
}

class Pairing {
 public:
  Pairing(const DiffSide& before, const DiffSide& after)
      : before_(before), after_(after), partner_of_(after.definitions.size()), is_taken_(before.definitions.size()) {}

  std::vector<DefinitionPair> run() {
    if (before_.definitions.size() == 1 && after_.definitions.size() == 1) {
      match(0, 0);
    } else {
      match_by([](const SideDefinition& one) { return one.family.empty() ? "" : one.family + "\n" + one.name; });
      match_by([](const SideDefinition& one) { return one.family; });
      match_by([](const SideDefinition& one) { return one.name; });
    }
    return pairs();
  }

 private:
  void match(std::size_t before, std::size_t after) {
    partner_of_[after] = before;
    is_taken_[before] = true;
  }

  /// Those that are left, first with first; an empty key matches nothing.
  void match_by(const std::function<std::string(const SideDefinition&)>& key_of) {
    for (std::size_t a = 0; a < after_.definitions.size(); ++a) {
      const auto key = key_of(after_.definitions[a]);
      if (partner_of_[a] || key.empty()) continue;
      for (std::size_t b = 0; b < before_.definitions.size(); ++b) {
        if (is_taken_[b] || key_of(before_.definitions[b]) != key) continue;
        match(b, a);
        break;
      }
    }
  }

  std::vector<DefinitionPair> pairs() const {
    std::vector<DefinitionPair> pairs;
    for (std::size_t a = 0; a < after_.definitions.size(); ++a)
      pairs.push_back({name_of(after_, after_.definitions[a]), partner_of_[a], a});
    for (std::size_t b = 0; b < before_.definitions.size(); ++b) {
      if (!is_taken_[b]) pairs.push_back({name_of(before_, before_.definitions[b]), b, std::nullopt});
    }
    return pairs;
  }

  const DiffSide& before_;
  const DiffSide& after_;
  std::vector<std::optional<std::size_t>> partner_of_;  ///< By definition of NEW.
  std::vector<bool> is_taken_;                          ///< By definition of OLD.
};

}  // namespace

std::vector<DefinitionPair> pair_definitions(const DiffSide& before, const DiffSide& after) {
  return Pairing(before, after).run();
}

}  // namespace bayplan::study
