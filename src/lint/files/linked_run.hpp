#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ordered_parallel_for.hpp"
#include "importers/terraform_modules.hpp"
#include "lint/files/definition_links.hpp"
#include "lint/files/deployers.hpp"

namespace bayplan::lint {

/// A candidate after the first stage of a run.
struct ReadCandidate {
  const Candidate& candidate;
  std::optional<Error> error = {};  ///< Set when it could not be read.
  bool is_looked_at = false;  ///< What a search found is passed over when its bytes do not look like a definition.
  bool may_be_linted = false;
  std::string bytes = {};  ///< Set if the run keeps them.
  ReadFile file = {};      ///< Has only a name unless it is looked at.
};

enum class Keep : std::uint8_t { kTree, kTreeAndBytes };

/// What the files of a run say of each other.
struct RunFiles {
  explicit RunFiles(const RunInput& run);

  Deployers deployers;  ///< Who deploys a file that was found or named.
  importers::GivenVariables given;
  importers::TerraformModules modules;  ///< The modules that files of Terraform code belong to.
  std::map<std::string, const Candidate*, std::less<>> by_path;  ///< The candidates by their absolute paths.
};

ReadCandidate read_candidate(const RunInput& run, const Candidate& candidate, Keep keep, const RunFiles& around);

/// What the outcomes of a run may hold back while services wait, in bytes of text: their trees take several times that.
inline constexpr std::size_t kMostHeldBack = 8u << 20;

/// Reads all candidates, links services with definitions, and makes one thing of each candidate, which `take` gets in
/// the order of the candidates.
///
/// Read: every candidate once, side by side. What needs no other file is made at once; a service waits for the link,
/// and what comes after it waits for its turn. Link: which definition a service means is known when the families of all
/// files are. Make: the services, side by side.
///
/// Memory does not grow with the number of candidates, except for the families: what waits beyond `kMostHeldBack` is
/// dropped, and read again when its turn comes. So is a definition that a service names and that was handed over before
/// the first service.
template <class Made>
void run_linked(const RunInput& run, Keep keep, const std::function<Made(ReadCandidate, const FindDefinition&)>& make,
                const std::function<void(Made)>& take) {
  struct Step {
    const Candidate& candidate;
    std::string family = {};  ///< Empty unless it is a whole task definition.
    std::shared_ptr<const text::Document> document = {};
    bool waits = false;
    std::size_t size = 0;
    std::optional<ReadCandidate> read = {};  ///< Set while it waits.
    std::optional<Made> made = {};
  };

  const RunFiles around(run);
  DefinitionFamilies families(run);
  std::vector<const Candidate*> asking;
  std::deque<Step> held_back;
  std::size_t held_bytes = 0;
  const auto read = [&](std::size_t i) {
    auto candidate = read_candidate(run, run.candidates[i], keep, around);
    Step step{.candidate = candidate.candidate, .waits = holds_services(candidate.file)};
    if (candidate.may_be_linted) step.family = family_of(candidate.file);
    if (!step.family.empty()) step.document = candidate.file.document;
    if (candidate.file.document) step.size = candidate.file.document->source().size();
    if (step.waits) {
      step.read.emplace(std::move(candidate));
    } else {
      step.made.emplace(make(std::move(candidate), {}));
    }
    return step;
  };
  const auto sort_in = [&](Step step) {
    const bool is_held_back = step.waits || !held_back.empty();
    if (is_held_back) held_bytes += step.size;
    const bool is_kept = is_held_back && held_bytes <= kMostHeldBack;
    if (step.waits) asking.push_back(&step.candidate);
    if (!step.family.empty()) families.add(step.family, step.candidate, is_kept ? step.document : nullptr);
    step.document.reset();
    if (!is_held_back) return take(std::move(*step.made));
    if (!is_kept) {
      step.read.reset();
      step.made.reset();
    }
    held_back.push_back(std::move(step));
  };
  OrderedParallelFor<Step>(run.candidates.size(), read, sort_in).run(run.jobs);

  const DefinitionLinks links(run, std::move(families), asking);

  const auto make_rest = [&](std::size_t i) {
    Step& step = held_back[i];
    if (step.made) return std::move(*step.made);
    auto candidate = step.read ? std::move(*step.read) : read_candidate(run, step.candidate, keep, around);
    const FindDefinition find = [&](std::string_view reference) { return links.find(reference, step.candidate); };
    return make(std::move(candidate), step.waits ? find : FindDefinition());
  };
  OrderedParallelFor<Made>(held_back.size(), make_rest, take).run(run.jobs);
}

}  // namespace bayplan::lint
