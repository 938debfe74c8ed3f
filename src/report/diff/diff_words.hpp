#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/diff.hpp"

/// What a comparison says, in the words that its reports share.
namespace bayplan::report {

/// "3 fields changed; +1 GPU, +2048 MiB a task; g4dn.12xlarge holds 2 in place of 4; 1 new error"
std::string diff_sentence(const study::DiffReport& report, const study::DefinitionDiff& diff);

/// "train: 3 fields changed ..." of one definition; of several how many differ, and the worst of it.
std::string diff_headline(const study::DiffReport& report);

/// "+1 GPU", "+2048 MiB", "+1 host port (TCP 8080)", "awsvpc: +1 ENI"; empty when a task takes what it took.
std::vector<std::string> effect_parts(const capacity::TaskRequirement& before, const capacity::TaskRequirement& after);

/// "memory": what a placeholder on one side alone leaves open; no part of the above speaks of it.
std::vector<std::string_view> open_parts(const capacity::TaskRequirement& before,
                                         const capacity::TaskRequirement& after);

/// "1 GPU, 4 vCPU, 15000 MiB", and what of it is not known.
std::string task_words(const capacity::TaskRequirement& task);

/// Why NEW cannot be deployed: "no instance type holds it".
std::string obstacle_words(const study::DefinitionDiff& diff, study::Obstacle obstacle);
/// "can no longer be deployed: ECS would refuse it"; empty where nothing stands in the way.
std::string verdict_words(const study::DefinitionDiff& diff);
std::string_view name_of(study::Obstacle obstacle);  ///< "noType": a word for programs.

/// "3 more copies fit on the cluster, before 5"; the reason why no more is left out.
std::string room_words(const study::ClusterEffect& effect);

/// "0 of 2 instances have 2 free GPUs (...)"; empty where it was not found out.
std::string room_end_words(const study::Room& room);

/// "the deployment of web (web:2) never finishes: ..."; whether OLD would is said too.
std::string rollout_words(const study::ServiceRollout& rollout);

/// "2", "2-3", "any", "0"; "-" where there is no definition.
std::string copies_words(const std::optional<capacity::FitRow>& row);

/// "2 -> 3"; of what did not change, itself alone.
std::string changed(const std::string& before, const std::string& after, std::string_view arrow = " -> ");

/// What a copy costs an hour, "0.526"; "-" where that is not known.
std::string copy_price_words(const std::optional<capacity::FitRow>& row, std::string_view currency = {});

/// What a copy costs at least: "$0.526 an hour on g4dn.xlarge", "of unknown price".
std::string cheapest_words(const study::SideCapacity& side);

/// "2 new errors", "1 new warning", "3 findings gone".
std::vector<std::string> finding_counts(const study::DiffReport& report, const study::FindingChanges& changes);

}  // namespace bayplan::report
