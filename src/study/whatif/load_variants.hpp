#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/assumption.hpp"
#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "placement/model/scenario.hpp"
#include "shape/sources.hpp"
#include "study/whatif/variant.hpp"
#include "text/document.hpp"

/// Converts words to values: the variation flags, the scenario's `variants`, and the points of a grid, all of which say
/// the same things by the same names.
namespace bayplan::study {

/// Keys in the order in which the name of a variant lists them.
enum class VariationKey : std::uint8_t {
  kInstances,  ///< Allowed only in grids, like policy, seed and order.
  kReplace,
  kStrategy,
  kPlacementStrategy,
  kPolicy,
  kSeed,
  kOrder,
  kLoseAz,
  kTerminate,
  kDrain,
  kRemove,
  kAdd,
  kScale,
  kSetDesiredCapacity,
  kDeploy,
};
std::string_view name_of(VariationKey key);  ///< "lose-az": the flag without its dashes.
/// "write NAME=COUNT, for example web=12": of keys that take a pair.
std::string form_of(VariationKey key);

/// The variation flags of the command line, as given.
struct VariationRequest {
  std::vector<std::string> lose_az;             ///< ZONE
  std::vector<std::string> drain;               ///< ID|GLOB
  std::vector<std::string> terminate;           ///< ID|GLOB
  std::vector<std::string> add;                 ///< TYPE=N@AZ,AZ
  std::vector<std::string> remove;              ///< TYPE=N
  std::vector<std::string> replace;             ///< OLD=NEW
  std::vector<std::string> scale;               ///< NAME=N
  std::vector<std::string> desired_capacity;    ///< PROVIDER=N
  std::vector<std::string> deploy;              ///< SERVICE=TASKDEF
  std::vector<std::string> strategy;            ///< Several make a chain.
  std::vector<std::string> placement_strategy;  ///< A part of the same chain in the notation of the AWS CLI.
  bool each_az = false;
  bool each_instance = false;
  std::vector<std::string> variants;  ///< --variant NAME: of the scenario's `variants`.

  bool has_variations() const;  ///< Any but --variant.
};

/// One variation in words.
struct WrittenVariation {
  VariationKey key = VariationKey::kLoseAz;
  std::string text;          ///< The value as the flag takes it.
  placement::Origin origin;  ///< Line 0: a flag.
};

/// A variant in words. Of a grid: the variations of one point of each axis, put behind each other.
struct WrittenVariant {
  std::string name;  ///< Its key in `variants`; empty: named by its variations.
  std::vector<WrittenVariation> variations;
  bool each_az = false;
  bool each_instance = false;
  placement::Origin origin;
};

/// All flags together are one variant.
WrittenVariant written_variant(const VariationRequest& request);

/// Where a map of variations is: what it may contain differs.
enum class VariationPlace : std::uint8_t {
  kVariants,  ///< Not instances, policy, seed, order.
  kGrid,      ///< Not each-az, each-instance.
};

/// Appends what the map says: keys are the flags' names, a value is what the flag takes, a list of such texts, or,
/// where the flag takes X=Y, a map. What is wrong is noted in `sources`, which hold the map's document.
void read_variations(text::Value map, VariationPlace place, shape::Sources& sources, WrittenVariant& variant);

/// A variant with all that it names looked up.
struct LoadedVariant {
  Variant variant;       ///< May be empty where it asks for each zone or instance.
  bool each_az = false;  ///< A variant for each of them on top of this one (each_zone, each_instance).
  bool each_instance = false;
  std::vector<Assumption> assumptions;
  std::vector<Error> errors;  ///< All of them, by position; then the variant is of no use.
  WrittenVariant written;     ///< What was loaded; more may be appended to it.
};

/// Looks up what variants name. May be used by several threads at once; the scenario and the catalog outlive it and the
/// variants.
class VariantLoader {
 public:
  VariantLoader(const placement::Scenario& scenario, const catalog::Catalog& catalog)
      : scenario_(scenario), catalog_(catalog) {}

  LoadedVariant load(const WrittenVariant& written) const;

 private:
  const placement::Scenario& scenario_;
  const catalog::Catalog& catalog_;
};

/// The event of a variation that names zones or instances by text, for a run over time; nothing for the others.
std::optional<placement::TimelineEvent> timed_event(VariationKey key, const std::string& subject);

/// What the command line asks for: the variant of its flags, else the scenario's `variants`, all or those named.
struct LoadedVariants {
  std::vector<LoadedVariant> variants;  ///< Has at least one variant when `errors` is empty.
  std::vector<Error> errors;            ///< Errors of all variants, by position.
};
LoadedVariants load_variants(const VariationRequest& request, const placement::Scenario& scenario,
                             const catalog::Catalog& catalog);

/// Task definitions that the --deploy flags name by file: for ScenarioRequest::deployed.
std::vector<std::string> definition_files(const VariationRequest& request, const Files& files);

/// `base` and the loss of one zone more, for each zone that has instances after its planned variations and that it does
/// not lose itself; in the order of the zones' names. What it adds there is lost too.
std::vector<Variant> each_zone(const placement::Scenario& scenario, const Variant& base);

/// `base` and the loss of one instance more, for each that it does not lose or drain itself, in file order.
std::vector<Variant> each_instance(const placement::Scenario& scenario, const Variant& base);

}  // namespace bayplan::study
